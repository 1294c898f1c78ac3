// By how much a gyroscope's readings are dated too late beside the pictures.
#pragma once

#include <Eigen/Core>

namespace foothold {

/// What a gyroscope lacks of the turn between two poses is its delay times how its rate changes in between, and its
/// bias times the time (linear, as the first step of Li and Mourikis, "Online temporal calibration for camera-IMU
/// systems", IJRR 2014).
class ReadingDelay {
public:
    struct Estimate {
        /// Negative where readings are dated too early.
        double seconds = 0;
        double sigma = 1;
    };

    /// `missing_turn` is the rotation vector from where the gyroscope says that the camera faces to where it does, and
    /// `rate_change` how the angular rate (rad/s) changed, both in the camera's axes.
    void add(const Eigen::Vector3d &missing_turn, const Eigen::Vector3d &rate_change, double seconds);
    /// A sigma of 1 s while too little is known.
    Estimate estimate() const;
    void reset() { *this = ReadingDelay(); }

private:
    /// Normal equations of the delay and the negated bias.
    Eigen::Matrix4d information_ = Eigen::Matrix4d::Zero();
    Eigen::Vector4d right_ = Eigen::Vector4d::Zero();
    double square_sum_ = 0, count_ = 0;
};

}  // namespace foothold
