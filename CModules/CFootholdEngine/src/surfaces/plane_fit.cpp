#include "surfaces/plane_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace foothold {
namespace {

// Points of one map share errors (of the poses they were triangulated from) that no number of points averages away.
constexpr double shared_tilt_sigma = 0.004;
/// … and before many views have seen it: 0.9°, as found in made-up rooms. Up, where it's known, is better than that.
constexpr double young_tilt_sigma = 0.016;
constexpr double shared_height_sigma_per_metre = 5e-4;

/// Of a plane that lines tell; the height and the spread are relative to distance.
constexpr double told_tilt_sigma = 0.02, told_height_sigma = 0.005, told_free_tilt_sigma = 0.2, told_spread = 0.2;

/// The same fit through the same centre, facing another way; its covariance stays.
PlaneFit turned_to(const PlaneFit &fit, const Eigen::Vector3d &normal) {
    PlaneFit result = fit;
    result.plane = {normal, normal.dot(fit.centroid)};
    result.major = (fit.major - normal * normal.dot(fit.major)).normalized();
    result.minor = normal.cross(result.major);
    return result;
}

}  // namespace

double PlaneFit::tilt_sigma() const { return std::sqrt(std::max(covariance(0, 0), covariance(1, 1))); }

PlaneFit fit_plane(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &start) {
    PlaneFit fit;
    if (indices.size() < 3) return fit;
    Eigen::Vector3d normal = start.normal;
    double weight_sum = 0, distance_sum = 0;
    Eigen::Vector3d spread = Eigen::Vector3d::Zero();
    // The weights depend on the normal, mildly: two rounds settle it.
    for (int round = 0; round < 2; ++round) {
        weight_sum = 0;
        distance_sum = 0;
        Eigen::Vector3d mean = Eigen::Vector3d::Zero();
        Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
        const Eigen::Vector3d base = points[indices[0]].position;
        for (int index : indices) {
            const SurfacePoint &point = points[index];
            const double sigma = point.sigma_along_normal(normal);
            const double weight = 1 / (sigma * sigma);
            const Eigen::Vector3d p = point.position - base;
            mean += weight * p;
            moments += weight * p * p.transpose();
            weight_sum += weight;
            distance_sum += weight * point.distance;
        }
        mean /= weight_sum;
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments / weight_sum - mean * mean.transpose());
        spread = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
        const double sign = solver.eigenvectors().col(0).dot(normal) < 0 ? -1 : 1;
        normal = solver.eigenvectors().col(0) * sign;
        fit.major = solver.eigenvectors().col(2);
        fit.minor = solver.eigenvectors().col(1);
        fit.centroid = base + mean;
    }
    fit.plane = {normal, normal.dot(fit.centroid)};
    fit.major_spread = spread[2];
    fit.minor_spread = spread[1];
    if (spread[1] < 1e-9) return fit;
    fit.residual_scale = residual_scale(points, indices, fit.plane);
    const double inflation = std::max(1.0, fit.residual_scale * fit.residual_scale);
    const double distance = distance_sum / weight_sum;
    fit.covariance.setZero();
    fit.covariance(0, 0) = inflation / (weight_sum * spread[2] * spread[2]) + shared_tilt_sigma * shared_tilt_sigma;
    fit.covariance(1, 1) = inflation / (weight_sum * spread[1] * spread[1]) + shared_tilt_sigma * shared_tilt_sigma;
    const double shared_height = shared_height_sigma_per_metre * distance;
    fit.covariance(2, 2) = inflation / weight_sum + shared_height * shared_height;
    fit.valid = true;
    return fit;
}

std::pair<PlaneFit, PlaneFit> fits_told_at(const Plane &plane, const Eigen::Vector3d &at, const Eigen::Vector3d &up,
                                           double distance) {
    PlaneFit fit;
    fit.plane = plane;
    fit.centroid = at;
    fit.major = up.cross(plane.normal);
    if (fit.major.norm() < 0.1) fit.major = plane.normal.unitOrthogonal();
    fit.major.normalize();
    fit.minor = plane.normal.cross(fit.major);
    fit.major_spread = fit.minor_spread = told_spread * distance;
    fit.covariance =
        Eigen::Vector3d(told_tilt_sigma, told_tilt_sigma, told_height_sigma * distance).cwiseAbs2().asDiagonal();
    fit.valid = true;
    PlaneFit free_fit = fit;
    free_fit.covariance(0, 0) = free_fit.covariance(1, 1) = told_free_tilt_sigma * told_free_tilt_sigma;
    return {fit, free_fit};
}

double residual_scale(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &plane) {
    double chi_squared = 0;
    for (int index : indices) {
        const double r = plane.distance(points[index].position) / points[index].sigma_along_normal(plane.normal);
        chi_squared += r * r;
    }
    return std::sqrt(chi_squared / std::max<double>(1, static_cast<double>(indices.size()) - 3));
}

PlaneFit constrain_by_gravity(const PlaneFit &fit, GravityConstraint constraint, const Eigen::Vector3d &up,
                              double up_sigma_rad) {
    if (constraint == GravityConstraint::none || !fit.valid) return fit;
    const double weight = 1 / (up_sigma_rad * up_sigma_rad);
    Eigen::Matrix2d information =
        (fit.covariance.topLeftCorner<2, 2>() + young_tilt_sigma * young_tilt_sigma * Eigen::Matrix2d::Identity())
            .inverse();
    Eigen::Vector2d gradient = Eigen::Vector2d::Zero();
    const Eigen::Vector3d &normal = fit.plane.normal;
    if (constraint == GravityConstraint::horizontal) {
        const Eigen::Vector3d target = normal.dot(up) < 0 ? Eigen::Vector3d(-up) : up;
        information += weight * Eigen::Matrix2d::Identity();
        gradient = weight * Eigen::Vector2d(target.dot(fit.major), target.dot(fit.minor));
    } else {
        const Eigen::Vector2d row(fit.major.dot(up), fit.minor.dot(up));
        information += weight * row * row.transpose();
        gradient = -weight * normal.dot(up) * row;
    }
    const Eigen::Matrix2d covariance = information.inverse();
    const Eigen::Vector2d tilt = covariance * gradient;
    PlaneFit result = turned_to(fit, (normal + tilt.x() * fit.major + tilt.y() * fit.minor).normalized());
    result.covariance.topLeftCorner<2, 2>() = covariance;
    return result;
}

PlaneFit held_by_gravity(const PlaneFit &fit, GravityConstraint constraint, const Eigen::Vector3d &up,
                         double up_sigma_rad) {
    if (constraint == GravityConstraint::none || !fit.valid) return fit;
    Eigen::Vector3d normal = fit.plane.normal;
    if (constraint == GravityConstraint::horizontal) {
        normal = normal.dot(up) < 0 ? Eigen::Vector3d(-up) : up;
    } else {
        normal = (normal - normal.dot(up) * up).normalized();
    }
    PlaneFit result = turned_to(fit, normal);
    const double by_up = up_sigma_rad * up_sigma_rad;
    Eigen::Matrix2d tilt = by_up * Eigen::Matrix2d::Identity();
    if (constraint == GravityConstraint::vertical) {
        // Which way it faces around the vertical only the points say.
        const Eigen::Vector2d towards_up(result.major.dot(up), result.minor.dot(up));
        const Eigen::Vector2d sideways(-towards_up.y(), towards_up.x());
        const double by_points = sideways.dot(fit.covariance.topLeftCorner<2, 2>() * sideways);
        tilt = by_up * towards_up * towards_up.transpose() + by_points * sideways * sideways.transpose();
    }
    result.covariance.topLeftCorner<2, 2>() = tilt;
    return result;
}

GravityConstraint gravity_constraint(const Eigen::Vector3d &normal, double normal_sigma_rad, const Eigen::Vector3d &up,
                                     double up_sigma_rad) {
    // Real rooms are built level and upright: a tilt must be shown before it's believed. Three deviations, but never
    // so many that a ramp is called level, nor so few that a fit's optimism makes a floor slope.
    constexpr double degree = std::numbers::pi / 180;
    const double sigma = std::hypot(normal_sigma_rad, up_sigma_rad);
    const double tolerance = std::clamp(3 * sigma, 5 * degree, 15 * degree);
    const double c = normal.dot(up);
    if (std::acos(std::min(1.0, std::abs(c))) < tolerance) return GravityConstraint::horizontal;
    if (std::asin(std::min(1.0, std::abs(c))) < tolerance) return GravityConstraint::vertical;
    return GravityConstraint::none;
}

}  // namespace foothold
