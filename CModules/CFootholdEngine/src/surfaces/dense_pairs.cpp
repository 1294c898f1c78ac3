// Which keyframes the newest one is compared with, in pictures of three sizes.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/median.h"
#include "surfaces/dense_map.h"

namespace foothold {
namespace {

constexpr ParallaxRange matched_parallax = {.least = 0.02, .best = 0.10, .most = 0.35};

}  // namespace

bool DenseMap::choose_pairs(const MapView &view) {
    pairs_.clear();
    sparse_.clear();
    const KeyframeView &newest = view.keyframes.back();
    std::vector<double> depths;
    for (const MapPoint &point : view.points) {
        const Eigen::Vector3d p =
            newest.world_from_camera_rotation.transpose() * (point.position_in_world - newest.camera_in_world);
        Eigen::Vector2d pixel;
        if (p.z() <= 0 || point.sigma_m > 0.1 * p.norm() || !newest.luma_camera.project(p, 0, &pixel)) continue;
        sparse_.emplace_back(pixel.x() / CellGrid::size, pixel.y() / CellGrid::size, 1 / p.z());
        depths.push_back(p.norm());
    }
    if (depths.size() < 10) return false;
    typical_distance_ = median(depths);
    pairs_ = nearest_pairs(view, typical_distance_, matched_parallax, 2);
    return pairs_.size() == 2;
}

std::vector<ViewPair> nearest_pairs(const MapView &view, double typical_distance, const ParallaxRange &wanted,
                                    size_t most) {
    const KeyframeView &newest = view.keyframes.back();
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i + 1 < view.keyframes.size(); ++i) {
        const KeyframeView &other = view.keyframes[i];
        if (!other.luma) continue;
        const double parallax = (other.camera_in_world - newest.camera_in_world).norm() / typical_distance;
        const double turned = newest.world_from_camera_rotation.col(2).dot(other.world_from_camera_rotation.col(2));
        if (parallax < wanted.least || parallax > wanted.most || turned < 0.85) continue;
        order.emplace_back(std::abs(std::log(parallax / wanted.best)), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<ViewPair> nearest;
    for (const auto &[cost, i] : order) {
        if (nearest.size() == most) break;
        nearest.emplace_back(newest, view.keyframes[i]);
    }
    return nearest;
}

void DenseMap::shrink_pictures(const MapView &view) {
    std::erase_if(small_pictures_, [&](const SmallPicture &picture) {
        return std::none_of(view.keyframes.begin(), view.keyframes.end(),
                            [&](const KeyframeView &keyframe) { return keyframe.id == picture.keyframe_id; });
    });
    small_views_.clear();
    small_pairs_.clear();
    small_views_.reserve(pairs_.size() + 1);
    const auto shrink = [&](const KeyframeView &keyframe) {
        const int width = keyframe.luma_camera.width / 2, height = keyframe.luma_camera.height / 2;
        auto found = std::find_if(small_pictures_.begin(), small_pictures_.end(),
                                  [&](const SmallPicture &picture) { return picture.keyframe_id == keyframe.id; });
        if (found == small_pictures_.end()) {
            SmallPicture picture{keyframe.id, std::vector<uint8_t>(static_cast<size_t>(width) * height)};
            for (int y = 0; y < height; ++y) {
                const uint8_t *above = keyframe.luma + static_cast<ptrdiff_t>(2 * y) * keyframe.stride;
                const uint8_t *below = above + keyframe.stride;
                uint8_t *out = picture.luma.data() + static_cast<ptrdiff_t>(y) * width;
                for (int x = 0; x < width; ++x) {
                    out[x] = static_cast<uint8_t>(
                        (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) >> 2);
                }
            }
            small_pictures_.push_back(std::move(picture));
            found = small_pictures_.end() - 1;
        }
        KeyframeView small = keyframe;
        small.luma_camera.width = width;
        small.luma_camera.height = height;
        small.luma_camera.fx *= 0.5;
        small.luma_camera.fy *= 0.5;
        // A small pixel's middle lies between two of the larger picture's.
        small.luma_camera.cx = 0.5 * (small.luma_camera.cx - 0.5);
        small.luma_camera.cy = 0.5 * (small.luma_camera.cy - 0.5);
        small.luma = found->luma.data();
        small.stride = width;
        small_views_.push_back(small);
    };
    small_pictures_.reserve(view.keyframes.size() + 1);
    shrink(*pairs_[0].from);
    for (const ViewPair &pair : pairs_) shrink(*pair.to);
    for (size_t i = 0; i < pairs_.size(); ++i) small_pairs_.emplace_back(small_views_[0], small_views_[i + 1]);
}

void DenseMap::FullPictures::take(std::span<const ViewPair> from) {
    views.clear();
    pairs.clear();
    if (from.empty() || !from[0].from->full_luma) return;
    views.reserve(from.size() + 1);
    views.push_back(from[0].from->full_size());
    for (const ViewPair &pair : from) {
        if (!pair.to->full_luma) continue;
        views.push_back(pair.to->full_size());
        pairs.emplace_back(views.front(), views.back());
    }
}

}  // namespace foothold
