#include "gravity/reading_delay.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

/// What was added so many times ago counts by 1/e: half a minute of frames.
constexpr double memory = 1000;
constexpr double least_count = 20;
/// Radians: where a hand or the shutter blurs a turn it isn't known better, and what is farther off is a jump
/// of the world or another sensor.
constexpr double least_sigma = 2e-4, most_missing = 0.03;
/// rad/s, of a gyroscope.
constexpr double bias_sigma = 0.02;

}  // namespace

void ReadingDelay::add(const Eigen::Vector3d &missing_turn, const Eigen::Vector3d &rate_change, double seconds) {
    if (!(missing_turn.norm() <= most_missing) || !rate_change.allFinite()) return;
    constexpr double keep = 1 - 1 / memory;
    information_ *= keep;
    right_ *= keep;
    square_sum_ = keep * square_sum_ + missing_turn.squaredNorm();
    count_ = keep * count_ + 1;
    Eigen::Matrix<double, 3, 4> jacobian;
    jacobian << rate_change, seconds * Eigen::Matrix3d::Identity();
    information_ += jacobian.transpose() * jacobian;
    right_ += jacobian.transpose() * missing_turn;
}

ReadingDelay::Estimate ReadingDelay::estimate() const {
    if (count_ < least_count) return {};
    // The bias's own deviation in the unit of the turns'.
    Eigen::Matrix4d information = information_;
    information.diagonal().tail<3>().array() += std::pow(least_sigma / bias_sigma, 2);
    const Eigen::LDLT<Eigen::Matrix4d> solver(information);
    const Eigen::Vector4d x = solver.solve(right_);
    const double variance = solver.solve(Eigen::Vector4d::UnitX().eval())[0];
    if (!x.allFinite() || !(variance > 0)) return {};
    const double left = std::max(0.0, square_sum_ - x.dot(right_));
    const double sigma = std::max(least_sigma, std::sqrt(left / (3 * count_)));
    return {x[0], sigma * std::sqrt(variance)};
}

}  // namespace foothold
