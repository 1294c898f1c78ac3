// Faces of boxes and cabinets that hardly have points: sides hang from the edges of tops that are known, down to what
// these stand on, and tops and sides go back from the edges of fronts.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "surfaces/face_search.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Looks that must speak for a face before it's told of, and how many may say nothing until then.
constexpr int to_confirm = 2, patience = 6;
/// Edges of tops and of fronts that are asked at a keyframe while frames come; in a review all are.
constexpr size_t tops_edges_a_keyframe = 2, fronts_edges_a_keyframe = 1;
// Relative to distance.
constexpr double lowest = 0.02, narrow = 0.09, beside_top = 0.015, near_outline = 0.06;
/// How far inwards of a top's outline its edge may lie: relative to distance, and of the top's own depth.
constexpr double deepest = 0.055, deepest_share = 0.4;
/// Radians, and relative to distance: what is so close to another is the same.
constexpr double same_turn = 0.35, same_offset = 0.025;
/// Of the smallest rectangle around a round top, more than it fills.
constexpr double fullest_round = 0.86;
/// Relative to distance squared: so large is no round top.
constexpr double largest_round = 0.018;
/// Cosine.
constexpr double faces_up = 0.9;
constexpr size_t most_below = 4, most_behind_edge = 4;
/// Of a front's width: how deep things are, where no wall behind tells, and how far behind one may be that does.
constexpr double usual_depth = 0.6, deepest_to_wall = 1.2;
/// Relative to how far away a place is: what lies so much nearer hides it, and what lies so much farther is behind.
constexpr double before = 0.03, behind = 0.03;
constexpr float seen_step = 0.5f, other_step = -0.5f;
/// A place that fits no worse shows the face.
constexpr double fitting = 3;

bool is_level_top(const TrackedSurface &surface, const Eigen::Vector3d &up) {
    return surface.is_confirmed && surface.constraint() == GravityConstraint::horizontal &&
           surface.plane().normal.dot(up) > faces_up;
}

/// An edge of a surface, and how far the surface reaches behind it.
struct Edge {
    HangingFace face;
    double depth = 0;
};

/// Of the smallest rectangle around a top, without their height.
std::vector<Edge> edges_of(const Surface &top, const Eigen::Vector3d &up, double distance) {
    std::vector<cv::Point2f> corners;
    for (const Eigen::Vector2d &corner : top.boundary)
        corners.emplace_back(static_cast<float>(corner.x()), static_cast<float>(corner.y()));
    if (corners.size() < 3) return {};
    cv::Point2f around[4];
    const cv::RotatedRect rectangle = cv::minAreaRect(corners);
    // Lids of cans.
    const double area = rectangle.size.area();
    if (area < largest_round * distance * distance && cv::contourArea(corners) < fullest_round * area) return {};
    rectangle.points(around);
    const auto corner = [&](int i) { return top.to_world({around[i % 4].x, around[i % 4].y}); };
    const Eigen::Vector3d center = 0.5 * (corner(0) + corner(2));
    std::vector<Edge> edges;
    for (int i = 0; i < 4; ++i) {
        Edge edge;
        HangingFace &face = edge.face;
        face.middle = 0.5 * (corner(i) + corner(i + 1));
        face.length = (corner(i + 1) - corner(i)).norm();
        edge.depth = (corner(i + 2) - corner(i + 1)).norm();
        face.up = up;
        face.of = top.id;
        face.outward = up.cross(corner(i + 1) - corner(i));
        if (face.outward.norm() < 1e-6) continue;
        face.outward.normalize();
        if (face.outward.dot(face.middle - center) < 0) face.outward = -face.outward;
        edges.push_back(edge);
    }
    return edges;
}

/// The upper edge of a front and those at its sides, without how deep what goes back from them is.
std::vector<Edge> edges_of_front(const Surface &front, const Eigen::Vector3d &up) {
    const Eigen::Vector3d &normal = front.normal;
    const Eigen::Vector3d facing = (normal - up * up.dot(normal)).normalized(), right = up.cross(facing);
    const Eigen::Vector2d half = 0.5 * front.extent;
    std::vector<Edge> edges;
    const auto add = [&](const Eigen::Vector2d &from_center, const Eigen::Vector3d &outward, double length,
                         double depth) {
        HangingFace face;
        face.middle = front.to_world(front.center + from_center);
        face.outward = outward;
        face.up = facing;
        face.length = length;
        face.of = front.id;
        edges.push_back({face, depth});
    };
    // Its axes run right and down.
    add({0, -half.y()}, up, 2 * half.x(), 2 * half.y());
    add({-half.x(), 0}, -right, 2 * half.y(), 2 * half.x());
    add({half.x(), 0}, right, 2 * half.y(), 2 * half.x());
    return edges;
}

}  // namespace

double SurfaceTracker::State::height_over_support(const TrackedSurface &top, const HangingFace &face) const {
    const Eigen::Vector3d &up = view->up_in_world;
    const Eigen::Vector3d foot = face.middle + beside_top * top.distance * face.outward;
    double under = 0, lowest_known = 0;
    for (const TrackedSurface &surface : tracked) {
        if (!is_level_top(surface, up) || surface.shown.id == top.shown.id) continue;
        const double height = surface.plane().distance(face.middle);
        if (height < lowest * top.distance) continue;
        lowest_known = std::max(lowest_known, height);
        const bool is_below = surface.is_near_outline(surface.to_local(foot), near_outline * top.distance);
        if (is_below && (under == 0 || height < under)) under = height;
    }
    return under > 0 ? under : lowest_known;
}

double SurfaceTracker::State::depth_behind(const TrackedSurface &front, double width, const HangingFace &face) const {
    double depth = usual_depth * width;
    for (const TrackedSurface &wall : tracked) {
        if (!wall.is_confirmed || wall.shown.id == front.shown.id ||
            angle_between(wall.plane().normal, front.plane().normal) > same_turn)
            continue;
        const double height = wall.plane().distance(face.middle);
        if (height > lowest * front.distance && height < deepest_to_wall * width) depth = height;
    }
    return depth;
}

FaceScene SurfaceTracker::State::scene_of_face(const HangingFace &face) const {
    const KeyframeView &newest = view->keyframes.back();
    FaceScene scene;
    scene.views = view->keyframes;
    scene.noise = dense.grey_noise();
    scene.up_in_world = view->up_in_world;
    scene.distance = (newest.camera_in_world - face.at(0, 0.5)).norm();
    const int32_t of = face.of;
    scene.is_hidden = [this, of](const Eigen::Vector3d &camera, const Eigen::Vector3d &place) {
        const Eigen::Vector3d ray = place - camera;
        return std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &surface) {
            if (!surface.is_confirmed || surface.shown.id == of) return false;
            const double height = surface.plane().distance(camera), facing = -surface.plane().normal.dot(ray);
            // The ray meets it before the place.
            if (height <= 0 || facing <= 0 || height > (1 - before) * facing) return false;
            return surface.holds(surface.to_local(camera + height / facing * ray));
        });
    };
    const Eigen::Vector3d camera = newest.camera_in_world;
    scene.behind = [this, of, camera](const Eigen::Vector3d &ray) {
        double nearest = 0;
        for (const TrackedSurface &surface : tracked) {
            const double facing = -surface.plane().normal.dot(ray);
            if (!surface.is_confirmed || surface.shown.id == of || facing <= 0) continue;
            const double depth = surface.plane().distance(camera) / facing;
            if (depth <= 1 + behind || (nearest > 0 && depth > nearest)) continue;
            if (surface.is_near_outline(surface.to_local(camera + depth * ray), near_outline * surface.distance))
                nearest = depth;
        }
        return nearest;
    };
    for (const TrackedSurface &surface : tracked) {
        const double height = surface.plane().distance(face.middle);
        if (is_level_top(surface, view->up_in_world) && height > lowest * scene.distance &&
            scene.beyond.size() < most_below)
            scene.beyond.push_back(surface.plane());
    }
    if (face.hangs_down(view->up_in_world)) return scene;
    const size_t most = scene.beyond.size() + most_behind_edge;
    for (const TrackedSurface &surface : tracked) {
        if (surface.is_confirmed && surface.constraint() == GravityConstraint::vertical && surface.shown.id != of &&
            surface.plane().distance(face.middle) > lowest * scene.distance && scene.beyond.size() < most)
            scene.beyond.push_back(surface.plane());
    }
    return scene;
}

bool SurfaceTracker::State::knows_face(const HangingFace &face, double distance) const {
    const Eigen::Vector3d middle = face.at(0, 0.5);
    return std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &surface) {
        return surface.is_confirmed && angle_between(surface.plane().normal, face.outward) < same_turn &&
               std::abs(surface.plane().distance(middle)) < same_offset * distance &&
               surface.is_near_outline(surface.to_local(middle), 0.3 * face.length);
    });
}

void SurfaceTracker::State::note_places(const FoundFace &found, TrackedSurface *surface) {
    for (const FaceLook::Place &place : found.look.places)
        surface->grid.add(surface->to_local(found.face.at(place.side, place.down)), place.misfit < 0 ? 0
                                                                                    : place.misfit < fitting
                                                                                        ? seen_step
                                                                                        : other_step);
}

void SurfaceTracker::State::look_at_hanging() {
    for (TrackedSurface &surface : tracked) {
        if (!surface.hanging) continue;
        const FaceScene scene = scene_of_face(*surface.hanging);
        const auto found = look_around(scene, *surface.hanging);
        if (!found) continue;
        if (!surface.hangs()) {
            // Pictures may still tell better than points that happen to lie on it.
            if (found->look.speaks_against()) surface.standing -= 3;
            continue;
        }
        if (found->look.speaks_for()) {
            surface.standing = std::min(highest_standing, surface.standing + 1);
            surface.hanging = found->face;
            const auto [fit, free_fit] =
                fits_told_at(found->face.plane(), found->face.at(0, 0.5), view->up_in_world, scene.distance);
            surface.move_to(fit, free_fit, surface.constraint(), gain_of_told);
            note_places(*found, &surface);
        } else if (found->look.speaks_against()) {
            surface.standing -= 2;
        }
    }
    for (SupposedFace &supposed : supposed_faces) {
        const auto found = look_around(scene_of_face(supposed.face), supposed.face);
        if (found && found->look.speaks_for()) {
            ++supposed.standing;
            supposed.face = found->face;
            if (supposed.standing >= to_confirm) tell_of(supposed, *found);
        } else if ((found && found->look.speaks_against()) || ++supposed.unclear > patience) {
            supposed.standing = 0;
        }
    }
    std::erase_if(supposed_faces, [](const SupposedFace &supposed) { return supposed.standing <= 0; });
}

void SurfaceTracker::State::hang_faces() {
    if (!view->keyframes.back().luma || view->keyframes.size() < 3) return;
    look_at_hanging();
    const Eigen::Vector3d &up = view->up_in_world;
    const KeyframeView &newest = view->keyframes.back();
    std::vector<Edge> of_tops, of_fronts;
    for (const TrackedSurface &surface : tracked) {
        const bool is_top = is_level_top(surface, up);
        const bool is_front =
            surface.is_confirmed && surface.constraint() == GravityConstraint::vertical && !surface.bounds_place;
        if ((!is_top && !is_front) || surface.is_told_by_pictures()) continue;
        Surface known = surface.shown;
        reach_out_to(labelling.outline_of(known.id), &known);
        for (Edge &edge : is_top ? edges_of(known, up, surface.distance) : edges_of_front(known, up)) {
            HangingFace &face = edge.face;
            face.height = is_top ? height_over_support(surface, face) : depth_behind(surface, known.extent.x(), face);
            const double distance = (newest.camera_in_world - face.middle).norm();
            if (face.height < lowest * distance) continue;
            if (face.length * face.height < least_area_at(distance, false, *view)) continue;
            if (face.length < narrow * distance) continue;
            if (face.outward.dot(newest.camera_in_world - face.middle) < flattest_face * distance) continue;
            const bool is_supposed =
                std::any_of(supposed_faces.begin(), supposed_faces.end(), [&](const SupposedFace &supposed) {
                    return angle_between(supposed.face.outward, face.outward) < same_turn &&
                           (supposed.face.at(0, 0.5) - face.at(0, 0.5)).norm() < 0.5 * face.length;
                });
            if (is_supposed || knows_face(face, distance)) continue;
            (is_top ? of_tops : of_fronts).push_back(edge);
        }
    }
    const auto ask = [&](const std::vector<Edge> &edges, size_t most, size_t *next) {
        const size_t count = view->is_review ? edges.size() : std::min(edges.size(), most);
        for (size_t i = 0; i < count; ++i) {
            const Edge &edge = edges[(*next)++ % edges.size()];
            hang_face(edge.face, edge.depth);
        }
    };
    ask(of_tops, tops_edges_a_keyframe, &next_edge_of_top);
    ask(of_fronts, fronts_edges_a_keyframe, &next_edge_of_front);
}

void SurfaceTracker::State::hang_face(const HangingFace &supposed, double depth) {
    if (tracked.size() >= most_surfaces) return;
    const FaceScene scene = scene_of_face(supposed);
    const auto found = find_face(scene, supposed, std::min(deepest * scene.distance, deepest_share * depth));
    if (!found || !found->look.speaks_for() || knows_face(found->face, scene.distance)) return;
    supposed_faces.push_back({found->face, 1});
}

void SurfaceTracker::State::tell_of(SupposedFace &supposed, const FoundFace &found) {
    // Told of or not, it's supposed no more.
    supposed.standing = 0;
    const KeyframeView &newest = view->keyframes.back();
    const double distance = (newest.camera_in_world - found.face.at(0, 0.5)).norm();
    if (tracked.size() >= most_surfaces || knows_face(found.face, distance)) return;
    const auto [fit, free_fit] = fits_told_at(found.face.plane(), found.face.at(0, 0.5), view->up_in_world, distance);
    const bool is_level = found.face.outward.dot(view->up_in_world) > faces_up;
    TrackedSurface surface(fit, free_fit, is_level ? GravityConstraint::horizontal : GravityConstraint::vertical,
                           newest.world_from_camera_rotation.col(0), view->up_in_world, distance);
    surface.shown.first_seen_ns = view->newest_timestamp_ns;
    surface.hanging = found.face;
    surface.belief = belief_in_told;
    surface.standing = to_confirm;
    note_places(found, &surface);
    surface.update_outline(tracked);
    if (surface.shown.boundary.size() < 3 || surface.shown.area < least_area(surface, *view)) return;
    surface.shown.id = next_id++;
    surface.is_confirmed = true;
    events.push_back({SurfaceEventKind::added, surface.shown.id, -1});
    tracked.push_back(std::move(surface));
}

}  // namespace foothold
