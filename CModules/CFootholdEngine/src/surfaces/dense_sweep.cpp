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
/// Keyframes ago. Cosine of normals, and offsets relative to the distance of what is seen, of what is one surface.
constexpr int lately = 3;
constexpr double same_normal = 0.995, same_offset = 0.01;
/// Baselines over distance of the pictures that a sweep is refined with.
constexpr ParallaxRange refined_parallax = {.least = 0.03, .best = 0.12, .most = 0.35};
/// How many of them, while frames come.
constexpr size_t pairs_at_once = 4;

}  // namespace

void DenseMap::compare() {
    if (!can_probe()) return;
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

int DenseMap::add_swept(const KeyframeView &newest, const Eigen::Vector2d &pixel, bool is_fine) {
    double inverse_depth = 0, sigma = 0;
    Eigen::Vector3d facing;
    if (points_.size() >= capacity || !measure_swept(newest, pixel, &inverse_depth, &sigma, &facing)) return -1;
    const bool has_facing = !facing.isZero(0);
    const Eigen::Vector3d normal =
        has_facing ? facing : -(newest.world_from_camera_rotation * ray_of(newest, pixel)).normalized();
    DensePoint point = point_at(newest, pixel, inverse_depth, sigma, normal);
    point.facing = facing;
    point.is_swept = true;
    point.is_fine = is_fine;
    return add(point, pixel);
}

void DenseMap::fill_from_sweep(const KeyframeView &newest) {
    for (int row = 0; row < cells_.rows; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            PictureCell &cell = cells_.at(column, row);
            if (swept_points_[static_cast<size_t>(row) * cells_.columns + column] >= 0) continue;
            const int index = add_swept(newest, CellGrid::center(column, row), false);
            if (cell.point < 0 && index >= 0) cell.point = index;
        }
    }
    if (!sweep_.has_quarters()) return;
    for (int row = 0; row < 2 * cells_.rows; ++row) {
        for (int column = 0; column < 2 * cells_.columns; ++column) {
            const Eigen::Vector2d pixel = DepthSweep::middle_of_quarter(column, row);
            const bool is_taken = finely_seen_[static_cast<size_t>(row) * 2 * cells_.columns + column] != 0;
            if (!is_taken && sweep_.knows_quarter(ray_of(newest, pixel))) add_swept(newest, pixel, true);
        }
    }
}

std::vector<uint8_t> DenseMap::settled_cells(const KeyframeView &newest) const {
    std::vector<PlaneGuess> planes(cells_.cells.size(), PlaneGuess{Eigen::Vector3d::Zero()});
    for (const DensePoint &point : points_) {
        const Eigen::Vector3d position = point.position_in_world();
        const Eigen::Vector3d p = newest.world_from_camera_rotation.transpose() * (position - newest.camera_in_world);
        Eigen::Vector2d pixel;
        if (!point.is_explained || point.keyframes_unseen > lately || !newest.luma_camera.project(p, 0, &pixel))
            continue;
        const Eigen::Array2i place = ((pixel.array() + 0.5) / CellGrid::size).floor().cast<int>();
        if (place.minCoeff() < 0 || place.x() >= cells_.columns || place.y() >= cells_.rows) continue;
        PlaneGuess &plane = planes[static_cast<size_t>(place.y()) * cells_.columns + place.x()];
        plane = {point.normal_in_world, point.normal_in_world.dot(position)};
    }
    const auto are_one = [&](const PlaneGuess &a, const PlaneGuess &b) {
        return a.normal.dot(b.normal) > same_normal && std::abs(a.offset - b.offset) < same_offset * typical_distance_;
    };
    std::vector<uint8_t> settled(planes.size(), 0);
    for (int row = 0; row < cells_.rows; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            const size_t place = static_cast<size_t>(row) * cells_.columns + column;
            bool is_settled = !planes[place].normal.isZero(0);
            for (int y = std::max(row - 1, 0); y <= std::min(row + 1, cells_.rows - 1); ++y) {
                for (int x = std::max(column - 1, 0); x <= std::min(column + 1, cells_.columns - 1); ++x) {
                    const PlaneGuess &other = planes[static_cast<size_t>(y) * cells_.columns + x];
                    is_settled = is_settled && (other.normal.isZero(0) || are_one(planes[place], other));
                }
            }
            settled[place] = is_settled ? 1 : 0;
        }
    }
    return settled;
}

KeptDepth DenseMap::depth() const { return {2 * sweep_.columns(), sweep_.pieces(), typical_distance_, grey_noise_}; }

void DenseMap::refine(const MapView &view, std::span<const Eigen::Vector3d> uprights) {
    if (!can_probe()) return;
    const KeyframeView &newest = view.keyframes.back();
    const std::vector<ViewPair> pairs = nearest_pairs(view, typical_distance_, refined_parallax,
                                                      view.is_review ? PlaneRefiner::most_pairs : pairs_at_once);
    const Eigen::Matrix3d camera_from_world = newest.world_from_camera_rotation.transpose();
    std::vector<Eigen::Vector3d> directions = {camera_from_world * view.up_in_world};
    for (const Eigen::Vector3d &normal : uprights) directions.push_back(camera_from_world * normal);
    const std::vector<uint8_t> is_settled = settled_cells(newest);
    refiner_.set_second_thread(view.second_thread);
    // A review looks at all squares again, whatever explains them.
    refiner_.refine(pairs, grey_noise_, directions, sweep_.columns(),
                    view.is_review ? std::span<const uint8_t>() : is_settled, sweep_.cells());
    if (!view.is_review) return;
    FullPictures full;
    full.take(pairs);
    refiner_.refine_quarters(full.pairs, full_size_noise * grey_noise_, directions, sweep_.columns(), sweep_.cells(),
                             is_settled, sweep_.make_quarters());
}

}  // namespace foothold
