// A slope, or a step between what is level and what is upright?
#pragma once

#include <Eigen/Core>
#include <span>

#include "surfaces/plane_fit.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// How well two planes, each level or turned upright the way the slope faces, explain points on a slope, relative to
/// how well the slope explains them: the front of a table top and the rail set back below it lie in one narrow slope.
/// 0 where the slope explains nothing.
double explained_by_steps(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &slope,
                          const Eigen::Vector3d &up, double noise_scale);

}  // namespace foothold
