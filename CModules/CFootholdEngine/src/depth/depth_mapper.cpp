#include "depth/depth_mapper.h"

#include <algorithm>
#include <cmath>

namespace foothold {

namespace {

/// Deviations (shares of the distance) at which a point counts half, and from which it counts nothing.
constexpr float poor_sigma = 0.05f;
constexpr float useless_sigma = 0.15f;
/// Keyframes after which a point that isn't seen counts a third.
constexpr float forgetting = 3;
/// Cosines between the present direction and those from which it was seen: none below the first, all above the second.
constexpr float other_side = 0.5f;
constexpr float same_side = 0.8f;
/// A point this share farther away than another in the same place is behind it.
constexpr float clearly_behind = 0.08f;
/// Depths that differ by less (shares) are of one thing.
constexpr float same_depth = 0.025f;
constexpr float one_thing = 0.06f;
/// Grey levels by which a cell differs from the point's own place when the point counts half for it.
constexpr float unlike_levels = 10;
/// Points a cell that the outline of a surface stands for.
constexpr float mass_of_outline = 0.05f;
/// Points a cell from which on something is known.
constexpr float known_mass = 0.02f;
/// What is near has to be this share of what a cell was told.
constexpr float sure_of_near = 0.6f;
/// What lies before a surface has to be told by this many times as much, what lies behind its outline by that.
constexpr float before_plane = 1.25f;
constexpr float behind_plane = 2;
/// How much more counts what the last map said.
constexpr float weight_of_habit = 2;
/// No depth is known better (share).
constexpr float least_deviation = 0.008f;

template <typename Add>
void at_corners(float x, float y, int width, int height, Add add) {
    const float left = std::floor(x), top = std::floor(y);
    const float right_share = x - left, bottom_share = y - top;
    for (int k = 0; k < 4; ++k) {
        const int column = static_cast<int>(left) + (k & 1), row = static_cast<int>(top) + (k >> 1);
        if (column < 0 || row < 0 || column >= width || row >= height) continue;
        const float share = ((k & 1) ? right_share : 1 - right_share) * ((k >> 1) ? bottom_share : 1 - bottom_share);
        add(static_cast<size_t>(row) * width + column, share);
    }
}

}  // namespace

size_t DepthMapper::Seed::cell(int width) const {
    return static_cast<size_t>(std::lround(y)) * width + static_cast<size_t>(std::lround(x));
}

const DepthMap &DepthMapper::map(const ImagePyramid &pyramid, const CameraModel &camera, const SE3 &world_from_camera,
                                 std::span<const Surface> surfaces, std::span<const DepthPoint> lasting,
                                 std::span<const DepthPoint> fresh) {
    const ImageView &picture = pyramid.level(level);
    look_through(camera, picture.width, picture.height);
    for (int y = 0; y < picture.height; ++y) {
        std::copy_n(picture.data + static_cast<ptrdiff_t>(y) * picture.stride, picture.width,
                    map_.luma.begin() + static_cast<ptrdiff_t>(y) * picture.width);
    }
    filter_.follow_picture(picture, pyramid.level(level - 1));
    plane_depth_.draw(surfaces, world_from_camera, &planes_);
    seeds_.clear();
    place_seeds(lasting, camera, world_from_camera, pyramid.level(1));
    place_seeds(fresh, camera, world_from_camera, pyramid.level(1));
    drop_hidden();
    spread_all();
    spread_layers();
    expect(world_from_camera);
    for (size_t i = 0; i < map_.depth.size(); ++i) judge(i);
    last_pose_ = world_from_camera;
    return map_;
}

void DepthMapper::look_through(const CameraModel &camera, int width, int height) {
    const size_t count = static_cast<size_t>(width) * height;
    if (map_.width == width && map_.height == height && camera == camera_) return;
    camera_ = camera;
    last_pose_.reset();
    map_.width = width;
    map_.height = height;
    map_.cell_pixels = 1 << level;
    map_.depth.resize(count);
    map_.deviation.resize(count);
    map_.luma.resize(count);
    rays_.resize(count);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const Eigen::Vector2d pixel(x * map_.cell_pixels, y * map_.cell_pixels);
            rays_[static_cast<size_t>(y) * width + x] = camera.normalise(pixel).cast<float>();
        }
    }
    plane_depth_.look_along(rays_, width, height);
}

void DepthMapper::place_seeds(std::span<const DepthPoint> points, const CameraModel &camera,
                              const SE3 &world_from_camera, const ImageView &half) {
    const SE3 camera_from_world = world_from_camera.inverse();
    for (const DepthPoint &point : points) {
        if (!(point.relative_sigma < useless_sigma)) continue;
        const Eigen::Vector3d p = camera_from_world * point.position_in_world;
        Eigen::Vector2d pixel;
        if (!camera.project(p, 0, &pixel)) continue;
        const Eigen::Vector3f to_camera =
            (world_from_camera.translation - point.position_in_world).normalized().cast<float>();
        const float turned = (to_camera.dot(point.to_viewers) - other_side) / (same_side - other_side);
        if (!(turned > 0)) continue;
        Seed seed;
        seed.x = std::min(static_cast<float>(pixel.x()) / map_.cell_pixels, map_.width - 1.0f);
        seed.y = std::min(static_cast<float>(pixel.y()) / map_.cell_pixels, map_.height - 1.0f);
        seed.inverse_depth = static_cast<float>(1 / p.z());
        seed.relative_variance = point.relative_sigma * point.relative_sigma;
        seed.weight = std::min(1.0f, turned) / (1 + seed.relative_variance / (poor_sigma * poor_sigma)) *
                      std::exp(-static_cast<float>(point.keyframes_unseen) / forgetting);
        seed.is_fresh = point.keyframes_unseen == 0;
        const int x = std::min(half.width - 1, static_cast<int>(std::lround(0.5 * pixel.x())));
        const int y = std::min(half.height - 1, static_cast<int>(std::lround(0.5 * pixel.y())));
        seed.luma = half.data[static_cast<ptrdiff_t>(y) * half.stride + x];
        seeds_.push_back(seed);
    }
}

void DepthMapper::drop_hidden() {
    nearest_.assign(map_.depth.size(), 0);
    for (const Seed &seed : seeds_) {
        if (!seed.is_fresh) continue;
        const int column = static_cast<int>(std::lround(seed.x)), row = static_cast<int>(std::lround(seed.y));
        for (int y = std::max(0, row - 1); y <= std::min(map_.height - 1, row + 1); ++y) {
            for (int x = std::max(0, column - 1); x <= std::min(map_.width - 1, column + 1); ++x) {
                float &nearest = nearest_[static_cast<size_t>(y) * map_.width + x];
                nearest = std::max(nearest, seed.inverse_depth);
            }
        }
    }
    std::erase_if(seeds_, [&](const Seed &seed) {
        const size_t cell = seed.cell(map_.width);
        const float nearer = std::max(nearest_[cell], planes_[cell].inverse_depth);
        return !seed.is_fresh && seed.inverse_depth < (1 - clearly_behind) * nearer;
    });
}

float DepthMapper::likeness(const Seed &seed, size_t cell) const {
    const float unlike = (seed.luma - static_cast<float>(map_.luma[cell])) / unlike_levels;
    return 1 / (1 + unlike * unlike);
}

template <typename Add>
void DepthMapper::lay_down(const Seed &seed, Add add) const {
    at_corners(seed.x, seed.y, map_.width, map_.height,
               [&](size_t cell, float share) { add(cell, share * seed.weight * likeness(seed, cell)); });
}

void DepthMapper::spread_all() {
    all_.assign(mean_moments * map_.depth.size(), 0);
    for (const Seed &seed : seeds_) {
        lay_down(seed, [&](size_t cell, float mass) {
            float *sum = &all_[mean_moments * cell];
            sum[0] += mass;
            sum[1] += mass * seed.inverse_depth;
        });
    }
    filter_.spread<mean_moments>(all_);
}

DepthMapper::Layer DepthMapper::layer_of(const Seed &seed) const {
    const size_t cell = seed.cell(map_.width);
    const PlaneCell &plane = planes_[cell];
    if (plane.inverse_depth > 0) {
        const float sigma = std::sqrt(seed.relative_variance + plane.relative_sigma * plane.relative_sigma);
        const float difference = seed.inverse_depth / plane.inverse_depth - 1;
        if (std::abs(difference) < std::max(same_depth, 3 * sigma)) return on;
        return difference > 0 ? before : behind;
    }
    return seed.inverse_depth * all_[mean_moments * cell] > all_[mean_moments * cell + 1] ? before : behind;
}

void DepthMapper::spread_layers() {
    layered_.assign(layers * moments * map_.depth.size(), 0);
    for (const Seed &seed : seeds_) {
        const size_t offset = moments * static_cast<size_t>(layer_of(seed));
        lay_down(seed, [&](size_t cell, float mass) {
            float *sum = &layered_[layers * moments * cell + offset];
            sum[0] += mass;
            sum[1] += mass * seed.inverse_depth;
            sum[2] += mass * seed.inverse_depth * seed.inverse_depth;
            sum[3] += mass * seed.relative_variance;
        });
    }
    filter_.spread<layers * moments>(layered_);
}

DepthMapper::Told DepthMapper::told(const float *values) {
    Told result;
    if (!(values[0] > 1e-6f)) return result;
    result.mass = values[0];
    result.inverse_depth = values[1] / values[0];
    const float squared = result.inverse_depth * result.inverse_depth;
    result.spread = std::max(0.0f, values[2] / values[0] / squared - 1);
    result.variance = values[3] / values[0];
    return result;
}

void DepthMapper::say(size_t cell, float inverse_depth, float relative_variance) {
    map_.depth[cell] = 1 / inverse_depth;
    map_.deviation[cell] = std::sqrt(relative_variance + least_deviation * least_deviation) / inverse_depth;
}

void DepthMapper::expect(const SE3 &world_from_camera) {
    expected_.assign(map_.depth.size(), 0);
    if (!last_pose_) return;
    const SE3 now_from_last = world_from_camera.inverse() * *last_pose_;
    const Eigen::Matrix3f rotation = now_from_last.rotation.cast<float>();
    const Eigen::Vector3f translation = now_from_last.translation.cast<float>();
    // Between two pictures the lens bends nearly the same: what moves is the straight-lined place of a ray.
    const auto fx = static_cast<float>(camera_.fx / map_.cell_pixels);
    const auto fy = static_cast<float>(camera_.fy / map_.cell_pixels);
    for (int y = 0; y < map_.height; ++y) {
        for (int x = 0; x < map_.width; ++x) {
            const size_t i = static_cast<size_t>(y) * map_.width + x;
            if (map_.depth[i] <= 0) continue;
            const Eigen::Vector3f p = rotation * (map_.depth[i] * rays_[i].homogeneous()) + translation;
            if (p.z() < 0.1f * map_.depth[i]) continue;
            const float inverse_depth = 1 / p.z();
            const Eigen::Vector2f moved = p.head<2>() * inverse_depth - rays_[i];
            const float column = static_cast<float>(x) + fx * moved.x(), row = static_cast<float>(y) + fy * moved.y();
            if (!(column > -0.5f && row > -0.5f && column < map_.width - 0.5f && row < map_.height - 0.5f)) continue;
            float &expected = expected_[std::lround(row) * map_.width + std::lround(column)];
            expected = std::max(expected, inverse_depth);
        }
    }
}

float DepthMapper::habit(size_t cell, float inverse_depth) const {
    const float expected = expected_[cell];
    return expected > 0 && std::abs(inverse_depth / expected - 1) < one_thing ? weight_of_habit : 1;
}

void DepthMapper::judge(size_t cell) {
    map_.depth[cell] = map_.deviation[cell] = 0;
    const float *values = &layered_[layers * moments * cell];
    const Told near = told(values + before * moments), level_with = told(values + on * moments),
               far = told(values + behind * moments);
    const PlaneCell &plane = planes_[cell];
    if (plane.inverse_depth <= 0) return judge_beside_plane(cell, near, level_with, far);
    const float same = std::max(same_depth, 3 * plane.relative_sigma);
    float for_near = 0, for_far = 0;
    if (near.inverse_depth > (1 + same) * plane.inverse_depth) {
        for_near = habit(cell, near.inverse_depth) * near.mass;
    }
    if (far.inverse_depth < (1 - same) * plane.inverse_depth) for_far = habit(cell, far.inverse_depth) * far.mass;
    const float for_plane = habit(cell, plane.inverse_depth) * (level_with.mass + mass_of_outline);
    if (for_near > before_plane * for_plane && for_near > for_far)
        return say(cell, near.inverse_depth, near.spread + near.variance);
    if (for_far > behind_plane * for_plane) return say(cell, far.inverse_depth, far.spread + far.variance);
    say(cell, plane.inverse_depth, plane.relative_sigma * plane.relative_sigma);
}

void DepthMapper::judge_beside_plane(size_t cell, const Told &near, const Told &level_with, const Told &far) {
    const float *values = &layered_[layers * moments * cell];
    float sums[moments] = {};
    for (int i = 0; i < layers * moments; ++i) sums[i % moments] += values[i];
    const Told all = told(sums);
    if (all.mass < (expected_[cell] > 0 ? known_mass / weight_of_habit : known_mass)) return;
    if (all.spread < one_thing * one_thing) return say(cell, all.inverse_depth, all.spread + all.variance);
    // Several things: the nearest that most of what is told agrees on, or else the farthest of weight, which hides
    // least.
    struct Choice {
        const Told *told;
        float mass;
    };
    Choice choices[layers] = {{&near, 0}, {&level_with, 0}, {&far, 0}};
    float total = 0;
    for (Choice &choice : choices) {
        choice.mass = habit(cell, choice.told->inverse_depth) * choice.told->mass;
        total += choice.mass;
    }
    std::sort(std::begin(choices), std::end(choices),
              [](const Choice &a, const Choice &b) { return a.told->inverse_depth > b.told->inverse_depth; });
    const Told *farthest = nullptr;
    for (const Choice &choice : choices) {
        if (choice.mass <= 0) continue;
        float agreeing = 0;
        for (const Choice &other : choices) {
            const float ratio = other.told->inverse_depth / choice.told->inverse_depth;
            if (std::abs(ratio - 1) < one_thing) agreeing += other.mass;
        }
        if (agreeing >= sure_of_near * total) {
            if (agreeing < known_mass) return;
            return say(cell, choice.told->inverse_depth, choice.told->spread + choice.told->variance);
        }
        if (agreeing >= known_mass) farthest = choice.told;
    }
    if (farthest != nullptr) say(cell, farthest->inverse_depth, all.spread + farthest->variance);
}

}  // namespace foothold
