#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "gravity/gravity_estimator.h"
#include "gravity/inertial_scale.h"
#include "random_numbers.h"
#include "surface_checks.h"
#include "surfaces/plane_fit.h"

using namespace foothold;

namespace {

constexpr double degree = std::numbers::pi / 180;

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
        for (const Wave &wave : ways_) sum += wave.at(t);
        return sum;
    }
    Eigen::Vector3d acceleration(double t) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (const Wave &wave : ways_) sum -= wave.rate * wave.rate * wave.at(t);
        return sum;
    }
    Eigen::Matrix3d rotation(double t) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (const Wave &wave : turns_) sum += wave.at(t);
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
        Eigen::Vector3d at(double t) const { return height.cwiseProduct((rate * t + phase.array()).sin().matrix()); }
    };
    std::array<Wave, 3> ways_, turns_;
};

}  // namespace

int32_t fh_check_inertial_scale(uint64_t seed, int32_t what, fh_check_scale_report *out_report) {
    if (out_report == nullptr) return -1;
    checks::RandomNumbers random(seed);
    const Hand hand(random, what != FH_CHECK_SCALE_NO_PUSH);
    const bool is_exact = what == FH_CHECK_SCALE_EXACT;
    double metres_per_unit = std::exp(random.uniform(-1.2, 1.2));
    Eigen::Matrix3d world_from_true = random.rotation(random.uniform(0, 3));
    Eigen::Vector3d shift = random.vector();
    const Eigen::Vector3d gravity(0, -9.80665, 0), bias = 0.04 * random.vector(), turn_bias = 0.004 * random.vector();
    // A sensor that is thought to lie as the camera does, and stands on its side.
    Eigen::Matrix3d sensor = Eigen::Matrix3d::Identity();
    if (what == FH_CHECK_SCALE_ASKEW) sensor << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    const double unit_of_force = what == FH_CHECK_SCALE_IN_G ? 9.80665 : 1;
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
            const double off = what == FH_CHECK_SCALE_ROUGH ? 1.5e-3 : blur;
            const Eigen::Vector3d place = hand.position(t) + off * random.vector();
            scale.add_pose(static_cast<int64_t>(std::llround(t * 1e9)),
                           {world_from_true * hand.rotation(t) * so3_exp(blur * random.vector()),
                            world_from_true * place / metres_per_unit + shift});
        }
        const double noise = is_exact ? 0 : 1;
        const Eigen::Vector3d force =
            hand.rotation(now).transpose() * (hand.acceleration(now) - gravity) + bias + 0.03 * noise * random.vector();
        const Eigen::Vector3d rate = hand.angular_rate(now) + noise * turn_bias + 0.0035 * noise * random.vector();
        const double late = what == FH_CHECK_SCALE_LATE ? 0.03 : what == FH_CHECK_SCALE_EARLY ? -0.03 : 0;
        scale.add_reading(static_cast<int64_t>(std::llround((now + late) * 1e9)), sensor * rate,
                          sensor * force / unit_of_force);
    }
    const auto estimate = scale.estimate();
    if (!estimate) return 1;
    out_report->error = estimate->metres_per_unit / metres_per_unit - 1;
    out_report->sigma = estimate->relative_sigma;
    out_report->bias_error = (estimate->bias - bias).norm();
    out_report->down_error_degrees =
        angle_between(estimate->gravity.normalized(), world_from_true * gravity.normalized()) / degree;
    out_report->down_sigma_degrees = estimate->gravity_sigma_rad / degree;
    return 0;
}

double fh_check_gravity_without_bias(uint64_t seed) {
    checks::RandomNumbers random(seed);
    const Eigen::Vector3d truth = random.direction();
    const Eigen::Matrix3d with_bias = so3_exp(0.8 * degree * truth.cross(random.direction()).normalized());
    const Eigen::Matrix3d askew = so3_exp(1 * degree * truth.cross(random.direction()).normalized());
    GravityEstimator estimator;
    estimator.add_force(9.8 * (with_bias * truth), 20);
    Surface table;
    table.free_normal = askew * truth;
    table.free_normal_sigma_rad = 0.01;
    table.confidence = 0.9;
    estimator.set_surfaces(std::span<const Surface>(&table, 1));
    estimator.set_unbiased(truth, 0.1 * degree);
    return angle_between(estimator.estimate().up_in_world, truth) / degree;
}
