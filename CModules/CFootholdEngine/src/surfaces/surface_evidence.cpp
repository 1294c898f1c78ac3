// What the newest keyframe says about the places of surfaces.
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "surfaces/picture_square.h"
#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

constexpr float support_step = 0.8f;
constexpr float cell_support_step = 0.5f;
constexpr float seen_through_step = -0.8f;
/// Relative to distance: what another surface explains and lies so far behind this one is seen through it.
constexpr double behind_known = 0.002;
// What bounds the place: larger than this (relative to distance²), with at most this share of all points farther behind
// it than this, relative to their distance.
constexpr double large_bound = 0.1, most_behind = 0.03, behind_bound = 0.02;

}  // namespace

void SurfaceTracker::State::deposit_evidence(const KeyframeView &newest) {
    std::vector<bool> in_view(points.size(), false);
    for (const Observation &observation : newest.observations) {
        const int index = index_of(observation.point_id);
        if (index >= 0) in_view[index] = true;
    }
    Owned all = points_by_owner();
    for (TrackedSurface &surface : tracked) {
        std::vector<SurfaceMember> members;
        for (const int i : all[surface.shown.id]) {
            const Eigen::Vector2d local = surface.to_local(points[i].position);
            const bool known = surface.has_member(points[i].id);
            if (!known || in_view[i]) surface.grid.add(local, support_step);
            members.push_back({points[i].id, local});
        }
        surface.members = std::move(members);
        surface.sort_members();
    }
}

std::vector<SurfaceSight> SurfaceTracker::State::sights_from(const KeyframeView &view) const {
    std::vector<SurfaceSight> sights;
    sights.reserve(tracked.size());
    for (const TrackedSurface &surface : tracked) sights.emplace_back(surface, view.camera_in_world);
    return sights;
}

void SurfaceTracker::State::note_seen_through(const KeyframeView &newest) {
    const std::vector<SurfaceSight> sights = sights_from(newest);
    for (const Observation &observation : newest.observations) {
        const int index = index_of(observation.point_id);
        if (index < 0) continue;
        const SurfacePoint &point = points[index];
        const Eigen::Vector3d ray = point.position - newest.camera_in_world;
        for (size_t s = 0; s < tracked.size(); ++s) {
            TrackedSurface &surface = tracked[s];
            if (point.owner == surface.shown.id || sights[s].height() <= 0) continue;
            if (!surely_behind(point, surface.plane(), noise_scale)) continue;
            surface.grid.add(sights[s].place(ray), seen_through_step);
        }
    }
}

void SurfaceTracker::State::note_cells(const KeyframeView &newest) {
    const std::vector<SurfaceSight> sights = sights_from(newest);
    std::unordered_set<int32_t> confirmed;
    for (const TrackedSurface &surface : tracked) {
        if (surface.is_confirmed) confirmed.insert(surface.shown.id);
    }
    const auto is_seen_through = [&](const TrackedSurface &surface, const SurfacePoint &point,
                                     bool has_confirmed_owner) {
        if (!has_confirmed_owner) return surely_behind(point, surface.plane(), noise_scale);
        // Over the far edge of a top that is seen under a flat angle the wall begins hardly behind its plane.
        const double behind = -surface.plane().distance(point.position);
        return behind > behind_known * point.distance &&
               behind > inlier_tolerance(point, surface.plane().normal, noise_scale);
    };
    for (const SeenPatch &patch : dense.seen()) {
        const int index = index_of_dense[patch.point];
        if (index < 0) continue;
        const SurfacePoint &point = points[index];
        const bool has_confirmed_owner = confirmed.count(point.owner) != 0;
        const Eigen::Vector3d ray = world_ray_of(newest, patch.pixel);
        std::optional<std::array<Eigen::Vector3d, 4>> corners;
        for (size_t s = 0; s < tracked.size(); ++s) {
            TrackedSurface &surface = tracked[s];
            if (point.owner == surface.shown.id) {
                // Pieces that hang over the edge match too: only their middle is sure.
                cover(surface, sights[s], corner_rays(newest, patch.pixel, 0.5 * patch.half_side),
                      [&](const Eigen::Vector2d &local) { surface.grid.add(local, cell_support_step); });
                dense.explain(patch.point, surface.plane().normal);
                continue;
            }
            if (!is_seen_through(surface, point, has_confirmed_owner)) continue;
            Eigen::Vector2d crossing;
            if (!sights[s].meet(ray, &crossing)) continue;
            if (!surface.grid.is_inside(surface.grid.cell(crossing))) continue;
            if (!corners) corners = corner_rays(newest, patch.pixel, patch.half_side);
            cover(surface, sights[s], *corners,
                  [&](const Eigen::Vector2d &local) { surface.grid.add(local, seen_through_step); });
        }
    }
}

int SurfaceTracker::State::count_behind(const Plane &plane) const {
    return static_cast<int>(std::count_if(points.begin(), points.end(), [&](const SurfacePoint &point) {
        return plane.distance(point.position) < -behind_bound * point.distance;
    }));
}

bool SurfaceTracker::State::bounds_place(const TrackedSurface &surface) const {
    if (!surface.is_confirmed) return false;
    if (!surface.is_told_by_crease() && surface.shown.area < large_bound * surface.distance * surface.distance)
        return false;
    return static_cast<double>(count_behind(surface.plane())) < most_behind * static_cast<double>(points.size());
}

std::vector<int> SurfaceTracker::State::bounds_of_place() const {
    std::vector<int> bounds;
    for (size_t s = 0; s < tracked.size(); ++s) {
        if (bounds_place(tracked[s])) bounds.push_back(static_cast<int>(s));
    }
    return bounds;
}

std::vector<Plane> SurfaceTracker::State::planes_of_bounds() const {
    std::vector<Plane> planes;
    for (const int bound : bounds_of_place()) planes.push_back(tracked[bound].plane());
    return planes;
}

}  // namespace foothold
