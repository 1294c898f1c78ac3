#include "mapping/covisibility.h"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace foothold {

std::vector<int> points_shared_with(const Map &map, const std::vector<uint8_t> &is_marked) {
    std::vector<uint8_t> is_seen(map.points.size(), 0);
    for (size_t i = 0; i < map.points.size(); ++i) {
        const HostedPoint &point = map.points[i];
        is_seen[i] = point.state == PointState::mature && is_marked[point.host] ? 1 : 0;
    }
    for (size_t k = 0; k < map.keyframes.size(); ++k) {
        if (!is_marked[k]) continue;
        for (const Sighting &o : map.keyframes[k].observations) {
            if (map.points[o.point].state == PointState::mature) is_seen[o.point] = 1;
        }
    }
    std::vector<int> shared(map.keyframes.size(), 0);
    for (size_t i = 0; i < map.points.size(); ++i) {
        if (is_seen[i]) ++shared[map.points[i].host];
    }
    for (size_t k = 0; k < map.keyframes.size(); ++k) {
        for (const Sighting &o : map.keyframes[k].observations) shared[k] += is_seen[o.point];
    }
    return shared;
}

std::vector<SharedPoints> covisible_pairs(const Map &map, int least) {
    std::vector<std::vector<int>> seen_by(map.points.size());
    for (size_t i = 0; i < map.points.size(); ++i) {
        if (map.points[i].state == PointState::mature) seen_by[i].push_back(map.points[i].host);
    }
    for (size_t k = 0; k < map.keyframes.size(); ++k) {
        for (const Sighting &o : map.keyframes[k].observations) {
            if (map.points[o.point].state == PointState::mature) seen_by[o.point].push_back(static_cast<int>(k));
        }
    }
    const size_t count = map.keyframes.size();
    std::vector<std::vector<int>> points_of(count);
    for (size_t i = 0; i < seen_by.size(); ++i) {
        for (const int k : seen_by[i]) points_of[k].push_back(static_cast<int>(i));
    }
    std::vector<SharedPoints> pairs;
    std::vector<int> shared;
    for (size_t k = 0; k < count; ++k) {
        shared.assign(count, 0);
        for (const int point : points_of[k]) {
            for (const int other : seen_by[point]) ++shared[other];
        }
        for (size_t other = k + 1; other < count; ++other) {
            if (shared[other] < least) continue;
            pairs.push_back({static_cast<int>(k), static_cast<int>(other), shared[other]});
        }
    }
    return pairs;
}

std::vector<Way> ways_from_newest(const Map &map, const std::vector<SharedPoints> &pairs) {
    const size_t count = map.keyframes.size();
    std::vector<std::vector<size_t>> neighbours(count);
    for (const SharedPoints &pair : pairs) {
        neighbours[pair.first].push_back(pair.second);
        neighbours[pair.second].push_back(pair.first);
    }
    for (size_t k = 0; k + 1 < count; ++k) {
        neighbours[k].push_back(k + 1);
        neighbours[k + 1].push_back(k);
    }
    std::vector<Way> ways(count, {std::numeric_limits<double>::infinity(), 0});
    ways.back() = {};
    using Step = std::pair<double, size_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> next;
    next.push({0, count - 1});
    while (!next.empty()) {
        const auto [length, k] = next.top();
        next.pop();
        if (length > ways[k].length) continue;
        const SE3 &here = map.keyframes[k].world_from_camera;
        for (const size_t other : neighbours[k]) {
            const SE3 &there = map.keyframes[other].world_from_camera;
            const double reached = length + (there.translation - here.translation).norm();
            if (reached >= ways[other].length) continue;
            ways[other] = {reached, ways[k].turned + turn_between(here.rotation, there.rotation)};
            next.push({reached, other});
        }
    }
    return ways;
}

}  // namespace foothold
