// What two maps, or two parts of one, say about the points that one picture shows of both.
#pragma once

#include <optional>
#include <vector>

#include "geometry/similarity.h"
#include "mapping/map.h"
#include "tracking/tracker.h"

namespace foothold {

/// A picture as a map sees it.
struct PlacedPicture {
    const Map &map;
    SE3 world_from_camera;
    const std::vector<Track> &tracks;
};

/// A place of the picture where both maps have a point, as indices of the tracks.
struct CommonPoint {
    int here, there;
};

/// Settled points that were found within a pixel and a half of each other.
std::vector<CommonPoint> common_points(const PlacedPicture &here, const PlacedPicture &there);

/// The change of frame that takes what lies there to here, its scale from the depths of common points. Nothing where
/// they are too few or don't agree.
std::optional<Similarity> here_from_there(const PlacedPicture &here, const PlacedPicture &there);

}  // namespace foothold
