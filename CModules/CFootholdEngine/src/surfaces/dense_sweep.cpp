// Dense points from the depth of the whole picture.
#include <algorithm>
#include <cmath>

#include "surfaces/dense_map.h"

namespace foothold {
namespace {

/// Half-size pixels that poses are off by; all of a picture's pieces share that.
constexpr double pose_noise = 0.03;
constexpr double largest_relative_sigma = 0.015;
/// What map points show is a part of what there is: nearer and farther things are looked for, too.
constexpr double nearer = 1.4, farther = 0.6;

/// Relative: a point and what is swept where it's seen are one.
constexpr double same_depth = 0.015;
constexpr int most_remembered = 5;
/// Baselines over distance of the pictures that a sweep is refined with.
constexpr ParallaxRange refined_parallax = {.least = 0.03, .best = 0.12, .most = 0.35};

}  // namespace

void DenseMap::compare_depths() {
    std::vector<double> inverse_depths;
    for (const Eigen::Vector3d &sparse : sparse_) inverse_depths.push_back(sparse.z());
    const auto at = [&](double share) {
        const auto place = inverse_depths.begin() + static_cast<ptrdiff_t>(share * (inverse_depths.size() - 1));
        std::nth_element(inverse_depths.begin(), place, inverse_depths.end());
        return *place;
    };
    sweep_.compare(pairs_, nearer * at(0.98), farther * at(0.02), grey_noise_);
}

bool DenseMap::measure_swept(const KeyframeView &newest, const Eigen::Vector2d &pixel, double *out_inverse_depth,
                             double *out_sigma, Eigen::Vector3d *out_facing) const {
    Eigen::Vector3d normal;
    if (!sweep_.measure(ray_of(newest, pixel), out_inverse_depth, out_sigma, &normal)) return false;
    const double baseline = std::min(pairs_[0].to_from_translation.norm(), pairs_[1].to_from_translation.norm());
    *out_sigma = std::hypot(*out_sigma, pose_noise / (newest.luma_camera.focal() * baseline));
    *out_facing = newest.world_from_camera_rotation * normal;
    return *out_sigma < largest_relative_sigma * *out_inverse_depth;
}

void DenseMap::note_facing(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point) const {
    double inverse_depth = 0, sigma = 0;
    Eigen::Vector3d facing;
    if (!sweep_.measure(ray_of(newest, pixel), &inverse_depth, &sigma, &facing) || facing.isZero(0)) return;
    const double depth =
        newest.world_from_camera_rotation.col(2).dot(point->position_in_world() - newest.camera_in_world);
    if (std::abs(depth * inverse_depth - 1) > same_depth) return;
    facing = newest.world_from_camera_rotation * facing;
    point->facing = (point->facing * std::min(point->observations, most_remembered) + facing).normalized();
}

void DenseMap::fill_from_sweep(const KeyframeView &newest) {
    for (int row = 0; row < cells_.rows; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            PictureCell &cell = cells_.at(column, row);
            const bool is_taken = swept_points_[static_cast<size_t>(row) * cells_.columns + column] >= 0;
            if (is_taken || points_.size() >= capacity) continue;
            const Eigen::Vector2d pixel = CellGrid::center(column, row);
            double inverse_depth = 0, sigma = 0;
            Eigen::Vector3d facing;
            if (!measure_swept(newest, pixel, &inverse_depth, &sigma, &facing)) continue;
            const bool has_facing = !facing.isZero(0);
            const Eigen::Vector3d normal =
                has_facing ? facing : -(newest.world_from_camera_rotation * ray_of(newest, pixel)).normalized();
            DensePoint point = point_at(newest, pixel, inverse_depth, sigma, normal);
            point.facing = facing;
            point.is_swept = true;
            const int index = static_cast<int>(points_.size());
            points_.push_back(point);
            seen_.push_back({index, pixel, coarse_half_side});
            if (cell.point < 0) cell.point = index;
        }
    }
}

void DenseMap::refine_sweep(const MapView &view, std::span<const Eigen::Vector3d> uprights) {
    const KeyframeView &newest = view.keyframes.back();
    std::vector<ViewPair> pairs;
    nearest_pairs(view, refined_parallax, PlaneRefiner::most_pairs, &pairs);
    const Eigen::Matrix3d camera_from_world = newest.world_from_camera_rotation.transpose();
    std::vector<Eigen::Vector3d> directions = {camera_from_world * view.up_in_world};
    for (const Eigen::Vector3d &normal : uprights) directions.push_back(camera_from_world * normal);
    refiner_.refine(pairs, grey_noise_, directions, sweep_.cells());
}

}  // namespace foothold
