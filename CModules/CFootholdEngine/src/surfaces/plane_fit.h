// Weighted least-squares planes with their covariance, and what gravity adds to them.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "surfaces/surface_point.h"

namespace foothold {

/// normal · x = offset, with a unit normal.
struct Plane {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    double offset = 0;

    double distance(const Eigen::Vector3d &point) const { return normal.dot(point) - offset; }
    /// Applies a change of the world's frame: x' = scale · rotation · x + translation.
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
        normal = rotation * normal;
        offset = scale * offset + normal.dot(translation);
    }
};

/// Of unit vectors, radians.
inline double angle_between(const Eigen::Vector3d &a, const Eigen::Vector3d &b) {
    return std::acos(std::clamp(a.dot(b), -1.0, 1.0));
}

/// What gravity says about a plane.
enum class GravityConstraint { none, horizontal, vertical };

struct PlaneFit {
    Plane plane;
    /// The weighted centre of the points, on the plane.
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    /// Two directions in the plane: of the largest and of the smallest spread.
    Eigen::Vector3d major = Eigen::Vector3d::UnitX();
    Eigen::Vector3d minor = Eigen::Vector3d::UnitZ();
    /// Standard deviation of the points along `major` and `minor`, metres.
    double major_spread = 0;
    double minor_spread = 0;
    /// Of (tilt towards major, tilt towards minor, height at the centroid).
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Identity();
    /// Residuals relative to what the points' own deviations promise; 1 when they tell the truth.
    double residual_scale = 1;
    bool valid = false;

    /// The larger of the two tilts' standard deviations, radians.
    double tilt_sigma() const;
};

/// Least squares over the points of `indices`, each weighted by its own deviation along the normal, starting from
/// `start` (which also says which side is up). Not valid with fewer than three points or when they lie on a line.
PlaneFit fit_plane(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &start);

/// Fuses a fit with gravity by its covariance: a horizontal plane's normal is ±up, a vertical one's is normal to up.
PlaneFit constrain_by_gravity(const PlaneFit &fit, GravityConstraint constraint, const Eigen::Vector3d &up,
                              double up_sigma_rad);

/// The plane through the same centre that faces as gravity asks, whatever its points say. Its residuals still are the
/// fit's.
PlaneFit held_by_gravity(const PlaneFit &fit, GravityConstraint constraint, const Eigen::Vector3d &up,
                         double up_sigma_rad);

/// What lines in a picture tell of a plane through a place, and how little they tell of the way that it faces by
/// itself.
std::pair<PlaneFit, PlaneFit> fits_told_at(const Plane &plane, const Eigen::Vector3d &at, const Eigen::Vector3d &up,
                                           double distance);

/// Of points to a plane, in the deviations that they promise themselves.
double residual_scale(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &plane);

/// Which constraint a normal may be under, given how sure the normal and gravity are.
GravityConstraint gravity_constraint(const Eigen::Vector3d &normal, double normal_sigma_rad, const Eigen::Vector3d &up,
                                     double up_sigma_rad);

}  // namespace foothold
