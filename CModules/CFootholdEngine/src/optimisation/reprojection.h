// The one measurement model: a point hosted in one keyframe by its pixel and inverse depth, seen from another camera.
#pragma once

#include <Eigen/Core>

#include "geometry/se3.h"

namespace foothold {

/// What all points of one host have in common as another camera sees them.
struct CameraPair {
    Eigen::Matrix3d target_from_world, target_from_host;
    /// From the target to the host, in the target's axes.
    Eigen::Vector3d baseline;

    CameraPair(const SE3 &world_from_host, const SE3 &world_from_target)
        : target_from_world(world_from_target.rotation.transpose()),
          target_from_host(target_from_world * world_from_host.rotation),
          baseline(target_from_world * (world_from_host.translation - world_from_target.translation)) {}
};

/// Pixel (centred: focal · x/z, focal · y/z) of a hosted point, with derivatives.
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
    bool evaluate(const CameraPair &pair, const Eigen::Vector2d &host_pixel, double inverse_depth, double focal) {
        const Eigen::Vector3d bearing(host_pixel.x() / focal, host_pixel.y() / focal, 1);
        const Eigen::Vector3d p = pair.target_from_host * bearing + inverse_depth * pair.baseline;
        scaled_depth = p.z();
        if (p.z() < 1e-6) return false;
        const double inverse_z = 1 / p.z();
        pixel = focal * inverse_z * p.head<2>();
        const Eigen::Vector3d turned = pair.target_from_host.leftCols<2>() * bearing.head<2>();
        for (int i = 0; i < 2; ++i) {
            // Of the pixel's slope by p only two numbers a row aren't zero.
            const double by_side = focal * inverse_z, by_depth = -pixel[i] * inverse_z;
            const auto times = [&](const auto &m, double scale = 1) {
                return (scale * by_side * m.row(i) + scale * by_depth * m.row(2)).eval();
            };
            Eigen::RowVector3d by_p(0, 0, by_depth);
            by_p[i] = by_side;
            const Eigen::RowVector3d by_turned = times(pair.target_from_host);
            by_host.row(i).head<3>() = bearing.transpose().cross(by_turned);
            by_host.row(i).tail<3>() = times(pair.target_from_world, inverse_depth);
            by_target.row(i).head<3>() = by_p.cross(p.transpose());
            by_inverse_depth[i] = times(pair.baseline)[0];
            by_host_pixel.row(i) = by_turned.head<2>() / focal;
            by_log_focal[i] = pixel[i] - times(turned)[0];
        }
        by_target.rightCols<3>() = -by_host.rightCols<3>();
        return true;
    }
    bool evaluate(const SE3 &world_from_host, const Eigen::Vector2d &host_pixel, double inverse_depth,
                  const SE3 &world_from_target, double focal) {
        return evaluate(CameraPair(world_from_host, world_from_target), host_pixel, inverse_depth, focal);
    }
};

}  // namespace foothold
