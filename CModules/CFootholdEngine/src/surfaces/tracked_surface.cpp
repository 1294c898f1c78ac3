#include "surfaces/tracked_surface.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/median.h"
#include "surfaces/outline.h"
#include "surfaces/plane_search.h"
#include "surfaces/point_clusters.h"

namespace foothold {
namespace {

/// Members tell how wide a strip is, but for this share of them at either end.
constexpr size_t telling_members = 8;
constexpr double stray_members = 0.05;
// Relative to distance, or its square.
constexpr double plain_reach = 0.0375, wall_reach = 0.12;
constexpr double large_wall = 0.04, frame_half_width = 0.06;
/// What is larger has edges far from what is known of it; and if they were followed so far, then so much.
constexpr double has_edges_near = 0.25, had_edges_near = 0.35;

/// Of all points among a surface's own and these, for each of its own: so many are among those of a real one, too.
constexpr double tidy = 1.35;

/// In what is said for a surface: of what each point tells beyond chance, and of how much else lies among them.
constexpr double weight_of_points = 2, weight_of_disorder = 1.5;

/// Radians that the axes of upright surfaces may be rolled.
constexpr double least_roll = 0.01;
/// Cosine of the angle between a surface's normal and the way to the camera: seen flatter, its edges are blurred.
constexpr double least_facing = 0.25;
/// Relative to distance.
constexpr double farthest_look = 1.5;
/// Pictures that are asked at once; then every second one.
constexpr int first_looks = 3;

double distance_to_segment(const Eigen::Vector2d &p, const Eigen::Vector2d &a, const Eigen::Vector2d &b) {
    const Eigen::Vector2d edge = b - a;
    const double length_squared = edge.squaredNorm();
    const double t = length_squared > 0 ? std::clamp((p - a).dot(edge) / length_squared, 0.0, 1.0) : 0.0;
    return (p - a - t * edge).norm();
}

}  // namespace

TrackedSurface::TrackedSurface(const PlaneFit &fit, const PlaneFit &free_fit, GravityConstraint constraint,
                               const Eigen::Vector3d &camera_right, const Eigen::Vector3d &up, double distance_)
    : grid(0.02 * distance_), distance(distance_), fit_(fit), free_fit_(free_fit), constraint_(constraint) {
    const Eigen::Vector3d &normal = fit.plane.normal;
    Eigen::Vector3d x = constraint == GravityConstraint::vertical ? Eigen::Vector3d(up.cross(normal)) : camera_right;
    x -= normal * normal.dot(x);
    if (x.norm() < 0.1) {
        Eigen::Vector3d z;
        plane_axes(normal, &x, &z);
    }
    x.normalize();
    shown.world_from_surface_rotation.col(0) = x;
    shown.world_from_surface_rotation.col(1) = normal;
    shown.world_from_surface_rotation.col(2) = x.cross(normal);
    shown.origin_in_world = fit.centroid;
    align_frame();
}

LocalFrame TrackedSurface::frame_in(const KeyframeView &view) const {
    const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
    const Eigen::Matrix3d axes = camera_from_world * shown.world_from_surface_rotation;
    return {camera_from_world * (shown.origin_in_world - view.camera_in_world), axes.col(0), axes.col(2)};
}

bool TrackedSurface::is_near_outline(const Eigen::Vector2d &local, double margin) const {
    const auto &polygon = shown.boundary;
    if (polygon.size() < 3) return false;
    const Eigen::Vector2d beyond = (local - shown.center).cwiseAbs() - 0.5 * shown.extent;
    if (beyond.maxCoeff() > margin) return false;
    if (holds(local)) return true;
    if (margin <= 0) return false;
    for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        // Most edges are too far in x or y alone.
        const Eigen::Vector2d low = polygon[j].cwiseMin(polygon[i]), high = polygon[j].cwiseMax(polygon[i]);
        if ((low - local).cwiseMax(local - high).maxCoeff() >= margin) continue;
        if (distance_to_segment(local, polygon[j], polygon[i]) < margin) return true;
    }
    return false;
}

void TrackedSurface::sort_members() {
    std::sort(members.begin(), members.end(),
              [](const SurfaceMember &a, const SurfaceMember &b) { return a.point_id < b.point_id; });
}

Span TrackedSurface::span_of_members(int axis, double left_out) const {
    std::vector<double> places;
    places.reserve(members.size());
    for (const SurfaceMember &member : members) places.push_back(member.local[axis]);
    const auto out = static_cast<ptrdiff_t>(left_out * static_cast<double>(places.size()));
    const auto at_place = [&](std::vector<double>::iterator place) {
        std::nth_element(places.begin(), place, places.end());
        return *place;
    };
    return {at_place(places.begin() + out), at_place(places.end() - 1 - out)};
}

double TrackedSurface::most_reach() const {
    if (constraint_ != GravityConstraint::vertical || bounds_place || members.size() < telling_members)
        return std::numeric_limits<double>::infinity();
    return std::min(span_of_members(0, stray_members).length(), span_of_members(1, stray_members).length());
}

bool TrackedSurface::has_member(int64_t point_id) const {
    const auto found = std::lower_bound(members.begin(), members.end(), point_id,
                                        [](const SurfaceMember &member, int64_t id) { return member.point_id < id; });
    return found != members.end() && found->point_id == point_id;
}

void TrackedSurface::slide_frame(const std::vector<Eigen::Vector2d> &before,
                                 const std::vector<Eigen::Vector2d> &after) {
    if (before.size() < 6) return;
    std::vector<double> dx, dz;
    for (size_t i = 0; i < before.size(); ++i) {
        dx.push_back(after[i].x() - before[i].x());
        dz.push_back(after[i].y() - before[i].y());
    }
    // Medians: single points are re-triangulated far, whole regions move a little.
    const Eigen::Vector2d shift(median(dx), median(dz));
    shown.origin_in_world +=
        shown.world_from_surface_rotation.col(0) * shift.x() + shown.world_from_surface_rotation.col(2) * shift.y();
}

void TrackedSurface::align_frame() {
    const Eigen::Vector3d &normal = fit_.plane.normal;
    const Eigen::Vector3d old_x = shown.world_from_surface_rotation.col(0);
    const Eigen::Vector3d x = (old_x - normal * normal.dot(old_x)).normalized();
    shown.world_from_surface_rotation.col(0) = x;
    shown.world_from_surface_rotation.col(1) = normal;
    shown.world_from_surface_rotation.col(2) = x.cross(normal);
    shown.origin_in_world -= normal * fit_.plane.distance(shown.origin_in_world);
    shown.normal = normal;
    shown.free_normal = free_fit_.plane.normal;
    shown.free_normal_sigma_rad = free_fit_.tilt_sigma();
    shown.offset_sigma_m = std::sqrt(fit_.covariance(2, 2));
}

void TrackedSurface::move_to(const PlaneFit &fit, const PlaneFit &free_fit, GravityConstraint constraint, double gain) {
    // Blended where the points are, so that a far-away origin doesn't turn a small tilt into a shift.
    const double height = fit_.plane.distance(fit.centroid);
    const Eigen::Vector3d on_old = fit.centroid - height * fit_.plane.normal;
    fit_.plane.normal = ((1 - gain) * fit_.plane.normal + gain * fit.plane.normal).normalized();
    const Eigen::Vector3d anchor = on_old + gain * (fit.centroid - on_old);
    const Eigen::Vector3d normal = fit_.plane.normal;
    fit_ = fit;
    fit_.plane.normal = normal;
    fit_.plane.offset = normal.dot(anchor);
    free_fit_ = free_fit;
    constraint_ = constraint;
    align_frame();
}

void TrackedSurface::level_axes(const Eigen::Vector3d &up, double up_sigma) {
    if (constraint_ != GravityConstraint::vertical) return;
    Eigen::Matrix3d &axes = shown.world_from_surface_rotation;
    const Eigen::Vector3d level = up.cross(plane().normal).normalized();
    const double roll = std::atan2(level.dot(axes.col(2)), level.dot(axes.col(0)));
    if (std::abs(roll) < std::max(least_roll, up_sigma)) return;
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(-roll).toRotationMatrix();
    axes.col(0) = level;
    axes.col(2) = level.cross(plane().normal);
    grid.turn(turn);
    for (SurfaceMember &member : members) member.local = turn * member.local;
    std::vector<Eigen::Vector2d> polygon = shown.boundary;
    for (Eigen::Vector2d &corner : polygon) corner = turn * corner;
    take_outline({polygon, shown.area});
    edges.clear();
    creases.clear();
    level_creases.clear();
}

bool TrackedSurface::frames(const Eigen::Vector2d &place, double behind) const {
    return constraint_ == GravityConstraint::vertical && behind > deeper_than_shelves * distance &&
           grid.is_framed(place, frame_half_width * distance);
}

void TrackedSurface::update_belief(double noise_scale) {
    // A logistic model of what told true surfaces from slices through clutter in made-up rooms. Points cut out of
    // clutter fill the band around a plane evenly, so that their residuals are large; slices are small; and most that
    // is flat is level, less upright, hardly anything sloping.
    const double relative_area = std::max(0.002, std::min(shown.area, supported_area()) / (distance * distance));
    double look = 4.3 - 2.8 * contradiction - 2.4 * fit_.residual_scale - 0.4 * fit_.residual_scale / noise_scale +
                  0.8 * std::log(relative_area) + 1.25 * std::log(std::max(2, shown.point_count));
    if (constraint_ == GravityConstraint::none) look -= 3.5;
    if (constraint_ == GravityConstraint::vertical) look -= 1.5;
    // Among a top's own points there's little else but what stands on it; walls are seen between all kinds of things.
    if (constraint_ != GravityConstraint::vertical) look -= 4 * std::log(std::max(tidy, 1 + disorder) / tidy);
    belief += (updates == 0 ? 1.0 : 0.3) * (look - belief);
}

double TrackedSurface::confidence() const {
    const double look = 1 / (1 + std::exp(-belief));
    return look * (1 - std::exp(-(1.0 + std::max(0, standing)) / 4.0));
}

double TrackedSurface::say() const {
    const double count = std::max(2, shown.point_count);
    const double told_by_each = std::max(1.0, -log_false_alarms) / count;
    return belief + weight_of_points * std::log(told_by_each) - std::log(count) -
           weight_of_disorder * std::log(1 + std::max(0.0, disorder));
}

double TrackedSurface::supported_area() const {
    int supported = 0;
    for (int row = 0; row < grid.height(); ++row) {
        for (int column = 0; column < grid.width(); ++column) {
            supported += grid.value(column, row) >= EvidenceGrid::supported;
        }
    }
    return supported * grid.cell_size() * grid.cell_size();
}

double TrackedSurface::share_before(const Plane &plane, double margin) const {
    int supported = 0, before = 0;
    for (int row = 0; row < grid.height(); ++row) {
        for (int column = 0; column < grid.width(); ++column) {
            if (grid.value(column, row) < EvidenceGrid::supported) continue;
            ++supported;
            before += plane.distance(shown.to_world(grid.cell_center(column, row))) > margin;
        }
    }
    return supported > 0 ? static_cast<double>(before) / supported : 0;
}

bool TrackedSurface::can_see_edges(const KeyframeView &view) const {
    if (edges.views() >= first_looks && (updates + shown.id) % 2 != 0) return false;
    const Eigen::Vector3d away = view.camera_in_world - shown.to_world(shown.center);
    return plane().normal.dot(away) > least_facing * away.norm() && away.norm() < farthest_look * distance;
}

FineMask TrackedSurface::at_edges(FineMask extent, const KeyframeView *view) {
    const double area = extent.area();
    if (area == 0) return extent;
    if (area > (edges.views() > 0 ? had_edges_near : has_edges_near) * distance * distance) {
        edges.clear();
        return extent;
    }
    const EdgeZone zone(std::move(extent));
    if (view && can_see_edges(*view)) {
        edges.add(zone, frame_in(*view), *view);
    }
    return edges.apply(zone);
}

void TrackedSurface::update_outline(std::span<const TrackedSurface> others, const KeyframeView *view) {
    // Nothing reaches through a wall: a surface that lies before another one ends there. One that begins at the other's
    // edge and goes back from it is the next side of the same thing, and isn't cut.
    const double margin = 0.01 * distance;
    std::vector<const TrackedSurface *> cutting;
    for (const TrackedSurface &other : others) {
        if (!other.is_confirmed || other.shown.id == shown.id) continue;
        const bool is_too_small = other.shown.area < 0.4 * shown.area && !other.bounds_place;
        if (is_too_small || std::abs(other.plane().normal.dot(plane().normal)) > 0.7) continue;
        if (share_before(other.plane(), margin) > 0.6) cutting.push_back(&other);
    }
    const auto is_excluded = [&](const Eigen::Vector2d &local) {
        const Eigen::Vector3d point = shown.to_world(local);
        return std::any_of(cutting.begin(), cutting.end(), [&](const TrackedSurface *other) {
            return other->plane().distance(point) < -margin &&
                   other->is_near_outline(other->to_local(point), 0.5 * link_distance(distance));
        });
    };
    std::vector<Eigen::Vector2d> carrying;
    carrying.reserve(members.size());
    for (const SurfaceMember &member : members) carrying.push_back(member.local);
    // Plain walls go on beyond what is known of them; a plain table ends, and what lies behind it may look alike.
    const bool is_wall = constraint_ == GravityConstraint::vertical && shown.area > large_wall * distance * distance;
    const double over_plain = std::min((is_wall ? wall_reach : plain_reach) * distance, most_reach());
    // What is seen behind a wall at which the place ends are errors, beside posters mostly.
    const OutlineReach reach = {0.08 * distance, 0.3 * distance, over_plain,
                                bounds_place && constraint_ == GravityConstraint::vertical};
    take_outline(trace_outline(at_edges(extent_of(grid, carrying, reach, is_excluded), view)));
}

void TrackedSurface::take_outline(const Outline &outline) {
    if (outline.polygon.size() < 3) return;
    reach_out_to(outline, &shown);
    rows_ = PolygonRows(shown.boundary);
}

void TrackedSurface::transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
    for (PlaneFit *fit : {&fit_, &free_fit_}) {
        fit->centroid = scale * (rotation * fit->centroid) + translation;
        fit->plane.transform(scale, rotation, translation);
        fit->major = rotation * fit->major;
        fit->minor = rotation * fit->minor;
        fit->major_spread *= scale;
        fit->minor_spread *= scale;
        fit->covariance.row(2) *= scale;
        fit->covariance.col(2) *= scale;
    }
    shown.origin_in_world = scale * (rotation * shown.origin_in_world) + translation;
    shown.resting_normal = rotation * shown.resting_normal;
    shown.world_from_surface_rotation = rotation * shown.world_from_surface_rotation;
    grid.rescale(scale);
    edges.rescale(scale);
    creases.rescale(scale);
    level_creases.rescale(scale);
    crease_plane.transform(scale, rotation, translation);
    if (hanging) hanging->transform(scale, rotation, translation);
    for (SurfaceMember &member : members) member.local *= scale;
    for (Eigen::Vector2d &p : shown.boundary) p *= scale;
    rows_ = PolygonRows(shown.boundary);
    shown.center *= scale;
    shown.extent *= scale;
    shown.area *= scale * scale;
    distance *= scale;
    align_frame();
}

}  // namespace foothold
