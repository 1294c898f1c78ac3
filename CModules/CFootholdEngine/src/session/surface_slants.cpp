#include "session/surface_slants.h"

#include <cmath>
#include <vector>

#include "mapping/point_slant.h"
#include "surfaces/polygon_rows.h"

namespace foothold {

namespace {

/// Relative to its distance from the host: a point so near to a surface lies on it.
constexpr double kOnSurface = 0.012;
/// Sine of the angle at which a patch is seen, below which it's squeezed too much to tell anything.
constexpr double kFlattest = 0.1;

}  // namespace

void note_slants(std::span<const Surface> surfaces, Map *map) {
    std::vector<PolygonRows> outlines;
    outlines.reserve(surfaces.size());
    for (const Surface &surface : surfaces) outlines.emplace_back(surface.boundary);
    for (HostedPoint &point : map->points) {
        if (point.state != PointState::mature) continue;
        const SE3 &host = map->keyframes[point.host].world_from_camera;
        const Eigen::Vector3d bearing = map->host_bearing(point);
        const Eigen::Vector3d away = host.rotation * (bearing / point.inverse_depth);
        const double distance = away.norm();
        const Eigen::Vector3d position = host.translation + away;
        double nearest = kOnSurface * distance;
        point.slant.setZero();
        for (size_t s = 0; s < surfaces.size(); ++s) {
            const Surface &surface = surfaces[s];
            const double height = std::abs(surface.normal.dot(position - surface.origin_in_world));
            if (height >= nearest || -surface.normal.dot(away) < kFlattest * distance) continue;
            if (!outlines[s].contains(surface.to_local(position))) continue;
            nearest = height;
            point.slant = slant_of(host.rotation.transpose() * surface.normal, bearing);
        }
    }
}

}  // namespace foothold
