// Which way is up, in the camera's own axes, from gyroscope and accelerometer.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace foothold {

/// Carries the direction of up along with the gyroscope and corrects it slowly by the accelerometer, whose swings a
/// moving hand makes average out. Axes are the camera's (x right, y down, z forward).
class InertialUp {
public:
    /// One sample: rad/s, and specific force in m/s² (at rest it points up). Samples come in time order; a gap of
    /// more than half a second starts over.
    void add(int64_t timestamp_ns, const Eigen::Vector3d &angular_rate, const Eigen::Vector3d &specific_force);

    bool is_known() const { return samples_ > 0; }
    const Eigen::Vector3d &up_in_camera() const { return up_; }
    /// Standard deviation of the direction, radians.
    double sigma() const;

private:
    Eigen::Vector3d up_ = -Eigen::Vector3d::UnitY();
    double variance_ = 1;
    int64_t timestamp_ns_ = 0;
    int64_t samples_ = 0;
};

}  // namespace foothold
