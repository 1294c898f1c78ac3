// What of a surface a square of the picture shows.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "surfaces/dense_map.h"
#include "surfaces/surface_sight.h"

namespace foothold {

/// Of a pixel, in the world.
inline Eigen::Vector3d world_ray_of(const KeyframeView &view, const Eigen::Vector2d &pixel) {
    return view.world_from_camera_rotation * ray_of(view, pixel);
}

/// Of the corners of a square of the picture, in the world.
inline std::array<Eigen::Vector3d, 4> corner_rays(const KeyframeView &view, const Eigen::Vector2d &center,
                                                  double half) {
    const Eigen::Vector2d rising(half, half), falling(half, -half);
    auto rays = rays_of<4>(view, {center - rising, center + falling, center + rising, center - falling});
    for (Eigen::Vector3d &ray : rays) ray = view.world_from_camera_rotation * ray;
    return rays;
}

/// Calls `visit(local)` for points of the surface that a square of the picture covers, about one a grid cell.
template <typename Visit>
void cover(const TrackedSurface &surface, const SurfaceSight &sight, const std::array<Eigen::Vector3d, 4> &rays,
           Visit visit) {
    Eigen::Vector2d corners[4];
    for (int i = 0; i < 4; ++i) {
        if (!sight.meet(rays[i], &corners[i])) return;
    }
    const double longest = std::max((corners[0] - corners[2]).norm(), (corners[1] - corners[3]).norm());
    if (longest > 0.3 * surface.distance) return;
    const int steps = std::clamp(static_cast<int>(std::ceil(longest / surface.grid.cell_size())), 1, 8);
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < steps; ++j) {
            const double s = (i + 0.5) / steps, t = (j + 0.5) / steps;
            visit(Eigen::Vector2d((1 - t) * ((1 - s) * corners[0] + s * corners[1]) +
                                  t * ((1 - s) * corners[3] + s * corners[2])));
        }
    }
}

}  // namespace foothold
