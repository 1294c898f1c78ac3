// The depth of the newest picture, for those who ask for it.
#include <cmath>

#include "session/session_core.h"

namespace foothold {

namespace {

/// What isn't followed now may be hidden: it counts as if it hadn't been seen for so many keyframes.
constexpr int32_t keyframes_when_not_followed = 6;

}  // namespace

const DepthMap *SessionCore::depth_map() {
    if (!told_pose_) return nullptr;
    is_point_seen_.assign(map_.points.size(), 0);
    for (const Track &track : tracker_.tracks) {
        if (track.found && track.is_inlier) is_point_seen_[track.point] = 1;
    }
    map_depth_points_.clear();
    for (size_t i = 0; i < map_.points.size(); ++i) {
        const HostedPoint &point = map_.points[i];
        if (point.state != PointState::mature || !(point.inverse_depth > 0)) continue;
        const Eigen::Vector3d position = map_.position_in_world(point);
        const Eigen::Vector3d host = map_.keyframes[point.host].world_from_camera.translation;
        map_depth_points_.push_back({position, (host - position).normalized().cast<float>(),
                                     static_cast<float>(std::sqrt(point.inverse_depth_variance) / point.inverse_depth),
                                     is_point_seen_[i] ? 0 : keyframes_when_not_followed});
    }
    return &depth_mapper_.map(pyramid_, camera_, *told_pose_, surface_worker_.surfaces(),
                              surface_worker_.depth_points(), map_depth_points_);
}

}  // namespace foothold
