#include "surfaces/round_strip.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace foothold {
namespace {

constexpr int rounds = 4;
/// In standard deviations: beyond it a point counts less than half.
constexpr double outlying = 3;
/// Of residuals beside a curve that explains them, in their own variances. Those of two planes are mostly more.
constexpr double explained_variance = 5;

/// What the plane's own points have to say, and what they do with those to either side.
struct Asked {
    double reach;
    size_t fewest_points;
    /// How far the curve falls back over half the width, in the same, and in standard deviations of that.
    double least_bend, surely_bent;
};

constexpr Asked own = {1, 15, 0.05, 3}, with_sides = {strip_reach, 20, 0.08, 6};

bool bends_back(std::span<const StripPoint> strip, double half_width, const Asked &asked) {
    std::vector<StripPoint> points;
    std::copy_if(strip.begin(), strip.end(), std::back_inserter(points),
                 [&](const StripPoint &point) { return std::abs(point.across) <= asked.reach; });
    if (points.size() < asked.fewest_points) return false;
    std::vector<double> weights(points.size(), 1);
    Eigen::Matrix3d information;
    Eigen::Vector3d curve;
    double variance = 0;
    for (int round = 0; round < rounds; ++round) {
        information.setZero();
        Eigen::Vector3d right = Eigen::Vector3d::Zero();
        for (size_t i = 0; i < points.size(); ++i) {
            const StripPoint &point = points[i];
            const Eigen::Vector3d row(1, point.across, point.across * point.across);
            const double weight = weights[i] / (point.sigma * point.sigma);
            information += weight * row * row.transpose();
            right += weight * point.before * row;
        }
        curve = information.ldlt().solve(right);
        double sum = 0, of_weights = 0;
        for (size_t i = 0; i < points.size(); ++i) {
            const StripPoint &point = points[i];
            const double at = curve[0] + point.across * (curve[1] + point.across * curve[2]);
            const double residual = (point.before - at) / point.sigma;
            sum += weights[i] * residual * residual;
            of_weights += weights[i];
            weights[i] = 1 / (1 + residual * residual / (outlying * outlying));
        }
        variance = sum / std::max(1.0, of_weights - 3);
    }
    const double sigma = std::sqrt(information.inverse()(2, 2) * std::max(1.0, variance));
    const double bend = -curve[2];
    return bend > asked.least_bend * half_width && bend > asked.surely_bent * sigma && variance < explained_variance;
}

}  // namespace

bool is_round(std::span<const StripPoint> strip, double half_width) {
    return bends_back(strip, half_width, with_sides) && bends_back(strip, half_width, own);
}

}  // namespace foothold
