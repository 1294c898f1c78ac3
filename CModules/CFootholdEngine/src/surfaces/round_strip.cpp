#include "surfaces/round_strip.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/median.h"

namespace foothold {
namespace {

/// Of the plane's own points, and of all.
constexpr size_t fewest_own = 15, fewest = 20;
/// A few tell as well as many.
constexpr size_t enough = 200;
constexpr int rounds_of_line = 5, rounds_of_circle = 8;
/// In standard deviations: beyond it a point counts less than half.
constexpr double outlying = 3;
/// Lengths from here on are in halves of the plane's width. No can is rounder than this, and no camera that exact.
constexpr double least_sigma = 0.02;
/// Where the search begins, where it gives up, and what can be the circle of which the plane is the front.
constexpr double first_radius = 1.3, least_radius = 0.2, largest_radius = 20, narrowest = 0.85, widest = 5;
/// What a point beside the circle costs on average, and that as a share of what it costs beside the best line; where
/// that is so little, no circle is asked for. The plane's own points may cost so much more than beside their best line:
/// a box's face is straight, whatever its other sides do.
constexpr double explained = 0.5, better_than_line = 0.7, straight = 0.25, own_worse = 0.1;

struct Point {
    double x = 0, z = 0, variance = 0;
};

double square(double value) { return value * value; }

/// Of a residual in standard deviations, squared: Cauchy's.
double cost_of(double squared) { return std::log1p(squared / square(outlying)); }
double weight_of(double squared) { return 1 / (1 + squared / square(outlying)); }

bool is_own(const Point &point) { return std::abs(point.x) <= 1; }

/// The mean cost beside the line that explains the points best.
double cost_beside_line(const std::vector<Point> &points) {
    std::vector<double> weights(points.size(), 1);
    double cost = 0;
    for (int round = 0; round < rounds_of_line; ++round) {
        Eigen::Matrix2d information = Eigen::Matrix2d::Zero();
        Eigen::Vector2d right = Eigen::Vector2d::Zero();
        for (size_t i = 0; i < points.size(); ++i) {
            const Eigen::Vector2d row(1, points[i].x);
            const double weight = weights[i] / (points[i].variance + square(least_sigma));
            information += weight * row * row.transpose();
            right += weight * points[i].z * row;
        }
        const Eigen::Vector2d line = information.ldlt().solve(right);
        cost = 0;
        for (size_t i = 0; i < points.size(); ++i) {
            const double squared =
                square(points[i].z - line[0] - line[1] * points[i].x) / (points[i].variance + square(least_sigma));
            weights[i] = weight_of(squared);
            cost += cost_of(squared);
        }
    }
    return cost / static_cast<double>(points.size());
}

struct Circle {
    double radius = 0, cost = 0, cost_of_own = 0;
};

/// Gauss-Newton on the points' distances from the circle, of which those at its sides are known better than their place
/// before the plane.
std::optional<Circle> circle_through(const std::vector<Point> &points, double front) {
    // x and z of the middle, and the radius.
    Eigen::Vector3d circle(0, front - first_radius, first_radius);
    double cost = 0, of_own = 0;
    size_t own = 0;
    for (int round = 0; round <= rounds_of_circle; ++round) {
        Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
        Eigen::Vector3d right = Eigen::Vector3d::Zero();
        cost = of_own = 0;
        own = 0;
        for (const Point &point : points) {
            Eigen::Vector3d row;
            const double residual = distance_from_circle({point.x, point.z}, circle, &row);
            const double variance = point.variance * square(row[1]) + square(least_sigma);
            const double squared = square(residual) / variance;
            const double weight = weight_of(squared) / variance;
            information += weight * row * row.transpose();
            right -= weight * residual * row;
            cost += cost_of(squared);
            if (!is_own(point)) continue;
            of_own += cost_of(squared);
            ++own;
        }
        if (round == rounds_of_circle) break;
        information.diagonal() *= 1 + 1e-6;
        const double longest = 0.5 * circle[2];
        circle += information.ldlt().solve(right).cwiseMax(-longest).cwiseMin(longest);
        // Also false when it isn't a number.
        if (!(circle[2] > least_radius && circle[2] < largest_radius)) return std::nullopt;
    }
    return Circle{circle[2], cost / static_cast<double>(points.size()),
                  of_own / static_cast<double>(std::max<size_t>(1, own))};
}

/// Where the plane's middle half lies, half of its points before it.
double front_of(const std::vector<Point> &points) {
    std::vector<double> middle;
    for (const Point &point : points) {
        if (std::abs(point.x) < 0.5) middle.push_back(point.z);
    }
    return median(middle);
}

}  // namespace

double distance_from_circle(const Eigen::Vector2d &place, const Eigen::Vector3d &circle, Eigen::Vector3d *derivative) {
    const Eigen::Vector2d from_middle = place - circle.head<2>();
    const double distance = std::max(from_middle.norm(), std::numeric_limits<double>::epsilon());
    *derivative << -from_middle / distance, -1;
    return distance - circle[2];
}

bool is_round(std::span<const StripPoint> strip, double half_width) {
    std::vector<Point> points, own;
    const size_t step = (strip.size() + enough - 1) / enough;
    for (size_t i = 0; i < strip.size(); ++i) {
        const Point point{strip[i].across, strip[i].before / half_width, square(strip[i].sigma / half_width)};
        if (i % step == 0) points.push_back(point);
        if (is_own(point)) own.push_back(point);
    }
    if (strip.size() < fewest || own.size() < fewest_own) return false;
    const double beside_line = cost_beside_line(points);
    if (beside_line < straight) return false;
    const std::optional<Circle> circle = circle_through(points, front_of(points));
    return circle && circle->radius > narrowest && circle->radius < widest &&
           circle->cost < std::min(explained, better_than_line * beside_line) &&
           circle->cost_of_own < cost_beside_line(own) + own_worse;
}

}  // namespace foothold
