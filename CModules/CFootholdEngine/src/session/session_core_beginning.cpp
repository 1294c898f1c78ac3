// The first views of a world: gathered until there is enough parallax, and then made into a map.
#include <algorithm>
#include <limits>
#include <utility>

#include "session/session_core.h"
#include "session/stopwatch.h"

namespace foothold {

namespace {

constexpr int kMinimumInitialTracks = 60;
constexpr size_t kInitialFrames = 90;
/// Spread of the logarithm of the focal length above which it is only guessed.
constexpr double kRoughFocalSigma = 0.03;
constexpr CameraTrust kCalibrated = {.model_error = 0.004};
/// A guessed focal length makes all depths wrong alike, and adjusting it takes that away.
constexpr CameraTrust kGuessed = {.model_error = 0.008, .most_depth_spread = 0.09};

}  // namespace

void SessionCore::start_initialising(int64_t timestamp_ns) {
    map_.clear();
    tracker_.tracks.clear();
    map_.focal = camera_.focal();
    mapper_.add_keyframe(timestamp_ns, SE3(), Twist(), pyramid_, thumbnail_, tracker_.tracks);
    mapper_.host_points(0, pyramid_, options_.wanted_tracks * 5 / 4, 1, &tracker_.tracks);
    phase_ = Phase::empty;
    if (static_cast<int>(tracker_.tracks.size()) < kMinimumInitialTracks) return;
    initial_.host_pixel.clear();
    initial_.pixel.clear();
    initial_points_.clear();
    initial_times_.clear();
    for (const Track &track : tracker_.tracks) {
        initial_points_.push_back(track.point);
        initial_.host_pixel.push_back(map_.points[track.point].host_pixel);
    }
    initial_.pixel.push_back(initial_.host_pixel);
    initial_times_.push_back(timestamp_ns);
    current_from_host_.setIdentity();
    phase_ = Phase::initialising;
}

void SessionCore::process_initialising(int64_t timestamp_ns, FrameOutput *out) {
    Stopwatch watch(&out->times.tracking_ms);
    out->state = TrackingState::limited;
    out->reason = LimitedReason::initializing;
    const RotationAlignment turned = align_rotation(last_thumbnail_, thumbnail_, camera_, Eigen::Matrix3d::Identity());
    current_from_host_ = turned.rotation * current_from_host_;
    out->turn_radians = so3_log(turned.rotation).norm();
    // Until there is depth, the picture's turning is its movement.
    out->flow_pixels = out->turn_radians * map_.focal;
    const int found = tracker_.track_without_map(pyramid_, current_from_host_, turned.rotation);
    out->tracked = found;
    std::vector<Eigen::Vector2d> pixels(initial_points_.size(),
                                        Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()));
    for (size_t i = 0; i < tracker_.tracks.size(); ++i) {
        if (tracker_.tracks[i].found) pixels[i] = tracker_.tracks[i].centred;
    }
    initial_.pixel.push_back(std::move(pixels));
    initial_times_.push_back(timestamp_ns);
    const bool too_few = found < std::max(kMinimumInitialTracks * 2 / 3, static_cast<int>(initial_points_.size() / 4));
    if (too_few || initial_.pixel.size() > kInitialFrames) {
        start_initialising(timestamp_ns);
        if (phase_ != Phase::initialising) {
            out->reason = out->picture.brightness < kDark ? LimitedReason::insufficient_light
                                                          : LimitedReason::insufficient_features;
        }
        return;
    }
    InitialisationResult result =
        initialiser_.attempt(initial_, map_.focal, std::max(camera_.width, camera_.height),
                             mapper_.log_focal_sigma() > kRoughFocalSigma ? kGuessed : kCalibrated);
    out->parallax_pixels = result.parallax_pixels;
    if (result.status == InitialisationStatus::pure_rotation && result.median_flow > 0.08 * camera_.width) {
        out->reason = LimitedReason::no_translation;
    }
    if (result.status == InitialisationStatus::succeeded) adopt(result, timestamp_ns, out);
}

void SessionCore::adopt(const InitialisationResult &result, int64_t timestamp_ns, FrameOutput *out) {
    for (size_t i = 0; i < initial_points_.size(); ++i) {
        HostedPoint &point = map_.points[initial_points_[i]];
        if (result.inverse_depth[i] <= 0) continue;
        point.inverse_depth = result.inverse_depth[i];
        point.inverse_depth_variance = result.inverse_depth_variance[i];
        point.state = PointState::mature;
    }
    std::erase_if(tracker_.tracks, [&](const Track &track) {
        const bool drop = map_.points[track.point].state != PointState::mature;
        if (drop) map_.remove_point(track.point);
        return drop;
    });
    for (Track &track : tracker_.tracks) track.is_inlier = track.found;
    // The frames between become keyframes too: the first adjustments need their sights.
    for (size_t f = 1; f + 1 < result.frames.size(); ++f) {
        const std::vector<Eigen::Vector2d> &pixels = initial_.pixel[result.frames[f]];
        Keyframe keyframe;
        keyframe.id = map_.next_keyframe_id();
        keyframe.timestamp_ns = initial_times_[result.frames[f]];
        keyframe.world_from_camera = result.host_from_camera[f];
        for (size_t i = 0; i < initial_points_.size(); ++i) {
            HostedPoint &point = map_.points[initial_points_[i]];
            if (result.inverse_depth[i] <= 0 || !pixels[i].allFinite()) continue;
            keyframe.observations.push_back({initial_points_[i], pixels[i]});
            ++point.observation_count;
        }
        const double interval =
            static_cast<double>(initial_times_[result.frames[f]] - initial_times_[result.frames[f - 1]]) * 1e-9;
        keyframe.twist = Twist::between(result.host_from_camera[f - 1], result.host_from_camera[f], interval);
        if (f == 1) map_.keyframes.back().twist = keyframe.twist;
        map_.keyframes.push_back(std::move(keyframe));
    }
    last_pose_ = result.host_from_camera.back();
    last_time_ns_ = timestamp_ns;
    has_velocity_ = false;
    usual_sharpness_ = out->picture.sharpness;
    last_flow_pixels_ = 0;
    twist_ = map_.keyframes.back().twist;
    tracked_since_ns_ = timestamp_ns;
    phase_ = Phase::tracking;
    // The newest view becomes the second keyframe, and the frames between lend their sights to the first adjustment.
    mapper_.noise_pixels = std::clamp(result.noise_pixels, 0.2, 1.0);
    tracker_.noise_pixels = mapper_.noise_pixels;
    out->inliers = static_cast<int>(tracker_.tracks.size());
    level_world();
    insert_keyframe(timestamp_ns, out);
    before_last_pose_ = last_pose_;
    out->state = TrackingState::normal;
    out->reason = LimitedReason::none;
    out->has_pose = true;
    out->world_from_camera = last_pose_;
    out->rms_pixels = result.noise_pixels;
}

void SessionCore::level_world() {
    // The newest view isn't a keyframe yet, but its straight edges are wanted.
    const Eigen::Vector3d up = surface_worker_.initial_up(map_, camera_, mapper_.noise_pixels);
    const Eigen::Matrix3d rotation =
        Eigen::Quaterniond::FromTwoVectors(up, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const SE3 level{rotation, Eigen::Vector3d::Zero()};
    for (Keyframe &keyframe : map_.keyframes) keyframe.world_from_camera = level * keyframe.world_from_camera;
    last_pose_ = level * last_pose_;
    surface_worker_.rotate_world(rotation);
}

}  // namespace foothold
