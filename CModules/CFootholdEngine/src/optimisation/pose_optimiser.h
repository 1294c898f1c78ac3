// The camera's pose from points of the map, all else held fixed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "geometry/se3.h"

namespace foothold {

struct PoseObservation {
    Eigen::Vector3d point_in_world = Eigen::Vector3d::Zero();
    /// Derivative of the point's position by its uncertain depth times that depth's standard deviation.
    Eigen::Vector3d depth_spread = Eigen::Vector3d::Zero();
    /// Centred, undistorted pixel.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// Its standard deviation over that of a good measurement.
    double noise_scale = 1;
    /// Out.
    double residual = 0;
    bool is_inlier = true;
};

struct PoseOptimiserResult {
    bool succeeded = false;
    int inlier_count = 0;
    double rms_pixels = 0;
    /// Covariance over (rotation vector on the camera's side, translation in the world).
    Eigen::Matrix<double, 6, 6> covariance;
};

/// Motion-only Gauss-Newton with Cauchy's weights, re-weighted from wide to narrow. Each residual is weighted by the
/// inverse of pixel noise plus what the uncertain depth adds. `noise_pixels` is the standard deviation of a good
/// measurement; residuals beyond `outlier_sigmas` of it count as outliers.
PoseOptimiserResult optimise_pose(std::vector<PoseObservation> &observations, double focal, double noise_pixels,
                                  double outlier_sigmas, SE3 *world_from_camera);

}  // namespace foothold
