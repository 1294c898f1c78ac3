// Coming back to an old part of the same world after having drifted away from it.
#include <algorithm>

#include "relocalisation/common_points.h"
#include "relocalisation/loop_correction.h"
#include "session/session_core.h"

namespace foothold {

namespace {

/// Before the old points are looked for in earlier keyframes, and afterwards.
constexpr int kRoughIterations = 3;
constexpr int kIterations = 5;
/// Keyframes before the newest in which the older part's points are looked for.
constexpr int kLookedThrough = 12;

}  // namespace

void SessionCore::look_for_loops(int64_t timestamp_ns) {
    const auto loop =
        loop_detector_.look(pyramid_, tracker_.tracks, tracker_.typical_inverse_depth, mapper_.noise_pixels);
    if (loop) close_loop(*loop, timestamp_ns);
}

void SessionCore::close_loop(const Loop &loop, int64_t timestamp_ns) {
    const SE3 told = easing_.eased(last_pose_, timestamp_ns);
    std::vector<SE3> before;
    for (const Keyframe &keyframe : map_.keyframes) before.push_back(keyframe.world_from_camera);
    std::vector<Similarity> changes = spread_drift(map_, loop, tracker_.typical_inverse_depth);
    map_.transform_each(changes);
    log_.rescale_each(changes);
    tie_together(loop, &map_);
    const CameraModel known_before = camera_;
    mapper_.adjust_around(nearness_to_seam(map_, loop), kRoughIterations);
    fuse(loop);
    mapper_.adjust_around(nearness_to_seam(map_, loop), kIterations);
    follow_lens(known_before);
    for (size_t k = 0; k < changes.size(); ++k) {
        changes[k] = Similarity::between(map_.keyframes[k].world_from_camera, before[k], changes[k].scale);
    }
    before_last_pose_ = changes.back() * before_last_pose_;
    last_pose_ = changes.back() * last_pose_;
    twist_.linear *= changes.back().scale;
    tracker_.typical_inverse_depth = mapper_.typical_inverse_depth();
    take_surfaces_along(before, changes);
    depth_mapper_.forget();
    still_camera_.reset();
    easing_.begin(told, last_pose_, timestamp_ns);
}

void SessionCore::fuse(const Loop &loop) {
    std::vector<int> older;
    std::vector<uint8_t> is_older(map_.points.size(), 0);
    std::vector<Track> seen_again;
    for (const LoopSight *sight : {&loop.before, &loop.newest}) {
        for (const LoopTrack &known : sight->tracks) {
            const int point = known.track.point;
            if (map_.points[point].id != known.point_id || map_.points[point].state != PointState::mature) continue;
            if (sight == &loop.newest) seen_again.push_back(known.track);
            if (!is_older[point]) older.push_back(point);
            is_older[point] = 1;
        }
    }
    std::vector<int> recent;
    const auto count = static_cast<int>(map_.keyframes.size());
    for (int k = std::max(0, count - kLookedThrough); k < count; ++k) recent.push_back(k);
    look_back_.look_for(older, recent);
    // What was mapped a second time makes way for what was there first.
    const SE3 &pose = map_.keyframes.back().world_from_camera;
    for (const CommonPoint &twice : common_points({map_, pose, seen_again}, {map_, pose, tracker_.tracks})) {
        const int point = tracker_.tracks[twice.there].point;
        if (!is_older[point]) map_.remove_point(point);
    }
    std::erase_if(tracker_.tracks, [&](const Track &track) {
        return map_.points[track.point].state == PointState::unused || is_older[track.point];
    });
    tracker_.tracks.insert(tracker_.tracks.end(), seen_again.begin(), seen_again.end());
    inliers_at_keyframe_ = static_cast<int>(std::count_if(tracker_.tracks.begin(), tracker_.tracks.end(),
                                                          [](const Track &track) { return track.is_inlier; }));
}

void SessionCore::take_surfaces_along(const std::vector<SE3> &before, const std::vector<Similarity> &changes) {
    PartedChange &change = correction_.emplace();
    for (size_t k = 0; k < changes.size(); ++k) {
        change.add_keyframe(map_.keyframes[k].id, before[k].translation, changes[k]);
    }
    for (const HostedPoint &point : map_.points) {
        if (point.state != PointState::unused) change.add_point(point.id, map_.keyframes[point.host].id);
    }
    surface_worker_.transform_each(change);
}

}  // namespace foothold
