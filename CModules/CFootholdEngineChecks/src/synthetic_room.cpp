#include "synthetic_room.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pictures.h"

namespace foothold::checks {
namespace {

constexpr size_t window = 10;

/// Smooth pseudo-random texture at a point of a panel, -1…1.
double texture(double x, double y, uint64_t seed) {
    const auto corner = [seed](int64_t ix, int64_t iy) {
        SeededRandom random(seed * 7919 + static_cast<uint64_t>(ix * 73856093) + static_cast<uint64_t>(iy * 19349663));
        return static_cast<double>(random.next() >> 11) * 0x1p-52 - 1;
    };
    double sum = 0, amplitude = 0.6;
    for (int octave = 0; octave < 3; ++octave) {
        const double fx = std::floor(x), fy = std::floor(y);
        const double tx = x - fx, ty = y - fy;
        const auto ix = static_cast<int64_t>(fx), iy = static_cast<int64_t>(fy);
        const double top = corner(ix, iy) * (1 - tx) + corner(ix + 1, iy) * tx;
        const double bottom = corner(ix, iy + 1) * (1 - tx) + corner(ix + 1, iy + 1) * tx;
        sum += amplitude * (top * (1 - ty) + bottom * ty);
        amplitude *= 0.6;
        x *= 2.3;
        y *= 2.3;
    }
    return std::clamp(sum, -1.0, 1.0);
}

}  // namespace

SyntheticRoom::SyntheticRoom(std::vector<Panel> panels, const RoomOptions &options)
    : panels_(std::move(panels)), options_(options), random_(options.seed) {
    full_.width = 640;
    full_.height = 480;
    full_.fx = full_.fy = 525;
    full_.cx = 319.5;
    full_.cy = 239.5;
    half_ = full_.scaled(0.5);
    for (size_t p = 0; p < panels_.size(); ++p) {
        const Panel &panel = panels_[p];
        const int count =
            static_cast<int>(std::lround(panel.points_per_square_metre * 4 * panel.half_u * panel.half_v));
        for (int i = 0; i < count; ++i) {
            TruePoint point;
            point.position = panel.center + panel.u * (2 * uniform() - 1) * panel.half_u +
                             panel.v * (2 * uniform() - 1) * panel.half_v;
            point.panel = static_cast<int>(p);
            truth_.push_back(point);
        }
    }
    for (int i = 0; i < options_.clutter; ++i) {
        TruePoint point;
        for (int axis = 0; axis < 3; ++axis) {
            point.position[axis] =
                options_.clutter_low[axis] + uniform() * (options_.clutter_high[axis] - options_.clutter_low[axis]);
        }
        truth_.push_back(point);
    }
    for (TruePoint &point : truth_) {
        point.along_noise = gaussian();
        point.across_noise = Eigen::Vector3d(gaussian(), gaussian(), gaussian());
    }
}

double SyntheticRoom::gaussian() {
    return std::sqrt(-2 * std::log(std::max(uniform(), 1e-12))) * std::cos(2 * std::numbers::pi * uniform());
}

SyntheticRoom::Camera SyntheticRoom::camera_at(int index) const {
    const double t = options_.keyframes > 1 ? static_cast<double>(index) / (options_.keyframes - 1) : 0;
    Camera camera;
    camera.position = options_.start + t * (options_.end - options_.start);
    camera.position.y() += 0.03 * std::sin(9 * t);
    camera.world_from_camera = level_camera((options_.target - camera.position).normalized());
    return camera;
}

bool SyntheticRoom::is_hidden(const Eigen::Vector3d &point, int panel, const Eigen::Vector3d &camera,
                              int keyframe) const {
    const Eigen::Vector3d ray = point - camera;
    for (size_t p = 0; p < panels_.size(); ++p) {
        const Panel &other = panels_[p];
        if (static_cast<int>(p) == panel || other.is_open || !exists(other, keyframe)) continue;
        const double slope = other.normal.dot(ray);
        if (std::abs(slope) < 1e-9) continue;
        const double t = other.normal.dot(other.center - camera) / slope;
        if (t <= 0.01 || t >= 0.995) continue;
        const Eigen::Vector3d hit = camera + t * ray - other.center;
        if (std::abs(hit.dot(other.u)) < other.half_u && std::abs(hit.dot(other.v)) < other.half_v) return true;
    }
    return false;
}

void SyntheticRoom::render(const Camera &camera, int keyframe, std::vector<uint8_t> *out_luma) {
    out_luma->resize(static_cast<size_t>(half_.width) * half_.height);
    for (int y = 0; y < half_.height; ++y) {
        for (int x = 0; x < half_.width; ++x) {
            const Eigen::Vector2d n = half_.normalise({x, y});
            const Eigen::Vector3d ray = camera.world_from_camera * Eigen::Vector3d(n.x(), n.y(), 1);
            double nearest = 1e9, value = 30;
            for (size_t p = 0; p < panels_.size(); ++p) {
                const Panel &panel = panels_[p];
                const double slope = panel.normal.dot(ray);
                if (slope >= 0 || panel.is_open || !exists(panel, keyframe)) continue;
                const double t = panel.normal.dot(panel.center - camera.position) / slope;
                if (t <= 0 || t >= nearest) continue;
                const Eigen::Vector3d hit = camera.position + t * ray - panel.center;
                const double a = hit.dot(panel.u), b = hit.dot(panel.v);
                if (std::abs(a) > panel.half_u || std::abs(b) > panel.half_v) continue;
                nearest = t;
                value = panel.brightness;
                if (panel.contrast > 0) value += panel.contrast * texture(a * 35, b * 35, p + 1);
            }
            (*out_luma)[static_cast<size_t>(y) * half_.width + x] =
                static_cast<uint8_t>(std::clamp(value + 1.2 * gaussian(), 0.0, 255.0));
        }
    }
}

MapView SyntheticRoom::view_at(int index) {
    const Camera camera = camera_at(index);
    std::vector<int> seen;
    for (size_t i = 0; i < truth_.size(); ++i) {
        TruePoint &point = truth_[i];
        if (point.panel >= 0 && !exists(panels_[point.panel], index)) continue;
        Eigen::Vector2d pixel;
        const Eigen::Vector3d in_camera = camera.world_from_camera.transpose() * (point.position - camera.position);
        if (!full_.project(in_camera, 8, &pixel)) continue;
        if (point.panel >= 0 && panels_[point.panel].normal.dot(camera.position - point.position) < 0.05) continue;
        if (is_hidden(point.position, point.panel, camera.position, index)) continue;
        point.seen_by.push_back(index);
        seen.push_back(static_cast<int>(i));
    }
    Eigen::Vector3d shift = Eigen::Vector3d::Zero();
    if (options_.wobble > 0) shift = options_.wobble * Eigen::Vector3d(gaussian(), gaussian(), gaussian());
    points_.clear();
    for (size_t i = 0; i < truth_.size(); ++i) {
        const TruePoint &point = truth_[i];
        if (point.seen_by.size() < 3) continue;
        // What has gone out of sight for long is dropped by the map.
        if (index - point.seen_by.back() > 8) continue;
        Eigen::Vector3d view = Eigen::Vector3d::Zero();
        for (int k : point.seen_by) view += (camera_at(k).position - point.position).normalized();
        view.normalize();
        const double depth = (camera_at(point.seen_by.back()).position - point.position).norm();
        const double baseline =
            (camera_at(point.seen_by.back()).position - camera_at(point.seen_by.front()).position).norm();
        const double across = options_.pixel_noise * depth / full_.fx;
        const double along = across * depth / std::max(baseline, 1e-3) * 1.4;
        if (along > 0.2 * depth) continue;
        MapPoint estimate;
        estimate.id = static_cast<int64_t>(i);
        estimate.position_in_world =
            point.position + along * point.along_noise * view + across * point.across_noise + shift;
        estimate.sigma_m = along;
        estimate.observation_count = static_cast<int>(point.seen_by.size());
        estimate.mean_view_direction = view;
        points_.push_back(estimate);
    }
    observations_.emplace_back();
    for (int i : seen) {
        const Eigen::Vector3d p = camera.world_from_camera.transpose() * (truth_[i].position - camera.position);
        observations_.back().push_back(
            {i, Eigen::Vector2f(static_cast<float>(p.x() / p.z()), static_cast<float>(p.y() / p.z()))});
    }
    pictures_.emplace_back();
    if (options_.renders_pictures) render(camera, index, &pictures_.back());
    views_.clear();
    const size_t first = observations_.size() > window ? observations_.size() - window : 0;
    for (size_t k = first; k < observations_.size(); ++k) {
        const Camera other = camera_at(static_cast<int>(k));
        KeyframeView view;
        view.id = static_cast<int64_t>(k);
        view.timestamp_ns = static_cast<int64_t>(k) * 250'000'000;
        view.world_from_camera_rotation = other.world_from_camera;
        view.camera_in_world = other.position + shift;
        view.luma_camera = half_;
        view.luma = pictures_[k].empty() ? nullptr : pictures_[k].data();
        view.stride = half_.width;
        view.observations = observations_[k];
        views_.push_back(view);
    }
    MapView map;
    map.points = points_;
    map.keyframes = views_;
    map.newest_timestamp_ns = views_.back().timestamp_ns;
    map.up_in_world =
        Eigen::AngleAxisd(options_.up_error_rad, Eigen::Vector3d(1, 0, 0.5).normalized()) * Eigen::Vector3d::UnitY();
    map.up_sigma_rad = options_.up_sigma_rad;
    map.metre = 1;
    return map;
}

}  // namespace foothold::checks
