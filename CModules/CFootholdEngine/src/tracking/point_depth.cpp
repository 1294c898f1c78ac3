#include "tracking/point_depth.h"

#include <algorithm>
#include <cmath>

#include "optimisation/reprojection.h"
#include "tracking/point_finder.h"

namespace foothold {

double depth_error_pixels(const Map &map, const HostedPoint &point, const SE3 &current_from_host) {
    if (point.state == PointState::mature) return 0;
    // Both ends of what the depth may be.
    const double sigma = std::sqrt(point.inverse_depth_variance);
    const Eigen::Vector3d far =
        current_from_host.rotation * map.host_bearing(point) + point.inverse_depth * current_from_host.translation;
    const Eigen::Vector3d near = far + sigma * current_from_host.translation;
    if (far.z() < 1e-6 || near.z() < 1e-6) return map.focal;
    return map.focal * (near.head<2>() / near.z() - far.head<2>() / far.z()).norm();
}

DepthUpdate refine_depth(const Map &map, const SE3 &pose, const Eigen::Vector2d &seen, double least,
                         HostedPoint *point) {
    Reprojection r;
    const SE3 &host = map.keyframes[point->host].world_from_camera;
    if (!r.evaluate(host, map.host_pixel(*point), point->inverse_depth, pose, map.focal)) {
        return DepthUpdate::off_the_line;
    }
    const Eigen::Vector2d residual = seen - r.pixel;
    const double sensitivity = r.by_inverse_depth.norm();
    if (sensitivity < 1e-6) return DepthUpdate::no_parallax;
    const double noise = level_noise(point->level);
    const Eigen::Vector2d along = r.by_inverse_depth / sensitivity;
    if (std::abs(along.x() * residual.y() - along.y() * residual.x()) > 2.5 * noise) return DepthUpdate::off_the_line;
    // Errors of neighbouring frames are alike, so one frame counts for less than its noise would say.
    const double information = sensitivity * sensitivity / (noise * noise);
    const double previous = 1 / point->inverse_depth_variance;
    const double gain = information / (information + previous);
    const double next = point->inverse_depth + gain * along.dot(residual) / sensitivity;
    point->inverse_depth_variance = 1 / (information + previous);
    point->inverse_depth = std::max(next, least);
    ++point->depth_updates;
    return DepthUpdate::refined;
}

}  // namespace foothold
