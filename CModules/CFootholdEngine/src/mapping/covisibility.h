// Which keyframes see the same points.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/map.h"

namespace foothold {

/// For each keyframe, how many settled points it shares with those that are marked.
std::vector<int> points_shared_with(const Map &map, const std::vector<uint8_t> &is_marked);

struct SharedPoints {
    int first, second;
    int count;
};

/// Every pair of keyframes (first < second) that shares at least `least` settled points, in order.
std::vector<SharedPoints> covisible_pairs(const Map &map, int least);

/// How far one keyframe is from another along what ties them together.
struct Way {
    double length = 0;
    /// Radians.
    double turned = 0;
};

/// The shortest way from the newest keyframe to each, over keyframes that share points or follow each other: drift adds
/// up along it, however long the camera went to and fro between.
std::vector<Way> ways_from_newest(const Map &map, const std::vector<SharedPoints> &pairs);

}  // namespace foothold
