// What else is seen at a surface's place: slices through plants and heaps have much there.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "surfaces/round_strip.h"
#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Of the points on a surface: when so many lie both behind and before it, it is a slice through a hedge.
constexpr double cloud = 0.65;
/// Relative to distance²: no slice through a plant is larger.
constexpr double large_slice = 0.1;
/// Of what shows a surface: what is plain by this share is plain itself.
constexpr double plain_itself = 0.3;
/// Of its own points, for what lies among them.
constexpr size_t enough_for_hull = 3;
constexpr double smoothing = 0.3;
/// Relative to distance: cans and bins are narrower than twice this. Of the points, so many at either end may be
/// strays; of the height, the middle is asked, without what it stands on.
constexpr double widest_half = 0.1, strays = 0.05, middle_height = 0.8;

std::vector<Eigen::Vector2d> hull_of(const std::vector<Eigen::Vector2d> &places) {
    std::vector<cv::Point2f> points, corners;
    for (const Eigen::Vector2d &place : places)
        points.emplace_back(static_cast<float>(place.x()), static_cast<float>(place.y()));
    cv::convexHull(points, corners);
    std::vector<Eigen::Vector2d> hull;
    hull.reserve(corners.size());
    for (const cv::Point2f &corner : corners) hull.emplace_back(corner.x, corner.y);
    return hull;
}

bool is_large(const TrackedSurface &surface) {
    return surface.shown.area > large_slice * surface.distance * surface.distance;
}

/// A plain table has few points of its own, and all that stands on it has many. Of plain walls there are more than are
/// real: what is upright and cuts through things takes in the plain wall behind them.
bool is_plain_top(const TrackedSurface &surface) {
    return surface.constraint() != GravityConstraint::vertical && is_large(surface) &&
           surface.grid.plain_share() > plain_itself;
}

/// What counts as seen at the place of a surface. A slice through a plant is small, and its outline is full of dents
/// through which what lies behind is seen. Around a table that is seen over its corner the floor is seen.
PolygonRows surroundings(const TrackedSurface &surface) {
    if (surface.shown.boundary.empty()) return PolygonRows();
    if (is_large(surface)) return PolygonRows(hull_of(surface.shown.boundary));
    Eigen::AlignedBox2d box;
    for (const Eigen::Vector2d &corner : surface.shown.boundary) box.extend(corner);
    using Box = Eigen::AlignedBox2d;
    return PolygonRows({box.corner(Box::BottomLeft), box.corner(Box::BottomRight), box.corner(Box::TopRight),
                        box.corner(Box::TopLeft)});
}

}  // namespace

void SurfaceTracker::State::note_clutter(std::span<const int> indices, const Eigen::Vector3d &camera,
                                         TrackedSurface *surface) const {
    if (is_plain_top(*surface)) {
        surface->cloudiness *= 1 - smoothing;
        surface->disorder = (1 - smoothing) * std::max(0.0, surface->disorder);
        return;
    }
    const Plane &plane = surface->plane();
    const SurfaceSight sight(*surface, camera);
    const PolygonRows around = surroundings(*surface);
    std::vector<Eigen::Vector2d> own, others;
    int on = 0, behind = 0, before = 0;
    for (const int index : indices) {
        const SurfacePoint &point = points[index];
        const double distance = plane.distance(point.position);
        if (sight.height() <= distance) continue;
        const Eigen::Vector2d place = sight.place(point.position - camera);
        if (surface->frames(place, -distance)) continue;
        const bool is_own = point.owner == surface->shown.id;
        (is_own ? own : others).push_back(place);
        if (!around.contains(place)) continue;
        if (is_own) {
            ++on;
        } else if (surely_off(point, plane, noise_scale)) {
            ++(distance < 0 ? behind : before);
        }
    }
    // Things stand before a table, and beside it what lies behind is seen; but not as much of both as of the table.
    const bool is_in_cloud = std::min(behind, before) > cloud * on;
    surface->cloudiness += smoothing * ((is_in_cloud ? 1 : 0) - surface->cloudiness);
    if (own.size() < enough_for_hull) return;
    const PolygonRows hull(hull_of(own));
    const auto among =
        std::count_if(others.begin(), others.end(), [&](const Eigen::Vector2d &place) { return hull.contains(place); });
    const double disorder = static_cast<double>(among) / static_cast<double>(own.size());
    surface->disorder += (surface->disorder < 0 ? 1 : smoothing) * (disorder - surface->disorder);
}

bool SurfaceTracker::State::is_side_of_round(const TrackedSurface &surface) const {
    if (surface.constraint() != GravityConstraint::vertical || surface.members.empty()) return false;
    const Span width = surface.span_of_members(0, strays), height = surface.span_of_members(1, strays);
    const double half_width = 0.5 * width.length(), half_height = 0.5 * height.length();
    if (half_width <= 0 || half_width > widest_half * surface.distance) return false;
    std::vector<StripPoint> strip;
    for (const SurfacePoint &point : points) {
        const double before = surface.plane().distance(point.position);
        if (before > strip_before * half_width || before < -strip_behind * half_width) continue;
        const Eigen::Vector2d local = surface.to_local(point.position);
        const double place = (local.x() - width.middle()) / half_width;
        if (std::abs(place) > strip_reach || std::abs(local.y() - height.middle()) > middle_height * half_height)
            continue;
        strip.push_back({place, before, noise_scale * point.sigma_along_normal(surface.plane().normal)});
    }
    return is_round(strip, half_width);
}

}  // namespace foothold
