// The map and its camera in a saved world.
#pragma once

#include <cmath>
#include <unordered_set>

#include "geometry/camera_model.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "persistence/archive.h"

namespace foothold {

/// Steps of a thumbnail's brightness to one grey level.
inline constexpr double kThumbnailSteps = 64;

template <typename Archive, typename Camera>
void transfer_camera(Archive &archive, Camera &camera) {
    archive.whole(camera.width, 16, 16384);
    archive.whole(camera.height, 16, 16384);
    archive.real(camera.fx, 1, 1e6);
    archive.real(camera.fy, 1, 1e6);
    archive.real(camera.cx, -1e6, 1e6);
    archive.real(camera.cy, -1e6, 1e6);
    archive.choice(camera.distortion, Distortion::fisheye);
    for (auto &k : camera.k) archive.real(k, -1e6, 1e6);
}

template <typename Archive, typename Knowledge>
void transfer_knowledge(Archive &archive, Knowledge &knowledge) {
    archive.real(knowledge.noise_pixels, 0.01, 10);
    archive.whole(knowledge.adjusted_count, 0, 1'000'000);
    archive.truth(knowledge.focal_is_free);
    archive.real(knowledge.prior_focal, 0, 1e6);
    archive.real(knowledge.prior_focal_sigma, 0, 10);
    archive.real(knowledge.log_focal_sigma, 0, 1e3);
    if constexpr (Archive::reads) {
        archive.require(!knowledge.focal_is_free || (knowledge.prior_focal >= 1 && knowledge.prior_focal_sigma > 1e-6));
    }
}

template <typename Archive, typename Thumb>
void transfer_thumbnail(Archive &archive, Thumb &thumbnail) {
    constexpr int kPixels = Thumbnail::kWidth * Thumbnail::kHeight;
    bool has_pixels = !thumbnail.value.empty();
    archive.truth(has_pixels);
    if constexpr (Archive::reads) thumbnail.value.assign(has_pixels ? kPixels : 0, 0);
    for (auto &value : thumbnail.value) {
        auto step = static_cast<int16_t>(std::lround(value * kThumbnailSteps));
        archive.whole(step, -256 * kThumbnailSteps, 256 * kThumbnailSteps);
        if constexpr (Archive::reads) value = static_cast<float>(step / kThumbnailSteps);
    }
}

template <typename Archive, typename Patch>
void transfer_patch(Archive &archive, Patch &patch) {
    archive.whole(patch.levels, 1, HostPatch::kLevels);
    for (int level = 0; level < patch.levels; ++level) {
        transfer_brief_vector(archive, patch.center[level], HostPatch::kSize);
        archive.raw(patch.pixels[level]);
    }
}

template <typename Archive, typename Point>
void transfer_point(Archive &archive, Point &point, int64_t keyframe_count) {
    archive.whole(point.id, 0, INT64_MAX - 1);
    archive.whole(point.host, 0, keyframe_count - 1);
    archive.whole(point.level, 0, HostPatch::kLevels - 1);
    transfer_vector(archive, point.host_pixel, 1e6);
    transfer_brief_vector(archive, point.host_row_rate, 1e9);
    transfer_brief_vector(archive, point.host_raw_pixel, 1e5);
    archive.real(point.inverse_depth, 1 / kFarthest, kFarthest);
    archive.brief(point.inverse_depth_variance, 0, kFarthest * kFarthest);
    transfer_patch(archive, point.patch);
    for (auto &descriptor : point.descriptors) {
        for (auto &word : descriptor.words) archive.whole(word, INT64_MIN, INT64_MAX);
    }
    if constexpr (Archive::reads) {
        archive.require(point.level < point.patch.levels);
        point.state = PointState::mature;
    }
}

template <typename Archive, typename Self>
void Map::transfer(Archive &archive, Self &self) {
    constexpr size_t kMostKeyframes = 1'000'000, kMostPoints = 100'000'000;
    constexpr size_t kKeyframeBytes = 133, kPointBytes = 800, kSightingBytes = 12;
    archive.real(self.focal, 1, 1e6);
    archive.real(self.readout, -1, 1);
    archive.real(self.height_pixels, 1, 16384);
    archive.whole(self.next_point_id_, 0, INT64_MAX - 1);
    archive.list(self.keyframes, kMostKeyframes, kKeyframeBytes, [&](auto &keyframe) {
        archive.whole(keyframe.id, 0, INT64_MAX - 1);
        transfer_pose(archive, keyframe.world_from_camera);
        transfer_brief_vector(archive, keyframe.twist.angular, 1e6);
        transfer_brief_vector(archive, keyframe.twist.linear, 1e6);
        transfer_thumbnail(archive, keyframe.thumbnail);
    });
    const auto keyframe_count = static_cast<int64_t>(self.keyframes.size());
    archive.list(self.points, kMostPoints, kPointBytes,
                 [&](auto &point) { transfer_point(archive, point, keyframe_count); });
    const auto point_count = static_cast<int64_t>(self.points.size());
    for (auto &keyframe : self.keyframes) {
        archive.list(keyframe.observations, kMostPoints, kSightingBytes, [&](auto &sighting) {
            archive.whole(sighting.point, 0, point_count - 1);
            transfer_brief_vector(archive, sighting.pixel, 1e6);
        });
    }
    if constexpr (Archive::reads) {
        archive.require(keyframe_count >= 2);
        // Where worlds were joined, keyframes aren't in the order of their ids, but the newest is the last.
        std::unordered_set<int64_t> keyframe_ids;
        for (const Keyframe &keyframe : self.keyframes) {
            archive.require(keyframe.id <= self.keyframes.back().id && keyframe_ids.insert(keyframe.id).second);
        }
        std::unordered_set<int64_t> ids;
        for (const HostedPoint &point : self.points) {
            archive.require(point.id < self.next_point_id_ && ids.insert(point.id).second);
        }
        for (int64_t k = 0; archive.is_sound() && k < keyframe_count; ++k) {
            for (const Sighting &sighting : self.keyframes[k].observations) {
                HostedPoint &point = self.points[sighting.point];
                archive.require(point.host != k);
                ++point.observation_count;
            }
        }
    }
}

}  // namespace foothold
