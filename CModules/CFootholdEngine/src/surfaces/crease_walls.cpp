// Plain walls, ceilings and floors have no points: where they meet a wall that is known, and which way they go on from
// there, the crease tells.
#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "surfaces/blank_regions.h"
#include "surfaces/picture_square.h"
#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Points that a wall needs for its ends to be known, and which of them counts as the last to either side.
constexpr size_t least_members = 20;
constexpr double outermost = 0.03;
/// Relative to distance: how far beyond the last points, and before, a crease is looked for, and how much longer than
/// what is known of the wall it may be.
constexpr double beyond_known = 1, within_known = 0.1, longer_than_known = 0.3;
/// Relative to distance: what lies so far before a wall may hide it.
constexpr double before_wall = 0.02;
/// Of a ray's slope, as far as what it leads to is drawn.
constexpr double farthest_out = 2.4;
/// Of a crease, and the views that it takes for a wall to be looked for there.
constexpr double least_coherence = 0.7, least_views = 2;
/// Where fewer of the line shows a step after all, there is none.
constexpr double denied_coherence = 0.5;
/// Relative to distance: how far above the lowest that is known the floor may lie, as well as both are known, and how
/// far below it: what stands on it is seen nearly down to there. An edge that runs along a wall some way before it
/// hardly moves while the camera does so, too. Of the highest step there, what the floor's crease has at least.
constexpr double above_floor = 0.02, below_known = 0.08, as_strong_as_any = 0.4;
/// Nobody's: what meets a wall at a crease that turned out to be another's.
constexpr int32_t no_wall = -1;
/// Radians, and relative to distance, that a wall may turn and move before its creases are asked for anew.
constexpr double most_turned = 0.01, most_moved = 0.006;
/// Of all points, those that may lie behind where the place ends.
constexpr double most_behind = 0.01;
/// Radians, and relative to distance: what is so close to another surface is that one.
constexpr double same_turn = 0.17, same_offset = 0.04;
/// Relative to distance: a wall with points so close behind one that a crease tells is that one, truer.
constexpr double truer_behind = 0.15;
/// Squares of the picture from a crease: plain regions that come so close go on from there.
constexpr int touching = 2;
/// Squares of the picture that must show it for anything to be told of it.
constexpr int least_squares = 8;
constexpr float seen_step = 0.5f, seen_through_step = -0.8f;
constexpr int standing_at_first = 4;

/// Where a wall's points lie along its local axes, and where it is asked for creases: at the low and at the high end of
/// x, above, at the low end of z, and below.
struct Sought {
    explicit Sought(const TrackedSurface &wall)
        : across(wall.span_of_members(0, outermost)), along(wall.span_of_members(1, outermost)) {
        const double beyond = beyond_known * wall.distance, within = within_known * wall.distance;
        at_low_x = {across.low - beyond, across.low + within};
        at_high_x = {across.high - within, across.high + beyond};
        above = {along.low - beyond, along.low + within};
        below = {along.high - within, along.high + beyond};
    }

    Span across, along, at_low_x, at_high_x, above, below;
};

bool faces_up(const Plane &plane, const Eigen::Vector3d &up) { return plane.normal.dot(up) > 0.5; }

/// Ends of what nothing but a crease tells are nobody's.
bool may_have_creases(const TrackedSurface &wall) {
    return wall.constraint() == GravityConstraint::vertical && !wall.is_told_by_pictures() &&
           wall.members.size() >= least_members;
}

/// Where lines lie on a plane depends on where that is.
void forget_creases_of_another_plane(TrackedSurface *wall) {
    const Plane &plane = wall->plane();
    const double moved = std::abs(wall->crease_plane.distance(wall->fit().centroid));
    if (angle_between(plane.normal, wall->crease_plane.normal) < most_turned && moved < most_moved * wall->distance)
        return;
    wall->crease_plane = plane;
    wall->creases.clear();
    wall->level_creases.clear();
}

/// Not zero in the picture where something known lies before a plane (and isn't the surface with this id).
cv::Mat hidden_in(const KeyframeView &view, std::span<const TrackedSurface> tracked, const Plane &plane, int32_t id) {
    const CameraModel &camera = view.luma_camera;
    cv::Mat hidden(camera.height, camera.width, CV_8U, cv::Scalar(0));
    const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
    for (const TrackedSurface &surface : tracked) {
        const Surface &shown = surface.shown;
        if (!surface.is_confirmed || shown.id == id || surface.crease_with == no_wall ||
            surface.plane().distance(view.camera_in_world) <= 0)
            continue;
        if (plane.distance(shown.to_world(shown.center)) < before_wall * surface.distance) continue;
        std::vector<cv::Point> corners;
        for (const Eigen::Vector2d &corner : shown.boundary) {
            const Eigen::Vector3d p = camera_from_world * (shown.to_world(corner) - view.camera_in_world);
            if (p.z() < 0.01 * surface.distance) continue;
            // Lens polynomials turn back far outside of the picture.
            const Eigen::Vector2d normalised = p.head<2>() / p.z();
            const Eigen::Vector2d pixel = camera.pixel(normalised * std::min(1.0, farthest_out / normalised.norm()));
            corners.emplace_back(static_cast<int>(std::lround(pixel.x())), static_cast<int>(std::lround(pixel.y())));
        }
        if (corners.size() >= 3) cv::fillPoly(hidden, std::vector<std::vector<cv::Point>>{corners}, cv::Scalar(255));
    }
    cv::dilate(hidden, hidden, cv::getStructuringElement(cv::MORPH_RECT, {5, 5}));
    return hidden;
}

}  // namespace

void SurfaceTracker::State::note_creases(const KeyframeView &newest) {
    for (TrackedSurface &surface : tracked) forget_creases_of_another_plane(&surface);
    if (!newest.luma) return;
    for (TrackedSurface &wall : tracked) {
        const double distance = wall.plane().distance(newest.camera_in_world);
        if (!wall.bounds_place || !may_have_creases(wall) || distance <= 0) continue;
        const Sought sought(wall);
        const double d = wall.distance, longer = longer_than_known * d;
        const cv::Mat hidden = hidden_in(newest, tracked, wall.plane(), wall.shown.id);
        const LocalFrame frame = wall.frame_in(newest);
        const Span tall = {sought.along.low - longer, sought.along.high + longer};
        const Span wide = {sought.across.low - longer, sought.across.high + longer};
        const double noise = dense.grey_noise();
        const CreaseSweep to_sides[] = {{true, sought.at_low_x.low, sought.at_low_x.high, tall.low, tall.high},
                                        {true, sought.at_high_x.low, sought.at_high_x.high, tall.low, tall.high}};
        const CreaseSweep level[] = {{false, sought.above.low, sought.above.high, wide.low, wide.high},
                                     {false, sought.below.low, sought.below.high, wide.low, wide.high}};
        wall.creases.add(newest, frame, to_sides, d, noise, hidden);
        wall.level_creases.add(newest, frame, level, d, noise, hidden);
    }
}

bool SurfaceTracker::State::ends_at(const Plane &plane, double most_behind) const {
    return static_cast<double>(count_behind(plane)) <= most_behind * static_cast<double>(points.size());
}

double SurfaceTracker::State::lowest_known() const {
    std::vector<double> heights;
    heights.reserve(points.size());
    for (const SurfacePoint &point : points) heights.push_back(view->up_in_world.dot(point.position));
    if (heights.empty()) return 0;
    const auto low = heights.begin() + static_cast<ptrdiff_t>(most_behind * static_cast<double>(heights.size()));
    std::nth_element(heights.begin(), low, heights.end());
    return *low;
}

bool SurfaceTracker::State::knows_floor() const {
    return std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &surface) {
        return surface.is_confirmed && !surface.is_told_by_pictures() &&
               surface.constraint() == GravityConstraint::horizontal && faces_up(surface.plane(), view->up_in_world) &&
               ends_at(surface.plane(), most_behind);
    });
}

void SurfaceTracker::State::add_walls_at_creases(const MapView &view, const BlankRegions &regions) {
    for (TrackedSurface &surface : tracked) surface.crease_views = 0;
    const size_t known = tracked.size();
    const bool has_floor = knows_floor();
    for (size_t bound = 0; bound < known; ++bound) {
        if (!tracked[bound].bounds_place || !may_have_creases(tracked[bound])) continue;
        const Sought sought(tracked[bound]);
        const auto add = [&](const std::optional<CreaseVotes::Crease> &crease, bool is_upright, double side) {
            if (!crease || crease->views < least_views) return;
            const Surface &wall = tracked[bound].shown;
            const Eigen::Vector2d middle(is_upright ? crease->place : sought.across.middle(),
                                         is_upright ? sought.along.middle() : crease->place);
            const Eigen::Vector3d at = wall.to_world(middle);
            const Eigen::Vector3d normal = side * wall.world_from_surface_rotation.col(is_upright ? 0 : 2);
            add_wall_at(view, {normal, normal.dot(at)}, at, tracked[bound], crease->views, regions);
        };
        const auto strongest = [](const CreaseVotes &votes, const Span &places) {
            return votes.strongest(places.low, places.high, least_coherence, least_views);
        };
        add(strongest(tracked[bound].creases, sought.at_low_x), true, 1);
        add(strongest(tracked[bound].creases, sought.at_high_x), true, -1);
        add(strongest(tracked[bound].level_creases, sought.above), false, 1);
        if (has_floor) continue;
        // Skirting boards have edges, too, and nothing that is known lies below the floor.
        const double d = tracked[bound].distance;
        const double deepest = view.up_in_world.dot(tracked[bound].shown.origin_in_world) - lowest_known();
        const Span places = {std::max(sought.below.low, deepest - above_floor * d),
                             std::min(sought.below.high, deepest + below_known * d)};
        // What one view sees may turn out to be it.
        add(tracked[bound].level_creases.last_of_strong(places.low, places.high, least_coherence, 1, as_strong_as_any),
            false, -1);
    }
    for (TrackedSurface &surface : tracked) {
        if (surface.is_told_by_crease()) show_squares(view.keyframes.back(), regions, &surface);
    }
}

void SurfaceTracker::State::add_wall_at(const MapView &view, const Plane &plane, const Eigen::Vector3d &at,
                                        const TrackedSurface &wall, double views, const BlankRegions &regions) {
    const KeyframeView &newest = view.keyframes.back();
    const double distance = wall.distance;
    if (plane.distance(newest.camera_in_world) <= 0 || !ends_at(plane, most_behind)) return;
    const auto [fit, free_fit] = fits_told_at(plane, at, view.up_in_world, distance);
    const bool is_level = std::abs(plane.normal.dot(view.up_in_world)) > 0.5;
    const auto constraint = is_level ? GravityConstraint::horizontal : GravityConstraint::vertical;
    for (TrackedSurface &surface : tracked) {
        if (angle_between(surface.plane().normal, plane.normal) > same_turn ||
            std::abs(surface.plane().distance(at)) > same_offset * distance)
            continue;
        if (surface.is_told_by_crease()) {
            surface.move_to(fit, free_fit, constraint, gain_of_told);
            surface.bounds_place = bounds_place(surface);
            surface.crease_views = views;
            surface.crease_with = wall.shown.id;
        }
        if (surface.is_told_by_pictures() || surface.is_confirmed) return;
    }
    if (faces_up(plane, view.up_in_world)) {
        // The upper edge of a skirting board was taken for the lower.
        for (TrackedSurface &other : tracked) {
            const bool is_floor = other.is_told_by_crease() && faces_up(other.plane(), view.up_in_world);
            if (is_floor && other.crease_with == wall.shown.id) other.crease_with = no_wall;
        }
    }
    if (tracked.size() >= most_surfaces) return;
    TrackedSurface surface(fit, free_fit, constraint, newest.world_from_camera_rotation.col(0), view.up_in_world,
                           distance);
    surface.shown.id = next_id;
    surface.crease_with = wall.shown.id;
    if (show_squares(newest, regions, &surface) < least_squares) return;
    ++next_id;
    surface.grid.clear();
    surface.shown.first_seen_ns = view.newest_timestamp_ns;
    surface.belief = belief_in_told;
    surface.crease_views = views;
    surface.standing = standing_at_first;
    tracked.push_back(std::move(surface));
}

bool SurfaceTracker::State::lacks_crease(const TrackedSurface &surface) const {
    // Of a saved world nobody knows whose it was.
    if (surface.crease_with == 0) return false;
    const auto wall = std::find_if(tracked.begin(), tracked.end(),
                                   [&](const TrackedSurface &other) { return other.shown.id == surface.crease_with; });
    if (wall == tracked.end()) return true;
    if (!may_have_creases(*wall)) return false;
    const bool is_level = surface.constraint() == GravityConstraint::horizontal;
    if (faces_up(surface.plane(), view->up_in_world) && knows_floor()) return true;
    const Eigen::Vector3d axis = wall->shown.world_from_surface_rotation.col(is_level ? 2 : 0);
    const double facing = surface.plane().normal.dot(axis);
    if (std::abs(facing) < 0.5) return false;
    const double place = -surface.plane().distance(wall->shown.origin_in_world) / facing;
    const double leeway = same_offset * wall->distance;
    const auto coherence =
        (is_level ? wall->level_creases : wall->creases).coherence(place - leeway, place + leeway, least_views);
    return coherence && *coherence < denied_coherence;
}

bool SurfaceTracker::State::stands_before_a_truer(const TrackedSurface &surface) const {
    const Eigen::Vector3d &camera = view->keyframes.back().camera_in_world;
    const double height = surface.plane().distance(camera);
    return std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &other) {
        if (!other.is_confirmed || other.is_told_by_pictures() ||
            angle_between(other.plane().normal, surface.plane().normal) > same_turn)
            return false;
        const Eigen::Vector3d middle = other.shown.to_world(other.shown.center);
        const double behind = -surface.plane().distance(middle);
        if (behind < 0 || behind > truer_behind * other.distance) return false;
        const Eigen::Vector3d meets = camera + height / (height + behind) * (middle - camera);
        return surface.is_near_outline(surface.to_local(meets), same_offset * other.distance);
    });
}

std::vector<const TrackedSurface *> SurfaceTracker::State::bounds_beside(const TrackedSurface &surface,
                                                                         const Eigen::Vector3d &camera) const {
    std::vector<const TrackedSurface *> bounds;
    for (const TrackedSurface &other : tracked) {
        const bool is_bound = other.shown.id == surface.crease_with || other.bounds_place;
        if (is_bound && other.shown.id != surface.shown.id && other.plane().distance(camera) > 0)
            bounds.push_back(&other);
    }
    return bounds;
}

int SurfaceTracker::State::show_squares(const KeyframeView &newest, const BlankRegions &regions,
                                        TrackedSurface *surface) {
    const CellGrid &cells = dense.cells();
    const SurfaceSight sight(*surface, newest.camera_in_world);
    if (cells.cells.empty() || sight.height() <= 0) return 0;
    const Plane plane = surface->plane();
    const std::vector<const TrackedSurface *> bounds = bounds_beside(*surface, newest.camera_in_world);
    const cv::Mat hidden = hidden_in(newest, tracked, plane, surface->shown.id);
    // The floor is as low as its crease says, and walls end there.
    const bool is_floor = faces_up(plane, view->up_in_world);
    const double lowest = is_floor ? -std::numeric_limits<double>::infinity() : lowest_known();
    std::vector<cv::Point> squares;
    // Not zero where what bounds the place lies before it.
    cv::Mat others(cells.rows, cells.columns, CV_8U, cv::Scalar(0));
    for (int row = 0; row < cells.rows; ++row) {
        for (int column = 0; column < cells.columns; ++column) {
            const Eigen::Vector2d center = CellGrid::center(column, row);
            const Eigen::Vector3d ray = world_ray_of(newest, center);
            Eigen::Vector2d local;
            if (!sight.meet(ray, &local) || view->up_in_world.dot(surface->shown.to_world(local)) < lowest) continue;
            const double nearness = -plane.normal.dot(ray) / sight.height();
            const bool is_other = std::any_of(bounds.begin(), bounds.end(), [&](const TrackedSurface *bound) {
                return -bound->plane().normal.dot(ray) / bound->plane().distance(newest.camera_in_world) > nearness;
            });
            if (is_other) others.at<uint8_t>(row, column) = 255;
            if (is_other || hidden.at<uint8_t>(static_cast<int>(center.y()), static_cast<int>(center.x())) != 0)
                continue;
            const PictureCell &cell = cells.at(column, row);
            const int index = cell.point >= 0 ? index_of_dense[cell.point] : -1;
            if (index >= 0 && surely_off(points[index], plane, noise_scale)) {
                if (surely_behind(points[index], plane, noise_scale)) surface->grid.add(local, seen_through_step);
            } else if (index >= 0 || cell.is_blank) {
                squares.emplace_back(column, row);
            }
        }
    }
    // Plain regions that come near the crease go on from there.
    cv::Mat near_crease;
    cv::dilate(others, near_crease, cv::getStructuringElement(cv::MORPH_RECT, {2 * touching + 1, 2 * touching + 1}));
    std::vector<bool> goes_on(static_cast<size_t>(regions.count()), false);
    for (const cv::Point &square : squares) {
        if (cells.at(square.x, square.y).is_blank && near_crease.at<uint8_t>(square) != 0)
            goes_on[static_cast<size_t>(regions.region_at(square.x, square.y))] = true;
    }
    int count = 0;
    for (const cv::Point &square : squares) {
        if (cells.at(square.x, square.y).is_blank &&
            !goes_on[static_cast<size_t>(regions.region_at(square.x, square.y))])
            continue;
        const Eigen::Vector2d center = CellGrid::center(square.x, square.y);
        surface->grid.add(sight.place(world_ray_of(newest, center)), seen_step);
        cover(*surface, sight, corner_rays(newest, center, 0.5 * CellGrid::size),
              [&](const Eigen::Vector2d &local) { surface->grid.add(local, seen_step); });
        ++count;
    }
    return count;
}

}  // namespace foothold
