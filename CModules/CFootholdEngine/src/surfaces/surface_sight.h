// Where one camera's rays meet a surface.
#pragma once

#include <Eigen/Core>

#include "surfaces/tracked_surface.h"

namespace foothold {

/// A homography from rays to the surface's local (x, z): nine products and a division a ray. Valid while the surface's
/// frame stays as it is.
class SurfaceSight {
public:
    SurfaceSight(const TrackedSurface &surface, const Eigen::Vector3d &camera_in_world)
        : normal_(surface.plane().normal),
          height_(surface.plane().distance(camera_in_world)),
          farthest_(farthest * surface.distance) {
        const Eigen::Matrix3d &axes = surface.shown.world_from_surface_rotation;
        const Eigen::Vector2d camera = surface.to_local(camera_in_world);
        across_ = camera.x() * normal_ - height_ * axes.col(0);
        along_ = camera.y() * normal_ - height_ * axes.col(2);
    }

    /// How far the camera stands before the surface, metres.
    double height() const { return height_; }

    /// The local place that a ray (in the world, of any length) leads to. Only from a camera that stands before the
    /// surface, along rays that head for it.
    Eigen::Vector2d place(const Eigen::Vector3d &ray) const {
        return Eigen::Vector2d(across_.dot(ray), along_.dot(ray)) / normal_.dot(ray);
    }

    /// The same; false when the ray meets the surface from behind, too flatly to say where, or too far away.
    bool meet(const Eigen::Vector3d &ray, Eigen::Vector2d *out_local) const {
        const double facing = -normal_.dot(ray), squared = facing * facing, length = ray.squaredNorm();
        if (height_ <= 0 || facing <= 0 || squared < flattest * flattest * length) return false;
        if (height_ * height_ * length > farthest_ * farthest_ * squared) return false;
        *out_local = place(ray);
        return true;
    }

private:
    /// Sine of the angle between a ray and the surface: seen flatter, a square of the picture smears over too much of
    /// it.
    static constexpr double flattest = 0.12;
    /// Relative to the surface's distance.
    static constexpr double farthest = 4;

    Eigen::Vector3d normal_, across_, along_;
    double height_, farthest_;
};

}  // namespace foothold
