// What inertial sensors measure, and the poses beside it.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "geometry/se3.h"

namespace foothold {

/// m/s².
constexpr double standard_gravity = 9.80665;

/// Faster turns (rad/s) and harder pushes (m/s²) are errors of the sensor or of its file.
constexpr double fastest_turn = 50, hardest_push = 500;

/// m/s²: less says nothing about where up is.
constexpr double least_force = 1;

/// A sensor that a hand moves may have measured this.
inline bool is_plausible(const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel) {
    return gyro.norm() < fastest_turn && accel.norm() < hardest_push;
}

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
