#include "session/surface_snapshot.h"

#include <algorithm>
#include <cmath>

namespace foothold {

void take_snapshot(const Map &map, const CameraModel &camera, double noise_pixels, std::span<const int> keyframes,
                   SurfaceSnapshot *out) {
    out->camera = camera;
    out->points.clear();
    out->is_review = false;
    out->second_thread = nullptr;
    out->newest_timestamp_ns = map.keyframes.back().timestamp_ns;
    const Eigen::Vector3d here = map.keyframes[keyframes.back()].world_from_camera.translation;
    std::vector<int> place(map.keyframes.size(), -1);
    for (size_t i = 0; i < keyframes.size(); ++i) place[keyframes[i]] = static_cast<int>(i);
    const auto is_usable = [](const HostedPoint &point) {
        return point.state == PointState::mature && point.observation_count >= 1;
    };
    out->keyframes.resize(keyframes.size());
    for (size_t i = 0; i < keyframes.size(); ++i) {
        const Keyframe &keyframe = map.keyframes[keyframes[i]];
        SurfaceSnapshot::View &view = out->keyframes[i];
        view.id = keyframe.id;
        view.timestamp_ns = keyframe.timestamp_ns;
        view.world_from_camera = keyframe.world_from_camera;
        view.picture = keyframe.picture;
        view.observations.clear();
        for (const Sighting &o : keyframe.observations) {
            const HostedPoint &point = map.points[o.point];
            if (is_usable(point)) view.observations.push_back({point.id, (o.pixel / map.focal).cast<float>()});
        }
    }
    for (const HostedPoint &point : map.points) {
        if (!is_usable(point)) continue;
        MapPoint copy;
        copy.id = point.id;
        copy.position_in_world = map.position_in_world(point);
        const double length = map.host_bearing(point).norm();
        copy.sigma_m = std::max(std::sqrt(point.inverse_depth_variance), 0.3 * noise_pixels / map.focal * 0.01) *
                       length / (point.inverse_depth * point.inverse_depth);
        copy.observation_count = point.observation_count + 1;
        const Eigen::Vector3d host = map.keyframes[point.host].world_from_camera.translation;
        copy.mean_view_direction =
            ((host - copy.position_in_world).normalized() + (here - copy.position_in_world).normalized()).normalized();
        out->points.push_back(copy);
        if (place[point.host] >= 0) {
            out->keyframes[place[point.host]].observations.push_back(
                {point.id, (point.host_pixel / map.focal).cast<float>()});
        }
    }
}

}  // namespace foothold
