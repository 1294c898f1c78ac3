#include "mapping/map.h"

#include <algorithm>

namespace foothold {

int Map::add_point() {
    int index;
    if (free_points_.empty()) {
        index = static_cast<int>(points.size());
        points.emplace_back();
    } else {
        index = free_points_.back();
        free_points_.pop_back();
        points[index] = HostedPoint();
    }
    points[index].id = next_point_id_++;
    points[index].state = PointState::immature;
    return index;
}

void Map::remove_point(int index) {
    HostedPoint &point = points[index];
    if (point.state == PointState::unused) return;
    if (point.observation_count > 0) {
        for (Keyframe &keyframe : keyframes) {
            std::erase_if(keyframe.observations, [index](const Sighting &o) { return o.point == index; });
        }
    }
    point.state = PointState::unused;
    free_points_.push_back(index);
}

Map Map::settled(double farthest) const {
    Map kept;
    kept.focal = focal;
    kept.readout = readout;
    kept.height_pixels = height_pixels;
    kept.next_point_id_ = next_point_id_;
    std::vector<int> moved(points.size(), -1);
    for (size_t i = 0; i < points.size(); ++i) {
        const HostedPoint &point = points[i];
        // The others are forgotten at the next keyframe unless they are being followed.
        if (point.state != PointState::mature || point.observation_count < 2) continue;
        // As good as infinitely far away, or nowhere.
        if (!(point.inverse_depth * farthest >= 1 && point.inverse_depth <= farthest)) continue;
        moved[i] = static_cast<int>(kept.points.size());
        kept.points.push_back(point);
    }
    kept.keyframes = keyframes;
    for (Keyframe &keyframe : kept.keyframes) {
        std::erase_if(keyframe.observations, [&](const Sighting &o) { return moved[o.point] < 0; });
        for (Sighting &o : keyframe.observations) o.point = moved[o.point];
    }
    return kept;
}

void Map::clear() {
    keyframes.clear();
    points.clear();
    free_points_.clear();
}

}  // namespace foothold
