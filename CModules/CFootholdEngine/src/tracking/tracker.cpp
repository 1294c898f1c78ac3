#include "tracking/tracker.h"

#include <algorithm>
#include <cmath>

#include "geometry/median.h"
#include "tracking/point_depth.h"

namespace foothold {

namespace {

constexpr float kMatureCorrelation = 0.75f;
constexpr float kImmatureCorrelation = 0.85f;
constexpr double kMargin = 8;
/// Where a search begins when nothing says how good the prediction is.
constexpr int kWideLevel = 2;
/// The next prediction may be worse than this one by so much.
constexpr double kCaution = 1.5;

/// Of its inverse depth: a point that is less sure of its depth tells nothing about the pose.
constexpr double kUsableSpread = 0.3;

}  // namespace

int Tracker::track_without_map(const ImagePyramid &pyramid, const Eigen::Matrix3d &current_from_host,
                               const Eigen::Matrix3d &current_from_previous) {
    int found_count = 0;
    scratch_.clear();
    for (Track &track : tracks) {
        const HostedPoint &point = map_.points[track.point];
        const Eigen::Vector3d bearing = camera_.normalise(point.host_raw_pixel).homogeneous();
        Eigen::Matrix2d warp;
        Eigen::Vector2d unused;
        track.found = false;
        // The template turns with the camera; the place is predicted from the last one.
        if (affine_warp(point, bearing, 0, SE3{current_from_host, Eigen::Vector3d::Zero()}, camera_, &warp, &unused)) {
            const Eigen::Vector3d turned = current_from_previous * camera_.normalise(track.pixel).homogeneous();
            const Eigen::Vector2d predicted = camera_.pixel(turned.head<2>() / turned.z());
            const FoundPoint found =
                find_point(track.point, point, warp, pyramid, predicted, 3, kImmatureCorrelation, &templates_);
            if (found.found && found.level == point.level) {
                track.previous_pixel = track.pixel;
                track.pixel = found.pixel;
                track.centred = map_.centred(camera_, found.pixel);
                track.found = true;
                ++found_count;
            }
        }
        track.misses = track.found ? 0 : track.misses + 1;
    }
    return found_count;
}

TrackingOutcome Tracker::track(const ImagePyramid &pyramid, const SE3 &predicted, const Twist &twist, int start_level,
                               SE3 *out_pose) {
    const SE3 camera_from_world = predicted.inverse();
    twist_ = twist;
    int attempted = 0;
    predicted_wrong_.clear();
    for (Track &track : tracks) {
        const HostedPoint &point = map_.points[track.point];
        track.found = false;
        track.is_inlier = false;
        const bool mature = point.state == PointState::mature;
        const SE3 current_from_host = camera_from_world * map_.keyframes[point.host].world_from_camera;
        const Eigen::Vector3d bearing = map_.host_bearing(point);
        Eigen::Matrix2d warp;
        Eigen::Vector2d pixel;
        if (!affine_warp(point, bearing, point.inverse_depth, current_from_host, camera_, &warp, &pixel)) continue;
        pixel += shutter_shift(point, camera_from_world, &track);
        if (!camera_.holds(pixel, kMargin)) continue;
        ++attempted;
        const float likeness = mature ? kMatureCorrelation : kImmatureCorrelation;
        const int from_level = std::max(start_level, level_for(depth_error_pixels(map_, point, current_from_host)));
        FoundPoint found = find_point(track.point, point, warp, pyramid, pixel, from_level, likeness, &templates_);
        // A point that a narrow search misses may have been predicted badly.
        if (!found.found && from_level < kWideLevel && track.misses == 0) {
            found = find_point(track.point, point, warp, pyramid, pixel, kWideLevel, likeness, &templates_);
        }
        if (found.found && mature) predicted_wrong_.push_back((found.pixel - pixel).norm());
        if (!found.found) continue;
        track.previous_pixel = track.pixel;
        track.pixel = found.pixel;
        track.level = found.level;
        track.centred = map_.centred(camera_, found.pixel);
        track.found = true;
    }
    TrackingOutcome outcome = solve_pose(predicted, out_pose);
    outcome.attempted = attempted;
    outcome.start_level = kWideLevel;
    if (predicted_wrong_.size() >= 20) {
        const auto worse = predicted_wrong_.begin() + static_cast<std::ptrdiff_t>(predicted_wrong_.size() * 4 / 5);
        std::nth_element(predicted_wrong_.begin(), worse, predicted_wrong_.end());
        outcome.start_level = level_for(kCaution * *worse);
    }
    return outcome;
}

Eigen::Vector2d Tracker::shutter_shift(const HostedPoint &point, const SE3 &camera_from_world, Track *track) const {
    if (map_.readout == 0) return Eigen::Vector2d::Zero();
    track->row_rate = map_.row_rate(camera_from_world * map_.position_in_world(point), twist_);
    return map_.readout * track->row_rate;
}

void Tracker::correct_pose(const Twist &twist, TrackingOutcome *outcome, SE3 *pose) {
    if (map_.readout == 0) return;
    twist_ = twist;
    const SE3 camera_from_world = pose->inverse();
    for (Track &track : tracks) {
        if (!track.found) continue;
        shutter_shift(map_.points[track.point], camera_from_world, &track);
    }
    SE3 corrected;
    TrackingOutcome again = solve_pose(*pose, &corrected);
    if (!again.succeeded) return;
    again.attempted = outcome->attempted;
    again.start_level = outcome->start_level;
    *outcome = again;
    *pose = corrected;
}

TrackingOutcome Tracker::solve_pose(const SE3 &start, SE3 *out_pose) {
    TrackingOutcome outcome;
    observations_.clear();
    observation_track_.clear();
    scratch_.clear();
    for (size_t i = 0; i < tracks.size(); ++i) {
        Track &track = tracks[i];
        if (!track.found) continue;
        ++outcome.found;
        scratch_.push_back((track.pixel - track.previous_pixel).norm());
        const HostedPoint &point = map_.points[track.point];
        const bool mature = point.state == PointState::mature;
        const double relative = std::sqrt(point.inverse_depth_variance) / point.inverse_depth;
        // A depth that isn't settled still says where the camera turns; its spread takes the rest out.
        if (!mature && (point.depth_updates < 1 || relative > kUsableSpread)) continue;
        outcome.mature_found += mature;
        PoseObservation o;
        const SE3 &host = map_.keyframes[point.host].world_from_camera;
        const Eigen::Vector3d ray = host.rotation * map_.host_bearing(point);
        o.point_in_world = host.translation + ray / point.inverse_depth;
        o.depth_spread = ray * (std::sqrt(point.inverse_depth_variance) / (point.inverse_depth * point.inverse_depth));
        o.pixel = without_shutter(track);
        o.noise_scale = level_noise(track.level);
        observations_.push_back(o);
        observation_track_.push_back(static_cast<int>(i));
    }
    outcome.flow_pixels = median(scratch_);
    *out_pose = start;
    if (outcome.mature_found < 8) return outcome;
    const PoseOptimiserResult result = optimise_pose(observations_, map_.focal, noise_pixels, 4.0, out_pose);
    outcome.succeeded = result.succeeded;
    outcome.inliers = result.inlier_count;
    outcome.rms_pixels = result.rms_pixels;
    outcome.covariance = result.covariance;
    for (size_t i = 0; i < observations_.size(); ++i) {
        tracks[observation_track_[i]].is_inlier = result.succeeded && observations_[i].is_inlier;
    }
    return outcome;
}

bool Tracker::is_visible(const HostedPoint &point, const SE3 &pose, const SE3 &camera_from_world,
                         Eigen::Vector2d *out_pixel) const {
    const Eigen::Vector3d position = map_.position_in_world(point);
    if (!camera_.project(camera_from_world * position, kMargin + 4, out_pixel)) return false;
    const Eigen::Vector3d from_host =
        (position - map_.keyframes[point.host].world_from_camera.translation).normalized();
    const Eigen::Vector3d from_here = (position - pose.translation).normalized();
    return from_host.dot(from_here) >= 0.8;
}

void Tracker::follow_visible(const SE3 &pose, int most) {
    tracks.clear();
    const SE3 camera_from_world = pose.inverse();
    Eigen::Vector2d pixel;
    for (size_t i = 0; i < map_.points.size(); ++i) {
        const HostedPoint &point = map_.points[i];
        if (point.state != PointState::mature || !is_visible(point, pose, camera_from_world, &pixel)) continue;
        Track track;
        track.point = static_cast<int>(i);
        track.pixel = track.previous_pixel = pixel;
        tracks.push_back(track);
    }
    const size_t stride = (tracks.size() + static_cast<size_t>(most) - 1) / static_cast<size_t>(most);
    if (stride < 2) return;
    size_t kept = 0;
    for (size_t i = 0; i < tracks.size(); i += stride) tracks[kept++] = tracks[i];
    tracks.resize(kept);
}

int Tracker::refind(const ImagePyramid &pyramid, const SE3 &pose, int budget) {
    followed_.assign(map_.points.size(), 0);
    for (const Track &track : tracks) followed_[track.point] = 1;
    const SE3 camera_from_world = pose.inverse();
    int tried = 0, found_count = 0;
    const size_t count = map_.points.size();
    // Takes up where the last frame stopped, so that every point gets its turn.
    const size_t first = refind_cursor_;
    for (size_t step = 0; step < count && tried < budget; ++step) {
        const size_t index = (first + step) % count;
        const HostedPoint &point = map_.points[index];
        if (point.state != PointState::mature || followed_[index]) continue;
        Eigen::Vector2d pixel;
        if (!is_visible(point, pose, camera_from_world, &pixel)) continue;
        const SE3 current_from_host = camera_from_world * map_.keyframes[point.host].world_from_camera;
        const Eigen::Vector3d bearing = map_.host_bearing(point);
        Eigen::Matrix2d warp;
        if (!affine_warp(point, bearing, point.inverse_depth, current_from_host, camera_, &warp, &pixel)) continue;
        ++tried;
        refind_cursor_ = index + 1;
        Track track;
        pixel += shutter_shift(point, camera_from_world, &track);
        const FoundPoint found =
            find_point(static_cast<int>(index), point, warp, pyramid, pixel, 1, 0.85f, &templates_);
        if (!found.found || found.level != point.level || (found.pixel - pixel).norm() > 4 * level_noise(found.level)) {
            continue;
        }
        track.point = static_cast<int>(index);
        track.pixel = track.previous_pixel = found.pixel;
        track.level = found.level;
        track.centred = map_.centred(camera_, found.pixel);
        track.found = true;
        track.is_inlier = true;
        tracks.push_back(track);
        ++found_count;
    }
    return found_count;
}

void Tracker::update_depths(const SE3 &pose) {
    const double least = 1e-3 * typical_inverse_depth;
    for (Track &track : tracks) {
        HostedPoint &point = map_.points[track.point];
        if (point.state != PointState::immature || !track.found) continue;
        switch (refine_depth(map_, pose, without_shutter(track), least, &point)) {
            case DepthUpdate::no_parallax:
                break;
            case DepthUpdate::off_the_line:
                track.found = false;
                ++point.consecutive_failures;
                break;
            case DepthUpdate::refined:
                const double relative = std::sqrt(point.inverse_depth_variance) / point.inverse_depth;
                if (relative < 0.1 && point.depth_updates >= 3) point.state = PointState::mature;
                break;
        }
    }
}

void Tracker::drop_lost() {
    std::erase_if(tracks, [&](Track &track) {
        HostedPoint &point = map_.points[track.point];
        const bool good = track.found && (track.is_inlier || point.state == PointState::immature);
        track.misses = good ? 0 : track.misses + 1;
        if (good) point.consecutive_failures = 0;
        const bool drop = track.misses > (point.state == PointState::mature ? 2 : 1);
        if (drop && (point.state == PointState::immature || ++point.consecutive_failures > 5)) {
            map_.remove_point(track.point);
        }
        return drop;
    });
}

}  // namespace foothold
