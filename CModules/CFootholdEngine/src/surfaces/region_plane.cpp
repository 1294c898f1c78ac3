#include "surfaces/region_plane.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace foothold {
namespace {

/// Of the region's pixels, those that another picture has to show.
constexpr double least_visible = 0.6;
/// Pixels that poses may be off by without a plane being wrong.
constexpr double pose_noise_pixels = 0.15;
// Places of the sums.
constexpr int shown = FH_REGION_SHOWN, change = FH_REGION_CHANGE, own = FH_REGION_OWN, light = FH_REGION_LIGHT;

/// How a view is seen from the region's camera, for the kernel.
fh_region_view view_from(const SmoothView &from, const SmoothView &to) {
    fh_region_view view = {};
    view.luma = to.picture.ptr<float>();
    view.width = to.picture.cols;
    view.height = to.picture.rows;
    view.stride = static_cast<int32_t>(to.picture.step1());
    const Eigen::Matrix3d rotation = to.world_from_camera_rotation.transpose() * from.world_from_camera_rotation;
    const Eigen::Vector3d translation =
        to.world_from_camera_rotation.transpose() * (from.camera_in_world - to.camera_in_world);
    Eigen::Map<Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(view.rotation) = rotation.cast<float>();
    Eigen::Map<Eigen::Vector3f>(view.translation) = translation.cast<float>();
    view.fx = static_cast<float>(to.camera.fx);
    view.fy = static_cast<float>(to.camera.fy);
    view.cx = static_cast<float>(to.camera.cx);
    view.cy = static_cast<float>(to.camera.cy);
    return view;
}

/// Where a camera with a lens shows a region's pixels, four numbers a pixel: place, and how it moves by inverse depth.
class BentPlaces {
public:
    BentPlaces(const RegionPixels &pixels, const fh_region_view &view, const CameraModel &camera,
               const Eigen::Vector3d &inverse, bool wants_changes)
        : count_(static_cast<Eigen::Index>(pixels.size())), places_(count_, 4) {
        const Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> rotation(view.rotation);
        const Eigen::Map<const Eigen::Vector3f> translation(view.translation);
        places_.setZero();
        for (Eigen::Index i = 0; i < count_; ++i) {
            const Eigen::Vector3f ray(pixels.ray_x[i], pixels.ray_y[i], 1);
            const float inverse_depth = inverse.cast<float>().dot(ray);
            const Eigen::Vector3f p = rotation * ray + inverse_depth * translation;
            if (!(inverse_depth > 0) || p.z() < FH_REGION_LEAST_DEPTH) continue;
            const Eigen::Vector2f normalised = p.hnormalized();
            // Lens models fold back far outside the picture.
            if (normalised.cwiseAbs().maxCoeff() > 2.5f) continue;
            const Eigen::Vector2d n = normalised.cast<double>(), here = camera.pixel(n);
            places_.row(i).head<2>() = here.cast<float>().transpose();
            if (!wants_changes) continue;
            const Eigen::Vector2f moved = (translation.head<2>() - translation.z() * normalised) / p.z();
            constexpr double step = 1e-4;
            const Eigen::Vector2d direction = moved.cast<double>();
            const double reach = step / std::max(1e-9, direction.norm());
            const Eigen::Vector2d there = camera.pixel(n + reach * direction);
            places_.row(i).tail<2>() = ((there - here) / reach).cast<float>().transpose();
        }
    }

    void show(fh_region_pixels *out) const {
        out->place_x = places_.col(0).data();
        out->place_y = places_.col(1).data();
        out->change_x = places_.col(2).data();
        out->change_y = places_.col(3).data();
    }

private:
    Eigen::Index count_;
    Eigen::Matrix<float, Eigen::Dynamic, 4> places_;
};

/// Of the region's picture with the other, when the light explains both as well as it can; nothing where too little of
/// the region's `pixels` is seen or where all is even.
std::optional<double> correlation_of(const RegionComparison &comparison, size_t pixels) {
    if (comparison.count < least_visible * static_cast<double>(pixels)) return std::nullopt;
    const RegionComparison::Products &products = comparison.products;
    Eigen::Matrix2d block;
    block << products(shown, shown), products(shown, own), products(shown, own), products(own, own);
    Eigen::Matrix<double, 2, 3> across;
    across.row(0) = products.block<1, 3>(shown, light);
    across.row(1) = products.block<1, 3>(own, light);
    const Eigen::LDLT<Eigen::Matrix3d> solver(products.block<3, 3>(light, light));
    const Eigen::Matrix2d left = block - across * solver.solve(across.transpose());
    if (!(left(0, 0) > 1e-6 && left(1, 1) > 1e-6)) return std::nullopt;
    return left(0, 1) / std::sqrt(left(0, 0) * left(1, 1));
}

}  // namespace

SmoothView::SmoothView(const KeyframeView &view)
    : camera(view.luma_camera),
      world_from_camera_rotation(view.world_from_camera_rotation),
      camera_in_world(view.camera_in_world) {
    const cv::Mat luma(camera.height, camera.width, CV_8U, const_cast<uint8_t *>(view.luma), view.stride);
    luma.convertTo(picture, CV_32F);
    float kernel[] = {0.25f, 0.5f, 0.25f};
    const cv::Mat line(1, 3, CV_32F, kernel);
    cv::sepFilter2D(picture, picture, CV_32F, line, line, cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
}

void RegionPixels::thin_out(size_t most) {
    const size_t stride = (size() + most - 1) / most;
    if (stride <= 1) return;
    size_t kept = 0;
    for (size_t i = 0; i < size(); i += stride, ++kept) {
        ray_x[kept] = ray_x[i];
        ray_y[kept] = ray_y[i];
        luma[kept] = luma[i];
    }
    ray_x.resize(kept);
    ray_y.resize(kept);
    luma.resize(kept);
}

RegionAligner::RegionAligner(std::span<const SmoothView> views, const RegionPixels &pixels, double noise)
    : views_(views), pixels_(pixels), noise_(noise) {
    if (pixels.size() == 0) return;
    const Eigen::Map<const Eigen::ArrayXf> x(pixels.ray_x.data(), static_cast<Eigen::Index>(pixels.size()));
    const Eigen::Map<const Eigen::ArrayXf> y(pixels.ray_y.data(), static_cast<Eigen::Index>(pixels.size()));
    const Eigen::Map<const Eigen::ArrayXf> luma(pixels.luma.data(), static_cast<Eigen::Index>(pixels.size()));
    middle_ << x.mean(), y.mean();
    mean_luma_ = luma.mean();
    reach_ = std::max({1e-4f, (x - middle_.x()).abs().maxCoeff(), (y - middle_.y()).abs().maxCoeff()});
    Eigen::Matrix<double, Eigen::Dynamic, 3> explained(pixels.size(), 3);
    explained.col(0).setOnes();
    explained.col(1) = ((x - middle_.x()) / reach_).matrix().cast<double>();
    explained.col(2) = ((y - middle_.y()) / reach_).matrix().cast<double>();
    const Eigen::VectorXd value = (luma - mean_luma_).matrix().cast<double>();
    const Eigen::Vector3d across = explained.transpose() * value;
    const Eigen::Matrix3d within = explained.transpose() * explained;
    own_variance_ = std::max(0.0, value.squaredNorm() - across.dot(within.ldlt().solve(across))) /
                    static_cast<double>(value.size());
}

RegionComparison RegionAligner::compare(const SmoothView &other, const Eigen::Vector3d &inverse, bool wants_derivatives,
                                        const RegionLight *known_light) const {
    const fh_region_view view = view_from(views_[0], other);
    fh_region_pixels pixels = {};
    pixels.ray_x = pixels_.ray_x.data();
    pixels.ray_y = pixels_.ray_y.data();
    pixels.luma = pixels_.luma.data();
    pixels.count = static_cast<int32_t>(pixels_.size());
    std::optional<BentPlaces> bent;
    if (other.camera.distortion != Distortion::none) {
        bent.emplace(pixels_, view, other.camera, inverse, wants_derivatives);
        bent->show(&pixels);
    }
    fh_region_question question = {};
    Eigen::Map<Eigen::Vector3f>(question.plane) = inverse.cast<float>();
    question.mean_luma = mean_luma_;
    question.middle_x = middle_.x();
    question.middle_y = middle_.y();
    question.reach = reach_;
    Eigen::Vector4f light = Eigen::Vector4f::Zero();
    if (known_light) {
        light = known_light->cast<float>();
        question.light = light.data();
        question.sharpness = static_cast<float>(1 / (9 * 2 * noise_ * noise_));
    }
    question.wants_changes = wants_derivatives;
    fh_region_sums sums = {};
    RegionComparison result;
    if (fh_region_add(&pixels, &view, &question, &sums) != FH_KERNEL_OK) return result;
    int next = 0;
    for (int i = 0; i < RegionComparison::terms; ++i) {
        for (int j = i; j < RegionComparison::terms; ++j, ++next) {
            result.products(i, j) = result.products(j, i) = sums.products[next];
        }
    }
    result.count = sums.count;
    result.weights = sums.weights;
    result.slopes = sums.slopes;
    result.stretches = sums.stretches;
    return result;
}

double RegionAligner::correlation(const Eigen::Vector3d &inverse) const {
    double sum = 0;
    for (const SmoothView &other : views_.subspan(1)) {
        const auto correlation = correlation_of(compare(other, inverse, false, nullptr), pixels_.size());
        if (!correlation) return -1;
        sum += *correlation;
    }
    return sum / static_cast<double>(views_.size() - 1);
}

std::optional<RegionPlane> RegionAligner::refine(const Eigen::Vector3d &start, int rounds,
                                                 std::span<const SmoothView> others,
                                                 const Eigen::Matrix3Xd &freedom) const {
    constexpr size_t most_others = 4;
    RegionPlane plane;
    plane.inverse = start;
    if (others.empty() || others.size() > most_others) return std::nullopt;
    RegionLight lights[most_others];
    const double share = 1 / static_cast<double>(others.size());
    for (int round = 0;; ++round) {
        Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
        Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
        Eigen::Matrix3d informations[most_others];
        Eigen::Vector3d gradients[most_others];
        double squares = 0;
        plane.correlation = 1;
        plane.residual_variance = plane.allowed_variance = 0;
        for (size_t i = 0; i < others.size(); ++i) {
            const RegionComparison sums = compare(others[i], plane.inverse, true, round > 0 ? &lights[i] : nullptr);
            const auto correlation = correlation_of(sums, pixels_.size());
            if (!correlation || *correlation <= 0) return std::nullopt;
            plane.correlation = std::min(plane.correlation, *correlation);
            // Gain and light are found for this plane and, for the step, together with it.
            const Eigen::Matrix4d inner = sums.products.block<4, 4>(own, own);
            const Eigen::LDLT<Eigen::Matrix4d> solver(inner);
            const Eigen::Vector4d explained = sums.products.block<4, 1>(own, shown);
            lights[i] = solver.solve(explained);
            const Eigen::Matrix<double, 4, 3> across = sums.products.block<4, 3>(own, change);
            const double variance =
                std::max(0.0, sums.products(shown, shown) - explained.dot(lights[i])) / sums.weights;
            plane.residual_variance += share * variance;
            plane.allowed_variance +=
                share * (2 * noise_ * noise_ + pose_noise_pixels * pose_noise_pixels * sums.slopes / sums.stretches);
            // Where poses are off by a fraction of a pixel, or light has changed, more than noise is left.
            const double weight = 1 / std::max(variance, 2 * noise_ * noise_);
            informations[i] =
                weight * (sums.products.block<3, 3>(change, change) - across.transpose() * solver.solve(across));
            gradients[i] = weight * (sums.products.block<3, 1>(change, shown) - across.transpose() * lights[i]);
            information += informations[i];
            gradient += gradients[i];
            squares += weight * variance * sums.weights;
        }
        const auto step_of = [&](const Eigen::Matrix3d &weights, const Eigen::Vector3d &slope,
                                 Eigen::Matrix3d *covariance, Eigen::Vector3d *step) {
            const Eigen::MatrixXd reduced = freedom.transpose() * weights * freedom;
            const Eigen::LDLT<Eigen::MatrixXd> solver(reduced);
            if (solver.info() != Eigen::Success || !(solver.vectorD().minCoeff() > 1e-9)) return false;
            *covariance =
                freedom * solver.solve(Eigen::MatrixXd::Identity(reduced.rows(), reduced.cols())) * freedom.transpose();
            *step = -freedom * solver.solve(freedom.transpose() * slope);
            return true;
        };
        Eigen::Vector3d step;
        if (!step_of(information, gradient, &plane.covariance, &step)) return std::nullopt;
        if (round == rounds) {
            for (size_t i = 0; i < std::min<size_t>(2, others.size()); ++i) {
                if (!step_of(informations[i], gradients[i], &plane.lone_covariance[i], &plane.lone_inverse[i])) {
                    return std::nullopt;
                }
                plane.lone_inverse[i] += plane.inverse;
            }
            const double by_turning = gradient.dot(information.ldlt().solve(gradient)) + gradient.dot(step);
            plane.share_of_turning = by_turning / std::max(1.0, squares);
            return plane;
        }
        plane.inverse += step;
        if (!plane.inverse.allFinite()) return std::nullopt;
    }
}

}  // namespace foothold
