#include "session/frame_log.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "optimisation/pose_optimiser.h"

namespace foothold {

namespace {

/// Observations kept in all before frames keep only a part of theirs, and how many a frame keeps then; and how many are
/// kept at all: later frames stay where they were beside their keyframe.
constexpr size_t kPlenty = 400'000;
constexpr size_t kEnough = 40;
constexpr size_t kMost = 2'000'000;

}  // namespace

void FrameLog::add(int64_t frame_index, int64_t timestamp_ns, const SE3 &pose, const Twist &twist, int keyframe,
                   const Map &map, const std::vector<Track> &tracks) {
    Entry entry;
    entry.frame_index = frame_index;
    entry.timestamp_ns = timestamp_ns;
    entry.keyframe = keyframe;
    entry.keyframe_from_camera = map.keyframes[keyframe].world_from_camera.inverse() * pose;
    entry.angular = twist.angular.cast<float>();
    entry.linear = twist.linear.cast<float>();
    entry.first_sight = static_cast<uint32_t>(sights_.size());
    const auto agreeing = static_cast<size_t>(
        std::count_if(tracks.begin(), tracks.end(), [](const Track &t) { return t.found && t.is_inlier; }));
    // Long recordings keep a part, spread over the picture's points, so that memory stays small.
    const size_t stride = sights_.size() < kPlenty ? 1 : std::max<size_t>(1, agreeing / kEnough);
    size_t seen = 0;
    for (const Track &track : tracks) {
        if (sights_.size() >= kMost) break;
        if (!track.found || !track.is_inlier || seen++ % stride != 0) continue;
        sights_.push_back({static_cast<uint32_t>(map.points[track.point].id), static_cast<float>(track.centred.x()),
                           static_cast<float>(track.centred.y())});
    }
    entry.sight_count = static_cast<uint32_t>(sights_.size()) - entry.first_sight;
    entries_.push_back(entry);
}

void FrameLog::clear() {
    entries_.clear();
    sights_.clear();
}

void FrameLog::rescale(double factor) {
    for (size_t i = 0; i < entries_.size(); ++i) entries_[i].rescale(factor);
}

void FrameLog::rescale_each(const std::vector<Similarity> &changes) {
    for (size_t i = 0; i < entries_.size(); ++i) entries_[i].rescale(changes[entries_[i].keyframe].scale);
}

void FrameLog::change_lens(const LensChange &change) {
    if (change.is_none()) return;
    for (size_t i = 0; i < sights_.size(); ++i) {
        Sight &sight = sights_[i];
        const Eigen::Vector2d centred = change(Eigen::Vector2d(sight.x, sight.y));
        sight.x = static_cast<float>(centred.x());
        sight.y = static_cast<float>(centred.y());
    }
}

void FrameLog::take_in(FrameLog earlier, int keyframes) {
    for (size_t i = 0; i < entries_.size(); ++i) {
        Entry entry = entries_[i];
        entry.keyframe += keyframes;
        entry.first_sight += static_cast<uint32_t>(earlier.sights_.size());
        earlier.entries_.push_back(entry);
    }
    for (size_t i = 0; i < sights_.size(); ++i) earlier.sights_.push_back(sights_[i]);
    *this = std::move(earlier);
}

std::vector<LoggedPose> FrameLog::refined(const Map &map, double noise_pixels) const {
    std::vector<LoggedPose> poses;
    poses.reserve(entries_.size());
    std::vector<PoseObservation> observations;
    std::unordered_map<uint32_t, const HostedPoint *> by_id;
    for (const HostedPoint &point : map.points) {
        if (point.state == PointState::mature) by_id.emplace(static_cast<uint32_t>(point.id), &point);
    }
    for (size_t e = 0; e < entries_.size(); ++e) {
        const Entry &entry = entries_[e];
        LoggedPose logged{entry.frame_index, entry.timestamp_ns,
                          map.keyframes[entry.keyframe].world_from_camera * entry.keyframe_from_camera};
        observations.clear();
        const SE3 camera_from_world = logged.world_from_camera.inverse();
        const Twist twist{entry.angular.cast<double>(), entry.linear.cast<double>()};
        for (uint32_t i = 0; i < entry.sight_count; ++i) {
            const Sight &sight = sights_[entry.first_sight + i];
            const auto known = by_id.find(sight.point_id);
            if (known == by_id.end()) continue;
            const HostedPoint &point = *known->second;
            PoseObservation o;
            const SE3 &host = map.keyframes[point.host].world_from_camera;
            const Eigen::Vector3d ray = host.rotation * map.host_bearing(point);
            o.point_in_world = host.translation + ray / point.inverse_depth;
            o.depth_spread =
                ray * (std::sqrt(point.inverse_depth_variance) / (point.inverse_depth * point.inverse_depth));
            o.pixel = Eigen::Vector2d(sight.x, sight.y);
            if (map.readout != 0) {
                o.pixel -= map.readout * map.row_rate(camera_from_world * o.point_in_world, twist);
            }
            observations.push_back(o);
        }
        SE3 pose = logged.world_from_camera;
        if (observations.size() >= 20 && optimise_pose(observations, map.focal, noise_pixels, 4.0, &pose).succeeded) {
            logged.world_from_camera = pose;
        }
        poses.push_back(logged);
    }
    // Of two maps that were joined either may have been left and come back to.
    std::stable_sort(poses.begin(), poses.end(),
                     [](const LoggedPose &a, const LoggedPose &b) { return a.frame_index < b.frame_index; });
    return poses;
}

}  // namespace foothold
