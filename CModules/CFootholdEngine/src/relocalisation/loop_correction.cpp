#include "relocalisation/loop_correction.h"

#include <algorithm>

#include "mapping/covisibility.h"
#include "optimisation/pose_graph.h"

namespace foothold {

namespace {

/// Keyframes that share fewer points say little about how they lie beside each other.
constexpr int kLeastShared = 30;
/// From so many on, more don't make an edge more certain.
constexpr int kEnoughShared = 100;
/// Neighbours in time that share nothing were followed from one to the next all the same.
constexpr int kSharedByFollowing = 5;

Similarity as_similarity(const SE3 &pose) { return {1, pose.rotation, pose.translation}; }

int index_of(const Map &map, int64_t keyframe_id) {
    const auto found = std::find_if(map.keyframes.begin(), map.keyframes.end(),
                                    [&](const Keyframe &keyframe) { return keyframe.id == keyframe_id; });
    return static_cast<int>(found - map.keyframes.begin());
}

}  // namespace

std::vector<Similarity> spread_drift(const Map &map, const Loop &loop, double typical_inverse_depth) {
    PoseGraph graph;
    const auto count = static_cast<int>(map.keyframes.size());
    for (const Keyframe &keyframe : map.keyframes) {
        graph.world_from_node.push_back(as_similarity(keyframe.world_from_camera));
    }
    graph.is_fixed.assign(count, false);
    graph.is_fixed.front() = true;
    const auto add_edge = [&](int from, int to, const Similarity &world_from_to, int shared) {
        graph.edges.push_back({from, to, graph.world_from_node[from].inverse() * world_from_to, typical_inverse_depth,
                               static_cast<double>(std::min(shared, kEnoughShared)) / kEnoughShared});
    };
    std::vector<uint8_t> follows(count, 0);
    for (const SharedPoints &pair : covisible_pairs(map, kLeastShared)) {
        add_edge(pair.first, pair.second, graph.world_from_node[pair.second], pair.count);
        if (pair.second == pair.first + 1) follows[pair.second] = 1;
    }
    for (int k = 1; k < count; ++k) {
        if (!follows[k]) add_edge(k - 1, k, graph.world_from_node[k], kSharedByFollowing);
    }
    for (const LoopSight *sight : {&loop.before, &loop.newest}) {
        const int now = index_of(map, sight->keyframe_id);
        add_edge(index_of(map, sight->older_id), now, sight->older_from_now * graph.world_from_node[now],
                 static_cast<int>(sight->tracks.size()));
    }
    solve_pose_graph(&graph);
    std::vector<Similarity> changes;
    for (int k = 0; k < count; ++k) {
        changes.push_back(graph.world_from_node[k] * as_similarity(map.keyframes[k].world_from_camera).inverse());
    }
    return changes;
}

void tie_together(const Loop &loop, Map *map) {
    for (const LoopSight *sight : {&loop.before, &loop.newest}) {
        Keyframe &keyframe = map->keyframes[index_of(*map, sight->keyframe_id)];
        std::vector<uint8_t> is_seen(map->points.size(), 0);
        for (const Sighting &o : keyframe.observations) is_seen[o.point] = 1;
        for (const auto &[track, id] : sight->tracks) {
            HostedPoint &point = map->points[track.point];
            if (point.id != id || point.state != PointState::mature || is_seen[track.point] ||
                track.level > point.level)
                continue;
            keyframe.observations.push_back({track.point, track.centred});
            ++point.observation_count;
        }
    }
}

std::vector<int> nearness_to_seam(const Map &map, const Loop &loop) {
    std::vector<uint8_t> is_at_seam(map.keyframes.size(), 0);
    for (const LoopSight *sight : {&loop.before, &loop.newest}) {
        is_at_seam[index_of(map, sight->keyframe_id)] = is_at_seam[index_of(map, sight->older_id)] = 1;
    }
    return points_shared_with(map, is_at_seam);
}

}  // namespace foothold
