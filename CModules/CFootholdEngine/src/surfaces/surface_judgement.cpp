// Which surfaces are believed, and which are given up.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "surfaces/step_profile.h"
#include "surfaces/surface_classifier.h"
#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Gravity known worse than this says nothing about which planes are slopes.
constexpr double vague_gravity = 0.1;
constexpr double overwhelming = -40;  // for believing it at once
constexpr int steps_to_confirm = 2, steps_of_small = 4, steps_of_part = 8;
/// In a review what is searched in is mostly what nothing was found in before, and each picture is looked at beside
/// pictures that its neighbours were looked at with: so many times the steps, and none is believed at once.
/// What may be a part of another and isn't level isn't added then at all.
constexpr int review_caution = 2;
// What lies in another surface's plane may be a part of it. Level things are parallel, though, so that they needn't be
// where the other is small and they aren't this near, or both are and their heights are this far apart (relative to
// distance).
constexpr double beside = 0.1, another_height = 0.002;
/// For what only a crease tells: the views that show the crease, and of all points those behind it that deny it.
constexpr double views_of_crease = 3, behind_crease = 0.03;
/// A hand's palm from arm's length, a shoe box's side from three metres; and what is proven by so many points, which
/// chance hardly explains.
constexpr double least_area_per_squared_distance = 0.006, least_proven_area_per_squared_distance = 0.003;
constexpr int proving_points = 25;
constexpr double proving = -20;
/// Square metres: nothing is put on less than a sheet of paper.
constexpr double least_area_that_matters = 0.04;
/// Of that: what was told of and is smaller than this now was taken for more than it is; nobody waits for what is
/// smaller still.
constexpr double shrunk = 0.8, vanished = 0.7;
/// Slopes that face down more than this (cosine to up) are roofs, and those are large (relative to distance²).
constexpr double overhanging = -0.1, least_roof = 0.2;
/// Of what a slope explains, what steps explain where they tell the same.
constexpr double as_well = 0.8;
constexpr double belief_to_confirm = 0.5;
constexpr double belief_of_small = 0.8, belief_of_proven = 0.3;
constexpr double belief_to_keep = -0.3;
/// What was told of and looks like this now was mostly wrong.
constexpr double belief_to_keep_known = 0.4;
constexpr double belief_to_wait = -1.0;
// What must be said for a small surface (its size relative to distance²) before it's told of; what was told of may say
// so much less. In worlds with and without plants three quarters of what was wrong after a review said less than 99.5 %
// of what was right.
constexpr double least_say = -5.6, least_say_in_review = -4.6, say_of_known = 0.4;
constexpr double largest_slice = 0.05;
/// What says so much is no slice through a hedge, whatever lies around it: none of those in 28 worlds with plants did.
constexpr double outspoken = 0;
/// How often it looks like that: for being believed, and for being given up.
constexpr double sometimes = 0.25, always = 0.8;
/// Of its members, for what some tell as well as all.
constexpr size_t enough_members = 100;
/// Of a surface's points.
constexpr double least_share_inside = 0.25;
// Real surfaces that are turned against each other by less than 16° meet at their edges at most. Two that cross are one
// (a plain table that little is known of), or one is a slice through what stands on the other. Relative to distance:
// what is on neither side, and what has nothing to do with it any more.
constexpr double hardly_turned = 0.28, on_neither_side = 0.003, far_off = 0.1;
/// Of the points, so many on either side.
constexpr double crossing_share = 0.15;
/// Of the points, so many on a plane that is turned against theirs by this much (radians): they lie along the line
/// where the two meet, and nothing is left of the surface beside it.
constexpr double shared_share = 0.65, clearly_turned = 0.1, much_turned = 0.4;
/// Of the points that carry a surface, so many can't be seen where they seem to lie: it's a reflection.
constexpr double hidden_share = 0.6;
/// Updates that a new surface has to become believable.
constexpr int patience = 2;
/// Relative to distance: what is narrower and so many times as tall is a leg; and what is hardly wider, if it's taller
/// still.
constexpr double widest_leg = 0.08, widest_tall_leg = 0.1;
constexpr double slenderest_face = 3, slenderest_wide_face = 4;

bool is_proven(const TrackedSurface &surface) {
    return surface.shown.point_count >= proving_points && surface.log_false_alarms < proving;
}

/// The leg of a table is seen from all sides: its points fit no plane well, and a few beside it widen what they are
/// taken for, so that only the middle ones tell. How many of them do scatters: the narrower and the taller count.
bool is_leg(const TrackedSurface &surface) {
    if (surface.constraint() != GravityConstraint::vertical || surface.members.empty()) return false;
    double width = std::numeric_limits<double>::infinity(), height = 0;
    for (const double share : {0.5, 0.8}) {
        const auto extent = [&](int axis) { return surface.span_of_members(axis, 0.5 * (1 - share)).length() / share; };
        width = std::min(width, extent(0));
        height = std::max(height, extent(1));
    }
    return (width < widest_leg * surface.distance && height > slenderest_face * width) ||
           (width < widest_tall_leg * surface.distance && height > slenderest_wide_face * width);
}

/// Some of a surface's members, or of their indices, evenly among all.
template <typename Member>
std::vector<Member> sample_of(const std::vector<Member> &members) {
    std::vector<Member> some;
    const size_t stride = 1 + members.size() / enough_members;
    for (size_t i = 0; i < members.size(); i += stride) some.push_back(members[i]);
    return some;
}

/// Around a shelf's board there's as much before and behind it as around a slice through a hedge; its points say more.
bool is_cloudy(const TrackedSurface &surface, double share) {
    return surface.cloudiness > share && surface.say() < outspoken;
}

/// Its points lie about the plane here and there, and the outline holds hardly any: a slice through many things.
bool is_scattered(const TrackedSurface &surface) {
    const std::vector<SurfaceMember> asked = sample_of(surface.members);
    const auto inside = std::count_if(asked.begin(), asked.end(),
                                      [&](const SurfaceMember &member) { return surface.holds(member.local); });
    return static_cast<double>(inside) < least_share_inside * static_cast<double>(asked.size());
}

/// Too little is said for a small surface.
bool says_little(const TrackedSurface &surface, double least) {
    return surface.shown.area < largest_slice * surface.distance * surface.distance && surface.say() < least;
}

double least_say_for(const MapView &view) { return view.is_review ? least_say_in_review : least_say; }

/// Below this a surface loses its standing.
double least_belief(const TrackedSurface &surface) {
    if (surface.is_confirmed) return belief_to_keep_known;
    return surface.updates > patience ? belief_to_keep : belief_to_wait;
}

}  // namespace

bool SurfaceTracker::State::is_behind_known(std::span<const int> indices, int32_t id,
                                            const Eigen::Vector3d &camera) const {
    // What appears beyond a surface that is known to be there is a reflection in it, or lies behind glass.
    for (const TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed || surface.shown.id == id) continue;
        const SurfaceSight sight(surface, camera);
        if (sight.height() <= 0) continue;
        size_t hidden = 0;
        for (int index : indices) {
            const SurfacePoint &point = points[index];
            const double behind = -surface.plane().distance(point.position);
            if (behind < 2 * inlier_tolerance(point, surface.plane().normal, noise_scale)) continue;
            const Eigen::Vector2d local = sight.place(point.position - camera);
            if (surface.frames(local, behind) || surface.holds(local)) ++hidden;
        }
        if (static_cast<double>(hidden) > hidden_share * static_cast<double>(indices.size())) return true;
    }
    return false;
}

std::vector<Plane> SurfaceTracker::State::ends_of_place(const Eigen::Vector3d &camera) const {
    std::vector<Plane> ends;
    for (const int bound : bounds_of_place()) {
        const TrackedSurface &wall = tracked[bound];
        if (wall.constraint() != GravityConstraint::vertical || wall.plane().distance(camera) <= 0) continue;
        // Beside a wardrobe's front the wall is seen that it stands at.
        Plane end = wall.plane();
        end.offset -= TrackedSurface::deeper_than_shelves * wall.distance;
        ends.push_back(end);
    }
    return ends;
}

bool SurfaceTracker::State::is_beyond(std::span<const Plane> ends, std::span<const int> indices) const {
    return std::any_of(ends.begin(), ends.end(), [&](const Plane &end) {
        const auto beyond = std::count_if(indices.begin(), indices.end(),
                                          [&](int index) { return end.distance(points[index].position) < 0; });
        return static_cast<double>(beyond) > hidden_share * static_cast<double>(indices.size());
    });
}

bool SurfaceTracker::State::crosses_stronger(std::span<const int> indices, const Eigen::Vector3d &normal,
                                             int32_t id) const {
    for (const TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed || surface.shown.id == id || surface.members.size() < indices.size()) continue;
        const double turn = angle_between(surface.plane().normal, normal);
        if (turn > much_turned) continue;
        const bool may_cross = turn<hardly_turned, may_share = turn> clearly_turned;
        const double reach = link_distance(surface.distance);
        size_t before = 0, behind = 0, shared = 0;
        for (int index : indices) {
            const SurfacePoint &point = points[index];
            const double distance = surface.plane().distance(point.position), off = std::abs(distance) / point.distance;
            const Eigen::Vector2d local = surface.to_local(point.position);
            if (may_share && std::abs(distance) < inlier_tolerance(point, surface.plane().normal, noise_scale))
                shared += surface.is_near_outline(local, reach);
            if (!may_cross || off < on_neither_side || off > far_off || !surface.holds(local)) continue;
            ++(distance > 0 ? before : behind);
        }
        if (shared > shared_share * indices.size()) return true;
        if (std::min(before, behind) > crossing_share * indices.size()) return true;
    }
    return false;
}

bool SurfaceTracker::State::is_expected(const TrackedSurface &surface, const KeyframeView &view) const {
    const Eigen::Vector3d middle = surface.shown.to_world(surface.shown.center);
    Eigen::Vector2d pixel;
    const Eigen::Vector3d ray = view.camera_in_world - middle;
    return surface.plane().normal.dot(ray) > 0.25 * ray.norm() && ray.norm() < 2 * surface.distance &&
           view.luma_camera.project(-view.world_from_camera_rotation.transpose() * ray, 0, &pixel);
}

double SurfaceTracker::State::estimated_metre(const MapView &view) const {
    if (view.metre > 0) return view.metre;
    // The lowest level surface is the floor or stands above it, so that things are hardly taken for smaller than they
    // are.
    double eye_height = 0;
    for (const TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed || surface.constraint() != GravityConstraint::horizontal) continue;
        if (surface.plane().normal.dot(view.up_in_world) < 0) continue;
        eye_height = std::max(eye_height, surface.plane().distance(view.keyframes.back().camera_in_world));
    }
    return eye_height / usual_eye_height;
}

double SurfaceTracker::State::least_area(const TrackedSurface &surface, const MapView &view) const {
    return least_area_at(surface.distance, is_proven(surface), view);
}

double SurfaceTracker::State::least_area_at(double distance, bool is_proven, const MapView &view) const {
    const double metre = estimated_metre(view);
    const double share = is_proven ? least_proven_area_per_squared_distance : least_area_per_squared_distance;
    return std::max(share * distance * distance, least_area_that_matters * metre * metre);
}

bool SurfaceTracker::State::may_be_part(const TrackedSurface &surface) const {
    const Eigen::Vector3d middle = surface.shown.to_world(surface.shown.center);
    return std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &other) {
        if (!other.is_confirmed || angle_between(other.plane().normal, surface.plane().normal) > 0.1) return false;
        const double apart = std::abs(other.plane().distance(middle)) / surface.distance;
        if (apart >= hardly_distinct) return false;
        if (surface.constraint() != GravityConstraint::horizontal || !other.is_hardly_bent()) return true;
        if (surface.is_hardly_bent() && apart > another_height) return false;
        return std::any_of(surface.shown.boundary.begin(), surface.shown.boundary.end(), [&](const Eigen::Vector2d &p) {
            return other.is_near_outline(other.to_local(surface.shown.to_world(p)), beside * surface.distance);
        });
    });
}

bool SurfaceTracker::State::is_step(const TrackedSurface &surface, const MapView &view) const {
    std::vector<int> some;
    for (const SurfaceMember &member : sample_of(surface.members)) {
        const int index = index_of(member.point_id);
        if (index >= 0) some.push_back(index);
    }
    return explained_by_steps(points, some, surface.plane(), view.up_in_world, noise_scale) > as_well;
}

bool SurfaceTracker::State::is_convincing(const TrackedSurface &surface, const MapView &view) const {
    if (surface.shown.boundary.size() < 3) return false;
    const double least = least_area(surface, view);
    if (surface.shown.area < least || is_cloudy(surface, sometimes)) return false;
    if (is_post(surface.fit(), surface.distance) || is_leg(surface) || is_scattered(surface)) return false;
    if (says_little(surface, least_say_for(view))) return false;
    // Small things are mostly parts of something else.
    const bool is_small = surface.shown.area < 2 * least;
    // What so many points prove needs to look less like a surface in a review, and no more steps.
    const bool is_sure = view.is_review && is_proven(surface) && surface.constraint() != GravityConstraint::none;
    if (surface.belief < (is_sure ? belief_of_proven : is_small ? belief_of_small : belief_to_confirm)) return false;
    int steps = is_small ? steps_of_small : steps_to_confirm;
    double least_meaning = surface.constraint() == GravityConstraint::vertical ? 2 * meaningful : meaningful;
    const bool is_slope = surface.constraint() == GravityConstraint::none && view.up_sigma_rad < vague_gravity;
    if (is_slope) {
        // Slopes are rare, and clutter is full of them.
        steps = 6;
        least_meaning = 3 * meaningful;
        const bool hangs_over = view.up_in_world.dot(surface.plane().normal) < overhanging;
        const double least_slope = std::max(2 * least, hangs_over ? least_roof * std::pow(surface.distance, 2) : 0);
        if (surface.shown.point_count < 25 || surface.shown.area < least_slope) return false;
    } else {
        if (may_be_part(surface)) {
            // Level things lie at heights of their own.
            if (view.is_review && surface.constraint() != GravityConstraint::horizontal) return false;
            steps = steps_of_part;
        }
        if (!is_small && steps == steps_to_confirm && surface.standing > 0 && surface.log_false_alarms < overwhelming &&
            !view.is_review)
            return true;
    }
    if (view.is_review) steps = std::min(steps * (is_sure ? 1 : review_caution), highest_standing);
    return surface.standing >= steps && surface.log_false_alarms < least_meaning &&
           !(is_slope && is_step(surface, view));
}

void SurfaceTracker::State::judge_by_crease(const MapView &view, TrackedSurface *surface) {
    ++surface->updates;
    const double least = least_area(*surface, view);
    const double area = surface->shown.boundary.size() < 3 ? 0 : surface->shown.area;
    // Who stands behind it has walked through.
    const bool is_passed = surface->plane().distance(view.keyframes.back().camera_in_world) < 0;
    if (is_passed || !ends_at(surface->plane(), behind_crease) || lacks_crease(*surface) ||
        stands_before_a_truer(*surface) || (!surface->is_confirmed && surface->crease_views == 0) ||
        (surface->is_confirmed && area < vanished * least)) {
        if (surface->is_confirmed) events.push_back({SurfaceEventKind::removed, surface->shown.id, -1});
        surface->standing = -1;
    } else if (!surface->is_confirmed && surface->crease_views >= views_of_crease && area > 2 * least) {
        surface->is_confirmed = true;
        events.push_back({SurfaceEventKind::added, surface->shown.id, -1});
    }
}

void SurfaceTracker::State::judge_hanging(const MapView &view, TrackedSurface *surface) {
    ++surface->updates;
    const double area = surface->shown.boundary.size() < 3 ? 0 : surface->shown.area;
    if (area < vanished * least_area(*surface, view)) surface->standing = -1;
    if (surface->standing < 0) events.push_back({SurfaceEventKind::removed, surface->shown.id, -1});
}

void SurfaceTracker::State::judge(const MapView &view) {
    const KeyframeView &newest = view.keyframes.back();
    const std::vector<int> looked_at = seen_in(newest);
    const double least_area = least_area_that_matters * std::pow(estimated_metre(view), 2);
    const double least_say_of_known = least_say_for(view) - say_of_known;
    const std::vector<Plane> ends = ends_of_place(newest.camera_in_world);
    std::unordered_map<int32_t, int> seen, crossed;
    for (int index : looked_at) {
        if (points[index].owner > 0) ++seen[points[index].owner];
    }
    for (const TrackedSurface &surface : tracked) {
        const SurfaceSight sight(surface, newest.camera_in_world);
        if (sight.height() <= 0) continue;
        int &through = crossed[surface.shown.id];
        for (int index : looked_at) {
            const SurfacePoint &point = points[index];
            if (point.owner == surface.shown.id || !surely_behind(point, surface.plane(), noise_scale)) continue;
            through += surface.grid.is_amid_supported(sight.place(point.position - newest.camera_in_world));
        }
    }
    for (auto surface = tracked.begin(); surface != tracked.end();) {
        if (surface->is_told_by_pictures()) {
            surface->hangs() ? judge_hanging(view, &*surface) : judge_by_crease(view, &*surface);
            surface = surface->standing < 0 ? tracked.erase(surface) : std::next(surface);
            continue;
        }
        const int support = seen[surface->shown.id];
        const int against = crossed[surface->shown.id];
        const bool in_view = support + against >= 4;
        if (in_view) {
            const double share = static_cast<double>(against) / (support + against);
            surface->contradiction += 0.3 * (share - surface->contradiction);
            note_clutter(looked_at, newest.camera_in_world, &*surface);
            surface->update_belief(noise_scale);
        }
        if (in_view) {
            const bool good = surface->log_false_alarms < meaningful && support > against;
            const bool bad =
                surface->log_false_alarms >= 0 || against > 2 * support || is_cloudy(*surface, always) ||
                surface->belief < least_belief(*surface) ||
                (surface->is_confirmed && (says_little(*surface, least_say_of_known) || is_leg(*surface) ||
                                           is_scattered(*surface) || surface->shown.area < shrunk * least_area));
            std::vector<int> members;
            for (const SurfaceMember &member : surface->members) {
                const int index = index_of(member.point_id);
                if (index >= 0) members.push_back(index);
            }
            const std::vector<int> some = sample_of(members);
            const bool hidden = is_behind_known(some, surface->shown.id, newest.camera_in_world);
            const bool crosses = crosses_stronger(members, surface->plane().normal, surface->shown.id);
            const int change = bad || crosses || is_beyond(ends, some) ? -2 : hidden ? -1 : good ? 1 : 0;
            surface->standing = std::min(highest_standing, surface->standing + change);
        } else if (!surface->is_confirmed || is_expected(*surface, newest)) {
            // Looked at, but not a trace of it.
            --surface->standing;
        }
        ++surface->updates;
        const bool convinces = surface->is_confirmed || (!surface->is_round && is_convincing(*surface, view));
        if (convinces && is_side_of_round(*surface)) {
            if (surface->is_confirmed) events.push_back({SurfaceEventKind::removed, surface->shown.id, -1});
            surface->is_confirmed = false;
            surface->is_round = true;
        } else if (convinces && !surface->is_confirmed) {
            surface->is_confirmed = true;
            events.push_back({SurfaceEventKind::added, surface->shown.id, -1});
        }
        const bool has_vanished = surface->shown.boundary.size() < 3 ||
                                  (surface->is_confirmed && surface->shown.area < vanished * least_area);
        if (surface->standing < -2 || has_vanished) {
            if (surface->is_confirmed) events.push_back({SurfaceEventKind::removed, surface->shown.id, -1});
            surface = tracked.erase(surface);
        } else {
            ++surface;
        }
    }
}

}  // namespace foothold
