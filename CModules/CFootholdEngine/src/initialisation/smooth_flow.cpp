#include "initialisation/smooth_flow.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

#include "geometry/median.h"

namespace foothold {

double beyond_smooth_flow(std::span<const Eigen::Vector2d> places, std::span<const Eigen::Vector2d> residuals) {
    constexpr int terms = 10, rounds = 8;
    // Pixels: what is nearer to the field than this counts like what lies on it.
    constexpr double least_length = 0.5;
    double reach = 1;
    for (const Eigen::Vector2d &place : places) reach = std::max(reach, place.cwiseAbs().maxCoeff());
    using Terms = Eigen::Matrix<double, terms, 1>;
    std::vector<Terms> powers(places.size());
    for (size_t i = 0; i < places.size(); ++i) {
        const double x = places[i].x() / reach, y = places[i].y() / reach;
        powers[i] << 1, x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y;
    }
    std::vector<double> lengths(places.size(), 1);
    Eigen::Matrix<double, terms, 2> field;
    for (int round = 0; round < rounds; ++round) {
        Eigen::Matrix<double, terms, terms> squares = 1e-9 * Eigen::Matrix<double, terms, terms>::Identity();
        Eigen::Matrix<double, terms, 2> products = Eigen::Matrix<double, terms, 2>::Zero();
        for (size_t i = 0; i < places.size(); ++i) {
            // Least lengths instead of least squares: what is followed wrongly doesn't bend the field.
            const Terms weighted = powers[i] / std::max(least_length, lengths[i]);
            squares += weighted * powers[i].transpose();
            products += weighted * residuals[i].transpose();
        }
        field = squares.ldlt().solve(products);
        for (size_t i = 0; i < places.size(); ++i) lengths[i] = (residuals[i] - field.transpose() * powers[i]).norm();
    }
    return median(lengths);
}

}  // namespace foothold
