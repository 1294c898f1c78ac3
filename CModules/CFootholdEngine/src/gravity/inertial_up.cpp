#include "gravity/inertial_up.h"

#include <algorithm>
#include <cmath>

#include "geometry/se3.h"
#include "gravity/inertial_reading.h"

namespace foothold {
namespace {

constexpr double longest_gap_s = 0.5;
/// Of the direction carried by a consumer gyroscope with uncorrected bias, per root second; chosen so that the
/// filter's memory (some two seconds) balances what the bias does against what the hand does.
constexpr double gyroscope_sigma = 0.015;
/// A hand's accelerations stay alike for about this long: samples closer together say the same thing.
constexpr double hand_correlation_s = 0.3;
constexpr double hand_acceleration = 0.4;
constexpr double sensor_sigma = 0.004;

}  // namespace

void InertialUp::add(int64_t timestamp_ns, const Eigen::Vector3d &angular_rate, const Eigen::Vector3d &specific_force) {
    const double force = specific_force.norm();
    if (!(force > least_force)) return;
    const double seconds = static_cast<double>(timestamp_ns - timestamp_ns_) * 1e-9;
    // Free fall and shaking say little about up.
    const double disturbance = std::hypot(hand_acceleration, force - standard_gravity) / standard_gravity;
    const Eigen::Vector3d measured = specific_force / force;
    if (samples_ == 0 || seconds <= 0 || seconds > longest_gap_s) {
        if (samples_ > 0 && seconds <= 0 && seconds > -longest_gap_s) return;
        up_ = measured;
        variance_ = disturbance * disturbance;
        timestamp_ns_ = timestamp_ns;
        samples_ = 1;
        return;
    }
    // A fixed direction turns the other way in the turning camera's axes.
    up_ = so3_exp(-angular_rate * seconds) * up_;
    variance_ += gyroscope_sigma * gyroscope_sigma * seconds;
    const double repeats = std::max(1.0, 2 * hand_correlation_s / seconds);
    const double measured_variance = disturbance * disturbance * repeats;
    const double gain = variance_ / (variance_ + measured_variance);
    up_ = (up_ + gain * (measured - up_)).normalized();
    variance_ *= 1 - gain;
    timestamp_ns_ = timestamp_ns;
    ++samples_;
}

double InertialUp::sigma() const { return std::hypot(std::sqrt(variance_), sensor_sigma); }

}  // namespace foothold
