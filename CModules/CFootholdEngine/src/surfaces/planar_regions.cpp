#include "surfaces/planar_regions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "surfaces/smaller_picture.h"

namespace foothold {
namespace {

// Of the smaller picture's pixels.
constexpr int least_size = 40;
constexpr int square = 3;
/// Of its pixels, those that lie within: ribbons along edges show two things.
constexpr double least_core = 0.4;
/// Tenths of a region that may be known before it's left alone.
constexpr int known_tenths = 7;
// Seen under less than about eight degrees, a pixel covers too much of a plane; for a point three will do.
constexpr double least_facing = 0.14, least_facing_of_point = 0.05;
constexpr size_t most_seeds = 80;
constexpr size_t most_hypotheses = 16, most_per_normal = 5, most_refined = 2;
/// Steps along the line in which hypotheses are counted together, half-size pixels.
constexpr double step_pixels = 1.5;
/// Enough to tell where a large region is; all of its pixels count in the end.
constexpr size_t most_small_pixels = 400;
constexpr int small_rounds = 4, full_rounds = 3;
// Moving by the whole depth must move the picture by this many pixels, or depth can't be told.
constexpr double least_parallax_pixels = 6;
// What a region must show before it's believed; chosen on made-up rooms.
/// Of the variances that are left when it's taken for level and for upright; and for few pixels more.
constexpr double clearly_better = 1.05, clearly_better_of_few = 25;
/// Of squared differences, the share that a slope may take away.
constexpr double most_by_turning = 0.2;
/// What noise leaves of a perfect match's correlation; and of that, what is found.
constexpr double least_expected = 0.15, least_share = 0.93;
/// Of the variance that noise and poses allow.
constexpr double most_residual = 4.0;
/// By how much it must fit better than elsewhere along the lines, and for few pixels more.
constexpr double least_margin = 0.05, margin_of_few = 1.5;
constexpr double largest_relative_sigma = 0.01;

/// Pixels of the other picture per inverse depth, for a ray.
double pixels_per_inverse_depth(const SmoothView &from, const SmoothView &to, const Eigen::Vector3d &ray,
                                double inverse_depth) {
    constexpr double nudge = 0.02;
    const auto project = [&](double rho) -> Eigen::Vector2d {
        const Eigen::Vector3d world = from.world_from_camera_rotation * (ray / rho) + from.camera_in_world;
        const Eigen::Vector3d p = to.world_from_camera_rotation.transpose() * (world - to.camera_in_world);
        return p.z() > 0 ? to.camera.pixel(p.hnormalized()) : Eigen::Vector2d::Zero();
    };
    return (project(inverse_depth * (1 + nudge)) - project(inverse_depth)).norm() / (nudge * inverse_depth);
}

/// What noise leaves of a perfect match's correlation.
double expected_correlation(const RegionAligner &aligner, double noise) {
    const double signal = std::max(0.0, aligner.own_variance() - noise * noise);
    return signal / (signal + noise * noise);
}

}  // namespace

void PlanarRegions::clear() {
    regions_ = PictureRegions();
    plane_of_region_.clear();
    planes_.clear();
}

void PlanarRegions::prepare_rays(const CameraModel &camera, CameraModel *known,
                                 std::vector<Eigen::Vector3f> *rays) const {
    if (camera == *known && !rays->empty()) return;
    *known = camera;
    rays->resize(static_cast<size_t>(camera.width) * camera.height);
    for (int y = 0; y < camera.height; ++y) {
        for (int x = 0; x < camera.width; ++x) {
            (*rays)[static_cast<size_t>(y) * camera.width + x] = camera.normalise({x, y}).homogeneous().cast<float>();
        }
    }
}

Eigen::Vector3d PlanarRegions::ray_at(const Eigen::Vector2d &pixel) const {
    const int x = std::clamp(static_cast<int>(std::lround(pixel.x())), 0, camera_.width - 1);
    const int y = std::clamp(static_cast<int>(std::lround(pixel.y())), 0, camera_.height - 1);
    return rays_[static_cast<size_t>(y) * camera_.width + x].cast<double>();
}

RegionPixels PlanarRegions::pixels_of(int32_t label, int scale, const SmoothView &view,
                                      std::span<const Eigen::Vector3f> rays) const {
    RegionPixels pixels;
    const cv::Rect bounds = bounds_[label] & cv::Rect(1, 1, regions_.width - 2, regions_.height - 2);
    for (int y = bounds.y; y < bounds.y + bounds.height; ++y) {
        for (int x = bounds.x; x < bounds.x + bounds.width; ++x) {
            if (regions_.at(x, y) != label || regions_.at(x - 1, y) != label || regions_.at(x + 1, y) != label ||
                regions_.at(x, y - 1) != label || regions_.at(x, y + 1) != label) {
                continue;
            }
            for (int j = y * scale; j < (y + 1) * scale; ++j) {
                for (int i = x * scale; i < (x + 1) * scale; ++i) {
                    pixels.add(rays[static_cast<size_t>(j) * view.camera.width + i], view.picture.at<float>(j, i));
                }
            }
        }
    }
    return pixels;
}

void PlanarRegions::update(const RegionQuestion &question, const std::vector<uint8_t> &is_known, int columns) {
    clear();
    if (question.views.size() < 3) return;
    prepare_rays(question.views[0].camera, &camera_, &rays_);
    prepare_rays(question.small_views[0].camera, &small_camera_, &small_rays_);
    find_regions(question.small_views[0].picture, noise_of_smaller_picture(question.noise), &regions_);
    const size_t count = regions_.sizes.size();
    bounds_.assign(count, cv::Rect());
    std::vector<int> known(count, 0);
    const int rows = static_cast<int>(is_known.size()) / std::max(1, columns);
    for (int y = 0; y < regions_.height; ++y) {
        for (int x = 0; x < regions_.width; ++x) {
            const int32_t label = regions_.at(x, y);
            if (regions_.sizes[label] < least_size) continue;
            bounds_[label] |= cv::Rect(x, y, 1, 1);
            const int column = x / square, row = y / square;
            if (column < columns && row < rows) {
                known[label] += is_known[static_cast<size_t>(row) * columns + column];
            }
        }
    }
    seeds_of_region_.assign(count, {});
    for (size_t i = 0; i < question.seeds.size(); ++i) {
        const Eigen::Vector2i place = place_of(question.seeds[i].pixel);
        int32_t near[5];
        int found = 0;
        // Points lie at edges: they may belong to either side.
        for (const auto &step :
             {std::pair(0, 0), std::pair(2, 0), std::pair(-2, 0), std::pair(0, 2), std::pair(0, -2)}) {
            const int32_t label = regions_.find(place.x() + step.first, place.y() + step.second);
            if (label < 0 || regions_.sizes[label] < least_size || std::find(near, near + found, label) != near + found)
                continue;
            near[found++] = label;
            seeds_of_region_[label].push_back(static_cast<int>(i));
        }
    }
    plane_of_region_.assign(count, -1);
    for (size_t label = 0; label < count; ++label) {
        if (regions_.sizes[label] < least_size || known[label] * 10 > regions_.sizes[label] * known_tenths) continue;
        const auto plane = plane_of(static_cast<int32_t>(label), question);
        if (!plane) continue;
        plane_of_region_[label] = static_cast<int>(planes_.size());
        planes_.push_back(*plane);
    }
}

std::vector<Eigen::Vector3d> PlanarRegions::suppose(const Region &region, const RegionQuestion &question,
                                                    std::span<const Eigen::Vector3d> normals) const {
    // What the points say, for each direction that the plane may face: where it would be in the middle.
    std::vector<Eigen::Vector3d> hypotheses;
    const size_t stride = 1 + region.seeds.size() / most_seeds;
    double parallax = 0;
    for (const Eigen::Vector3d &normal : normals) {
        const double facing = normal.dot(region.middle);
        if (facing > -least_facing * region.middle.norm()) continue;
        std::map<int, std::pair<int, double>> places;
        for (size_t i = 0; i < region.seeds.size(); i += stride) {
            const RegionSeed &seed = question.seeds[region.seeds[i]];
            const double across = normal.dot(ray_at(seed.pixel));
            if (across > -least_facing_of_point) continue;
            const double inverse_depth = seed.inverse_depth * facing / across;
            if (parallax == 0) {
                parallax = pixels_per_inverse_depth(question.views[0], question.views[1], region.middle, inverse_depth);
            }
            if (parallax <= 0 || parallax * inverse_depth < least_parallax_pixels) continue;
            auto &[votes, sum] = places[static_cast<int>(std::floor(parallax * inverse_depth / step_pixels))];
            ++votes;
            sum += inverse_depth;
        }
        std::vector<std::pair<int, double>> ordered;
        ordered.reserve(places.size());
        for (const auto &[place, value] : places) ordered.emplace_back(value.first, value.second / value.first);
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const auto &a, const auto &b) { return a.first > b.first; });
        if (ordered.size() > most_per_normal) ordered.resize(most_per_normal);
        for (const auto &[votes, inverse_depth] : ordered) hypotheses.push_back(normal * (inverse_depth / facing));
    }
    if (hypotheses.size() > most_hypotheses) hypotheses.resize(most_hypotheses);
    return hypotheses;
}

std::optional<RegionPlane> PlanarRegions::best_of(const Region &region, const RegionQuestion &question,
                                                  std::span<const Eigen::Vector3d> normals,
                                                  const Eigen::Matrix3Xd &freedom) const {
    const RegionAligner &aligner = *region.small_aligner;
    std::vector<std::pair<double, Eigen::Vector3d>> hypotheses;
    for (const Eigen::Vector3d &inverse : suppose(region, question, normals)) {
        hypotheses.emplace_back(aligner.correlation(inverse), inverse);
    }
    std::stable_sort(hypotheses.begin(), hypotheses.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    if (hypotheses.size() > most_refined) hypotheses.resize(most_refined);
    std::optional<RegionPlane> best;
    for (const auto &[correlation, inverse] : hypotheses) {
        if (correlation <= 0) break;
        const auto refined = aligner.refine(inverse, small_rounds, question.small_views.subspan(1), freedom);
        if (refined && (!best || refined->correlation > best->correlation)) best = refined;
    }
    return best;
}

bool PlanarRegions::is_sure(const RegionPlane &plane, const Region &region, const RegionQuestion &question,
                            double own_correlation, size_t pixels) const {
    // Where a slope would explain it much better, it's most likely more than one thing.
    if (plane.share_of_turning > most_by_turning) return false;
    const double inverse_depth = plane.inverse.dot(region.middle);
    const double sigma = std::sqrt(region.middle.dot(plane.covariance * region.middle));
    if (!(inverse_depth > 0) || sigma > largest_relative_sigma * inverse_depth) return false;
    if (own_correlation < least_expected || plane.correlation < least_share * own_correlation) return false;
    if (plane.residual_variance > most_residual * plane.allowed_variance) return false;
    const double per_inverse_depth =
        pixels_per_inverse_depth(question.views[0], question.views[1], region.middle, inverse_depth);
    if (per_inverse_depth * inverse_depth < least_parallax_pixels) return false;
    // Nowhere else along the lines does it look alike.
    const double best = region.small_aligner->correlation(plane.inverse);
    const double margin = least_margin + margin_of_few / std::sqrt(static_cast<double>(pixels));
    for (const double shift : {-10.0, -7.0, -5.0, -3.0, 3.0, 5.0, 7.0, 10.0}) {
        const double moved = 1 + shift / (per_inverse_depth * inverse_depth);
        if (moved > 0.2 && region.small_aligner->correlation(moved * plane.inverse) > best - margin) return false;
    }
    // Each picture alone says the same.
    const double pose_sigma = region_pose_noise / per_inverse_depth;
    const double difference = (plane.lone_inverse[0] - plane.lone_inverse[1]).dot(region.middle);
    const double variance = region.middle.dot((plane.lone_covariance[0] + plane.lone_covariance[1]) * region.middle);
    return std::abs(difference) < 3.5 * std::sqrt(variance + 2 * pose_sigma * pose_sigma);
}

std::optional<RegionPlane> PlanarRegions::plane_of(int32_t label, const RegionQuestion &question) const {
    const std::vector<int> &seeds = seeds_of_region_[label];
    if (seeds.empty()) return std::nullopt;
    RegionPixels small_pixels = pixels_of(label, 1, question.small_views[0], small_rays_);
    if (static_cast<double>(small_pixels.size()) < least_core * regions_.sizes[label]) return std::nullopt;
    small_pixels.thin_out(most_small_pixels);
    const double small_noise = SmoothView::noise_share * noise_of_smaller_picture(question.noise);
    const RegionAligner small_aligner(question.small_views, small_pixels, small_noise);
    if (expected_correlation(small_aligner, small_noise) < least_expected) return std::nullopt;
    const auto mean = [](const std::vector<float> &values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    const Region region{seeds, &small_aligner, {mean(small_pixels.ray_x), mean(small_pixels.ray_y), 1}};
    // Rooms are level and upright: fewer numbers to find are found better.
    Eigen::Matrix3Xd level(3, 1), upright(3, 2);
    level.col(0) = question.up;
    upright.col(0) = question.up.unitOrthogonal();
    upright.col(1) = question.up.cross(upright.col(0));
    const Eigen::Vector3d up_and_down[] = {question.up, -question.up};
    const auto as_level = best_of(region, question, up_and_down, level);
    const auto as_upright = best_of(region, question, question.uprights, upright);
    if (!as_level && !as_upright) return std::nullopt;
    const bool is_level = as_level && (!as_upright || as_level->residual_variance < as_upright->residual_variance);
    const auto &start = is_level ? as_level : as_upright, &other = is_level ? as_upright : as_level;
    if (other) {
        // Unless one of them explains it clearly better, it's not known which it is.
        const double needed = clearly_better + clearly_better_of_few / static_cast<double>(small_pixels.size());
        if (other->residual_variance < needed * start->residual_variance) return std::nullopt;
    }
    const double noise = SmoothView::noise_share * question.noise;
    const RegionPixels pixels = pixels_of(label, 2, question.views[0], rays_);
    const RegionAligner aligner(question.views, pixels, noise);
    auto plane = aligner.refine(start->inverse, full_rounds, question.views.subspan(1), is_level ? level : upright);
    if (!plane || !is_sure(*plane, region, question, expected_correlation(aligner, noise), pixels.size())) {
        return std::nullopt;
    }
    return plane;
}

Eigen::Vector2i PlanarRegions::place_of(const Eigen::Vector2d &pixel) {
    const Eigen::Vector2d p = in_smaller_picture(pixel);
    return {static_cast<int>(std::lround(p.x())), static_cast<int>(std::lround(p.y()))};
}

const RegionPlane *PlanarRegions::at(const Eigen::Vector2d &pixel) const {
    const Eigen::Vector2i place = place_of(pixel);
    const int32_t label = regions_.find(place.x(), place.y());
    if (label < 0) return nullptr;
    const int plane = plane_of_region_[label];
    return plane < 0 ? nullptr : &planes_[plane];
}

double PlanarRegions::share(const Eigen::Vector2d &pixel, double half_side) const {
    const Eigen::Vector2i place = place_of(pixel);
    const int reach = std::max(1, static_cast<int>(0.5 * half_side));
    const int32_t label = regions_.find(place.x(), place.y());
    if (label < 0) return 0;
    int inside = 0, all = 0;
    for (int j = -reach; j <= reach; ++j) {
        for (int i = -reach; i <= reach; ++i) {
            ++all;
            inside += regions_.find(place.x() + i, place.y() + j) == label;
        }
    }
    return static_cast<double>(inside) / all;
}

}  // namespace foothold
