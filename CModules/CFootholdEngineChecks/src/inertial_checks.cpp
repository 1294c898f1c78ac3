#include <array>
#include <cmath>
#include <numbers>

#include "gravity/inertial_scale.h"
#include "random_numbers.h"
#include "surface_checks.h"

using namespace foothold;

namespace {

/// A hand that holds a camera: it sways about a place, each axis by three waves.
class Hand {
public:
    Hand(checks::RandomNumbers &random, bool pushes) {
        for (Wave &wave : ways_) {
            const double rate = 2 * std::numbers::pi * random.uniform(0.4, 1.5);
            wave = {rate, pushes ? 0.3 / (rate * rate) * random.vector() : Eigen::Vector3d(0, 0, 0), random.vector()};
        }
        for (Wave &wave : turns_)
            wave = {2 * std::numbers::pi * random.uniform(0.2, 0.8), 0.1 * random.vector(), random.vector()};
    }

    Eigen::Vector3d position(double t) const {
        // Walking on evenly tells nothing of a metre.
        Eigen::Vector3d sum = t * Eigen::Vector3d(0.2, 0.05, -0.1);
        for (const Wave &wave : ways_) sum += wave.height.cwiseProduct(wave.angles(t).array().sin().matrix());
        return sum;
    }
    Eigen::Vector3d acceleration(double t) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (const Wave &wave : ways_)
            sum -= wave.rate * wave.rate * wave.height.cwiseProduct(wave.angles(t).array().sin().matrix());
        return sum;
    }
    Eigen::Matrix3d rotation(double t) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (const Wave &wave : turns_) sum += wave.height.cwiseProduct(wave.angles(t).array().sin().matrix());
        return so3_exp(sum);
    }
    /// In the camera's axes.
    Eigen::Vector3d angular_rate(double t) const {
        constexpr double step = 1e-4;
        return so3_log(rotation(t - step).transpose() * rotation(t + step)) / (2 * step);
    }

private:
    struct Wave {
        double rate = 0;
        Eigen::Vector3d height = Eigen::Vector3d::Zero(), phase = Eigen::Vector3d::Zero();
        Eigen::Vector3d angles(double t) const { return Eigen::Vector3d::Constant(rate * t) + phase; }
    };
    std::array<Wave, 3> ways_, turns_;
};

}  // namespace

int32_t fh_check_inertial_scale(uint64_t seed, int32_t what, double *out_error, double *out_sigma,
                                double *out_bias_error, double *out_down_error_degrees) {
    if (out_error == nullptr || out_sigma == nullptr || out_bias_error == nullptr || out_down_error_degrees == nullptr)
        return -1;
    checks::RandomNumbers random(seed);
    const Hand hand(random, what != FH_CHECK_SCALE_NO_PUSH);
    const bool is_exact = what == FH_CHECK_SCALE_EXACT;
    double metres_per_unit = std::exp(random.uniform(-1.2, 1.2));
    Eigen::Matrix3d world_from_true = random.rotation(random.uniform(0, 3));
    Eigen::Vector3d shift = random.vector();
    const Eigen::Vector3d gravity(0, -9.80665, 0), bias = 0.04 * random.vector(), turn_bias = 0.004 * random.vector();
    InertialScale scale;
    // Two hundred readings a second, thirty frames, neither at the other's times.
    int frame = 0;
    for (int reading = 0; reading < 1000; ++reading) {
        const double now = 0.005 * reading;
        for (; 0.0137 + frame / 30.0 <= now; ++frame) {
            const double t = 0.0137 + frame / 30.0;
            if (frame == 60 && what == FH_CHECK_SCALE_CHANGED) {
                const Eigen::Matrix3d turn = random.rotation(1);
                scale.transform(2.5, turn);
                metres_per_unit /= 2.5;
                world_from_true = turn * world_from_true;
                shift = 2.5 * (turn * shift);
            }
            if (what == FH_CHECK_SCALE_LOST && frame >= 60 && frame < 75) {
                // It's found again elsewhere.
                shift += random.vector();
                continue;
            }
            const double blur = is_exact ? 0 : 2e-4;
            const Eigen::Vector3d place = hand.position(t) + blur * random.vector();
            scale.add_pose(static_cast<int64_t>(std::llround(t * 1e9)),
                           {world_from_true * hand.rotation(t) * so3_exp(blur * random.vector()),
                            world_from_true * place / metres_per_unit + shift});
        }
        const double noise = is_exact ? 0 : 1;
        const Eigen::Vector3d force =
            hand.rotation(now).transpose() * (hand.acceleration(now) - gravity) + bias + 0.03 * noise * random.vector();
        const Eigen::Vector3d rate = hand.angular_rate(now) + noise * turn_bias + 0.0035 * noise * random.vector();
        scale.add_reading(static_cast<int64_t>(reading) * 5'000'000, rate, force);
    }
    const auto estimate = scale.estimate();
    if (!estimate) return 1;
    *out_error = std::abs(estimate->metres_per_unit / metres_per_unit - 1);
    *out_sigma = estimate->relative_sigma;
    *out_bias_error = (estimate->bias - bias).norm();
    *out_down_error_degrees =
        std::acos(std::min(1.0, estimate->gravity.normalized().dot(world_from_true * gravity.normalized()))) * 180 /
        std::numbers::pi;
    return 0;
}
