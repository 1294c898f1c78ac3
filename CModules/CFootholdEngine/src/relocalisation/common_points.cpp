#include "relocalisation/common_points.h"

#include <cmath>

#include "geometry/median.h"

namespace foothold {

namespace {

/// Corners of two maps this close in the picture are one point of the room.
constexpr double kSamePixels = 1.5;
constexpr size_t kLeastPairs = 15;
/// Median deviation of the pairs' ratios of depth from their median, as a share of it.
constexpr double kLargestSpread = 0.04;

bool is_sure(const Map &map, const Track &track) {
    return track.found && track.is_inlier && map.points[track.point].state == PointState::mature;
}

double depth(const PlacedPicture &picture, const SE3 &camera_from_world, int track) {
    return (camera_from_world * picture.map.position_in_world(picture.map.points[picture.tracks[track].point])).z();
}

}  // namespace

std::vector<CommonPoint> common_points(const PlacedPicture &here, const PlacedPicture &there) {
    std::vector<CommonPoint> pairs;
    for (size_t i = 0; i < here.tracks.size(); ++i) {
        const Track &track = here.tracks[i];
        if (!is_sure(here.map, track)) continue;
        int nearest = -1;
        double distance = kSamePixels;
        for (size_t j = 0; j < there.tracks.size(); ++j) {
            const double apart = (there.tracks[j].pixel - track.pixel).norm();
            if (apart >= distance || !is_sure(there.map, there.tracks[j])) continue;
            nearest = static_cast<int>(j);
            distance = apart;
        }
        if (nearest >= 0) pairs.push_back({static_cast<int>(i), nearest});
    }
    return pairs;
}

std::optional<Similarity> here_from_there(const PlacedPicture &here, const PlacedPicture &there) {
    const SE3 camera_from_here = here.world_from_camera.inverse(),
              camera_from_there = there.world_from_camera.inverse();
    std::vector<double> ratios;
    for (const CommonPoint &pair : common_points(here, there)) {
        const double depth_here = depth(here, camera_from_here, pair.here);
        const double depth_there = depth(there, camera_from_there, pair.there);
        if (depth_here > 0 && depth_there > 0) ratios.push_back(depth_here / depth_there);
    }
    if (ratios.size() < kLeastPairs) return std::nullopt;
    const double scale = median(ratios);
    for (double &ratio : ratios) ratio = std::abs(ratio / scale - 1);
    if (median(ratios) > kLargestSpread) return std::nullopt;
    return Similarity::between(here.world_from_camera, there.world_from_camera, scale);
}

}  // namespace foothold
