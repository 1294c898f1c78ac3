// Dense points from regions of the picture that were matched as a whole.
#include <Eigen/Geometry>
#include <cmath>

#include "surfaces/dense_map.h"

namespace foothold {
namespace {

/// Keyframes within which a point was seen that says where a region lies.
constexpr int recently = 3;
/// Observations after which what a surface explains needs no look at the whole region.
constexpr int settled = 3;
/// Of a cell's square, what must be of one region.
constexpr double least_share = 0.75;
constexpr double largest_relative_sigma = 0.015;

}  // namespace

void DenseMap::look_at_regions(const MapView &view, std::span<const Eigen::Vector3d> uprights) {
    const KeyframeView &newest = view.keyframes.back();
    const Eigen::Matrix3d camera_from_world = newest.world_from_camera_rotation.transpose();
    std::vector<RegionSeed> seeds;
    for (const Eigen::Vector3d &sparse : sparse_) {
        seeds.push_back({CellGrid::size * sparse.head<2>(), sparse.z()});
    }
    std::vector<uint8_t> is_known(cells_.cells.size(), 0);
    for (const DensePoint &point : points_) {
        if (point.keyframes_unseen > recently) continue;
        const Eigen::Vector3d p = camera_from_world * (point.position_in_world() - newest.camera_in_world);
        Eigen::Vector2d pixel;
        if (!newest.luma_camera.project(p, 0, &pixel)) continue;
        seeds.push_back({pixel, 1 / p.z()});
        const int column = static_cast<int>(pixel.x() + 0.5) / CellGrid::size;
        const int row = static_cast<int>(pixel.y() + 0.5) / CellGrid::size;
        if (column >= cells_.columns || row >= cells_.rows) continue;
        if (point.is_explained && point.observations >= settled) {
            is_known[static_cast<size_t>(row) * cells_.columns + column] = 1;
        }
    }
    std::vector<Eigen::Vector3d> facing_directions;
    for (const Eigen::Vector3d &upright : uprights) facing_directions.push_back(camera_from_world * upright);
    const Eigen::Vector3d ahead = newest.world_from_camera_rotation.col(2);
    const Eigen::Vector3d facing = view.up_in_world * view.up_in_world.dot(ahead) - ahead;
    if (facing.norm() > 0.2) {
        for (const double turn : {0.0, -0.6, 0.6}) {
            facing_directions.push_back(camera_from_world *
                                        (Eigen::AngleAxisd(turn, view.up_in_world) * facing.normalized()));
        }
    }
    std::vector<SmoothView> views, small_views;
    views.emplace_back(newest);
    for (const ViewPair &pair : pairs_) views.emplace_back(*pair.to);
    for (const KeyframeView &small : small_views_) small_views.emplace_back(small);
    RegionQuestion question;
    question.views = views;
    question.small_views = small_views;
    question.seeds = seeds;
    question.up = camera_from_world * view.up_in_world;
    question.uprights = facing_directions;
    question.noise = grey_noise_;
    regions_.update(question, is_known, cells_.columns);
}

bool DenseMap::measure_region(const KeyframeView &newest, const Eigen::Vector2d &pixel, double *out_inverse_depth,
                              double *out_sigma) const {
    const RegionPlane *plane = regions_.at(pixel);
    if (plane == nullptr || regions_.share(pixel, 0.5 * CellGrid::size) < least_share) return false;
    const Eigen::Vector3d ray = ray_of(newest, pixel);
    const double inverse_depth = plane->inverse.dot(ray);
    if (!(inverse_depth > 0)) return false;
    const double baseline = std::min(pairs_[0].to_from_translation.norm(), pairs_[1].to_from_translation.norm());
    const double pose_sigma = region_pose_noise / (newest.luma_camera.focal() * baseline);
    const double sigma = std::hypot(std::sqrt(ray.dot(plane->covariance * ray)), pose_sigma);
    if (sigma > largest_relative_sigma * inverse_depth) return false;
    *out_inverse_depth = inverse_depth;
    *out_sigma = sigma;
    return true;
}

void DenseMap::fill_from_regions(const KeyframeView &newest) {
    for (int row = 0; row < cells_.rows; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            PictureCell &cell = cells_.at(column, row);
            const bool is_taken = region_points_[static_cast<size_t>(row) * cells_.columns + column] >= 0;
            if (is_taken || points_.size() >= capacity) continue;
            const Eigen::Vector2d pixel = CellGrid::center(column, row);
            double inverse_depth = 0, sigma = 0;
            if (!measure_region(newest, pixel, &inverse_depth, &sigma)) continue;
            const RegionPlane &plane = *regions_.at(pixel);
            DensePoint point = point_at(newest, pixel, inverse_depth, sigma,
                                        -(newest.world_from_camera_rotation * plane.inverse.normalized()));
            point.is_of_region = true;
            const int index = static_cast<int>(points_.size());
            points_.push_back(point);
            seen_.push_back({index, pixel, 0.5 * CellGrid::size});
            if (cell.point < 0) cell.point = index;
        }
    }
}

}  // namespace foothold
