// What a closed loop does to the map: the drift is spread along the way, and both parts are tied together.
#pragma once

#include <vector>

#include "geometry/similarity.h"
#include "mapping/map.h"
#include "relocalisation/loop_detector.h"

namespace foothold {

/// How each keyframe has to move, with what hangs on it, so that both ends of the loop meet: x' = change · x. The first
/// keyframe stays. `typical_inverse_depth` weighs places against directions.
std::vector<Similarity> spread_drift(const Map &map, const Loop &loop, double typical_inverse_depth);

/// Notes where the loop's keyframes see the older part's points.
void tie_together(const Loop &loop, Map *map);

/// For each keyframe, how many points it shares with those on either side of the seam.
std::vector<int> nearness_to_seam(const Map &map, const Loop &loop);

}  // namespace foothold
