#include "surfaces/dense_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "surfaces/smaller_picture.h"

namespace foothold {
namespace {

/// Half-size pixels along the line within which a piece still fits a plane.
constexpr double probe_tolerance = 0.5;
constexpr int unseen_limit = 40;
constexpr int settled_observations = 4;
/// Mean squared gradient of a cell that no edge of more than some fifteen grey levels crosses.
constexpr float calm_energy = 40;

/// Lays a pixel's plane at an inverse depth, with this normal in the camera's axes. False where it's seen too flatly.
bool lay_plane(const Eigen::Vector3d &normal_in_camera, double inverse_depth, PatchHypothesis *out) {
    out->inverse_depth = inverse_depth;
    const double facing = normal_in_camera.dot(out->ray);
    // Seen under less than about eight degrees, a pixel covers too much of the plane.
    if (std::abs(facing) < 0.14 * out->ray.norm()) return false;
    out->inverse_depth_right = inverse_depth * normal_in_camera.dot(out->ray_right) / facing;
    out->inverse_depth_below = inverse_depth * normal_in_camera.dot(out->ray_below) / facing;
    return true;
}

/// The hypothesis for a pixel that shows a plane with this normal (camera axes) at this inverse depth.
bool make_hypothesis(const KeyframeView &view, const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal_in_camera,
                     double inverse_depth, PatchHypothesis *out) {
    const auto rays =
        rays_of<3>(view, {pixel, pixel + Eigen::Vector2d(patch_lever, 0), pixel + Eigen::Vector2d(0, patch_lever)});
    out->pixel = pixel;
    out->ray = rays[0];
    out->ray_right = rays[1];
    out->ray_below = rays[2];
    return lay_plane(normal_in_camera, inverse_depth, out);
}

}  // namespace

void DenseMap::look(const MapView &view) {
    const KeyframeView &newest = view.keyframes.back();
    ++updates_;
    matches_left_ = most_matches;
    cells_.columns = cells_.rows = 0;
    cells_.cells.clear();
    seen_.clear();
    follow_hosts(view);
    pairs_.clear();
    sweep_.clear();
    if (!newest.luma) return;
    describe_cells(newest);
    if (!choose_pairs(view)) return;
    shrink_pictures(view);
    full_.take(pairs_);
}

void DenseMap::find_new(const MapView &view, const Guesses &guesses, std::span<const Eigen::Vector3d> uprights) {
    const KeyframeView &newest = view.keyframes.back();
    if (!newest.luma) return;
    if (can_probe()) {
        explore(view, guesses, uprights);
        fill_from_sweep(newest);
    }
    forget();
}

void DenseMap::follow_hosts(const MapView &view) {
    for (DensePoint &point : points_) {
        for (const KeyframeView &keyframe : view.keyframes) {
            if (keyframe.id != point.host_id) continue;
            point.world_from_host_rotation = keyframe.world_from_camera_rotation;
            point.host_in_world = keyframe.camera_in_world;
            break;
        }
    }
}

void DenseMap::describe_cells(const KeyframeView &newest) {
    constexpr int size = CellGrid::size;
    cells_.columns = newest.luma_camera.width / size;
    cells_.rows = newest.luma_camera.height / size;
    cells_.cells.assign(static_cast<size_t>(cells_.columns) * cells_.rows, PictureCell());
    std::vector<float> roughness;
    for (int row = 0; row < cells_.rows; ++row) {
        for (int column = 0; column < cells_.columns; ++column) {
            int sum = 0, energy = 0, rough = 0;
            for (int y = row * size; y < row * size + size; ++y) {
                const uint8_t *here = newest.luma + static_cast<ptrdiff_t>(y) * newest.stride;
                const bool has_rows = y > 0 && y + 1 < newest.luma_camera.height;
                const uint8_t *above = has_rows ? here - newest.stride : here;
                const uint8_t *below = has_rows ? here + newest.stride : here;
                for (int x = column * size; x < column * size + size; ++x) {
                    const int next = x + 1 < newest.luma_camera.width ? x + 1 : x;
                    const int last = x > 0 ? x - 1 : x;
                    const int dx = here[next] - here[x], dy = below[x] - here[x];
                    sum += here[x];
                    energy += dx * dx + dy * dy;
                    // What no smooth or edge-like picture has: it's noise.
                    rough += std::abs(above[last] - 2 * above[x] + above[next] - 2 * here[last] + 4 * here[x] -
                                      2 * here[next] + below[last] - 2 * below[x] + below[next]);
                }
            }
            PictureCell &cell = cells_.at(column, row);
            cell.mean_luma = static_cast<float>(sum) / (size * size);
            cell.energy = static_cast<float>(energy) / (size * size);
            roughness.push_back(static_cast<float>(rough) / (size * size));
        }
    }
    // The calmest fifth of the picture shows what noise alone looks like; 36 is the mask's sum of squares, 0.8 the
    // mean of a normal variable's size.
    const auto fifth = roughness.begin() + static_cast<ptrdiff_t>(roughness.size() / 5);
    std::nth_element(roughness.begin(), fifth, roughness.end());
    const float measured = *fifth / (6.0f * 0.8f);
    grey_noise_ = std::clamp(std::max(measured, static_cast<float>(newest.smoothed_noise)), 0.4f, 6.0f);
    const float blank = 1.5f * 4 * grey_noise_ * grey_noise_;
    for (PictureCell &cell : cells_.cells) cell.is_blank = cell.energy < std::max(blank, calm_energy);
}

bool DenseMap::match_both(const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal, double inverse_depth, int search,
                          bool is_fine, PatchMatch *out_match) {
    if (is_fine) {
        *out_match = PatchMatch();
        const bool is_found = full_.pairs.size() == 2 && match_pairs(full_.pairs, 2 * pixel, normal, inverse_depth,
                                                                     std::min(2 * search, largest_search),
                                                                     full_size_noise * grey_noise_, out_match);
        out_match->middle *= 0.5;
        return is_found;
    }
    if (match_pairs(pairs_, pixel, normal, inverse_depth, search, grey_noise_, out_match)) return true;
    if (out_match->outcome != PatchOutcome::featureless) return false;
    const bool is_found = match_pairs(small_pairs_, in_smaller_picture(pixel), normal, inverse_depth, search / 2 + 2,
                                      noise_of_smaller_picture(grey_noise_), out_match);
    out_match->middle *= 2;
    return is_found;
}

bool DenseMap::match_pairs(const std::vector<ViewPair> &pairs, const Eigen::Vector2d &pixel,
                           const Eigen::Vector3d &normal, double inverse_depth, int search, double noise,
                           PatchMatch *out_match) {
    const KeyframeView &newest = *pairs[0].from;
    const Eigen::Vector3d normal_in_camera = newest.world_from_camera_rotation.transpose() * normal;
    --matches_left_;
    PatchHypothesis hypothesis;
    *out_match = PatchMatch();
    if (!make_hypothesis(newest, pixel, normal_in_camera, inverse_depth, &hypothesis)) return false;
    const PatchMatch first = match_patch(pairs[0], hypothesis, search, noise);
    *out_match = first;
    if (first.outcome != PatchOutcome::found) return false;
    lay_plane(normal_in_camera, first.inverse_depth, &hypothesis);
    const PatchMatch second = match_patch(pairs[1], hypothesis, 4, noise);
    if (second.outcome != PatchOutcome::found) {
        out_match->outcome = second.outcome == PatchOutcome::featureless ? PatchOutcome::ambiguous : second.outcome;
        return false;
    }
    const double difference = std::abs(first.inverse_depth - second.inverse_depth);
    if (difference > 3.5 * std::hypot(first.sigma, second.sigma)) {
        out_match->outcome = PatchOutcome::different;
        return false;
    }
    const double a = 1 / (first.sigma * first.sigma), b = 1 / (second.sigma * second.sigma);
    out_match->middle = (a * first.middle + b * second.middle) / (a + b);
    out_match->inverse_depth = (a * first.inverse_depth + b * second.inverse_depth) / (a + b);
    // Both share the newest picture and its pose: their errors aren't quite independent.
    out_match->sigma = 1.2 / std::sqrt(a + b);
    out_match->correlation = std::min(first.correlation, second.correlation);
    return true;
}

PictureFit DenseMap::probe(const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal, double inverse_depth,
                           Eigen::Vector2d *out_place) const {
    *out_place = pixel;
    const KeyframeView &newest = *pairs_[0].from;
    PatchHypothesis hypothesis;
    if (!make_hypothesis(newest, pixel, newest.world_from_camera_rotation.transpose() * normal, inverse_depth,
                         &hypothesis)) {
        return PictureFit::unknown;
    }
    int fitting = 0, differing = 0, undecided = 0, beyond = 0;
    for (const ViewPair &pair : pairs_) {
        const PatchMatch match = match_patch(pair, hypothesis, search_of_known, grey_noise_);
        const bool is_found = match.outcome == PatchOutcome::found;
        const bool is_distinct = match.expected_correlation > 0.9 && match.correlation > 0;
        fitting += is_found && std::abs(match.shift) < probe_tolerance;
        differing += is_found ? std::abs(match.shift) > 2.5 * probe_tolerance
                              : match.outcome == PatchOutcome::different && is_distinct;
        undecided += match.outcome == PatchOutcome::ambiguous;
        beyond += match.outcome == PatchOutcome::not_comparable;
        *out_place += 0.5 * match.middle;
    }
    if (fitting == 2) return PictureFit::fits;
    if (fitting == 1 && beyond == 1) return PictureFit::fits_once;
    return differing == 2 || (differing == 1 && undecided == 1) ? PictureFit::differs : PictureFit::unknown;
}

void DenseMap::note_seen(int index, const Eigen::Vector2d &pixel) {
    seen_.push_back({index, pixel, points_[index].is_fine ? fine_half_side : coarse_half_side});
}

int DenseMap::add(const DensePoint &point, const Eigen::Vector2d &pixel) {
    points_.push_back(point);
    note_seen(static_cast<int>(points_.size()) - 1, pixel);
    return static_cast<int>(points_.size()) - 1;
}

void DenseMap::revisit(const KeyframeView &newest) {
    if (!can_probe()) return;
    const Eigen::Matrix3d camera_from_world = newest.world_from_camera_rotation.transpose();
    // One piece a cell, one fine piece a quarter of a cell: the best known goes on, the others are near enough to be
    // the same.
    std::vector<int> best(cells_.cells.size(), -1), best_fine(4 * cells_.cells.size(), -1);
    swept_points_.assign(cells_.cells.size(), -1);
    finely_seen_.assign(best_fine.size(), 0);
    std::vector<Eigen::Vector2d> pixels(points_.size());
    for (size_t i = 0; i < points_.size(); ++i) {
        DensePoint &point = points_[i];
        ++point.keyframes_unseen;
        const Eigen::Vector3d p = camera_from_world * (point.position_in_world() - newest.camera_in_world);
        if (!newest.luma_camera.project(p, 5, &pixels[i])) continue;
        const int scale = point.is_fine ? 2 : 1;
        const int column = static_cast<int>(scale * (pixels[i].x() + 0.5)) / CellGrid::size;
        const int row = static_cast<int>(scale * (pixels[i].y() + 0.5)) / CellGrid::size;
        if (column >= scale * cells_.columns || row >= scale * cells_.rows) continue;
        std::vector<int> &holders = point.is_fine ? best_fine : point.is_swept ? swept_points_ : best;
        int &holder = holders[static_cast<size_t>(row) * scale * cells_.columns + column];
        if (holder < 0 || points_[holder].observations < point.observations) holder = static_cast<int>(i);
    }
    const auto visit = [&](size_t place, int index) {
        DensePoint &point = points_[index];
        // What is known well needs no daily proof.
        const bool settled = point.observations >= settled_observations && point.misses == 0;
        const bool is_known = settled && (static_cast<int64_t>(place) + updates_) % 3 != 0;
        if (!is_known && !follow(newest, pixels[index], &point)) return false;
        point.keyframes_unseen = 0;
        note_facing(newest, pixels[index], &point);
        note_seen(index, pixels[index]);
        return true;
    };
    for (size_t c = 0; c < best.size(); ++c) {
        int &shown = cells_.cells[c].point;
        if (best[c] >= 0) shown = visit(c, best[c]) ? best[c] : -2;
        if (swept_points_[c] >= 0 && visit(c, swept_points_[c]) && shown < 0) shown = swept_points_[c];
    }
    for (size_t c = 0; c < best_fine.size(); ++c) {
        if (best_fine[c] < 0) continue;
        finely_seen_[c] = 1;
        visit(c, best_fine[c]);
    }
}

bool DenseMap::measure(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point,
                       double *out_inverse_depth, double *out_sigma) {
    if (point->is_swept) {
        Eigen::Vector3d facing;
        return measure_swept(newest, pixel, out_inverse_depth, out_sigma, &facing);
    }
    const double depth =
        newest.world_from_camera_rotation.col(2).dot(point->position_in_world() - newest.camera_in_world);
    PatchMatch match;
    if (!match_both(pixel, point->normal_in_world, 1 / depth, search_of_known, point->is_fine, &match)) {
        if (match.outcome == PatchOutcome::different) ++point->misses;
        return false;
    }
    *out_inverse_depth = match.inverse_depth;
    *out_sigma = match.sigma;
    return true;
}

bool DenseMap::follow(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point) {
    double inverse_depth = 0, sigma_here = 0;
    if (!measure(newest, pixel, point, &inverse_depth, &sigma_here)) return false;
    const Eigen::Vector3d seen =
        newest.camera_in_world + newest.world_from_camera_rotation * (ray_of(newest, pixel) / inverse_depth);
    const Eigen::Vector3d in_host = point->world_from_host_rotation.transpose() * (seen - point->host_in_world);
    if (in_host.z() <= 0) return false;
    const double measured = 1 / in_host.z();
    // Inverse depths of the two cameras differ by the ratio of their depths, squared for deviations.
    const double ratio = measured / inverse_depth;
    const double sigma = sigma_here * ratio * ratio;
    const double variance = sigma * sigma;
    const double error = measured - point->inverse_depth;
    if (error * error > 12 * (variance + point->variance)) {
        ++point->misses;
        return false;
    }
    const double gain = point->variance / (point->variance + variance);
    point->inverse_depth += gain * error;
    // Never surer than the poses, which all views share.
    point->variance = std::max((1 - gain) * point->variance, 0.15 * variance);
    point->view_sum += (newest.camera_in_world - seen).normalized();
    ++point->observations;
    point->misses = 0;
    return true;
}

DensePoint DenseMap::point_at(const KeyframeView &newest, const Eigen::Vector2d &pixel, double inverse_depth,
                              double sigma, const Eigen::Vector3d &normal) {
    DensePoint point;
    point.id = next_id_--;
    point.host_id = newest.id;
    point.world_from_host_rotation = newest.world_from_camera_rotation;
    point.host_in_world = newest.camera_in_world;
    point.host_ray = ray_of(newest, pixel);
    point.inverse_depth = inverse_depth;
    point.variance = sigma * sigma;
    point.normal_in_world = normal;
    point.view_sum = -(newest.world_from_camera_rotation * point.host_ray.normalized());
    point.observations = 1;
    return point;
}

void DenseMap::forget() {
    std::vector<int> moved(points_.size(), -1);
    size_t kept = 0;
    // When full, what was seen once goes first, then what wasn't seen for long.
    const bool crowded = points_.size() > capacity * 9 / 10;
    for (size_t i = 0; i < points_.size(); ++i) {
        const DensePoint &point = points_[i];
        const bool wrong = point.misses >= 2 && point.misses * 2 > point.observations;
        const bool fleeting = point.observations < 2 && point.keyframes_unseen > 4;
        const bool is_replaceable = point.is_swept && point.is_explained;
        const int patience = is_replaceable ? unseen_limit / 6 : crowded ? unseen_limit / 4 : unseen_limit;
        if (wrong || fleeting || point.keyframes_unseen > patience) continue;
        moved[i] = static_cast<int>(kept);
        points_[kept++] = points_[i];
    }
    points_.resize(kept);
    for (PictureCell &cell : cells_.cells) {
        if (cell.point >= 0) cell.point = moved[cell.point];
    }
    for (SeenPatch &patch : seen_) patch.point = moved[patch.point];
    std::erase_if(seen_, [](const SeenPatch &patch) { return patch.point < 0; });
}

void DenseMap::transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
    for (DensePoint &point : points_) point.transform({scale, rotation, translation});
}

void DenseMap::clear() {
    points_.clear();
    small_pictures_.clear();
    sweep_.clear();
    seen_.clear();
    cells_ = CellGrid();
}

}  // namespace foothold
