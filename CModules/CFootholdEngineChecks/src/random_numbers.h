// Random vectors and transforms from a seed, the same on every machine.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "geometry/se3.h"
#include "surfaces/seeded_random.h"

namespace foothold::checks {

class RandomNumbers {
public:
    explicit RandomNumbers(uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15ull + 1) {}

    /// 0 ..< 1
    double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Standard deviation 1.
    double gaussian() {
        const double length = std::sqrt(-2 * std::log(1 - uniform()));
        return length * std::cos(2 * std::numbers::pi * uniform());
    }
    Eigen::Vector3d vector() {
        const double x = gaussian(), y = gaussian(), z = gaussian();
        return {x, y, z};
    }
    Eigen::Vector2d vector2() {
        const double x = gaussian(), y = gaussian();
        return {x, y};
    }
    Eigen::Vector3d direction() { return vector().normalized(); }
    /// A turn of the angle about a random axis.
    Eigen::Matrix3d rotation(double radians) { return so3_exp(radians * direction()); }
    bool chance(double probability) { return uniform() < probability; }
    uint64_t seed() { return random_.next(); }

private:
    SeededRandom random_;
};

}  // namespace foothold::checks
