// What one more sight of a point says about its depth.
#pragma once

#include <Eigen/Core>

#include "geometry/se3.h"
#include "mapping/map.h"

namespace foothold {

/// How far off its uncertain depth may put a point in the picture, in pixels; 0 for mature ones.
double depth_error_pixels(const Map &map, const HostedPoint &point, const SE3 &current_from_host);

enum class DepthUpdate {
    /// Not where any depth would put it: a wrong match or a moving thing.
    off_the_line,
    /// The camera hasn't moved so that it would tell.
    no_parallax,
    refined,
};

/// Refines an immature point's inverse depth and variance by a sight of it from `pose`: a Kalman filter along the
/// epipolar line. `seen` is centred, without what a rolling shutter does; `least` bounds the inverse depth from below.
DepthUpdate refine_depth(const Map &map, const SE3 &pose, const Eigen::Vector2d &seen, double least,
                         HostedPoint *point);

}  // namespace foothold
