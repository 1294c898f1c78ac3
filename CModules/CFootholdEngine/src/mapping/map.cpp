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

void Map::clear() {
    keyframes.clear();
    points.clear();
    free_points_.clear();
}

}  // namespace foothold
