// What inertial sensors measure, and the poses beside it.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "geometry/se3.h"

namespace foothold {

/// m/s².
constexpr double standard_gravity = 9.80665;

/// One reading of the inertial sensor in the camera's axes: rad/s, and m/s² of specific force.
struct InertialReading {
    int64_t timestamp_ns = 0;
    Eigen::Vector3d gyro = Eigen::Vector3d::Zero();
    Eigen::Vector3d accel = Eigen::Vector3d::Zero();
};

/// The camera's pose at a frame's time.
struct TimedPose {
    int64_t timestamp_ns;
    SE3 world_from_camera;
};

}  // namespace foothold
