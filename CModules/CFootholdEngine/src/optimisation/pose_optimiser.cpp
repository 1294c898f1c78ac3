#include "optimisation/pose_optimiser.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace foothold {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// What a point costs that lies behind the camera, as a squared number of standard deviations.
constexpr double kBehind = 1e6;

/// One observation seen from a pose: the error, and what weighs it (the inverse of its covariance).
struct Sight {
    Eigen::Vector3d point;
    Eigen::Vector2d error;
    double xx, xy, yy;
    double chi;
    bool is_visible;
};

/// A pose's inverse and what all observations share.
class Viewer {
public:
    Viewer(const SE3 &world_from_camera, double focal, double noise)
        : camera_from_world_(world_from_camera.rotation.transpose()),
          position_(world_from_camera.translation),
          focal_(focal),
          variance_(noise * noise) {}

    Sight look(const PoseObservation &o) const {
        Sight s;
        s.point = camera_from_world_ * (o.point_in_world - position_);
        s.is_visible = s.point.z() > 1e-6;
        if (!s.is_visible) {
            s.chi = kBehind;
            return s;
        }
        const double scale = focal_ / s.point.z();
        const Eigen::Vector2d pixel = scale * s.point.head<2>();
        s.error = pixel - o.pixel;
        // The spread of the depth as it looks from here.
        const Eigen::Vector3d spread = camera_from_world_ * o.depth_spread;
        const Eigen::Vector2d seen = scale * spread.head<2>() - pixel * (spread.z() / s.point.z());
        const double a = variance_ + seen.x() * seen.x(), b = seen.x() * seen.y(), c = variance_ + seen.y() * seen.y();
        const double inverse = 1 / (a * c - b * b);
        s.xx = c * inverse;
        s.xy = -b * inverse;
        s.yy = a * inverse;
        s.chi = s.error.x() * (s.xx * s.error.x() + 2 * s.xy * s.error.y()) + s.yy * s.error.y() * s.error.y();
        return s;
    }

    /// Derivatives of the pixel by (rotation vector on the camera's side, translation in the camera's axes).
    void derive(const Sight &s, Vector6 *out_x, Vector6 *out_y) const {
        const double inverse_z = 1 / s.point.z();
        const double a = s.point.x() * inverse_z, b = s.point.y() * inverse_z;
        const double scale = focal_ * inverse_z;
        *out_x << focal_ * a * b, -focal_ * (1 + a * a), focal_ * b, -scale, 0, scale * a;
        *out_y << focal_ * (1 + b * b), -focal_ * a * b, -focal_ * a, 0, -scale, scale * b;
    }

    /// From the camera's axes to the world's for the translation.
    void turn_to_world(Matrix6 *hessian, Vector6 *gradient) const {
        const Eigen::Matrix3d world_from_camera = camera_from_world_.transpose();
        hessian->topRightCorner<3, 3>() *= camera_from_world_;
        hessian->bottomRightCorner<3, 3>() =
            world_from_camera * hessian->bottomRightCorner<3, 3>().eval() * camera_from_world_;
        hessian->bottomLeftCorner<3, 3>() = hessian->topRightCorner<3, 3>().transpose();
        gradient->tail<3>() = world_from_camera * gradient->tail<3>().eval();
    }

private:
    Eigen::Matrix3d camera_from_world_;
    Eigen::Vector3d position_;
    double focal_;
    double variance_;
};

/// Adds w · J' W J to the upper triangle and w · J' W e.
void accumulate(const Sight &s, const Vector6 &jx, const Vector6 &jy, double weight, Matrix6 *hessian,
                Vector6 *gradient) {
    const Vector6 wx = weight * (s.xx * jx + s.xy * jy), wy = weight * (s.xy * jx + s.yy * jy);
    for (int column = 0; column < 6; ++column) {
        hessian->col(column).head(column + 1) += wx.head(column + 1) * jx[column] + wy.head(column + 1) * jy[column];
    }
    *gradient += wx * s.error.x() + wy * s.error.y();
}

/// Normal equations of all observations under Geman and McClure's weights, and their cost.
double linearise(const std::vector<PoseObservation> &observations, const Viewer &viewer, double width,
                 Matrix6 *hessian, Vector6 *gradient) {
    hessian->setZero();
    gradient->setZero();
    double cost = 0;
    const double inverse_square = 1 / (width * width);
    Vector6 jx, jy;
    for (const PoseObservation &o : observations) {
        const Sight s = viewer.look(o);
        const double share = 1 / (1 + s.chi * inverse_square);
        cost += s.chi * share;
        if (!s.is_visible) continue;
        viewer.derive(s, &jx, &jy);
        accumulate(s, jx, jy, share * share, hessian, gradient);
    }
    *hessian = Matrix6(hessian->selfadjointView<Eigen::Upper>());
    viewer.turn_to_world(hessian, gradient);
    return cost;
}

}  // namespace

PoseOptimiserResult optimise_pose(std::vector<PoseObservation> &observations, double focal, double noise_pixels,
                                  double outlier_sigmas, SE3 *world_from_camera) {
    PoseOptimiserResult result;
    result.covariance.setIdentity();
    SE3 pose = *world_from_camera;
    Matrix6 hessian, trial_hessian;
    Vector6 gradient, trial_gradient;
    // From wide to narrow: far outliers lose their pull before they can bend the pose.
    const double widths[] = {20, 8, 4};
    for (const double width : widths) {
        double lambda = 1e-6;
        double cost = linearise(observations, Viewer(pose, focal, noise_pixels), width, &hessian, &gradient);
        for (int iteration = 0; iteration < 6; ++iteration) {
            bool accepted = false;
            double step_size = 0;
            for (int attempt = 0; attempt < 4 && !accepted; ++attempt) {
                Matrix6 damped = hessian;
                damped.diagonal() *= 1 + lambda;
                const Vector6 step = damped.ldlt().solve(-gradient);
                if (!step.allFinite()) return result;
                SE3 trial = updated(pose, step);
                trial.orthonormalise();
                const double trial_cost = linearise(observations, Viewer(trial, focal, noise_pixels), width,
                                                    &trial_hessian, &trial_gradient);
                if (trial_cost <= cost) {
                    pose = trial;
                    cost = trial_cost;
                    hessian = trial_hessian;
                    gradient = trial_gradient;
                    step_size = step.head<3>().norm() * focal;
                    lambda = std::max(lambda * 0.1, 1e-9);
                    accepted = true;
                } else {
                    lambda = std::max(lambda * 10, 1e-4);
                }
            }
            // Only the last width's pose has to be exact.
            if (!accepted || step_size < (width == widths[2] ? 1e-3 : 0.1)) break;
        }
    }
    double sum = 0;
    hessian.setZero();
    gradient.setZero();
    const Viewer viewer(pose, focal, noise_pixels);
    Vector6 jx, jy;
    for (PoseObservation &o : observations) {
        const Sight s = viewer.look(o);
        o.residual = s.is_visible ? s.error.norm() : 1e6;
        o.is_inlier = s.chi < outlier_sigmas * outlier_sigmas;
        if (!o.is_inlier) continue;
        viewer.derive(s, &jx, &jy);
        accumulate(s, jx, jy, 1, &hessian, &gradient);
        sum += o.residual * o.residual;
        ++result.inlier_count;
    }
    if (result.inlier_count < 6) return result;
    hessian = Matrix6(hessian.selfadjointView<Eigen::Upper>());
    viewer.turn_to_world(&hessian, &gradient);
    result.rms_pixels = std::sqrt(sum / result.inlier_count);
    result.covariance = hessian.ldlt().solve(Matrix6::Identity());
    result.succeeded = result.covariance.allFinite();
    *world_from_camera = pose;
    return result;
}

}  // namespace foothold
