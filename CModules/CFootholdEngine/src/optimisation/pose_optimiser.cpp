#include "optimisation/pose_optimiser.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "fh_reprojection.h"

namespace foothold {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// The observations coordinate by coordinate, as the kernels take them.
class ObservationArrays {
public:
    void fill(const std::vector<PoseObservation> &observations) {
        count_ = observations.size();
        numbers_.resize(kArrays * count_);
        in_front_.resize(count_);
        for (size_t i = 0; i < count_; ++i) {
            const PoseObservation &o = observations[i];
            array(0)[i] = o.point_in_world.x();
            array(1)[i] = o.point_in_world.y();
            array(2)[i] = o.point_in_world.z();
            array(3)[i] = o.pixel.x();
            array(4)[i] = o.pixel.y();
        }
    }

    /// Weighs every observation by the inverse of pixel noise plus what its uncertain depth adds, seen from `pose`.
    void weigh(const std::vector<PoseObservation> &observations, const SE3 &pose, double focal, double noise) {
        const Eigen::Matrix3d camera_from_world = pose.rotation.transpose();
        for (size_t i = 0; i < count_; ++i) {
            const PoseObservation &o = observations[i];
            const Eigen::Vector3d point = camera_from_world * (o.point_in_world - pose.translation);
            const Eigen::Vector3d spread = camera_from_world * o.depth_spread;
            const double scale = focal / std::max(point.z(), FH_LEAST_DEPTH);
            const Eigen::Vector2d seen =
                scale * (spread.head<2>() - point.head<2>() * (spread.z() / std::max(point.z(), FH_LEAST_DEPTH)));
            const double variance = noise * noise * o.noise_scale * o.noise_scale;
            const double a = variance + seen.x() * seen.x(), b = seen.x() * seen.y(),
                         c = variance + seen.y() * seen.y();
            const double inverse = 1 / (a * c - b * b);
            array(5)[i] = c * inverse;
            array(6)[i] = -b * inverse;
            array(7)[i] = a * inverse;
        }
    }

    void leave_out(size_t i) { array(5)[i] = array(6)[i] = array(7)[i] = 0; }

    fh_observations view() {
        return {array(0), array(1), array(2), array(3), array(4), array(5), static_cast<int32_t>(count_)};
    }

    void reproject(const SE3 &pose, double focal) {
        const fh_pinhole camera = {focal, focal, 0, 0};
        const fh_camera_pose at = to_kernel(pose);
        const fh_observations seen = view();
        fh_reproject(&camera, &at, &seen, array(8), array(9), in_front_.data(), nullptr, nullptr);
    }

    Eigen::Vector2d residual(size_t i) { return {array(8)[i], array(9)[i]}; }
    bool is_in_front(size_t i) const { return in_front_[i] != 0; }
    /// Squared number of standard deviations of the last residual.
    double chi(size_t i) {
        const Eigen::Vector2d r = residual(i);
        return r.x() * (array(5)[i] * r.x() + 2 * array(6)[i] * r.y()) + array(7)[i] * r.y() * r.y();
    }

    /// Normal equations of the pose over `updated`'s step.
    void equations(const SE3 &pose, double focal, int32_t robust, double width, Matrix6 *out_hessian,
                   Vector6 *out_gradient) {
        const fh_pinhole camera = {focal, focal, 0, 0};
        const fh_camera_pose at = to_kernel(pose);
        const fh_observations seen = view();
        fh_normal_equations sums;
        fh_pose_equations(&camera, &at, &seen, robust, width, &sums);
        const double *next = sums.hessian;
        for (int row = 0; row < 6; ++row) {
            for (int column = row; column < 6; ++column) {
                (*out_hessian)(row, column) = (*out_hessian)(column, row) = *next++;
            }
        }
        *out_gradient = Eigen::Map<const Vector6>(sums.gradient);
    }

private:
    static constexpr size_t kArrays = 10;

    static fh_camera_pose to_kernel(const SE3 &pose) {
        fh_camera_pose out;
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(out.rotation) = pose.rotation;
        Eigen::Map<Eigen::Vector3d>(out.translation) = pose.translation;
        return out;
    }
    double *array(size_t index) { return numbers_.data() + index * count_; }

    size_t count_ = 0;
    std::vector<double> numbers_;
    std::vector<uint8_t> in_front_;
};

}  // namespace

PoseOptimiserResult optimise_pose(std::vector<PoseObservation> &observations, double focal, double noise_pixels,
                                  double outlier_sigmas, SE3 *world_from_camera) {
    // Kept from call to call: a frame allocates nothing.
    static thread_local ObservationArrays arrays;
    PoseOptimiserResult result;
    result.covariance.setIdentity();
    if (observations.size() < 6) return result;
    SE3 pose = *world_from_camera;
    Matrix6 hessian;
    Vector6 gradient;
    arrays.fill(observations);
    // Cauchy's weights from wide to narrow: far outliers lose their pull before they can bend the pose. Only the last
    // width's pose has to be exact.
    const double widths[] = {20, 8, 3};
    for (const double width : widths) {
        const bool is_last = width == widths[2];
        arrays.weigh(observations, pose, focal, noise_pixels);
        for (int iteration = 0; iteration < 10; ++iteration) {
            arrays.equations(pose, focal, FH_ROBUST_CAUCHY, width, &hessian, &gradient);
            hessian.diagonal() *= 1 + 1e-9;
            const Vector6 step = hessian.ldlt().solve(-gradient);
            if (!step.allFinite()) return result;
            pose = updated(pose, step);
            pose.orthonormalise();
            if (step.head<3>().norm() * focal < (is_last ? 1e-3 : 0.1)) break;
        }
    }
    arrays.weigh(observations, pose, focal, noise_pixels);
    arrays.reproject(pose, focal);
    double sum = 0;
    for (size_t i = 0; i < observations.size(); ++i) {
        PoseObservation &o = observations[i];
        o.residual = arrays.is_in_front(i) ? arrays.residual(i).norm() : 1e6;
        o.is_inlier = arrays.is_in_front(i) && arrays.chi(i) < outlier_sigmas * outlier_sigmas;
        if (o.is_inlier) {
            sum += o.residual * o.residual;
            ++result.inlier_count;
        } else {
            arrays.leave_out(i);
        }
    }
    if (result.inlier_count < 6) return result;
    arrays.equations(pose, focal, FH_ROBUST_NONE, 1, &hessian, &gradient);
    result.rms_pixels = std::sqrt(sum / result.inlier_count);
    result.covariance = hessian.ldlt().solve(Matrix6::Identity());
    result.succeeded = result.covariance.allFinite();
    *world_from_camera = pose;
    return result;
}

}  // namespace foothold
