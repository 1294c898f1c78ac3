#include "initialisation/rotation_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/median.h"
#include "geometry/se3.h"

namespace foothold {

RotationFit fit_rotation(std::span<const Eigen::Vector2d> host, std::span<const Eigen::Vector2d> target, double focal) {
    RotationFit fit;
    std::vector<double> lengths(host.size());
    for (size_t i = 0; i < host.size(); ++i) lengths[i] = (target[i] - host[i]).norm();
    fit.median_flow = median(lengths);
    double scale = std::max(fit.median_flow, 1.0);
    for (int iteration = 0; iteration < 12; ++iteration) {
        Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
        Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
        lengths.clear();
        for (size_t i = 0; i < host.size(); ++i) {
            const Eigen::Vector3d p = fit.rotation * Eigen::Vector3d(host[i].x() / focal, host[i].y() / focal, 1);
            if (p.z() < 1e-3) continue;
            const Eigen::Vector2d pixel = focal / p.z() * p.head<2>();
            const Eigen::Vector2d residual = pixel - target[i];
            Eigen::Matrix<double, 2, 3> by_p;
            by_p << focal, 0, -pixel.x(), 0, focal, -pixel.y();
            by_p /= p.z();
            // Left update: rotation ← exp(w) · rotation.
            const Eigen::Matrix<double, 2, 3> jacobian = -by_p * hat(p);
            const double weight = 1 / (1 + residual.squaredNorm() / (scale * scale));
            hessian += weight * jacobian.transpose() * jacobian;
            gradient += weight * jacobian.transpose() * residual;
            lengths.push_back(residual.norm());
        }
        fit.median_residual = median(lengths);
        if (lengths.size() < 3) break;
        scale = std::max(1.5 * fit.median_residual, 0.5);
        const Eigen::Vector3d step = hessian.ldlt().solve(-gradient);
        if (!step.allFinite()) break;
        fit.rotation = so3_exp(step) * fit.rotation;
        if (step.norm() * focal < 1e-3) break;
    }
    return fit;
}

}  // namespace foothold
