// How much of the movement of points in the picture is explained by turning alone?
#pragma once

#include <Eigen/Core>
#include <span>

namespace foothold {

struct RotationFit {
    /// target_from_host.
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    /// Median length in pixels of what turning alone doesn't explain: parallax.
    double median_residual = 0;
    /// Median movement in pixels.
    double median_flow = 0;
};

/// Robust fit of a rotation to pairs of centred pixels. Needs at least three pairs.
RotationFit fit_rotation(std::span<const Eigen::Vector2d> host, std::span<const Eigen::Vector2d> target, double focal);

}  // namespace foothold
