#include "relocalisation/loop_detector.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "frontend/rotation_alignment.h"
#include "geometry/median.h"
#include "mapping/covisibility.h"
#include "relocalisation/common_points.h"
#include "relocalisation/confirmation.h"

namespace foothold {

namespace {

/// Fewer keyframes are no way that one could come back from.
constexpr size_t kFewestKeyframes = 20;
/// Points that two keyframes share when they show the same place.
constexpr int kSharedPoints = 15;
constexpr size_t kFewestPoints = 80;
/// Drift that is believed, as a share of the way and of the angle turned since: several times what a focal length that
/// is wrong by 5 % does, and far less than what lies between places that only look alike.
constexpr double kDriftShare = 0.1;
constexpr double kLeastTurn = 3 * std::numbers::pi / 180;
constexpr double kLargestLogScale = 0.3;
/// Where to look: a place is known again from so far beside it, as a share of the depth, and from so much turned.
constexpr double kBesideShare = 0.5;
constexpr double kTurnedBeside = 35 * std::numbers::pi / 180;
/// Of two tiny pictures after the best turn.
constexpr float kLikeness = 0.6f;
constexpr size_t kMostTurned = 3;
/// What lies nearer than this to where it is expected is found without help.
constexpr double kFoundPixels = 4;
/// Two sights in a row: differences that are no drift.
constexpr double kSameTurn = 2 * std::numbers::pi / 180;
constexpr double kSameLogScale = 0.06;
constexpr double kSamePlaceShare = 0.05;

}  // namespace

bool LoopDetector::is_reachable(size_t keyframe, const Way &slack) const {
    const SE3 &then = map_.keyframes[keyframe].world_from_camera, &now = map_.keyframes.back().world_from_camera;
    return (then.translation - now.translation).norm() <= kDriftShare * ways_[keyframe].length + slack.length &&
           turn_between(then.rotation, now.rotation) <= kDriftShare * ways_[keyframe].turned + slack.turned;
}

void LoopDetector::choose_older(const Way &slack) {
    const size_t count = map_.keyframes.size();
    // In the order of time at first: that is quick, and never shorter than the way along what ties keyframes together.
    ways_ = ways_from_newest(map_, {});
    is_older_.assign(count, 0);
    bool is_any = false;
    for (size_t k = 0; k + 1 < count; ++k) {
        is_older_[k] = is_reachable(k, slack);
        is_any |= is_older_[k] != 0;
    }
    if (!is_any) return;
    // What is seen now, and what hangs together with it.
    std::vector<uint8_t> is_now(count, 0);
    is_now.back() = 1;
    for (int round = 0; round < 2; ++round) {
        const std::vector<int> shared = points_shared_with(map_, is_now);
        for (size_t k = 0; k < count; ++k) is_now[k] |= shared[k] >= kSharedPoints;
    }
    for (size_t k = 0; k < count; ++k) {
        if (is_now[k]) is_older_[k] = 0;
    }
}

bool LoopDetector::looks_alike() const {
    std::vector<std::pair<float, size_t>> order;
    const Thumbnail &now = map_.keyframes.back().thumbnail;
    for (size_t k = 0; k < is_older_.size(); ++k) {
        const Thumbnail &then = map_.keyframes[k].thumbnail;
        if (is_older_[k] && !then.value.empty()) order.emplace_back(-correlation(then, now), k);
    }
    std::sort(order.begin(), order.end());
    if (order.size() > kMostTurned) order.resize(kMostTurned);
    return std::any_of(order.begin(), order.end(), [&](const auto &likely) {
        return align_rotation(map_.keyframes[likely.second].thumbnail, now, camera_, Eigen::Matrix3d::Identity())
                   .correlation > kLikeness;
    });
}

void LoopDetector::copy_older_part() {
    part_ = Map();
    part_.focal = map_.focal;
    part_.readout = map_.readout;
    part_.height_pixels = map_.height_pixels;
    point_of_part_.clear();
    for (const Keyframe &keyframe : map_.keyframes) {
        Keyframe bare;
        bare.id = keyframe.id;
        bare.world_from_camera = keyframe.world_from_camera;
        bare.twist = keyframe.twist;
        part_.keyframes.push_back(std::move(bare));
    }
    for (size_t i = 0; i < map_.points.size(); ++i) {
        const HostedPoint &point = map_.points[i];
        if (point.state != PointState::mature || !is_older_[point.host]) continue;
        part_.points.push_back(point);
        point_of_part_.push_back(static_cast<int>(i));
    }
}

std::optional<LoopSight> LoopDetector::recognise(const ImagePyramid &pyramid, const std::vector<Track> &tracks,
                                                 double typical_inverse_depth, double noise_pixels) {
    copy_older_part();
    if (part_.points.size() < kFewestPoints) return std::nullopt;
    tracker_.typical_inverse_depth = typical_inverse_depth;
    const SE3 &now = map_.keyframes.back().world_from_camera;
    for (const SE3 &proposed : relocaliser_.propose_from_points(part_, camera_, pyramid)) {
        LoopSight sight;
        TrackingOutcome outcome;
        if (!confirm_place(proposed, pyramid, noise_pixels, &tracker_, &sight.older_pose, &outcome)) continue;
        const auto change = here_from_there({part_, sight.older_pose, tracker_.tracks}, {map_, now, tracks});
        if (!change || std::abs(std::log(change->scale)) > kLargestLogScale) continue;
        sight.older_from_now = *change;
        sight.keyframe_id = map_.keyframes.back().id;
        std::vector<int> found(map_.keyframes.size(), 0);
        for (Track track : tracker_.tracks) {
            if (!track.found || !track.is_inlier) continue;
            ++found[part_.points[track.point].host];
            track.point = point_of_part_[track.point];
            sight.tracks.push_back({track, map_.points[track.point].id});
        }
        const auto best = static_cast<int>(std::max_element(found.begin(), found.end()) - found.begin());
        sight.older_id = map_.keyframes[best].id;
        // The correction itself has to be one that the way since may have caused.
        if ((now.translation - sight.older_pose.translation).norm() > kDriftShare * ways_[best].length ||
            turn_between(now.rotation, sight.older_pose.rotation) > kDriftShare * ways_[best].turned + kLeastTurn) {
            continue;
        }
        if (disagreement(sight) < kFoundPixels) continue;
        return sight;
    }
    return std::nullopt;
}

double LoopDetector::disagreement(const LoopSight &sight) const {
    const SE3 camera_from_world = map_.keyframes.back().world_from_camera.inverse();
    std::vector<double> apart;
    for (const LoopTrack &known : sight.tracks) {
        const Eigen::Vector3d p = camera_from_world * map_.position_in_world(map_.points[known.track.point]);
        apart.push_back(p.z() > 1e-6 ? (map_.focal * p.hnormalized() - known.track.centred).norm() : 1e9);
    }
    return apart.empty() ? 0 : median(apart);
}

bool LoopDetector::agree(const LoopSight &first, const LoopSight &second, double typical_inverse_depth) const {
    const SE3 &now = map_.keyframes.back().world_from_camera;
    const SE3 a = first.older_from_now * now, b = second.older_from_now * now;
    const double moved = (b.translation - now.translation).norm();
    return turn_between(a.rotation, b.rotation) < kSameTurn &&
           std::abs(std::log(first.older_from_now.scale / second.older_from_now.scale)) < kSameLogScale &&
           (a.translation - b.translation).norm() < kSamePlaceShare * (1 / typical_inverse_depth + moved);
}

std::optional<Loop> LoopDetector::look(const ImagePyramid &pyramid, const std::vector<Track> &tracks,
                                       double typical_inverse_depth, double noise_pixels) {
    const std::optional<LoopSight> before = std::exchange(last_, std::nullopt);
    if (map_.keyframes.size() < kFewestKeyframes) return std::nullopt;
    const Way slack{kBesideShare / typical_inverse_depth, kTurnedBeside};
    choose_older(slack);
    if (!before && !looks_alike()) return std::nullopt;
    ways_ = ways_from_newest(map_, covisible_pairs(map_, kSharedPoints));
    for (size_t k = 0; k < is_older_.size(); ++k) is_older_[k] = is_older_[k] && is_reachable(k, slack);
    last_ = recognise(pyramid, tracks, typical_inverse_depth, noise_pixels);
    if (!before || !last_ || !agree(*before, *last_, typical_inverse_depth)) return std::nullopt;
    return Loop{*before, *std::exchange(last_, std::nullopt)};
}

}  // namespace foothold
