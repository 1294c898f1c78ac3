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
constexpr int shown = 0, change = 1, own = 4, light = 5;

/// The picture at a place between pixels, with its derivatives over two pixels; false outside of it.
inline bool sample(const cv::Mat &picture, float x, float y, float *out_value, float *out_dx, float *out_dy) {
    if (!(x >= 1 && y >= 1)) return false;
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    if (left + 2 >= picture.cols || top + 2 >= picture.rows) return false;
    const float s = x - static_cast<float>(left), t = y - static_cast<float>(top);
    const float *row[4];
    for (int i = 0; i < 4; ++i) row[i] = picture.ptr<float>(top - 1 + i) + left;
    const auto along = [s](const float *p) { return p[0] + s * (p[1] - p[0]); };
    const float upper = along(row[1]), lower = along(row[2]);
    *out_value = upper + t * (lower - upper);
    if (out_dx == nullptr) return true;
    const auto slope = [s](const float *p) { return p[1] - p[-1] + s * (p[2] - p[0] - p[1] + p[-1]); };
    *out_dx = 0.5f * ((1 - t) * slope(row[1]) + t * slope(row[2]));
    const float above = along(row[0]), below = along(row[3]);
    *out_dy = 0.5f * (lower - above + t * (below - upper - lower + above));
    return true;
}

/// Where another camera sees rays of the region's camera, by their inverse depth.
class Projection {
public:
    Projection(const SmoothView &from, const SmoothView &to)
        : camera_(to.camera),
          rotation_((to.world_from_camera_rotation.transpose() * from.world_from_camera_rotation).cast<float>()),
          translation_(
              (to.world_from_camera_rotation.transpose() * (from.camera_in_world - to.camera_in_world)).cast<float>()),
          focal_(static_cast<float>(camera_.fx), static_cast<float>(camera_.fy)),
          center_(static_cast<float>(camera_.cx), static_cast<float>(camera_.cy)) {}

    bool operator()(float ray_x, float ray_y, float inverse_depth, Eigen::Vector2f *out_pixel,
                    Eigen::Vector2f *out_slope) const {
        const Eigen::Vector3f p =
            rotation_.col(0) * ray_x + rotation_.col(1) * ray_y + rotation_.col(2) + inverse_depth * translation_;
        if (p.z() < 0.05f) return false;
        const float scale = 1 / p.z();
        const Eigen::Vector2f normalised = scale * p.head<2>();
        const Eigen::Vector2f moved = scale * (translation_.head<2>() - translation_.z() * normalised);
        if (camera_.distortion == Distortion::none) {
            *out_pixel = focal_.cwiseProduct(normalised) + center_;
            *out_slope = focal_.cwiseProduct(moved);
            return true;
        }
        // Lens models fold back far outside the picture.
        if (normalised.cwiseAbs().maxCoeff() > 2.5f) return false;
        constexpr double step = 1e-4;
        const Eigen::Vector2d n = normalised.cast<double>(), direction = moved.cast<double>();
        const double reach = step / std::max(1e-9, direction.norm());
        const Eigen::Vector2d here = camera_.pixel(n), there = camera_.pixel(n + reach * direction);
        *out_pixel = here.cast<float>();
        *out_slope = ((there - here) / reach).cast<float>();
        return true;
    }

private:
    const CameraModel &camera_;
    Eigen::Matrix3f rotation_;
    Eigen::Vector3f translation_;
    Eigen::Vector2f focal_, center_;
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
    // In pieces, for speed and so that single precision is enough.
    constexpr int piece = 128;
    Eigen::Array<float, piece, RegionComparison::terms> rows;
    Eigen::Array<float, piece, 1> weights, weighted;
    RegionComparison result;
    const Projection project(views_[0], other);
    const Eigen::Vector3f m = inverse.cast<float>();
    const float scale = static_cast<float>(1 / (9 * 2 * noise_ * noise_));
    int count = 0;
    double stretches = 0;
    const auto add_piece = [&] {
        if (known_light) {
            const Eigen::Vector4f by_light = known_light->cast<float>();
            weights.head(count) = rows.col(shown).head(count);
            for (int i = 0; i < 4; ++i) weights.head(count) -= by_light[i] * rows.col(own + i).head(count);
            weights.head(count) = 1 / (1 + scale * weights.head(count).square());
        } else {
            weights.head(count).setOnes();
        }
        for (int i = 0; i < RegionComparison::terms; ++i) {
            if (!wants_derivatives && i >= change && i < own) continue;
            weighted.head(count) = weights.head(count) * rows.col(i).head(count);
            for (int j = i; j < RegionComparison::terms; ++j) {
                if (!wants_derivatives && j >= change && j < own) continue;
                const double product = (weighted.head(count) * rows.col(j).head(count)).sum();
                result.products(i, j) += product;
                if (i != j) result.products(j, i) += product;
            }
        }
        result.weights += weights.head(count).sum();
        result.slopes += rows.col(change + 2).head(count).square().sum();
        result.count += count;
        count = 0;
    };
    for (size_t i = 0; i < pixels_.size(); ++i) {
        const float x = pixels_.ray_x[i], y = pixels_.ray_y[i];
        const float inverse_depth = m.x() * x + m.y() * y + m.z();
        Eigen::Vector2f pixel, moved;
        float value, dx = 0, dy = 0;
        if (inverse_depth <= 0 || !project(x, y, inverse_depth, &pixel, &moved) ||
            !sample(other.picture, pixel.x(), pixel.y(), &value, wants_derivatives ? &dx : nullptr, &dy)) {
            continue;
        }
        const float slope = dx * moved.x() + dy * moved.y();
        rows(count, shown) = value - mean_luma_;
        rows(count, change) = slope * x;
        rows(count, change + 1) = slope * y;
        rows(count, change + 2) = slope;
        rows(count, own) = pixels_.luma[i] - mean_luma_;
        rows(count, light) = 1;
        rows(count, light + 1) = (x - middle_.x()) / reach_;
        rows(count, light + 2) = (y - middle_.y()) / reach_;
        stretches += moved.squaredNorm();
        if (++count == piece) add_piece();
    }
    if (count > 0) add_piece();
    result.stretches = stretches;
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
