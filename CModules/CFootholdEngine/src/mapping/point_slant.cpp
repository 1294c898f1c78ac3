#include "mapping/point_slant.h"

namespace foothold {

Eigen::Vector3d plane_around(const HostedPoint &point, const Eigen::Vector3d &host_bearing) {
    const double ahead = 1 - point.slant.dot(host_bearing.head<2>());
    return point.inverse_depth * Eigen::Vector3d(point.slant.x(), point.slant.y(), ahead);
}

Eigen::Vector3d plane_from(const Eigen::Vector3d &plane, const SE3 &camera_from_other) {
    return camera_from_other.rotation.transpose() * plane / (1 - plane.dot(camera_from_other.translation));
}

Eigen::Vector2d slant_of(const Eigen::Vector3d &plane, const Eigen::Vector3d &host_bearing) {
    return plane.head<2>() / plane.dot(host_bearing);
}

}  // namespace foothold
