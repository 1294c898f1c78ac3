// The camera: pinhole with lens distortion, as OpenCV defines the two models.
#pragma once

#include <Eigen/Core>
#include <span>

namespace foothold {

enum class Distortion { none, radial_tangential, fisheye };

/// Pixels: the centre of the top-left pixel is (0, 0). Camera axes: x right, y down, z forward.
struct CameraModel {
    int width = 0;
    int height = 0;
    double fx = 0, fy = 0, cx = 0, cy = 0;
    Distortion distortion = Distortion::none;
    /// radial_tangential: k1 k2 p1 p2 k3. fisheye: k1 k2 k3 k4.
    double k[5] = {0, 0, 0, 0, 0};

    bool operator==(const CameraModel &other) const = default;

    /// Applies the lens to normalised coordinates (x/z, y/z).
    Eigen::Vector2d distort(const Eigen::Vector2d &normalised) const;
    /// Takes the lens out again; Newton's method from the distorted point.
    Eigen::Vector2d undistort(const Eigen::Vector2d &distorted) const;

    /// Pixel to normalised coordinates (x/z, y/z) without distortion.
    Eigen::Vector2d normalise(const Eigen::Vector2d &pixel) const {
        const Eigen::Vector2d distorted((pixel.x() - cx) / fx, (pixel.y() - cy) / fy);
        return distortion == Distortion::none ? distorted : undistort(distorted);
    }
    /// Normalised coordinates to pixel.
    Eigen::Vector2d pixel(const Eigen::Vector2d &normalised) const {
        const Eigen::Vector2d d = distortion == Distortion::none ? normalised : distort(normalised);
        return {fx * d.x() + cx, fy * d.y() + cy};
    }
    /// The same of many at once, in place, which is quicker through a lens; and back.
    void to_pixels(std::span<Eigen::Vector2d> points) const;
    void normalise_all(std::span<Eigen::Vector2d> pixels) const;
    /// Whether a pixel lies inside the picture, `margin` pixels from its edges.
    bool holds(const Eigen::Vector2d &at, double margin) const {
        return at.x() >= margin && at.y() >= margin && at.x() < width - margin && at.y() < height - margin;
    }
    /// True when the point lies in front and inside the picture with a margin; writes the pixel.
    bool project(const Eigen::Vector3d &p, double margin, Eigen::Vector2d *out_pixel) const {
        if (p.z() < 1e-6) return false;
        const Eigen::Vector2d normalised = p.head<2>() / p.z();
        // Lens polynomials turn back far outside the picture: refuse such points before they fold into it.
        if (distortion == Distortion::radial_tangential && normalised.squaredNorm() > 6.25) return false;
        *out_pixel = pixel(normalised);
        return holds(*out_pixel, margin);
    }

    /// From normalised coordinates (x/z, y/z, 1) to pixels (u, v, 1), without the lens.
    Eigen::Matrix3d matrix() const {
        Eigen::Matrix3d matrix;
        matrix << fx, 0, cx, 0, fy, cy, 0, 0, 1;
        return matrix;
    }
    double focal() const { return 0.5 * (fx + fy); }

    /// The same camera for a picture resized by a factor.
    CameraModel scaled(double factor) const;
};

}  // namespace foothold
