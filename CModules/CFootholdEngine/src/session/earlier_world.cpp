#include "session/earlier_world.h"

#include <algorithm>
#include <cmath>

#include "geometry/median.h"
#include "relocalisation/confirmation.h"

namespace foothold {

namespace {

/// More is asked for than after a short loss: here nothing else speaks for the place.
constexpr int kInliers = 40;
constexpr double kInlierShare = 0.6;
/// Corners of two maps this close in the picture are one point of the room.
constexpr double kSamePixels = 1.5;
constexpr size_t kLeastPairs = 15;
/// Median deviation of the pairs' ratios of depth from their median, as a share of it.
constexpr double kLargestSpread = 0.04;

bool is_sure(const Map &map, const Track &track) {
    return track.found && track.is_inlier && map.points[track.point].state == PointState::mature;
}

}  // namespace

std::optional<Recognition> EarlierWorld::recognise(const ImagePyramid &pyramid, Relocaliser *relocaliser) {
    for (const SE3 &proposed : relocaliser->propose_from_points(map, camera, pyramid)) {
        Recognition recognition;
        if (!confirm_pose(proposed, pyramid, knowledge.noise_pixels, &tracker, &recognition.world_from_camera,
                          &recognition.outcome)) {
            continue;
        }
        const TrackingOutcome &outcome = recognition.outcome;
        if (outcome.inliers >= kInliers && outcome.inliers >= kInlierShare * outcome.mature_found) return recognition;
    }
    return std::nullopt;
}

std::optional<Similarity> EarlierWorld::from_other(const Recognition &here, const Map &other_map,
                                                   const SE3 &other_from_camera,
                                                   const std::vector<Track> &other_tracks) const {
    const SE3 camera_from_here = here.world_from_camera.inverse(), camera_from_other = other_from_camera.inverse();
    std::vector<double> ratios;
    for (const Track &track : tracker.tracks) {
        if (!is_sure(map, track)) continue;
        const Track *nearest = nullptr;
        double distance = kSamePixels;
        for (const Track &other : other_tracks) {
            const double apart = (other.pixel - track.pixel).norm();
            if (apart >= distance || !is_sure(other_map, other)) continue;
            nearest = &other;
            distance = apart;
        }
        if (nearest == nullptr) continue;
        const double depth_here = (camera_from_here * map.position_in_world(map.points[track.point])).z();
        const double depth_there =
            (camera_from_other * other_map.position_in_world(other_map.points[nearest->point])).z();
        if (depth_here > 0 && depth_there > 0) ratios.push_back(depth_here / depth_there);
    }
    if (ratios.size() < kLeastPairs) return std::nullopt;
    const double scale = median(ratios);
    for (double &ratio : ratios) ratio = std::abs(ratio / scale - 1);
    if (median(ratios) > kLargestSpread) return std::nullopt;
    return Similarity::between(here.world_from_camera, other_from_camera, scale);
}

void EarlierWorld::transform(const Similarity &change) {
    map.transform(change);
    log.rescale(change.scale);
    surfaces.transform(change.scale, change.rotation, change.translation);
}

}  // namespace foothold
