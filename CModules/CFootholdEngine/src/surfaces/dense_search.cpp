// New dense points: which planes a piece of the newest picture may show, and what it's found to show.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "surfaces/dense_map.h"

namespace foothold {
namespace {

/// Half-size pixels to search around what is supposed of a piece, and around what its neighbours show.
constexpr int search_of_new = 10, search_of_neighbour = 5;
/// Half-size pixels that a piece's middle may lie beside what it shows.
constexpr double middle_tolerance = 0.7;
/// A piece that fits this well on a known plane needs no other explanation.
constexpr double convincing_correlation = 0.9;
/// Relative depths and cosines of two planes that are one for a piece they go through.
constexpr double same_depth = 0.01, same_direction = 0.9;

/// Where a ray from the camera (z = 1 in its axes, given in the world's) meets a plane; 0 where it doesn't.
double inverse_depth_of(const PlaneGuess &plane, const KeyframeView &view, const Eigen::Vector3d &ray_in_world) {
    const double facing = plane.normal.dot(ray_in_world);
    const double height = plane.offset - plane.normal.dot(view.camera_in_world);
    return std::abs(facing) < 1e-6 || facing * height <= 0 ? 0 : facing / height;
}

}  // namespace

void DenseMap::suppose(const MapView &view, const Eigen::Vector2d &pixel, const Guesses &guesses,
                       std::span<const Eigen::Vector3d> uprights) {
    const KeyframeView &newest = view.keyframes.back();
    const Eigen::Vector3d ray = ray_of(newest, pixel);
    const Eigen::Vector3d direction = newest.world_from_camera_rotation * ray.normalized();
    supposed_.clear();
    guesses(newest.camera_in_world, direction, &supposed_);
    // What the nearest map points say, as something level and as something upright facing the camera.
    double nearest = 64, inverse_depth = 0;
    const Eigen::Vector2d cell = (pixel + Eigen::Vector2d::Constant(0.5)) / CellGrid::size;
    for (const Eigen::Vector3d &sparse : sparse_) {
        const double squared = (sparse.head<2>() - cell).squaredNorm();
        if (squared < nearest) {
            nearest = squared;
            inverse_depth = sparse.z();
        }
    }
    if (inverse_depth <= 0) return;
    const Eigen::Vector3d p = newest.camera_in_world + newest.world_from_camera_rotation * (ray / inverse_depth);
    const auto add = [&](const Eigen::Vector3d &normal) {
        supposed_.push_back({normal, normal.dot(p), search_of_new});
    };
    add(view.up_in_world);
    bool has_upright = false;
    for (const Eigen::Vector3d &normal : uprights) {
        if (normal.dot(direction) > -0.3) continue;
        add(normal);
        has_upright = true;
    }
    const Eigen::Vector3d facing = view.up_in_world * view.up_in_world.dot(direction) - direction;
    if (!has_upright && facing.norm() > 0.2) add(facing.normalized());
}

void DenseMap::suppose_neighbours(const KeyframeView &newest, int column, int row) {
    supposed_.clear();
    const Eigen::Vector3d ray = newest.world_from_camera_rotation * ray_of(newest, CellGrid::center(column, row));
    for (int y = std::max(0, row - 1); y <= std::min(cells_.rows - 1, row + 1); ++y) {
        for (int x = std::max(0, column - 1); x <= std::min(cells_.columns - 1, column + 1); ++x) {
            const int index = cells_.at(x, y).point;
            if (index < 0) continue;
            const DensePoint &point = points_[index];
            const Eigen::Vector3d &normal = point.normal_in_world;
            const PlaneGuess plane = {normal, normal.dot(point.position_in_world()), search_of_neighbour};
            const double inverse_depth = inverse_depth_of(plane, newest, ray);
            if (inverse_depth == 0) continue;
            const bool is_new = std::none_of(supposed_.begin(), supposed_.end(), [&](const PlaneGuess &other) {
                return std::abs(inverse_depth / inverse_depth_of(other, newest, ray) - 1) < same_depth &&
                       other.normal.dot(normal) > same_direction;
            });
            if (is_new) supposed_.push_back(plane);
        }
    }
}

int DenseMap::discover(const KeyframeView &newest, const Eigen::Vector2d &pixel, bool is_fine) {
    if (points_.size() >= capacity) return -1;
    const Eigen::Vector3d ray = newest.world_from_camera_rotation * ray_of(newest, pixel);
    PatchMatch best;
    Eigen::Vector3d best_normal = Eigen::Vector3d::UnitY();
    for (const PlaneGuess &plane : supposed_) {
        const double inverse_depth = inverse_depth_of(plane, newest, ray);
        PatchMatch match;
        if (inverse_depth == 0 || !match_both(pixel, plane.normal, inverse_depth, plane.search, is_fine, &match))
            continue;
        if (best.outcome != PatchOutcome::found || match.correlation > best.correlation) {
            best = match;
            best_normal = plane.normal;
        }
        if (best.correlation > convincing_correlation) break;
    }
    if (best.outcome != PatchOutcome::found) return -1;
    // What was matched lies where the piece changes, on the plane through its middle; around there it's matched best.
    Eigen::Vector2d place = pixel;
    const Eigen::Vector3d normal = newest.world_from_camera_rotation.transpose() * best_normal;
    const auto move_to_middle = [&] {
        const double before = normal.dot(ray_of(newest, place));
        place += best.middle;
        const double ratio = normal.dot(ray_of(newest, place)) / before;
        best.inverse_depth *= ratio;
        best.sigma *= ratio;
    };
    move_to_middle();
    if (best.middle.norm() >= middle_tolerance) {
        if (!match_both(place, best_normal, best.inverse_depth, search_of_known, is_fine, &best)) return -1;
        move_to_middle();
    }
    DensePoint point = point_at(newest, place, best.inverse_depth, best.sigma, best_normal);
    point.is_fine = is_fine;
    note_facing(newest, place, &point);
    return add(point, place);
}

void DenseMap::explore_finely(const KeyframeView &newest, int column, int row) {
    suppose_neighbours(newest, column, row);
    if (supposed_.empty()) return;
    for (int quarter = 0; quarter < 4; ++quarter) {
        const int right = quarter % 2, below = quarter / 2;
        const size_t place = static_cast<size_t>(2 * row + below) * 2 * cells_.columns + 2 * column + right;
        if (finely_seen_[place]) continue;
        const Eigen::Vector2d shift((right - 0.5) * 2 * fine_half_side, (below - 0.5) * 2 * fine_half_side);
        discover(newest, CellGrid::center(column, row) + shift, true);
    }
}

void DenseMap::explore(const MapView &view, const Guesses &guesses, std::span<const Eigen::Vector3d> uprights) {
    const KeyframeView &newest = view.keyframes.back();
    // Every second cell a time, like a chessboard: the others come next.
    const auto has_turn = [&](int column, int row) { return (column + row + updates_) % 2 == 0; };
    for (int step = 0; step < cells_.rows; ++step) {
        const int row = (next_row_ + step) % cells_.rows;
        // Rows not reached this time are the first of the next.
        if (matches_left_ < most_matches / 10) {
            next_row_ = row;
            break;
        }
        for (int column = 0; column < cells_.columns; ++column) {
            PictureCell &cell = cells_.at(column, row);
            if (!has_turn(column, row) || cell.point != -1) continue;
            // What lies beside it is known: it goes on here, or something begins that another cell will tell of. The
            // fewer guesses, the fewer fit by chance.
            suppose_neighbours(newest, column, row);
            const Eigen::Vector2d pixel = CellGrid::center(column, row);
            if (supposed_.empty()) suppose(view, pixel, guesses, uprights);
            cell.point = discover(newest, pixel, false);
        }
    }
    if (full_.pairs.size() != 2) return;
    for (int row = 0; row < cells_.rows && matches_left_ > 0; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            const int point = cells_.at(column, row).point;
            const bool is_explained = point >= 0 && points_[point].is_explained;
            if (has_turn(column, row) && !is_explained) explore_finely(newest, column, row);
        }
    }
}

}  // namespace foothold
