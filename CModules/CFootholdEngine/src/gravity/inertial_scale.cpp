#include "gravity/inertial_scale.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/median.h"

namespace foothold {
namespace {

/// How well a path's second differences are seen grows with the square of this, until hands push both ways within it.
constexpr double stretch_seconds = 0.2;
constexpr int64_t longest_pose_gap_ns = 200'000'000, longest_reading_gap_ns = 100'000'000;
/// Forty seconds.
constexpr size_t most_equations = 200;
/// Fewer, and residuals don't tell how good they are.
constexpr size_t least_equations = 6;
/// m/s²: of a phone's accelerometer, and of gravity at different places and what the sensor's own scale is off.
constexpr double bias_sigma = 0.1, gravity_sigma = 0.02;
/// m/s²: what is farther off is another sensor than it's taken for.
constexpr double most_bias = 0.5, most_off_gravity = 0.2;
/// m/s: an equation isn't better than this whatever residuals say.
constexpr double least_sigma = 0.002;
/// The median length of vectors whose coordinates have a deviation of 1.
constexpr double median_length = 1.538;
constexpr double huber = 2.5;
/// Seconds: a delay that is known this well and differs this much from what it was taken for is followed; readings that
/// are later than the last aren't of these pictures, and say nothing.
constexpr double sure_delay = 0.0015, other_delay = 0.005, most_delay = 0.08;
constexpr int rounds = 5;
/// Neighbouring equations share a stretch, and a path's errors last.
constexpr double shared_errors = 2;

double seconds_between(int64_t from_ns, int64_t to_ns) { return static_cast<double>(to_ns - from_ns) * 1e-9; }

}  // namespace

void InertialScale::add_reading(int64_t dated_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel) {
    const int64_t timestamp_ns = dated_ns - taken_delay_ns_;
    if (!readings_.empty()) {
        const int64_t gap = timestamp_ns - readings_.back().timestamp_ns;
        if (gap <= 0) return;
        const bool waits_in_vain = !poses_.empty() && timestamp_ns - poses_.back().timestamp_ns >
                                                          longest_pose_gap_ns + std::abs(taken_delay_ns_);
        if (gap > longest_reading_gap_ns || waits_in_vain) interrupt();
    }
    readings_.push_back({timestamp_ns, gyro, accel});
    // Without a pose only the last two are of use to the next one.
    if (poses_.empty() && readings_.size() > 2) readings_.pop_front();
}

void InertialScale::add_pose(int64_t timestamp_ns, const SE3 &world_from_camera) {
    const auto follows = [&](int64_t last_ns, int64_t longest_gap_ns) {
        return timestamp_ns - last_ns <= longest_gap_ns;
    };
    if (!poses_.empty() && timestamp_ns <= poses_.back().timestamp_ns) return;
    if ((!poses_.empty() && !follows(poses_.back().timestamp_ns, longest_pose_gap_ns)) ||
        (!readings_.empty() &&
         !follows(readings_.back().timestamp_ns, longest_reading_gap_ns + std::abs(taken_delay_ns_))))
        interrupt();
    if (readings_.empty()) return;
    poses_.push_back({timestamp_ns, world_from_camera});
    // The readings around a pose's time are known when the next one comes.
    while (poses_.size() >= 2 && readings_.back().timestamp_ns >= poses_[1].timestamp_ns) {
        if (!integrate()) {
            last_.reset();
            stretch_ = {};
        }
        poses_.pop_front();
        while (readings_.size() >= 2 && readings_[1].timestamp_ns <= poses_.front().timestamp_ns) readings_.pop_front();
    }
    follow_delay();
}

void InertialScale::follow_delay() {
    const ReadingDelay::Estimate delay = delay_.estimate();
    if (delay.sigma > sure_delay || std::abs(delay.seconds) < other_delay) return;
    const auto taken_ns = taken_delay_ns_ + std::llround(1e9 * delay.seconds);
    if (std::abs(seconds_between(0, taken_ns)) > most_delay) {
        equations_.clear();
        return;
    }
    taken_delay_ns_ = taken_ns;
    delay_.reset();
    reset();
}

void InertialScale::reset() {
    interrupt();
    equations_.clear();
}

void InertialScale::interrupt() {
    readings_.clear();
    poses_.clear();
    stretch_ = {};
    last_.reset();
}

void InertialScale::transform(double scale, const Eigen::Matrix3d &rotation) {
    interrupt();
    for (Equation &equation : equations_) {
        equation.unit_change = scale * (rotation * equation.unit_change);
        equation.metric_change = rotation * equation.metric_change;
        equation.by_bias = rotation * equation.by_bias;
    }
}

InertialReading InertialScale::reading_at(int64_t timestamp_ns) const {
    const auto after =
        std::lower_bound(readings_.begin(), readings_.end(), timestamp_ns,
                         [](const InertialReading &reading, int64_t t) { return reading.timestamp_ns < t; });
    if (after == readings_.begin()) return readings_.front();
    const InertialReading &before = *(after - 1);
    const double share =
        seconds_between(before.timestamp_ns, timestamp_ns) / seconds_between(before.timestamp_ns, after->timestamp_ns);
    return {timestamp_ns, before.gyro + share * (after->gyro - before.gyro),
            before.accel + share * (after->accel - before.accel)};
}

bool InertialScale::integrate() {
    const TimedPose &from = poses_[0], &to = poses_[1];
    if (readings_.front().timestamp_ns > from.timestamp_ns) return false;
    std::vector<InertialReading> readings{reading_at(from.timestamp_ns)};
    for (const InertialReading &reading : readings_) {
        if (reading.timestamp_ns > from.timestamp_ns && reading.timestamp_ns < to.timestamp_ns)
            readings.push_back(reading);
    }
    readings.push_back(reading_at(to.timestamp_ns));
    Eigen::Matrix3d rotation = from.world_from_camera.rotation;
    for (size_t i = 1; i < readings.size(); ++i) {
        const double step = seconds_between(readings[i - 1].timestamp_ns, readings[i].timestamp_ns);
        const Eigen::Matrix3d half_turn = so3_exp(0.25 * step * (readings[i - 1].gyro + readings[i].gyro));
        const Eigen::Matrix3d in_the_middle = rotation * half_turn;
        const Eigen::Vector3d force = in_the_middle * (0.5 * (readings[i - 1].accel + readings[i].accel));
        stretch_.path += step * stretch_.velocity + 0.5 * step * step * force;
        stretch_.velocity += step * force;
        stretch_.path_by_bias += step * stretch_.velocity_by_bias + 0.5 * step * step * in_the_middle;
        stretch_.velocity_by_bias += step * in_the_middle;
        rotation = in_the_middle * half_turn;
    }
    const double seconds = seconds_between(from.timestamp_ns, to.timestamp_ns);
    delay_.add(so3_log(rotation.transpose() * to.world_from_camera.rotation),
               readings.back().gyro - readings.front().gyro, seconds);
    stretch_.way += to.world_from_camera.translation - from.world_from_camera.translation;
    stretch_.seconds += seconds;
    // Frames' times are rounded.
    if (stretch_.seconds > stretch_seconds - 0.001) close_stretch();
    return true;
}

void InertialScale::close_stretch() {
    const Stretch next = stretch_;
    stretch_ = {};
    if (last_) {
        if (equations_.size() == most_equations) equations_.pop_front();
        equations_.push_back(
            {next.way / next.seconds - last_->way / last_->seconds,
             last_->velocity - last_->path / last_->seconds + next.path / next.seconds,
             0.5 * (last_->seconds + next.seconds),
             last_->velocity_by_bias - last_->path_by_bias / last_->seconds + next.path_by_bias / next.seconds});
    }
    last_ = next;
}

std::optional<InertialScale::Estimate> InertialScale::estimate() const {
    using Matrix7 = Eigen::Matrix<double, 7, 7>;
    using Vector7 = Eigen::Matrix<double, 7, 1>;
    if (equations_.size() < least_equations) return std::nullopt;
    // Units in a metre, and by these gravity and the bias: the path is what has noise, so that it must be what is
    // explained. The other way round, scale would come out too small.
    Vector7 x = Vector7::Zero();
    Matrix7 covariance;
    std::vector<double> lengths(equations_.size()), weights(equations_.size(), 1.0);
    double sigma = 1;
    const auto jacobian_of = [](const Equation &equation) {
        Eigen::Matrix<double, 3, 7> jacobian;
        jacobian << equation.metric_change, equation.seconds * Eigen::Matrix3d::Identity(), -equation.by_bias;
        return jacobian;
    };
    for (int round = 0; round < rounds; ++round) {
        Matrix7 information = Matrix7::Zero();
        Vector7 right = Vector7::Zero();
        for (size_t i = 0; i < equations_.size(); ++i) {
            const Eigen::Matrix<double, 3, 7> jacobian = jacobian_of(equations_[i]);
            const double weight = weights[i] / (sigma * sigma);
            information += weight * jacobian.transpose() * jacobian;
            right += weight * jacobian.transpose() * equations_[i].unit_change;
        }
        if (round == 0) {
            // How long a unit is isn't known yet, nor with it what the rest may be: there's no bias for now.
            information.diagonal().tail<3>().array() += 1e6 * information.trace();
        } else {
            const double unit = x[0];
            information.diagonal().tail<3>().array() += 1 / std::pow(bias_sigma * unit, 2);
            Vector7 strength = Vector7::Zero();
            strength[0] = -standard_gravity;
            strength.segment<3>(1) = x.segment<3>(1).normalized();
            information += strength * strength.transpose() / std::pow(gravity_sigma * unit, 2);
        }
        const Eigen::LDLT<Matrix7> solver(information);
        x = solver.solve(right);
        if (!x.allFinite() || !(x[0] > 0)) return std::nullopt;
        covariance = solver.solve(Matrix7::Identity());
        for (size_t i = 0; i < equations_.size(); ++i)
            lengths[i] = (jacobian_of(equations_[i]) * x - equations_[i].unit_change).norm();
        std::vector<double> sorted = lengths;
        sigma = std::max(least_sigma * x[0], median(sorted) / median_length);
        for (size_t i = 0; i < equations_.size(); ++i)
            weights[i] = std::min(1.0, huber * sigma / std::max(lengths[i], 1e-9 * sigma));
    }
    if (!(covariance(0, 0) > 0)) return std::nullopt;
    Estimate estimate;
    estimate.metres_per_unit = 1 / x[0];
    estimate.relative_sigma = shared_errors * std::sqrt(covariance(0, 0)) / x[0];
    estimate.gravity = x.segment<3>(1) / x[0];
    estimate.bias = x.tail<3>() / x[0];
    const double strength = estimate.gravity.norm();
    if (!(std::abs(strength - standard_gravity) < most_off_gravity) || !(estimate.bias.norm() < most_bias))
        return std::nullopt;
    const Eigen::Vector3d down = estimate.gravity / strength;
    const Eigen::Matrix3d spread = covariance.block<3, 3>(1, 1);
    estimate.gravity_sigma_rad =
        shared_errors * std::sqrt(std::max(0.0, 0.5 * (spread.trace() - down.dot(spread * down)))) / (strength * x[0]);
    return estimate;
}

}  // namespace foothold
