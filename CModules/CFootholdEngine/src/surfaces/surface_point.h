// A map point as plane fitting sees it.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

namespace foothold {

struct SurfacePoint {
    // What rules a point out for most planes lies side by side.
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    /// Distance to the nearest camera of the window, metres.
    double distance = 1;
    /// Unit, from the point to the camera.
    Eigen::Vector3d view = Eigen::Vector3d::UnitZ();
    /// Standard deviations along and across the viewing ray, metres.
    double sigma_along = 0;
    double sigma_across = 0;
    /// Which way the picture around it faces, unit; zero where that isn't known. Off by some ten degrees.
    Eigen::Vector3d facing = Eigen::Vector3d::Zero();
    int64_t id = 0;
    /// The surface that explains it, or -1.
    int32_t owner = -1;

    /// Nothing is known that speaks against its facing this way.
    bool may_face(const Eigen::Vector3d &normal) const {
        constexpr double least_cosine = 0.7;
        return facing.dot(normal) >= (facing.isZero(0) ? 0 : least_cosine);
    }

    /// Standard deviation of the distance to a plane with this normal. The last term is what keeps even a perfectly
    /// triangulated point from lying exactly on a real surface: paper, wood and paint are not planes.
    double sigma_along_normal(const Eigen::Vector3d &normal) const {
        const double c = normal.dot(view);
        const double roughness = 1e-3 * distance;
        return std::sqrt(sigma_along * sigma_along * c * c + sigma_across * sigma_across * (1 - c * c) +
                         roughness * roughness);
    }
};

}  // namespace foothold
