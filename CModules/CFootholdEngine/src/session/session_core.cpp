#include "session/session_core.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "initialisation/rotation_fit.h"
#include "relocalisation/confirmation.h"

namespace foothold {

namespace {

constexpr int kMinimumInitialTracks = 60;
constexpr int kMinimumInliers = 15;
constexpr size_t kYoungMap = 12;
constexpr size_t kInitialFrames = 90;
constexpr int64_t kTextureEvery = 10;
constexpr double kDark = 0.12;
/// Share of cells with anything to see below which nothing can be found.
constexpr double kFeatureless = 0.12;
/// Picture widths a frame above which the camera moves too fast.
constexpr double kFast = 0.035;
/// Root mean square of how far points lie from where the camera's way puts them, in picture widths, that is no footing.
constexpr double kSwaying = 0.006;
/// Sharpness relative to the usual below which a picture is blurred.
constexpr double kBlurred = 0.75;
/// Spread of the logarithm of a guessed focal length: most cameras see between 48° and 70° across.
constexpr double kGuessSigma = 0.13;
/// The share of a point's movement that the camera model may get wrong. Calibrations and guesses ask for the same: what
/// a shutter or a lens feigns beside the focal length is as much.
constexpr double kModelError = 0.008;

class Stopwatch {
public:
    explicit Stopwatch(double *milliseconds) : milliseconds_(milliseconds) {}
    ~Stopwatch() {
        *milliseconds_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    double *milliseconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

SessionCore::SessionCore(const SessionOptions &options)
    : options_(options),
      camera_(options.camera),
      mapper_(map_, camera_),
      look_back_(map_, camera_),
      tracker_(map_, camera_),
      loop_detector_(map_, camera_),
      surface_worker_(options.has_two_threads) {
    map_.focal = camera_.focal();
    map_.height_pixels = camera_.height;
    if (options_.focal_is_guess) mapper_.free_focal(map_.focal, kGuessSigma);
    initial_knowledge_ = mapper_.knowledge();
}

void SessionCore::reset() {
    earlier_.clear();
    begin_world();
}

void SessionCore::begin_world() {
    told_pose_.reset();
    depth_mapper_.forget();
    loop_detector_.forget();
    map_.clear();
    tracker_.tracks.clear();
    log_.clear();
    surface_worker_.reset();
    if (known_world_ == KnownWorld::sought) forget_known_camera();
    known_world_ = KnownWorld::none;
    phase_ = Phase::empty;
    has_velocity_ = false;
    world_id_ = ++newest_world_id_;
    has_fitted_ = false;
    fitting_frames_ = swaying_frames_ = 0;
}

FrameOutput SessionCore::process(const ImageView &luma, int64_t timestamp_ns) {
    FrameOutput out;
    ++frame_index_;
    correction_.reset();
    if (surface_worker_.take_over(frame_index_)) out.times.surfaces_ms = surface_worker_.search_ms();
    for (; next_inertial_ < inertial_.size() && inertial_[next_inertial_].timestamp_ns <= timestamp_ns;
         ++next_inertial_) {
        const InertialReading &reading = inertial_[next_inertial_];
        surface_worker_.add_inertial(reading.timestamp_ns, reading.gyro, reading.accel);
    }
    {
        Stopwatch watch(&out.times.pyramid_ms);
        pyramid_.build(noise_filter_.clean(luma));
        std::swap(thumbnail_, last_thumbnail_);
        thumbnail_.build(pyramid_);
        out.picture = analyser_.analyse(pyramid_);
    }
    const double interval = last_frame_ns_ == INT64_MIN ? 0 : static_cast<double>(timestamp_ns - last_frame_ns_) * 1e-9;
    last_frame_ns_ = timestamp_ns;
    switch (phase_) {
        case Phase::empty:
            start_initialising(timestamp_ns);
            out.state = TrackingState::limited;
            out.reason = phase_ == Phase::initialising    ? LimitedReason::initializing
                         : out.picture.brightness < kDark ? LimitedReason::insufficient_light
                                                          : LimitedReason::insufficient_features;
            break;
        case Phase::initialising:
            process_initialising(timestamp_ns, &out);
            break;
        case Phase::tracking:
            process_tracking(timestamp_ns, &out);
            break;
        case Phase::lost: {
            if (frame_index_ == 0) begin_lost(timestamp_ns);
            Stopwatch watch(&out.times.tracking_ms);
            out.turn_radians =
                so3_log(align_rotation(last_thumbnail_, thumbnail_, camera_, Eigen::Matrix3d::Identity()).rotation)
                    .norm();
            out.flow_pixels = out.turn_radians * map_.focal;
            if (!try_relocalise(timestamp_ns, &out)) {
                out.state = TrackingState::limited;
                out.reason = reason_while_lost(out.picture, out.turn_radians);
                was_lost_moving_ = out.reason == LimitedReason::excessive_motion;
                const double lost_seconds = static_cast<double>(timestamp_ns - lost_since_ns_) * 1e-9;
                const double tracked_seconds = static_cast<double>(lost_since_ns_ - tracked_since_ns_) * 1e-9;
                // A short map is worth little: start over sooner.
                if (lost_seconds > std::clamp(tracked_seconds, 1.0, 5.0)) {
                    leave_world();
                    out.did_reset = true;
                }
            }
            break;
        }
    }
    look_for_earlier_worlds(timestamp_ns, &out);
    steady(&out);
    const SE3 pose = out.world_from_camera;
    if (out.has_pose) out.world_from_camera = easing_.eased(pose, timestamp_ns);
    told_pose_ = out.has_pose ? std::optional(out.world_from_camera) : std::nullopt;
    // Corners are looked for at keyframes; between them and when lost, now and then.
    if (!out.is_keyframe && frame_index_ % kTextureEvery == 0) mapper_.look_for_texture(pyramid_);
    out.texture_share = mapper_.texture_share();
    out.known_world = known_world_;
    out.world_id = world_id_;
    if (interval > 0) {
        out.flow = out.flow_pixels / camera_.width / interval;
        out.angular_speed = out.turn_radians / interval;
    }
    if (out.has_pose) {
        surface_worker_.add_pose(timestamp_ns, pose);
        if (options_.path_frames > 0 && frame_index_ >= options_.path_frames) {
            log_.clear();
        } else {
            log_.add(frame_index_, timestamp_ns, pose, twist_, static_cast<int>(map_.keyframes.size()) - 1, map_,
                     tracker_.tracks);
        }
    }
    return out;
}

void SessionCore::steady(FrameOutput *out) {
    if (!out->has_pose || out->did_return || out->absorbed_world_id != 0) {
        still_camera_.reset();
        easing_.reset();
    }
    if (!out->has_pose) return;
    // An error of each point is one of the whole picture, less where there are many of them.
    constexpr double kSpread = 2;
    const double noise = kSpread * mapper_.noise_pixels / std::sqrt(std::max(1, out->inliers));
    out->world_from_camera =
        still_camera_.steadied(out->world_from_camera, camera_, tracker_.typical_inverse_depth, noise);
}

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
    attempts_skipped_ = 0;
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
        initialiser_.attempt(initial_, map_.focal, std::max(camera_.width, camera_.height), kModelError);
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

SE3 SessionCore::predict(int64_t timestamp_ns) const {
    if (!has_velocity_) return last_pose_;
    const double ratio = std::clamp(static_cast<double>(timestamp_ns - last_time_ns_) /
                                        static_cast<double>(std::max<int64_t>(1, last_time_ns_ - before_last_time_ns_)),
                                    0.0, 3.0);
    const Eigen::Vector3d turn = so3_log(before_last_pose_.rotation.transpose() * last_pose_.rotation);
    return SE3{last_pose_.rotation * so3_exp(ratio * turn),
               last_pose_.translation + ratio * (last_pose_.translation - before_last_pose_.translation)};
}

void SessionCore::process_tracking(int64_t timestamp_ns, FrameOutput *out) {
    TrackingOutcome outcome;
    SE3 pose;
    {
        Stopwatch watch(&out->times.tracking_ms);
        tracker_.noise_pixels = mapper_.noise_pixels;
        outcome = tracker_.track(pyramid_, predict(timestamp_ns), twist_, has_velocity_ ? start_level_ : 2, &pose);
        const auto poor = [&] {
            return !outcome.succeeded || outcome.inliers < kMinimumInliers * 2 ||
                   outcome.inliers < 0.4 * outcome.attempted;
        };
        if (poor()) {
            // The prediction failed: turn by what the whole picture says, and search from coarser.
            const TrackingOutcome first = outcome;
            const SE3 first_pose = pose;
            const std::vector<Track> first_tracks = tracker_.tracks;
            const RotationAlignment turned =
                align_rotation(last_thumbnail_, thumbnail_, camera_, Eigen::Matrix3d::Identity());
            const SE3 start{last_pose_.rotation * turned.rotation.transpose(), last_pose_.translation};
            outcome = tracker_.track(pyramid_, start, Twist(), 3, &pose);
            if (first.inliers > outcome.inliers) {
                outcome = first;
                pose = first_pose;
                tracker_.tracks = first_tracks;
            }
        }
        start_level_ = outcome.start_level;
        out->tracked = outcome.found;
        out->inliers = outcome.inliers;
        out->flow_pixels = outcome.flow_pixels;
        out->rms_pixels = outcome.rms_pixels;
        if (!outcome.succeeded || outcome.inliers < kMinimumInliers || outcome.inliers < 0.3 * outcome.mature_found) {
            phase_ = Phase::lost;
            lost_since_ns_ = timestamp_ns;
            has_velocity_ = false;
            twist_ = Twist();
            // Not told as the camera's turning: in a cut of the video it is none.
            const double turned =
                so3_log(align_rotation(last_thumbnail_, thumbnail_, camera_, Eigen::Matrix3d::Identity()).rotation)
                    .norm();
            was_lost_moving_ = std::max(turned * map_.focal, last_flow_pixels_) > kFast * camera_.width;
            // After a cut in the video the place may be known already.
            if (try_relocalise(timestamp_ns, out)) return;
            out->state = TrackingState::limited;
            out->reason = reason_while_lost(out->picture, turned);
            return;
        }
        const double interval = static_cast<double>(timestamp_ns - last_time_ns_) * 1e-9;
        tracker_.correct_pose(Twist::between(last_pose_, pose, interval), &outcome, &pose);
        twist_ = Twist::between(last_pose_, pose, interval);
        if (frames_since_keyframe_ == 0 && has_velocity_) {
            // From both sides it is known best.
            Keyframe &keyframe = map_.keyframes.back();
            keyframe.twist.angular = 0.5 * (keyframe.twist.angular + twist_.angular);
            keyframe.twist.linear = 0.5 * (keyframe.twist.linear + twist_.linear);
        }
        tracker_.refind(pyramid_, pose, 40);
        tracker_.update_depths(pose);
    }
    out->turn_radians = so3_log(last_pose_.rotation.transpose() * pose.rotation).norm();
    before_last_pose_ = last_pose_;
    before_last_time_ns_ = last_time_ns_;
    last_pose_ = pose;
    last_time_ns_ = timestamp_ns;
    last_flow_pixels_ = outcome.flow_pixels;
    constexpr double kShare = 0.1;
    usual_sharpness_ += kShare * (out->picture.sharpness - usual_sharpness_);
    has_velocity_ = true;
    ++frames_since_keyframe_;
    judge(outcome, out);
    if (never_fits(outcome)) {
        // Not worth going back to.
        begin_world();
        out->did_reset = true;
        out->state = TrackingState::limited;
        out->reason = LimitedReason::initializing;
        return;
    }
    if (needs_keyframe(pose, outcome)) {
        insert_keyframe(timestamp_ns, out);
    } else {
        tracker_.drop_lost();
    }
    out->has_pose = true;
    out->world_from_camera = last_pose_;
}

bool SessionCore::never_fits(const TrackingOutcome &outcome) {
    // A map made in violent movement may be wrong from its first points on, and then no calm makes it better.
    constexpr int kFrames = 10;
    const double misfit = outcome.rms_pixels / (kSwaying * camera_.width);
    fitting_frames_ = misfit < 0.5 ? fitting_frames_ + 1 : 0;
    has_fitted_ = has_fitted_ || fitting_frames_ >= kFrames;
    swaying_frames_ = misfit > 1 && outcome.flow_pixels < 0.5 * kFast * camera_.width ? swaying_frames_ + 1 : 0;
    return !has_fitted_ && swaying_frames_ >= kFrames;
}

void SessionCore::judge(const TrackingOutcome &outcome, FrameOutput *out) const {
    out->state = TrackingState::normal;
    out->reason = LimitedReason::none;
    // A map that was made in violent movement is found again, but nothing lies where it says.
    const bool sways = outcome.rms_pixels > kSwaying * camera_.width;
    if (outcome.inliers < 30 || outcome.inliers < 0.35 * outcome.attempted || sways) {
        out->state = TrackingState::limited;
        out->reason = out->picture.brightness < kDark               ? LimitedReason::insufficient_light
                      : outcome.flow_pixels > kFast * camera_.width ? LimitedReason::excessive_motion
                                                                    : LimitedReason::insufficient_features;
    }
}

LimitedReason SessionCore::reason_while_lost(const PictureStatistics &picture, double turned) const {
    if (picture.brightness < kDark) return LimitedReason::insufficient_light;
    if (picture.detail_share < kFeatureless) return LimitedReason::insufficient_features;
    const bool is_moving = turned * map_.focal > kFast * camera_.width;
    const bool is_blurred = picture.sharpness < kBlurred * usual_sharpness_;
    if (was_lost_moving_ && (is_moving || is_blurred)) return LimitedReason::excessive_motion;
    return LimitedReason::relocalizing;
}

bool SessionCore::needs_keyframe(const SE3 &pose, const TrackingOutcome &outcome) const {
    if (surface_worker_.is_under_way()) return false;
    if (frames_since_keyframe_ < 3) return false;
    // What passes before a camera that stands still shows nothing new.
    constexpr int kEnoughToStand = 60;
    if (still_camera_.is_still() && outcome.inliers >= kEnoughToStand) return false;
    if (outcome.inliers < 0.7 * inliers_at_keyframe_) return true;
    // Otherwise only for a view that no keyframe has, so that a map doesn't grow where everything was seen. A young map
    // learns most from every view.
    const double enough = map_.keyframes.size() < kYoungMap ? 0.025 : 0.04;
    const double shift =
        enough * std::max(camera_.width, camera_.height) / (tracker_.typical_inverse_depth * map_.focal);
    constexpr double kTurn = 0.2;
    return std::none_of(map_.keyframes.begin(), map_.keyframes.end(), [&](const Keyframe &keyframe) {
        return (keyframe.world_from_camera.translation - pose.translation).squaredNorm() <= shift * shift &&
               so3_log(keyframe.world_from_camera.rotation.transpose() * pose.rotation).norm() <= kTurn;
    });
}

void SessionCore::insert_keyframe(int64_t timestamp_ns, FrameOutput *out) {
    insert_keyframe_and_adjust(timestamp_ns, out);
    look_for_loops(timestamp_ns);
    surface_worker_.begin(frame_index_, map_, camera_, mapper_.noise_pixels);
}

void SessionCore::insert_keyframe_and_adjust(int64_t timestamp_ns, FrameOutput *out) {
    Stopwatch watch(&out->times.mapping_ms);
    const int index = mapper_.add_keyframe(timestamp_ns, last_pose_, twist_, pyramid_, thumbnail_, tracker_.tracks);
    tracker_.drop_lost();
    mapper_.host_points(index, pyramid_, options_.wanted_tracks, tracker_.typical_inverse_depth, &tracker_.tracks);
    look_back_.look(index, tracker_.tracks, tracker_.typical_inverse_depth);
    mapper_.adjust_window(options_.window);
    if (has_velocity_) {
        // The velocity is the last frame's, moved along with the correction.
        const SE3 correction = map_.keyframes[index].world_from_camera * last_pose_.inverse();
        before_last_pose_ = correction * before_last_pose_;
    }
    last_pose_ = map_.keyframes[index].world_from_camera;
    tracker_.typical_inverse_depth = mapper_.typical_inverse_depth();
    mapper_.cull(tracker_.tracks);
    inliers_at_keyframe_ = 0;
    for (const Track &track : tracker_.tracks) inliers_at_keyframe_ += track.is_inlier;
    frames_since_keyframe_ = 0;
    out->is_keyframe = true;
}

bool SessionCore::try_relocalise(int64_t timestamp_ns, FrameOutput *out) {
    std::vector<SE3> poses = relocaliser_.propose_from_points(map_, camera_, pyramid_);
    const std::vector<SE3> others = relocaliser_.propose_from_keyframes(map_, camera_, thumbnail_, 4);
    poses.insert(poses.end(), others.begin(), others.end());
    for (const SE3 &proposed : poses) {
        SE3 pose;
        TrackingOutcome outcome;
        if (!confirm_pose(proposed, pyramid_, mapper_.noise_pixels, &tracker_, &pose, &outcome)) continue;
        if (known_world_ == KnownWorld::sought) {
            known_world_ = KnownWorld::found;
            surface_worker_.tell_known(timestamp_ns);
        }
        go_on_from(pose, outcome, timestamp_ns, out);
        return true;
    }
    return false;
}

void SessionCore::go_on_from(const SE3 &pose, const TrackingOutcome &outcome, int64_t timestamp_ns, FrameOutput *out) {
    last_pose_ = pose;
    last_time_ns_ = timestamp_ns;
    has_velocity_ = false;
    phase_ = Phase::tracking;
    frames_since_keyframe_ = 0;
    inliers_at_keyframe_ = outcome.inliers;
    out->tracked = outcome.found;
    out->inliers = outcome.inliers;
    out->rms_pixels = outcome.rms_pixels;
    out->has_pose = true;
    out->world_from_camera = pose;
    judge(outcome, out);
}

std::vector<LoggedPose> SessionCore::finish() {
    // The map moves under what was told.
    told_pose_.reset();
    if (map_.keyframes.size() >= 3) mapper_.adjust_all(50);
    return log_.refined(map_, mapper_.noise_pixels);
}

}  // namespace foothold
