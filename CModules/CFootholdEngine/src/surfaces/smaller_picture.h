// The picture at half the size that is used for what shows itself only in the large.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace foothold {

/// Where a pixel lies there: a smaller pixel's middle lies between two of the larger picture's.
inline Eigen::Vector2d in_smaller_picture(const Eigen::Vector2d &pixel) {
    return 0.5 * (pixel - Eigen::Vector2d::Constant(0.5));
}

/// Deviation of its noise, grey levels, from the larger one's; whole grey levels are part of it.
inline double noise_of_smaller_picture(double noise) { return std::hypot(0.5 * noise, 0.3); }

}  // namespace foothold
