#include "surfaces/label_votes.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace foothold {
namespace {

/// Of a piece, relative to the surface's distance, and how many there are to a side at most.
constexpr double piece_share = 0.007;
constexpr int largest_side = 360;
/// Cosine of the least angle to the plane under which it's looked at.
constexpr double least_facing = 0.08;
/// Relative: what lies this far behind a plane is behind it.
constexpr float clearly_behind = 0.02f;
/// Relative to its distance, what is behind what bounds the place.
constexpr double leeway_of_bounds = 0.01;
/// Of a straight view's vote: what the outline so far counts.
constexpr double say_of_outline = 0.3;
/// Of the outline so far, so much must be voted about, and so much must be left: what pictures can't tell from others
/// at its depth isn't gone.
constexpr double least_voted = 0.3, least_left = 0.3;
/// Deviation of the weights with which a piece's neighbours have a say, pieces.
constexpr double neighbourhood = 0.8;
/// Of the distance squared: what is smaller is in one piece, without necks narrower than this share of its width.
constexpr double may_be_parted = 0.25, narrow = 0.5;
/// Half of that, pieces.
constexpr int widest_neck = 8;
/// Around the outline so far of what is small: of the mean votes within it, so many say nothing.
constexpr double least_share = 0.2;

/// The inverse depth of a plane in a camera's axes, by pixels.
Eigen::Vector3d inverse_depth_of(const Plane &plane, const KeyframeView &view) {
    const Eigen::Vector3d normal = view.world_from_camera_rotation.transpose() * plane.normal;
    const double height = plane.offset - plane.normal.dot(view.camera_in_world);
    const CameraModel &camera = view.luma_camera;
    const double right = normal.x() / camera.fx, down = normal.y() / camera.fy;
    return Eigen::Vector3d(normal.z() - right * camera.cx - down * camera.cy, right, down) / height;
}

/// Keeps the parts that share something with `known`, or of these only the one that shares the most.
void keep_parts(const cv::Mat &known, bool only_best, cv::Mat &mask) {
    cv::Mat parts;
    const int count = cv::connectedComponents(mask, parts, 4, CV_32S);
    std::vector<int> shared(static_cast<size_t>(count), 0);
    for (int row = 0; row < mask.rows; ++row) {
        for (int column = 0; column < mask.cols; ++column) {
            if (known.at<uint8_t>(row, column)) ++shared[static_cast<size_t>(parts.at<int>(row, column))];
        }
    }
    shared[0] = 0;
    const int most = *std::max_element(shared.begin(), shared.end());
    const int least = only_best ? std::max(most, 1) : 1;
    for (int row = 0; row < mask.rows; ++row) {
        for (int column = 0; column < mask.cols; ++column) {
            if (shared[static_cast<size_t>(parts.at<int>(row, column))] < least) mask.at<uint8_t>(row, column) = 0;
        }
    }
}

}  // namespace

LabelVotes::LabelVotes(const TrackedSurface &surface)
    : plane_(surface.plane()),
      axes_(surface.shown.world_from_surface_rotation),
      origin_(surface.shown.origin_in_world),
      distance_(surface.distance) {
    const double margin = (SurfaceLabeller::reach + 3 * piece_share) * distance_;
    const Eigen::Vector2d low = surface.shown.center - 0.5 * surface.shown.extent - Eigen::Vector2d::Constant(margin);
    const Eigen::Vector2d side = surface.shown.extent + Eigen::Vector2d::Constant(2 * margin);
    known_.piece_size = std::max(piece_share * distance_, side.maxCoeff() / largest_side);
    known_.first = (low / known_.piece_size).array().floor().cast<int>();
    const Eigen::Array2i size = (side / known_.piece_size).array().ceil().cast<int>() + 1;
    std::vector<cv::Point> corners;
    for (const Eigen::Vector2d &corner : surface.shown.boundary) {
        const Eigen::Vector2d place = place_of(corner);
        corners.emplace_back(static_cast<int>(std::lround(place.x())), static_cast<int>(std::lround(place.y())));
    }
    known_.inside = cv::Mat(size.y(), size.x(), CV_8U, cv::Scalar(0));
    cv::fillPoly(known_.inside, std::vector<std::vector<cv::Point>>{corners}, cv::Scalar(255));
    cv::Mat around;
    cv::bitwise_not(known_.inside, around);
    cv::distanceTransform(around, away_, cv::DIST_L2, 3);
    away_ *= known_.piece_size / distance_;
    inside_ = cv::Mat(size.y(), size.x(), CV_32F, cv::Scalar(0));
    outside_ = inside_.clone();
}

Eigen::Vector2d LabelVotes::place_of(const Eigen::Vector2d &local) const {
    return local / known_.piece_size - known_.first.cast<double>() - Eigen::Vector2d::Constant(0.5);
}

bool LabelVotes::candidate_in(const KeyframeView &view, std::span<const Plane> bounds, LabelCandidate *out) const {
    if (plane_.distance(view.camera_in_world) <= 0) return false;
    const CameraModel &camera = view.luma_camera;
    out->inverse_depth = inverse_depth_of(plane_, view);
    out->away = cv::Mat(SurfaceLabeller::rows(camera), SurfaceLabeller::columns(camera), CV_32F, cv::Scalar(-1));
    bool is_seen = false;
    for (int row = 0; row < out->away.rows; ++row) {
        for (int column = 0; column < out->away.cols; ++column) {
            constexpr int step = SurfaceLabeller::site_step;
            const Eigen::Vector3d pixel(1, step * column, step * row);
            const double inverse_depth = out->inverse_depth.dot(pixel);
            if (!(inverse_depth > 0)) continue;
            const Eigen::Vector3d ray((pixel.y() - camera.cx) / camera.fx, (pixel.z() - camera.cy) / camera.fy, 1);
            // Where a lens shows less than it would without distortion, there is no picture.
            if (!camera.holds(camera.pixel(ray.head<2>()), 0)) continue;
            const Eigen::Vector3d way = view.world_from_camera_rotation * ray / inverse_depth;
            const Eigen::Vector3d there = view.camera_in_world + way - origin_;
            const Eigen::Vector2d place = place_of({axes_.col(0).dot(there), axes_.col(2).dot(there)});
            // Far along a plane numbers become too large for whole ones.
            if (!(place.cwiseAbs().maxCoeff() < 4 * largest_side)) continue;
            const auto x = static_cast<int>(std::lround(place.x())), y = static_cast<int>(std::lround(place.y()));
            if (x < 0 || y < 0 || x >= away_.cols || y >= away_.rows) continue;
            if (-plane_.normal.dot(way) < least_facing * way.norm()) continue;
            const float away = away_.at<float>(y, x);
            if (away > SurfaceLabeller::reach) continue;
            const Eigen::Vector3d point = view.camera_in_world + way;
            const bool is_beyond = std::any_of(bounds.begin(), bounds.end(), [&](const Plane &bound) {
                return bound.distance(point) < -leeway_of_bounds * way.norm();
            });
            if (is_beyond) continue;
            out->away.at<float>(row, column) = away;
            is_seen = is_seen || away == 0;
        }
    }
    return is_seen;
}

void LabelVotes::add(const KeyframeView &view, const SurfaceLabeller &labels, int place) {
    const CameraModel &camera = view.luma_camera;
    const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
    const Eigen::Matrix3d axes = camera_from_world * axes_;
    const Eigen::Vector3d origin = camera_from_world * (origin_ - view.camera_in_world);
    const int columns = SurfaceLabeller::columns(camera), rows = SurfaceLabeller::rows(camera);
    for (int y = 0; y < inside_.rows; ++y) {
        for (int x = 0; x < inside_.cols; ++x) {
            if (away_.at<float>(y, x) > SurfaceLabeller::reach) continue;
            const Eigen::Vector2d local = known_.middle_of(x, y);
            const Eigen::Vector3d p = origin + local.x() * axes.col(0) + local.y() * axes.col(2);
            if (!(p.z() > 0)) continue;
            const double facing = -axes.col(1).dot(p) / p.norm();
            if (facing < least_facing) continue;
            // A site stands for what is nearest to its pixel.
            constexpr double step = SurfaceLabeller::site_step;
            const double u = (camera.fx * p.x() / p.z() + camera.cx) / step + 0.5;
            const double v = (camera.fy * p.y() / p.z() + camera.cy) / step + 0.5;
            if (!(u >= 0 && v >= 0 && u < columns && v < rows)) continue;
            const auto column = static_cast<int>(u), row = static_cast<int>(v);
            const double nearness = std::min(1.0, distance_ / p.norm());
            const auto say = static_cast<float>(facing * nearness * nearness);
            const int label = labels.label_at(column, row);
            if (label == place) {
                inside_.at<float>(y, x) += say;
                continue;
            }
            const float shown = labels.inverse_depth_at(column, row), own = 1 / static_cast<float>(p.z());
            if (!(shown > 0)) continue;
            // Beside another surface's edge both lie at one depth.
            const float nearest = label == SurfaceLabeller::nothing ? 1 - clearly_behind : 1 + clearly_behind;
            if (shown < nearest * own) outside_.at<float>(y, x) += say;
        }
    }
}

FineMask LabelVotes::extent() const {
    cv::Mat voted = (inside_ + outside_) > 0;
    voted &= known_.inside;
    const int known = cv::countNonZero(known_.inside);
    if (cv::countNonZero(voted) < least_voted * known) return {};
    const bool is_small = known_.area() < may_be_parted * distance_ * distance_;
    const double votes = cv::mean(inside_, voted)[0];
    cv::Mat around, sure = inside_ - outside_;
    cv::bitwise_not(known_.inside, around);
    cv::add(sure, cv::Scalar(say_of_outline), sure, known_.inside);
    cv::subtract(sure, cv::Scalar(say_of_outline + (is_small ? least_share * votes : 0)), sure, around);
    cv::GaussianBlur(sure, sure, cv::Size(), neighbourhood);
    cv::Mat inside = sure > 0;
    const auto round = [](int radius) {
        return cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius + 1, 2 * radius + 1});
    };
    cv::morphologyEx(inside, inside, cv::MORPH_CLOSE, round(2));
    cv::Mat depth, core;
    cv::distanceTransform(inside, depth, cv::DIST_L2, 3);
    double deepest = 0;
    cv::minMaxLoc(depth, nullptr, &deepest, nullptr, nullptr, known_.inside);
    const int neck = is_small ? std::clamp(static_cast<int>(narrow * deepest), 1, widest_neck) : 1;
    cv::erode(inside, core, round(neck));
    keep_parts(known_.inside, is_small, core);
    cv::dilate(core, core, round(neck + 1));
    inside &= core;
    if (cv::countNonZero(inside) < least_left * known) return {};
    return {inside, known_.first, known_.piece_size};
}

}  // namespace foothold
