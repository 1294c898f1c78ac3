#include "mapping/map.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

void Map::remove_points(const std::vector<uint8_t> &chosen) {
    bool is_any_seen = false;
    for (size_t i = 0; i < points.size(); ++i) {
        HostedPoint &point = points[i];
        if (!chosen[i] || point.state == PointState::unused) continue;
        is_any_seen = is_any_seen || point.observation_count > 0;
        point.state = PointState::unused;
        free_points_.push_back(static_cast<int>(i));
    }
    if (!is_any_seen) return;
    for (Keyframe &keyframe : keyframes) {
        std::erase_if(keyframe.observations, [&](const Sighting &o) { return chosen[o.point] != 0; });
    }
}

Map Map::settled(double farthest) const {
    Map kept;
    kept.focal = focal;
    kept.readout = readout;
    kept.height_pixels = height_pixels;
    kept.next_point_id_ = next_point_id_;
    kept.next_keyframe_id_ = next_keyframe_id_;
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
    next_keyframe_id_ = next_keyframe_id();
    keyframes.clear();
    points.clear();
    free_points_.clear();
}

Map Map::leave() {
    Map left = std::move(*this);
    *this = Map();
    focal = left.focal;
    readout = left.readout;
    height_pixels = left.height_pixels;
    next_point_id_ = left.next_point_id_;
    next_keyframe_id_ = left.next_keyframe_id();
    return left;
}

void Map::resume(Map other) {
    const int64_t next_point_id = std::max(next_point_id_, other.next_point_id_);
    const int64_t next_keyframe_id = std::max(this->next_keyframe_id(), other.next_keyframe_id());
    *this = std::move(other);
    next_point_id_ = next_point_id;
    next_keyframe_id_ = next_keyframe_id;
}

void Map::transform(const Similarity &change) { transform_each(std::vector<Similarity>(keyframes.size(), change)); }

void Map::transform_each(const std::vector<Similarity> &changes) {
    for (size_t k = 0; k < keyframes.size(); ++k) {
        keyframes[k].world_from_camera = changes[k] * keyframes[k].world_from_camera;
        keyframes[k].twist.linear *= changes[k].scale;
    }
    for (HostedPoint &point : points) {
        if (point.state == PointState::unused) continue;
        const double scale = changes[point.host].scale;
        point.inverse_depth /= scale;
        point.inverse_depth_variance /= scale * scale;
    }
}

void Map::change_lens(const LensChange &change) {
    if (change.is_none()) return;
    for (Keyframe &keyframe : keyframes) {
        for (Sighting &o : keyframe.observations) o.pixel = change(o.pixel);
    }
    for (HostedPoint &point : points) {
        if (point.state != PointState::unused) point.host_pixel = change(point.host_pixel);
    }
}

int Map::take_in(Map other) {
    const int first_point = static_cast<int>(points.size());
    const int first_keyframe = static_cast<int>(other.keyframes.size());
    for (HostedPoint &point : points) {
        if (point.state != PointState::unused) point.host += first_keyframe;
    }
    for (Keyframe &keyframe : other.keyframes) {
        for (Sighting &o : keyframe.observations) o.point += first_point;
    }
    for (const int index : other.free_points_) free_points_.push_back(first_point + index);
    std::move(other.points.begin(), other.points.end(), std::back_inserter(points));
    std::move(keyframes.begin(), keyframes.end(), std::back_inserter(other.keyframes));
    keyframes = std::move(other.keyframes);
    next_point_id_ = std::max(next_point_id_, other.next_point_id_);
    next_keyframe_id_ = std::max(next_keyframe_id_, other.next_keyframe_id_);
    return first_point;
}

}  // namespace foothold
