// Which surfaces are one.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "geometry/nearest_pair.h"
#include "surfaces/square_key.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

// Two pieces of one wall or floor, parted by what stands before it. Relative to distance, or squared distance: what is
// large, how far apart the pieces may lie, and how far the middle between them from the plane of either; less where
// they touch, since that may be a step.
constexpr double large_piece = 0.04, least_gap = 0.04, widest_gap = 0.5, pieces_apart = 0.015, touching_apart = 0.01;
constexpr double pieces_turned = 0.07;
/// Relative to distance: two surfaces whose points lie at the same places so close together are one, seen with errors.
constexpr double seen_twice = 0.04;
/// Relative to distance: squares in which points of two surfaces count as at the same place.
constexpr double finest_overlap = 0.01, coarsest_overlap = 0.02;
/// On one surface that errors don't bend and that is seen twice both have points everywhere: of as many as the other,
/// so many are enough. Relative to distance: a keyboard's or a book's top so far from what it lies on is a surface of
/// its own, unless its points lean by so much (radians).
constexpr double mixed = 0.5, least_step = 0.008, most_leaning = 0.1;
/// In deviations and relative to distance: how far apart the planes of one surface may lie, and the heights of level
/// ones that errors don't bend. Those of tops three metres away are known to some millimetres beside each other.
constexpr double same_deviations = 3, same_apart = 0.004, same_height_deviations = 1.5, same_height = 0.0015;
/// What is small or not believed yet must lie on the plane of the other as only a part of it does, and not be new.
constexpr double small_piece_apart = 0.003;
constexpr int updates_to_join = 3;
/// Points behind a gap that may be errors; none where one piece is small.
constexpr int few_behind = 2;
/// Relative to distance, either side of the shortest way between them: where one might see through.
constexpr double beside_gap = 0.1;

/// The tilt that its own points tell, and deviations of that on top.
bool may_lean(const TrackedSurface &surface, double deviations) {
    return angle_between(surface.shown.free_normal, surface.shown.normal) +
               deviations * surface.free_fit().tilt_sigma() >=
           most_leaning;
}

/// Both are level, and errors don't bend them: they differ in height alone. On a large one, which may be bent, what
/// leans may be a terrace of a slope. Other planes that lie close together may be turned by errors.
bool differ_in_height_alone(const TrackedSurface &inner, const TrackedSurface &outer) {
    if (inner.constraint() != GravityConstraint::horizontal || outer.constraint() != GravityConstraint::horizontal)
        return false;
    return outer.is_hardly_bent() || (inner.is_hardly_bent() && !may_lean(inner, 0));
}

/// It's level, errors don't bend it, and its points surely don't lean.
bool is_surely_level(const TrackedSurface &surface) {
    return surface.constraint() == GravityConstraint::horizontal && surface.is_hardly_bent() && !may_lean(surface, 2);
}

/// How far from each other's plane the middles of two surfaces that touch may lie when they are one.
double tolerance_of(const TrackedSurface &a, const TrackedSurface &b) {
    const double distance = std::min(a.distance, b.distance);
    const double offset = std::hypot(a.shown.offset_sigma_m, b.shown.offset_sigma_m);
    if (is_surely_level(a) && is_surely_level(b)) return same_height_deviations * offset + same_height * distance;
    return std::min(same_deviations * offset + same_apart * distance, pieces_apart * distance);
}

/// By the points that carry them.
std::pair<const TrackedSurface &, const TrackedSurface &> smaller_first(const TrackedSurface &a,
                                                                        const TrackedSurface &b) {
    if (a.members.size() < b.members.size()) return {a, b};
    return {b, a};
}

/// True when a fair part of the points that carry the smaller surface lie where points carry the larger one now. (What
/// once was evidence may be of another surface that hadn't been told apart yet.)
bool members_overlap(const TrackedSurface &a, const TrackedSurface &b) {
    const auto [inner, outer] = smaller_first(a, b);
    // As near to each other as its points are, within bounds.
    const double spacing = std::sqrt(outer.shown.area / static_cast<double>(std::max<size_t>(1, outer.members.size())));
    const double cell = std::clamp(spacing, finest_overlap * outer.distance, coarsest_overlap * outer.distance);
    // How many points of each there are in each square.
    struct Counts {
        int outer = 0, inner = 0;
    };
    std::unordered_map<int64_t, Counts> counts;
    std::vector<Eigen::Vector2d> places;
    for (const SurfaceMember &member : inner.members) {
        places.push_back(outer.to_local(inner.shown.to_world(member.local)));
        ++counts[square_key(places.back(), cell)].inner;
    }
    for (const SurfaceMember &member : outer.members) ++counts[square_key(member.local, cell)].outer;
    // Tops of boxes beside each other meet along an edge, where some points of the one are near some of the other.
    const bool told_by_mixing = differ_in_height_alone(inner, outer);
    const auto shared = std::count_if(places.begin(), places.end(), [&](const Eigen::Vector2d &place) {
        Counts around;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dx = -1; dx <= 1; ++dx) {
                const auto square = counts.find(square_key(place, cell, dx, dz));
                if (square == counts.end()) continue;
                around.outer += square->second.outer;
                around.inner += square->second.inner;
            }
        }
        return told_by_mixing ? around.outer > mixed * around.inner : around.outer > 0;
    });
    return static_cast<size_t>(shared) * 2 > places.size();
}

/// The smaller is the top of something thin that lies on the other: merged, it would be let go by the points of what it
/// lies on and found again, for ever.
bool is_step_on_the_other(const TrackedSurface &a, const TrackedSurface &b) {
    const auto [inner, outer] = smaller_first(a, b);
    const double distance = std::min(a.distance, b.distance);
    const double step = std::abs(outer.plane().distance(inner.shown.to_world(inner.shown.center)));
    // What lies farther apart isn't merged anyway.
    if (step < least_step * distance || step > seen_twice * distance) return false;
    return differ_in_height_alone(inner, outer) && !members_overlap(a, b);
}

/// The middle of one surface lies within another's outline, however far before it.
bool lies_over(const TrackedSurface &inner, const TrackedSurface &outer) {
    return outer.is_near_outline(outer.to_local(inner.shown.to_world(inner.shown.center)), 0);
}

/// That, and hardly before or behind it.
bool lies_on(const TrackedSurface &inner, const TrackedSurface &outer) {
    const double before = outer.plane().distance(inner.shown.to_world(inner.shown.center));
    return std::abs(before) < pieces_apart * inner.distance && lies_over(inner, outer);
}

/// The corners of an outline in the world.
std::vector<Eigen::Vector3d> corners_of(const Surface &surface) {
    std::vector<Eigen::Vector3d> corners;
    corners.reserve(surface.boundary.size());
    for (const Eigen::Vector2d &p : surface.boundary) corners.push_back(surface.to_world(p));
    return corners;
}

}  // namespace

bool SurfaceTracker::State::are_pieces_of_one(const TrackedSurface &a, const TrackedSurface &b) const {
    if (a.constraint() == GravityConstraint::none || a.constraint() != b.constraint()) return false;
    const auto is_large = [](const TrackedSurface &piece) {
        return piece.is_confirmed && piece.shown.area >= large_piece * piece.distance * piece.distance;
    };
    const auto is_young = [](const TrackedSurface &piece) {
        return !piece.is_confirmed && piece.updates < updates_to_join;
    };
    if ((!is_large(a) && !is_large(b)) || is_young(a) || is_young(b)) return false;
    const bool both_large = is_large(a) && is_large(b);
    const double distance = std::max(a.distance, b.distance);
    if (angle_between(a.plane().normal, b.plane().normal) > pieces_turned) return false;
    const bool is_level = a.constraint() == GravityConstraint::horizontal;
    if (both_large && !is_level && (lies_on(a, b) || lies_on(b, a))) return true;
    // Pieces of a floor lie beside each other. What lies over a table is the top of something on it.
    if (is_level && (lies_over(a, b) || lies_over(b, a))) return false;
    const auto [from, to] =
        nearest_pair(corners_of(a.shown), corners_of(b.shown),
                     [](const Eigen::Vector3d &p, const Eigen::Vector3d &q) { return (q - p).squaredNorm(); });
    const double gap = (to - from).norm();
    const Eigen::Vector3d middle = 0.5 * (from + to);
    const bool touch = gap < least_gap * distance;
    const bool is_floor =
        a.is_confirmed && b.is_confirmed &&
        (a.shown.classification == SurfaceClass::floor || b.shown.classification == SurfaceClass::floor);
    if ((touch && !both_large) || (gap > widest_gap * distance && !is_floor)) return false;
    const double apart = !both_large ? small_piece_apart : touch ? touching_apart : pieces_apart;
    for (const TrackedSurface *piece : {&a, &b}) {
        if (std::abs(piece->plane().distance(middle)) > apart * distance) return false;
    }
    // What lies at the floor's height is floor, however far away: rooms have one.
    if (touch || is_floor) return true;
    // Who sees something behind it through the gap, sees two surfaces.
    const Eigen::Vector3d along = (to - from) / gap;
    int seen_through = 0;
    for (const SurfacePoint &point : points) {
        const double facing = a.plane().normal.dot(point.view);
        if (facing < 0.05 || !surely_behind(point, a.plane(), noise_scale)) continue;
        const double behind = -a.plane().distance(point.position);
        const Eigen::Vector3d crossing = point.position + point.view * (behind / facing) - from;
        const double way = along.dot(crossing);
        if (way > 0 && way < gap && (crossing - way * along).norm() < beside_gap * distance) ++seen_through;
    }
    return seen_through <= (both_large ? few_behind : 0);
}

void SurfaceTracker::State::absorb(TrackedSurface &keeper, TrackedSurface &other) {
    const int32_t keeper_id = keeper.shown.id, other_id = other.shown.id;
    // The one that people know keeps its name.
    const bool takes_name = other.is_confirmed && !keeper.is_confirmed;
    const int32_t id = takes_name ? other_id : keeper_id;
    for (TrackedSurface &surface : tracked) {
        if (surface.crease_with == keeper_id || surface.crease_with == other_id) surface.crease_with = id;
    }
    for (SurfacePoint &point : points) {
        if (point.owner == keeper_id || point.owner == other_id) point.owner = id;
    }
    // What carries more lies more surely: points of the other that don't lie on the keeper's plane would be let go,
    // found again and merged again.
    const bool is_out_of_view = keeper.is_left_behind || other.is_left_behind;
    const bool is_one_told_by_pictures = keeper.is_told_by_pictures() != other.is_told_by_pictures();
    const auto outweighs = [&](const TrackedSurface &a, const TrackedSurface &b) {
        // What only its crease tells is plain: a few points that nobody believes in yet are no better than that.
        if (is_one_told_by_pictures && a.is_confirmed != b.is_confirmed) return a.is_confirmed;
        return is_out_of_view || is_one_told_by_pictures ? a.most_fitted > b.most_fitted
                                                         : a.members.size() > b.members.size();
    };
    if (outweighs(other, keeper)) {
        keeper.move_to(other.fit(), other.free_fit(), other.constraint(), 1);
        keeper.belief = other.belief;
        keeper.log_false_alarms = other.log_false_alarms;
        keeper.most_fitted = other.most_fitted;
        keeper.crease_with = other.crease_with;
        keeper.crease_views = other.crease_views;
        keeper.hanging = other.hanging;
        keeper.is_round = other.is_round;
    }
    for (const SurfaceMember &member : other.members) {
        const int index = index_of(member.point_id);
        if (index >= 0) keeper.members.push_back({member.point_id, keeper.to_local(points[index].position)});
    }
    keeper.sort_members();
    const Eigen::Matrix3d relative =
        keeper.shown.world_from_surface_rotation.transpose() * other.shown.world_from_surface_rotation;
    Eigen::Matrix2d rotation;
    rotation << relative(0, 0), relative(0, 2), relative(2, 0), relative(2, 2);
    keeper.grid.absorb(other.grid, rotation, keeper.to_local(other.shown.origin_in_world));
    keeper.standing = std::max(keeper.standing, other.standing);
    keeper.shown.id = id;
    keeper.shown.first_seen_ns = std::min(keeper.shown.first_seen_ns, other.shown.first_seen_ns);
    if (keeper.is_confirmed && other.is_confirmed) {
        events.push_back({SurfaceEventKind::merged, other_id, keeper_id});
    }
    keeper.is_confirmed = keeper.is_confirmed || other.is_confirmed;
}

void SurfaceTracker::State::merge_coplanar() {
    for (size_t i = 0; i < tracked.size(); ++i) {
        for (size_t j = i + 1; j < tracked.size();) {
            TrackedSurface &a = tracked[i], &b = tracked[j];
            if (is_step_on_the_other(a, b)) {
                ++j;
                continue;
            }
            const double tilt = std::hypot(a.fit().tilt_sigma(), b.fit().tilt_sigma());
            const double distance = std::min(a.distance, b.distance), tolerance = tolerance_of(a, b);
            const double ab = std::abs(a.plane().distance(b.shown.to_world(b.shown.center)));
            const double ba = std::abs(b.plane().distance(a.shown.to_world(a.shown.center)));
            const bool parallel = angle_between(a.plane().normal, b.plane().normal) < std::clamp(3 * tilt, 0.03, 0.12);
            bool same = parallel && ab < tolerance && ba < 2 * tolerance;
            if (!same && angle_between(a.plane().normal, b.plane().normal) < 0.15 &&
                std::min(ab, ba) < seen_twice * distance && members_overlap(a, b)) {
                // The nearer one would hide the other: they are one, seen with errors that its points share.
                same = true;
            } else if (same) {
                const double reach = link_distance(distance);
                const auto touches = [&](const TrackedSurface &outer, const TrackedSurface &inner) {
                    return std::any_of(inner.shown.boundary.begin(), inner.shown.boundary.end(), [&](const auto &p) {
                        return outer.is_near_outline(outer.to_local(inner.shown.to_world(p)), reach);
                    });
                };
                same = touches(a, b) || touches(b, a);
            }
            if (!same && !are_pieces_of_one(a, b)) {
                ++j;
                continue;
            }
            absorb(a, b);
            tracked.erase(tracked.begin() + static_cast<ptrdiff_t>(j));
            tracked[i].update_outline(tracked);
        }
    }
}

}  // namespace foothold
