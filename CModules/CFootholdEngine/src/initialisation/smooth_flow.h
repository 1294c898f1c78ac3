// How much of what turning leaves of a movement no lens could have feigned.
#pragma once

#include <Eigen/Core>
#include <span>

namespace foothold {

/// Median length (pixels) of what a cubic polynomial of the place in the picture, fitted robustly, leaves of
/// `residuals` at the pixels `places`. A lens or a shutter that isn't modelled, a wrong focal length and a single plane
/// bend the picture smoothly; things at several depths don't.
double beyond_smooth_flow(std::span<const Eigen::Vector2d> places, std::span<const Eigen::Vector2d> residuals);

}  // namespace foothold
