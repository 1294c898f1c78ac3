// The one measurement model: a point hosted in one keyframe by its pixel and inverse depth, seen from another camera.
#pragma once

#include <Eigen/Core>

#include "geometry/se3.h"

namespace foothold {

/// Pixel (centred: focal · x/z, focal · y/z) of a hosted point, with derivatives where asked for.
///
/// Derivatives are for `updated` (rotation vector on the camera's side, translation in the world) of each pose, the
/// inverse depth, the logarithm of the focal length (the host pixel held fixed), and the host pixel.
struct Reprojection {
    Eigen::Vector2d pixel;
    /// Depth along the target's z axis times the inverse depth: positive in front of the camera.
    double scaled_depth = 0;
    Eigen::Matrix<double, 2, 6> by_host;
    Eigen::Matrix<double, 2, 6> by_target;
    Eigen::Vector2d by_inverse_depth;
    Eigen::Vector2d by_log_focal;
    Eigen::Matrix2d by_host_pixel;

    /// False when the point is behind the camera.
    bool evaluate(const SE3 &world_from_host, const Eigen::Vector2d &host_pixel, double inverse_depth,
                  const SE3 &world_from_target, double focal, bool with_jacobians) {
        const Eigen::Vector3d bearing(host_pixel.x() / focal, host_pixel.y() / focal, 1);
        const Eigen::Matrix3d target_from_world = world_from_target.rotation.transpose();
        const Eigen::Vector3d baseline = world_from_host.translation - world_from_target.translation;
        const Eigen::Matrix3d target_from_host = target_from_world * world_from_host.rotation;
        const Eigen::Vector3d baseline_in_target = target_from_world * baseline;
        const Eigen::Vector3d p = target_from_host * bearing + inverse_depth * baseline_in_target;
        scaled_depth = p.z();
        if (p.z() < 1e-6) return false;
        const double inverse_z = 1 / p.z();
        pixel = focal * inverse_z * p.head<2>();
        if (!with_jacobians) return true;
        Eigen::Matrix<double, 2, 3> by_p;
        by_p << focal * inverse_z, 0, -pixel.x() * inverse_z, 0, focal * inverse_z, -pixel.y() * inverse_z;
        by_host.leftCols<3>() = -by_p * target_from_host * hat(bearing);
        by_host.rightCols<3>() = inverse_depth * by_p * target_from_world;
        by_target.leftCols<3>() = by_p * hat(p);
        by_target.rightCols<3>() = -by_host.rightCols<3>();
        by_inverse_depth = by_p * baseline_in_target;
        by_host_pixel = by_p * target_from_host.leftCols<2>() / focal;
        by_log_focal = pixel - by_p * (target_from_host.leftCols<2>() * bearing.head<2>());
        return true;
    }
};

}  // namespace foothold
