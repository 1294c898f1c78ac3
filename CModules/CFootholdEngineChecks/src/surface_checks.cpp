#include "surface_checks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "random_numbers.h"
#include "surface_rooms.h"
#include "surfaces/outline.h"
#include "surfaces/parted_change.h"
#include "surfaces/plane_fit.h"
#include "surfaces/plane_score.h"
#include "surfaces/plane_search.h"
#include "surfaces/polygon_rows.h"
#include "surfaces/round_strip.h"
#include "surfaces/step_profile.h"
#include "surfaces/surface_classifier.h"
#include "surfaces/surface_tracker.h"
#include "surfaces/tracked_surface.h"

namespace foothold::checks {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Match {
    double overlap = 0, iou = 0, degrees = 0, offset = 0;
};

/// Rasterises both in the true rectangle's plane.
bool match(const Surface &surface, const Panel &panel, Match *out) {
    out->degrees = angle_between(surface.normal, panel.normal) / degree;
    Eigen::Vector3d middle = surface.to_world(surface.center);
    out->offset = std::abs(panel.normal.dot(middle - panel.center));
    if (out->degrees > 10 || out->offset > 0.05) return false;
    std::vector<Eigen::Vector2d> outline;
    Eigen::Vector2d low(-panel.half_u, -panel.half_v), high = -low;
    for (const Eigen::Vector2d &p : surface.boundary) {
        const Eigen::Vector3d q = surface.to_world(p) - panel.center;
        outline.emplace_back(q.dot(panel.u), q.dot(panel.v));
        low = low.cwiseMin(outline.back());
        high = high.cwiseMax(outline.back());
    }
    constexpr int steps = 120;
    const PolygonRows rows(outline);
    int both = 0, either = 0, found = 0, truth = 0;
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < steps; ++j) {
            const Eigen::Vector2d p(low.x() + (i + 0.5) / steps * (high.x() - low.x()),
                                    low.y() + (j + 0.5) / steps * (high.y() - low.y()));
            const bool is_found = rows.contains(p);
            const bool is_true = std::abs(p.x()) < panel.half_u && std::abs(p.y()) < panel.half_v;
            both += is_found && is_true;
            either += is_found || is_true;
            found += is_found;
            truth += is_true;
        }
    }
    if (found == 0 || truth == 0) return false;
    out->overlap = static_cast<double>(both) / std::min(found, truth);
    out->iou = static_cast<double>(both) / std::max(either, 1);
    return out->overlap > 0.3;
}

void hash_double(double value, uint64_t *digest) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; ++i) *digest = (*digest ^ ((bits >> (8 * i)) & 0xff)) * 0x100000001B3ull;
}

void score(const SyntheticRoom &room, std::span<const Surface> surfaces, fh_check_surface_report *report) {
    std::vector<bool> taken(surfaces.size(), false);
    report->lowest_iou = 1;
    for (const Panel &panel : room.panels()) {
        if (panel.role == Panel::Role::unwanted) continue;
        const bool is_wanted = panel.role == Panel::Role::wanted;
        report->true_count += is_wanted;
        int best = -1;
        Match best_match;
        for (size_t i = 0; i < surfaces.size(); ++i) {
            Match m;
            if (!taken[i] && match(surfaces[i], panel, &m) && (best < 0 || m.iou > best_match.iou)) {
                best = static_cast<int>(i);
                best_match = m;
            }
        }
        if (best < 0) {
            if (is_wanted) report->lowest_iou = 0;
            continue;
        }
        taken[best] = true;
        if (!is_wanted) continue;
        ++report->matched_count;
        report->worst_normal_degrees = std::max(report->worst_normal_degrees, best_match.degrees);
        report->worst_offset_m = std::max(report->worst_offset_m, best_match.offset);
        report->lowest_iou = std::min(report->lowest_iou, best_match.iou);
    }
    report->wrong_count = static_cast<int32_t>(std::count(taken.begin(), taken.end(), false));
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

double fh_check_say(int32_t points, double log_false_alarms, double belief, double disorder) {
    TrackedSurface surface(PlaneFit(), PlaneFit(), GravityConstraint::none, Eigen::Vector3d::UnitX(),
                           Eigen::Vector3d::UnitY(), 1);
    surface.shown.point_count = points;
    surface.log_false_alarms = log_false_alarms;
    surface.belief = belief;
    surface.disorder = disorder;
    return surface.say();
}

int32_t fh_check_surfaces_run(int32_t kind, uint64_t seed, double parameter, fh_check_surface_report *out_report) {
    if (out_report == nullptr || kind < FH_CHECK_ROOM_FURNISHED || kind > FH_CHECK_ROOM_SMALL_BOXES) return -1;
    *out_report = {};
    out_report->first_keyframe = -1;
    out_report->digest = 0xCBF29CE484222325ull;
    SyntheticRoom room = make_room(kind, seed, parameter);
    SurfaceTracker tracker;
    std::map<int32_t, std::pair<Surface, int>> former;  // with its age in updates
    Eigen::Vector3d former_camera = Eigen::Vector3d::Zero();
    for (int k = 0; k < room.keyframe_count(); ++k) {
        const MapView view = room.view_at(k);
        tracker.update(view);
        if (out_report->first_keyframe < 0 && !tracker.surfaces().empty()) out_report->first_keyframe = k;
        for (const SurfaceEvent &event : tracker.events()) {
            out_report->added_count += event.kind == SurfaceEventKind::added;
            out_report->updated_count += event.kind == SurfaceEventKind::updated;
            out_report->merged_count += event.kind == SurfaceEventKind::merged;
            out_report->removed_count += event.kind == SurfaceEventKind::removed;
        }
        // The map's own move shows in a keyframe that both views hold.
        Eigen::Vector3d map_move = Eigen::Vector3d::Zero();
        if (view.keyframes.size() > 1) {
            map_move = view.keyframes[view.keyframes.size() - 2].camera_in_world - former_camera;
        }
        former_camera = view.keyframes.back().camera_in_world;
        for (const Surface &surface : tracker.surfaces()) {
            double twice = 0;
            for (size_t i = 0; i < surface.boundary.size(); ++i) {
                const Eigen::Vector2d &a = surface.boundary[i];
                const Eigen::Vector2d &b = surface.boundary[(i + 1) % surface.boundary.size()];
                twice += a.x() * b.y() - a.y() * b.x();
                hash_double(a.x(), &out_report->digest);
                hash_double(a.y(), &out_report->digest);
            }
            out_report->malformed_count += surface.boundary.size() < 3 || twice >= 0;
            for (int axis = 0; axis < 3; ++axis) hash_double(surface.origin_in_world[axis], &out_report->digest);
            auto &[old, age] = former[surface.id];
            if (age > 3) {
                const Eigen::AngleAxisd turn(
                    Eigen::Matrix3d(old.world_from_surface_rotation.transpose() * surface.world_from_surface_rotation));
                out_report->largest_turn_rad = std::max(out_report->largest_turn_rad, std::abs(turn.angle()));
                out_report->largest_move_m = std::max(
                    out_report->largest_move_m, (surface.origin_in_world - old.origin_in_world - map_move).norm());
            }
            old = surface;
            ++age;
        }
    }
    out_report->found_count = static_cast<int32_t>(tracker.surfaces().size());
    score(room, tracker.surfaces(), out_report);
    const Surface *largest = nullptr;
    for (const Surface &surface : tracker.surfaces()) {
        if (!largest || surface.area > largest->area) largest = &surface;
    }
    if (largest) {
        out_report->largest_confidence = largest->confidence;
        out_report->largest_classification = static_cast<int32_t>(largest->classification);
    }
    return 0;
}

int32_t fh_check_classes(int32_t room, double metre, int32_t *out_lowest, int32_t *out_highest) {
    if (out_lowest == nullptr || out_highest == nullptr) return -1;
    const double unit = metre > 0 ? metre : 1;
    const auto make = [&](double height, double side) {
        Surface surface;
        surface.alignment = SurfaceAlignment::horizontal_up;
        surface.origin_in_world = Eigen::Vector3d(0, height * unit, 0);
        surface.area = side * side * unit * unit;
        surface.extent = Eigen::Vector2d::Constant(side * unit);
        surface.confidence = 0.95;
        return surface;
    };
    Surface lowest = make(0, 3), highest = make(0.45, 0.4), back = make(0.7, 0.4);
    back.alignment = SurfaceAlignment::vertical;
    back.origin_in_world.z() = -0.25 * unit;
    back.world_from_surface_rotation << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    for (const auto &[x, z] : {std::pair(-0.2, -0.2), {-0.2, 0.2}, {0.2, 0.2}, {0.2, -0.2}})
        back.boundary.emplace_back(x * unit, z * unit);
    if (room == FH_CHECK_CLASSES_BOX_ON_TABLE) lowest = make(0, 1.1), highest = make(0.16, 0.2);
    if (room == FH_CHECK_CLASSES_TABLE) highest = make(0.74, 0.9);
    std::vector<Surface *> all{&lowest, &highest};
    if (room == FH_CHECK_CLASSES_CHAIR) all.push_back(&back);
    ClassifierContext context;
    context.camera_height = (room == FH_CHECK_CLASSES_BOX_ON_TABLE ? 0.6 : 1.5) * unit;
    context.metre = metre;
    classify_surfaces(all, context);
    *out_lowest = static_cast<int32_t>(lowest.classification);
    *out_highest = static_cast<int32_t>(highest.classification);
    return 0;
}

double fh_check_surfaces_transform_error(uint64_t seed, int32_t in_parts) {
    SyntheticRoom room = make_room(FH_CHECK_ROOM_FURNISHED, seed, 0);
    SurfaceTracker tracker;
    PartedChange parts;
    const double scale = 1.7;
    const Eigen::Matrix3d rotation =
        Eigen::AngleAxisd(0.6, Eigen::Vector3d(0.3, 1, -0.2).normalized()).toRotationMatrix();
    const Eigen::Vector3d translation(0.5, -2, 3);
    for (int k = 0; k < 10; ++k) {
        const MapView view = room.view_at(k);
        tracker.update(view);
        const KeyframeView &newest = view.keyframes.back();
        parts.add_keyframe(newest.id, newest.camera_in_world, {scale, rotation, translation});
        // Hosts are as if by chance.
        for (const MapPoint &point : view.points)
            parts.add_point(point.id, view.keyframes[point.id % 3 % view.keyframes.size()].id);
    }
    const std::vector<Surface> before(tracker.surfaces().begin(), tracker.surfaces().end());
    if (before.empty()) return -1;
    if (in_parts) {
        tracker.transform_each(parts);
    } else {
        tracker.transform(scale, rotation, translation);
    }
    double worst = before.size() == tracker.surfaces().size() ? 0 : 1e9;
    for (size_t i = 0; i < before.size() && worst < 1e9; ++i) {
        const Surface &a = before[i], &b = tracker.surfaces()[i];
        for (size_t j = 0; j < a.boundary.size(); ++j) {
            const Eigen::Vector3d expected = scale * (rotation * a.to_world(a.boundary[j])) + translation;
            worst = std::max(worst, (expected - b.to_world(b.boundary[j])).norm());
        }
    }
    return worst;
}

int32_t fh_check_surfaces_in_parts(uint64_t seed, double *out_largest) {
    if (out_largest == nullptr) return -1;
    SyntheticRoom room = make_room(FH_CHECK_ROOM_FURNISHED, seed, 0);
    SurfaceTracker at_once, in_parts;
    *out_largest = 0;
    int32_t different = 0;
    for (int k = 0; k < 12; ++k) {
        const MapView view = room.view_at(k);
        at_once.update(view);
        in_parts.begin(view);
        size_t count = 1;
        while (in_parts.advance()) ++count;
        bool is_same = count == SurfaceTracker::part_count && in_parts.share_of_first(0) == 0 &&
                       std::abs(in_parts.share_of_first(count) - 1) < 1e-9;
        for (size_t part = 0; part < SurfaceTracker::part_count; ++part) {
            const double share = in_parts.share_of_first(part + 1) - in_parts.share_of_first(part);
            is_same = is_same && share >= 0;
            *out_largest = std::max(*out_largest, share);
        }
        const auto a = at_once.surfaces(), b = in_parts.surfaces();
        is_same =
            is_same && std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Surface &one, const Surface &other) {
                return one.id == other.id && one.boundary == other.boundary;
            });
        different += !is_same;
    }
    return at_once.surfaces().empty() ? 12 : different;
}

int32_t fh_check_plane_fit_consistency(uint64_t seed, int32_t trials, double *out_tilt, double *out_height) {
    if (out_tilt == nullptr || out_height == nullptr || trials < 1) return -1;
    RandomNumbers random(seed);
    double tilt = 0, height = 0;
    for (int32_t trial = 0; trial < trials; ++trial) {
        std::vector<SurfacePoint> points;
        std::vector<int> indices;
        const Eigen::Vector3d camera(0, 1.5, 1);
        for (int i = 0; i < 40; ++i) {
            SurfacePoint point;
            point.position = Eigen::Vector3d(random.uniform() - 0.5, 0, 0.6 * (random.uniform() - 0.5));
            point.view = (camera - point.position).normalized();
            point.distance = (camera - point.position).norm();
            point.sigma_along = 0.02 + 0.05 * random.uniform();
            point.position += random.gaussian() * point.sigma_along * point.view;
            point.position.y() += random.gaussian() * 1e-3 * point.distance;
            indices.push_back(i);
            points.push_back(point);
        }
        const PlaneFit fit = fit_plane(points, indices, {Eigen::Vector3d::UnitY(), 0});
        if (!fit.valid) return -1;
        const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
        const double toward_major = up.dot(fit.major), toward_minor = up.dot(fit.minor);
        tilt += 0.5 * (toward_major * toward_major / fit.covariance(0, 0) +
                       toward_minor * toward_minor / fit.covariance(1, 1));
        height += fit.centroid.y() * fit.centroid.y() / fit.covariance(2, 2);
    }
    *out_tilt = tilt / trials;
    *out_height = height / trials;
    return 0;
}

double fh_check_plane_false_alarm_rate(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    SeededRandom search(random.seed());
    int alarms = 0;
    for (int32_t trial = 0; trial < trials; ++trial) {
        std::vector<SurfacePoint> points;
        std::vector<int> available;
        const Eigen::Vector3d camera(0, 0.3, 1.4);
        for (int i = 0; i < 250; ++i) {
            SurfacePoint point;
            point.position = Eigen::Vector3d(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
            point.view = (camera - point.position).normalized();
            point.distance = (camera - point.position).norm();
            point.sigma_along = 0.004;
            point.sigma_across = 0.001;
            available.push_back(i);
            points.push_back(point);
        }
        PlaneSearchOptions options;
        options.up_sigma_rad = 0.02;
        const auto candidate = find_plane(points, available, options, search);
        alarms += candidate && candidate->log_false_alarms < -7;
    }
    return static_cast<double>(alarms) / std::max(trials, 1);
}

double fh_check_plane_score_error(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    // Far from the world's origin, where single precision is coarsest.
    const Eigen::Vector3d middle(40, -3, 25);
    std::vector<SurfacePoint> points(1000);
    std::vector<int> indices;
    for (SurfacePoint &point : points) {
        point.position = middle + Eigen::Vector3d(random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-3, 3));
        point.distance = random.uniform(0.3, 5);
        point.view = random.direction();
        if (random.chance(0.5)) point.facing = random.direction();
        point.sigma_along = random.uniform(1e-4, 0.02) * point.distance;
        point.sigma_across = 1e-3 * point.distance;
        if (random.chance(0.75)) indices.push_back(static_cast<int>(&point - points.data()));
    }
    constexpr double noise_scale = 1.3;
    const PlaneScorer scorer(points, indices, noise_scale);
    double worst = 0, highest = 0;
    for (int32_t trial = 0; trial < trials; ++trial) {
        Plane plane;
        plane.normal = random.direction();
        plane.offset = plane.normal.dot(points[trial % points.size()].position);
        double expected = 0;
        for (int index : indices) {
            const SurfacePoint &point = points[index];
            const double r = plane.distance(point.position) / inlier_tolerance(point, plane.normal, noise_scale);
            const bool is_before = plane.normal.dot(point.view) >= 0.05 && point.may_face(plane.normal);
            if (is_before && std::abs(r) < 1) expected += 1 - r * r;
        }
        highest = std::max(highest, expected);
        worst = std::max(worst, std::abs(scorer.score(plane) - expected));
    }
    return highest > 0 ? worst : -1;
}

int32_t fh_check_held_level(uint64_t seed, int32_t is_upright, double tilt_degrees, double *out_degrees) {
    RandomNumbers random(seed);
    const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    // The long side lies along x; what is across it and in the plane is z of a level one, y of an upright one.
    const Eigen::Vector3d normal = is_upright ? Eigen::Vector3d::UnitZ() : up;
    const Eigen::Vector3d across = is_upright ? up : Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d camera = 3.4 * across + 0.9 * normal;
    std::vector<SurfacePoint> points(60);
    PlaneCandidate refitted;
    for (SurfacePoint &point : points) {
        const double place = random.uniform(-0.1, 0.1);
        const double height = place * std::tan(tilt_degrees * degree) + random.uniform(-0.002, 0.002);
        point.position = Eigen::Vector3d(random.uniform(-0.6, 0.6), 0, 0) + place * across + height * normal;
        point.view = (camera - point.position).normalized();
        point.distance = (camera - point.position).norm();
        point.sigma_along = 0.005 * point.distance;
        point.sigma_across = 0.001 * point.distance;
        refitted.inliers.push_back(static_cast<int>(refitted.inliers.size()));
    }
    constexpr double up_sigma = 0.006;
    if (!fit_to_inliers(points, {normal, 0}, up, up_sigma, &refitted)) return -1;
    if (refitted.constraint != GravityConstraint::none) return -1;
    const auto before = is_upright ? GravityConstraint::vertical : GravityConstraint::horizontal;
    hold_level(points, before, up, up_sigma, 1, &refitted);
    const double turned = angle_between(refitted.fit.plane.normal, normal);
    *out_degrees = turned / degree;
    return refitted.constraint == GravityConstraint::none;
}

double fh_check_explained_by_steps(uint64_t seed, int32_t is_step) {
    RandomNumbers random(seed);
    const Eigen::Vector3d up = Eigen::Vector3d::UnitY(), camera(0, 0.3, 1.2);
    std::vector<SurfacePoint> points(80);
    std::vector<int> indices;
    for (SurfacePoint &point : points) {
        const double height = random.uniform(-0.1, 0.1);
        const double depth = is_step ? (height > 0 ? 0.025 : -0.025) : std::tan(30 * degree) * height;
        point.position = {random.uniform(-0.4, 0.4), height, depth};
        point.view = (camera - point.position).normalized();
        point.distance = (camera - point.position).norm();
        point.position += 0.003 * random.uniform(-1, 1) * point.view;
        point.sigma_along = 0.003;
        point.sigma_across = 0.001;
        indices.push_back(static_cast<int>(indices.size()));
    }
    const Eigen::Vector3d normal(0, -std::sin(30 * degree), std::cos(30 * degree));
    const PlaneFit fit = fit_plane(points, indices, {normal, 0});
    return fit.valid ? explained_by_steps(points, indices, fit.plane, up, 1) : -1;
}

int32_t fh_check_is_round(uint64_t seed, double radius) {
    RandomNumbers random(seed);
    constexpr double half_width = 0.03, sigma = 0.002;
    // A little wider than what is left of its points without strays.
    constexpr double edge = 1.1;
    std::vector<StripPoint> strip;
    for (int i = 0; i < 120; ++i) {
        const double across = random.uniform(-strip_reach, strip_reach);
        // The chord that fits best lies a little behind the can's front; a box's other sides run back at right angles,
        // of which the camera sees either by moving past.
        double before = 0;
        if (radius > 0) {
            if (std::abs(across) >= radius) continue;
            before = half_width * (std::sqrt(radius * radius - across * across) - radius + 1 / (6 * radius));
        } else if (std::abs(across) > edge) {
            strip.push_back({std::copysign(edge, across), -half_width * random.uniform(0, strip_behind), sigma});
            continue;
        }
        strip.push_back({across, before + sigma * random.gaussian(), sigma});
    }
    return is_round(strip, half_width);
}

double fh_check_wall_left_behind(uint64_t seed) {
    SyntheticRoom room = make_room(FH_CHECK_ROOM_FURNISHED, seed, 0);
    SurfaceTracker tracker;
    MapView view;
    for (int k = 0; k < room.keyframe_count(); ++k) {
        view = room.view_at(k);
        tracker.update(view);
    }
    const auto faces_room = [](const Surface &surface) { return surface.normal.z() > 0.9; };
    const std::vector<Surface> before(tracker.surfaces().begin(), tracker.surfaces().end());
    const auto wall = std::find_if(before.begin(), before.end(), faces_room);
    if (wall == before.end()) return -1;
    // The camera turns round on the spot.
    std::vector<KeyframeView> keyframes(view.keyframes.begin(), view.keyframes.end());
    keyframes.back().world_from_camera_rotation =
        Eigen::AngleAxisd(180 * degree, Eigen::Vector3d::UnitY()) * keyframes.back().world_from_camera_rotation;
    keyframes.back().observations = {};
    std::vector<MapPoint> points;
    int on_wall = 0;
    for (MapPoint point : view.points) {
        const Eigen::Vector3d &p = point.position_in_world;
        if (std::abs(wall->normal.dot(p - wall->origin_in_world)) < 0.03) {
            if (++on_wall % 12 != 0) continue;
            point.position_in_world.z() += std::tan(2 * degree) * p.x();
        }
        points.push_back(point);
    }
    view.points = points;
    view.keyframes = keyframes;
    for (int k = 0; k < 8; ++k) {
        ++keyframes.back().id;
        keyframes.back().timestamp_ns += 250'000'000;
        view.newest_timestamp_ns = keyframes.back().timestamp_ns;
        tracker.update(view);
    }
    for (const Surface &surface : tracker.surfaces()) {
        if (surface.id == wall->id) return angle_between(surface.normal, wall->normal) / degree;
    }
    return -1;
}
