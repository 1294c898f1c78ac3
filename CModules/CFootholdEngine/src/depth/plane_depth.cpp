#include "depth/plane_depth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace foothold {

namespace {

/// Nearer than this share of a surface's distance an outline is cut off.
constexpr double cut_off = 1e-3;
/// How wrong the direction of a surface may be, radians.
constexpr float tilt_sigma = 0.004f;
/// Known worse than this, it says nothing about depth.
constexpr float useless_sigma = 0.1f;

}  // namespace

void PlaneDepth::look_along(std::span<const Eigen::Vector2f> rays, int width, int height) {
    rays_ = rays;
    width_ = width;
    height_ = height;
    mask_.resize(rays.size());
    Eigen::Vector2f low = rays.front(), high = rays.front();
    for (const Eigen::Vector2f &ray : rays) {
        low = low.cwiseMin(ray);
        high = high.cwiseMax(ray);
    }
    low_ = low.cast<double>();
    cells_per_unit_ = Eigen::Vector2d(width - 1, height - 1).cwiseQuotient((high - low).cast<double>());
    place_.clear();
    for (const Eigen::Vector2f &ray : rays) {
        const Eigen::Vector2d at = (ray.cast<double>() - low_).cwiseProduct(cells_per_unit_);
        place_.push_back(static_cast<uint32_t>(std::lround(at.y()) * width + std::lround(at.x())));
    }
}

void PlaneDepth::draw(std::span<const Surface> surfaces, const SE3 &world_from_camera,
                      std::vector<PlaneCell> *out_cells) {
    out_cells->assign(rays_.size(), PlaneCell());
    const SE3 camera_from_world = world_from_camera.inverse();
    for (const Surface &surface : surfaces) {
        const double distance = surface.normal.dot(surface.origin_in_world - world_from_camera.translation);
        // Only the side that was seen is known.
        if (distance >= 0 || !fill_outline(surface, camera_from_world)) continue;
        const Eigen::Vector3f slope = (camera_from_world.rotation * surface.normal / distance).cast<float>();
        const Eigen::Vector3f middle = (camera_from_world * surface.to_world(surface.center)).cast<float>();
        const auto offset_sigma = static_cast<float>(surface.offset_sigma_m);
        const auto first = static_cast<uint32_t>(first_row_ * width_);
        const auto last = static_cast<uint32_t>((last_row_ + 1) * width_);
        for (size_t i = 0; i < rays_.size(); ++i) {
            if (place_[i] < first || place_[i] >= last || !mask_[place_[i]]) continue;
            const Eigen::Vector3f ray = rays_[i].homogeneous();
            const float inverse_depth = slope.dot(ray);
            PlaneCell &cell = (*out_cells)[i];
            if (inverse_depth <= cell.inverse_depth) continue;
            const float away = (ray / inverse_depth - middle).norm();
            const float relative_sigma =
                std::sqrt(offset_sigma * offset_sigma + tilt_sigma * tilt_sigma * away * away) /
                static_cast<float>(-distance);
            if (relative_sigma <= useless_sigma) cell = {inverse_depth, relative_sigma};
        }
    }
}

bool PlaneDepth::fill_outline(const Surface &surface, const SE3 &camera_from_world) {
    if (surface.boundary.size() < 3) return false;
    outline_.clear();
    double farthest = 0;
    for (const Eigen::Vector2d &corner : surface.boundary) {
        outline_.push_back(camera_from_world * surface.to_world(corner));
        farthest = std::max(farthest, outline_.back().z());
    }
    const double near = cut_off * farthest;
    clipped_.clear();
    Eigen::Vector3d a = outline_.back();
    for (const Eigen::Vector3d &b : outline_) {
        if ((a.z() > near) != (b.z() > near)) clipped_.push_back(a + (near - a.z()) / (b.z() - a.z()) * (b - a));
        if (b.z() > near) clipped_.push_back(b);
        a = b;
    }
    if (clipped_.size() < 3) return false;
    double top = height_, bottom = -1;
    for (Eigen::Vector3d &corner : clipped_) {
        const Eigen::Vector2d at = (corner.head<2>() / corner.z() - low_).cwiseProduct(cells_per_unit_);
        corner << at, 0;
        top = std::min(top, at.y());
        bottom = std::max(bottom, at.y());
    }
    first_row_ = static_cast<int>(std::max(0.0, std::ceil(top)));
    last_row_ = static_cast<int>(std::min(height_ - 1.0, std::floor(bottom)));
    for (int row = first_row_; row <= last_row_; ++row) {
        uint8_t *cells = mask_.data() + static_cast<size_t>(row) * width_;
        std::fill_n(cells, width_, 0);
        crossings_.clear();
        for (size_t i = 0, j = clipped_.size() - 1; i < clipped_.size(); j = i++) {
            const Eigen::Vector3d &p = clipped_[j], &q = clipped_[i];
            if ((p.y() > row) == (q.y() > row)) continue;
            crossings_.push_back(p.x() + (row - p.y()) / (q.y() - p.y()) * (q.x() - p.x()));
        }
        std::sort(crossings_.begin(), crossings_.end());
        for (size_t i = 0; i + 1 < crossings_.size(); i += 2) {
            const double begin = std::max(0.0, std::ceil(crossings_[i]));
            const double end = std::min(width_ - 1.0, std::floor(crossings_[i + 1]));
            if (begin <= end) std::fill(cells + static_cast<int>(begin), cells + static_cast<int>(end) + 1, 1);
        }
    }
    return first_row_ <= last_row_;
}

}  // namespace foothold
