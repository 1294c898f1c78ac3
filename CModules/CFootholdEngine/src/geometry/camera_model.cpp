#include "geometry/camera_model.h"

#include <Eigen/Dense>
#include <cmath>

namespace foothold {

Eigen::Vector2d CameraModel::distort(const Eigen::Vector2d &p) const {
    const double r2 = p.squaredNorm();
    switch (distortion) {
        case Distortion::none:
            return p;
        case Distortion::radial_tangential: {
            const double radial = 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[4]));
            return {p.x() * radial + 2 * k[2] * p.x() * p.y() + k[3] * (r2 + 2 * p.x() * p.x()),
                    p.y() * radial + k[2] * (r2 + 2 * p.y() * p.y()) + 2 * k[3] * p.x() * p.y()};
        }
        case Distortion::fisheye: {
            const double r = std::sqrt(r2);
            if (r < 1e-9) return p;
            const double theta = std::atan(r);
            const double t2 = theta * theta;
            return p * (theta * (1 + t2 * (k[0] + t2 * (k[1] + t2 * (k[2] + t2 * k[3])))) / r);
        }
    }
    return p;
}

Eigen::Vector2d CameraModel::undistort(const Eigen::Vector2d &distorted) const {
    Eigen::Vector2d estimate = distorted;
    for (int iteration = 0; iteration < 15; ++iteration) {
        const Eigen::Vector2d error = distort(estimate) - distorted;
        if (error.squaredNorm() < 1e-24) break;
        constexpr double step = 1e-6;
        Eigen::Matrix2d jacobian;
        for (int axis = 0; axis < 2; ++axis) {
            Eigen::Vector2d offset = Eigen::Vector2d::Zero();
            offset[axis] = step;
            jacobian.col(axis) = (distort(estimate + offset) - distort(estimate - offset)) / (2 * step);
        }
        if (std::abs(jacobian.determinant()) < 1e-9) break;
        estimate -= jacobian.inverse() * error;
    }
    return estimate;
}

bool CameraModel::project(const Eigen::Vector3d &p, double margin, Eigen::Vector2d *out_pixel) const {
    if (p.z() < 1e-6) return false;
    const Eigen::Vector2d normalised = p.head<2>() / p.z();
    // Lens polynomials turn back far outside the picture: refuse such points before they fold into it.
    if (distortion == Distortion::radial_tangential && normalised.squaredNorm() > 6.25) return false;
    *out_pixel = pixel(normalised);
    return out_pixel->x() >= margin && out_pixel->y() >= margin && out_pixel->x() < width - margin &&
           out_pixel->y() < height - margin;
}

CameraModel CameraModel::scaled(double factor) const {
    CameraModel result = *this;
    result.width = static_cast<int>(std::lround(width * factor));
    result.height = static_cast<int>(std::lround(height * factor));
    result.fx *= factor;
    result.fy *= factor;
    result.cx = (cx + 0.5) * factor - 0.5;
    result.cy = (cy + 0.5) * factor - 0.5;
    return result;
}

}  // namespace foothold
