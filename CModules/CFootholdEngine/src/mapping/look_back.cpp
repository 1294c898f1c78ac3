#include "mapping/look_back.h"

#include <algorithm>
#include <cmath>

#include "mapping/point_slant.h"
#include "tracking/point_depth.h"
#include "tracking/point_finder.h"

namespace foothold {

namespace {

constexpr int kKeyframes = 4;
/// Among so many of the newest.
constexpr int kMostBack = 24;
/// Points that both keyframes see, below which they show different places.
constexpr int kLeastShared = 15;
/// A neighbour's inverse depth may be wrong for a point by this share of it, beside what neighbours differ.
constexpr double kNeighbourSpread = 0.3;
/// Of its inverse depth: what differs less from a plane lies on it.
constexpr double kOnPlane = 0.02;
constexpr float kLikeness = 0.85f;
constexpr double kMargin = 8;

}  // namespace

int LookBack::look(int keyframe, const std::vector<Track> &tracks, double typical_inverse_depth) {
    fresh_.clear();
    for (const Track &track : tracks) {
        if (map_.points[track.point].host == keyframe) fresh_.push_back(track.point);
    }
    if (fresh_.empty()) return 0;
    neighbours_.clear();
    const SE3 &newest = map_.keyframes[keyframe].world_from_camera;
    const SE3 camera_from_world = newest.inverse();
    for (const Track &track : tracks) {
        const HostedPoint &point = map_.points[track.point];
        if (!track.found || !track.is_inlier || point.state != PointState::mature) continue;
        const double z = (camera_from_world * map_.position_in_world(point)).z();
        if (!(z > 1e-6)) continue;
        const SE3 host_from_camera = map_.keyframes[point.host].world_from_camera.inverse() * newest;
        const Eigen::Vector3d plane = plane_from(plane_around(point, map_.host_bearing(point)), host_from_camera);
        neighbours_.push_back({track.pixel, 1 / z, plane, !point.slant.isZero(0)});
    }
    for (const int index : fresh_) guess_depth(&map_.points[index]);
    choose_keyframes(keyframe, tracks);
    int found = 0;
    for (const int earlier : chosen_) {
        const KeyframePicture &picture = *map_.keyframes[earlier].picture;
        pyramid_.build({picture.luma.data(), picture.width, picture.height, picture.width});
        for (const int index : fresh_) found += find(index, earlier, 1e-3 * typical_inverse_depth);
    }
    return found;
}

int LookBack::look_for(const std::vector<int> &points, const std::vector<int> &keyframes) {
    int found = 0;
    for (const int keyframe : keyframes) {
        if (!map_.keyframes[keyframe].picture) continue;
        const KeyframePicture &picture = *map_.keyframes[keyframe].picture;
        pyramid_.build({picture.luma.data(), picture.width, picture.height, picture.width});
        std::vector<uint8_t> is_known(map_.points.size(), 0);
        for (const Sighting &o : map_.keyframes[keyframe].observations) is_known[o.point] = 1;
        for (const int index : points) {
            const HostedPoint &point = map_.points[index];
            if (point.state != PointState::mature || point.host == keyframe || is_known[index]) continue;
            found += find(index, keyframe, 1e-3 * point.inverse_depth);
        }
    }
    return found;
}

LookBack::Nearest LookBack::nearest_to(const Eigen::Vector2d &pixel) const {
    Nearest nearest;
    std::partial_sort_copy(neighbours_.begin(), neighbours_.end(), nearest.begin(), nearest.end(),
                           [&](const Neighbour &a, const Neighbour &b) {
                               return (a.pixel - pixel).squaredNorm() < (b.pixel - pixel).squaredNorm();
                           });
    return nearest;
}

const LookBack::Neighbour *LookBack::in_one_plane(const Nearest &nearest) const {
    for (const Neighbour &neighbour : nearest) {
        if (!neighbour.has_slant) continue;
        for (const Neighbour &other : nearest) {
            const Eigen::Vector3d ray = camera_.normalise(other.pixel).homogeneous();
            const bool is_on_it = std::abs(neighbour.plane.dot(ray) / other.inverse_depth - 1) < kOnPlane;
            if (&other != &neighbour && is_on_it) return &neighbour;
        }
    }
    return nullptr;
}

void LookBack::guess_depth(HostedPoint *point) const {
    if (neighbours_.size() < std::tuple_size_v<Nearest>) return;
    const Nearest nearest = nearest_to(point->host_raw_pixel);
    double mean = 0, spread = 0;
    for (const Neighbour &neighbour : nearest) mean += neighbour.inverse_depth / static_cast<double>(nearest.size());
    for (const Neighbour &neighbour : nearest) spread = std::max(spread, std::abs(neighbour.inverse_depth - mean));
    const Eigen::Vector3d bearing = map_.host_bearing(*point);
    const Neighbour *known = in_one_plane(nearest);
    if (known != nullptr && known->plane.dot(bearing) > 0) {
        mean = known->plane.dot(bearing);
        spread = 0;
        point->slant = slant_of(known->plane, bearing);
    }
    point->inverse_depth = mean;
    point->inverse_depth_variance = std::pow(spread + kNeighbourSpread * mean, 2);
}

void LookBack::choose_keyframes(int keyframe, const std::vector<Track> &tracks) {
    shared_.assign(map_.keyframes.size(), 0);
    std::vector<uint8_t> seen(map_.points.size(), 0);
    for (const Track &track : tracks) {
        const HostedPoint &point = map_.points[track.point];
        if (track.found && point.host != keyframe && point.state == PointState::mature) {
            seen[track.point] = 1;
            ++shared_[point.host];
        }
    }
    chosen_.clear();
    for (int k = std::max(0, keyframe - kMostBack); k < keyframe; ++k) {
        for (const Sighting &o : map_.keyframes[k].observations) shared_[k] += seen[o.point];
        if (map_.keyframes[k].picture && shared_[k] >= kLeastShared) chosen_.push_back(k);
    }
    std::stable_sort(chosen_.begin(), chosen_.end(), [&](int a, int b) { return shared_[a] > shared_[b]; });
    if (chosen_.size() > kKeyframes) chosen_.resize(kKeyframes);
}

bool LookBack::find(int index, int keyframe, double least_inverse_depth) {
    HostedPoint &point = map_.points[index];
    Keyframe &earlier = map_.keyframes[keyframe];
    const SE3 camera_from_world = earlier.world_from_camera.inverse();
    const SE3 current_from_host = camera_from_world * map_.keyframes[point.host].world_from_camera;
    Eigen::Matrix2d warp;
    Eigen::Vector2d predicted;
    if (!affine_warp(point, map_.host_bearing(point), point.inverse_depth, current_from_host, camera_, &warp,
                     &predicted)) {
        return false;
    }
    Eigen::Vector2d rolled = Eigen::Vector2d::Zero();
    if (map_.readout != 0) {
        rolled = map_.readout * map_.row_rate(camera_from_world * map_.position_in_world(point), earlier.twist);
    }
    predicted += rolled;
    if (!camera_.holds(predicted, kMargin)) return false;
    const int from_level = level_for(depth_error_pixels(map_, point, current_from_host));
    const FoundPoint found = find_point(index, point, warp, pyramid_, predicted, from_level, kLikeness, &templates_);
    if (!found.found || found.level != point.level) return false;
    const Eigen::Vector2d centred = map_.centred(camera_, found.pixel);
    if (refine_depth(map_, earlier.world_from_camera, centred - rolled, least_inverse_depth, &point) ==
        DepthUpdate::off_the_line) {
        return false;
    }
    earlier.observations.push_back({index, centred});
    ++point.observation_count;
    return true;
}

}  // namespace foothold
