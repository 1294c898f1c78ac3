#include "optimisation/pose_optimiser.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace foothold {

namespace {

struct Linearised {
    bool is_visible;
    Eigen::Vector2d residual;
    Eigen::Matrix2d information;
    Eigen::Matrix<double, 2, 6> jacobian;
};

Linearised linearise(const PoseObservation &o, const SE3 &world_from_camera, double focal, double noise) {
    Linearised out;
    const Eigen::Matrix3d camera_from_world = world_from_camera.rotation.transpose();
    const Eigen::Vector3d p = camera_from_world * (o.point_in_world - world_from_camera.translation);
    out.is_visible = p.z() > 1e-6;
    if (!out.is_visible) return out;
    const double inverse_z = 1 / p.z();
    const Eigen::Vector2d pixel = focal * inverse_z * p.head<2>();
    out.residual = pixel - o.pixel;
    Eigen::Matrix<double, 2, 3> by_p;
    by_p << focal * inverse_z, 0, -pixel.x() * inverse_z, 0, focal * inverse_z, -pixel.y() * inverse_z;
    out.jacobian.leftCols<3>() = by_p * hat(p);
    out.jacobian.rightCols<3>() = -by_p * camera_from_world;
    const Eigen::Vector2d spread = by_p * (camera_from_world * o.depth_spread);
    out.information = (noise * noise * Eigen::Matrix2d::Identity() + spread * spread.transpose()).inverse();
    return out;
}

}  // namespace

PoseOptimiserResult optimise_pose(std::vector<PoseObservation> &observations, double focal, double noise_pixels,
                                  double outlier_sigmas, SE3 *world_from_camera) {
    PoseOptimiserResult result;
    result.covariance.setIdentity();
    SE3 pose = *world_from_camera;
    Eigen::Matrix<double, 6, 6> hessian;
    Eigen::Matrix<double, 6, 1> gradient;
    // Cauchy's weights from wide to narrow: far outliers lose their pull before they can bend the pose.
    const double widths[] = {20, 8, 3, 3};
    const auto cost_at = [&](const SE3 &candidate, double width) {
        double cost = 0;
        for (const PoseObservation &o : observations) {
            const Linearised l = linearise(o, candidate, focal, noise_pixels);
            const double chi = l.is_visible ? l.residual.dot(l.information * l.residual) : 1e6;
            cost += width * width * std::log1p(chi / (width * width));
        }
        return cost;
    };
    for (const double width : widths) {
        double lambda = 1e-6;
        double cost = cost_at(pose, width);
        for (int iteration = 0; iteration < 5; ++iteration) {
            hessian.setZero();
            gradient.setZero();
            for (const PoseObservation &o : observations) {
                const Linearised l = linearise(o, pose, focal, noise_pixels);
                if (!l.is_visible) continue;
                const double chi = l.residual.dot(l.information * l.residual);
                const double weight = 1 / (1 + chi / (width * width));
                const Eigen::Matrix<double, 6, 2> jt = weight * l.jacobian.transpose() * l.information;
                hessian.noalias() += jt * l.jacobian;
                gradient.noalias() += jt * l.residual;
            }
            bool accepted = false;
            double step_size = 0;
            for (int attempt = 0; attempt < 4 && !accepted; ++attempt) {
                Eigen::Matrix<double, 6, 6> damped = hessian;
                damped.diagonal() *= 1 + lambda;
                const Eigen::Matrix<double, 6, 1> step = damped.ldlt().solve(-gradient);
                if (!step.allFinite()) return result;
                SE3 trial = updated(pose, step);
                const double trial_cost = cost_at(trial, width);
                if (trial_cost <= cost) {
                    pose = trial;
                    pose.orthonormalise();
                    cost = trial_cost;
                    step_size = step.head<3>().norm() * focal;
                    lambda = std::max(lambda * 0.1, 1e-9);
                    accepted = true;
                } else {
                    lambda = std::max(lambda * 10, 1e-4);
                }
            }
            if (!accepted || step_size < 1e-3) break;
        }
    }
    double sum = 0;
    hessian.setZero();
    for (PoseObservation &o : observations) {
        const Linearised l = linearise(o, pose, focal, noise_pixels);
        const double chi = l.is_visible ? l.residual.dot(l.information * l.residual) : 1e12;
        o.residual = l.is_visible ? l.residual.norm() : 1e6;
        o.is_inlier = chi < outlier_sigmas * outlier_sigmas;
        if (!o.is_inlier) continue;
        hessian.noalias() += l.jacobian.transpose() * l.information * l.jacobian;
        sum += o.residual * o.residual;
        ++result.inlier_count;
    }
    if (result.inlier_count < 6) return result;
    result.rms_pixels = std::sqrt(sum / result.inlier_count);
    result.covariance = hessian.ldlt().solve(Eigen::Matrix<double, 6, 6>::Identity());
    result.succeeded = result.covariance.allFinite();
    *world_from_camera = pose;
    return result;
}

}  // namespace foothold
