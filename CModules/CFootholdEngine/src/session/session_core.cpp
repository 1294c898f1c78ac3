#include "session/session_core.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>

#include "relocalisation/confirmation.h"
#include "session/stopwatch.h"
#include "session/surface_slants.h"

namespace foothold {

namespace {

constexpr int kMinimumInliers = 15;
constexpr size_t kYoungMap = 12;
constexpr int64_t kTextureEvery = 10;
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
    if (options_.focal_is_guess) {
        mapper_.free_focal(map_.focal, kGuessSigma);
    } else if (camera_.distortion == Distortion::none) {
        mapper_.allow_doubt();
    }
    initial_knowledge_ = mapper_.knowledge();
}

void SessionCore::reset() {
    earlier_.clear();
    begin_world();
}

void SessionCore::begin_world() {
    told_pose_.reset();
    review_left_.reset();
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
    review_left_.reset();
    FrameOutput out;
    ++frame_index_;
    is_frame_costly_ = false;
    correction_.reset();
    if (surface_worker_.advance(frame_index_)) note_slants(surface_worker_.surfaces(), &map_);
    for (; !inertial_.empty() && inertial_.front().timestamp_ns <= timestamp_ns; inertial_.pop_front()) {
        const InertialReading &reading = inertial_.front();
        surface_worker_.add_inertial(reading.timestamp_ns, reading.gyro, reading.accel);
    }
    {
        Stopwatch watch(&out.times.pyramid_ms);
        const ImageView clean = noise_filter_.clean(luma);
        pyramid_.build(clean, noise_filter_.left_at_half_size());
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
    // A keyframe costs as much as a share by itself, and several where the whole map is adjusted.
    if (!is_frame_costly_) surface_worker_.work(frame_index_, out.is_keyframe ? 0.5 : 1);
    out.times.surfaces_ms = surface_worker_.take_spent_ms();
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
    out->turn_radians = turn_between(last_pose_.rotation, pose.rotation);
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
    constexpr int kFewestBetween = 4;
    if (frames_since_keyframe_ < kFewestBetween) return false;
    // What passes before a camera that stands still shows nothing new.
    constexpr int kEnoughToStand = 60;
    if (still_camera_.is_still() && outcome.inliers >= kEnoughToStand) return false;
    if (outcome.inliers < 0.7 * inliers_at_keyframe_) return true;
    // Otherwise only for a view that no keyframe has, so that a map doesn't grow where everything was seen. A young map
    // learns most from every view.
    const double enough = map_.keyframes.size() < kYoungMap ? 0.025 : 0.04;
    const double shift =
        enough * std::max(camera_.width, camera_.height) / (tracker_.typical_inverse_depth * map_.focal);
    // What comes into view must be in three keyframes before its depth is known from pictures.
    constexpr double kTurn = 0.14;
    return std::none_of(map_.keyframes.begin(), map_.keyframes.end(), [&](const Keyframe &keyframe) {
        return (keyframe.world_from_camera.translation - pose.translation).squaredNorm() <= shift * shift &&
               turn_between(keyframe.world_from_camera.rotation, pose.rotation) <= kTurn;
    });
}

void SessionCore::insert_keyframe(int64_t timestamp_ns, FrameOutput *out) {
    insert_keyframe_and_adjust(timestamp_ns, out);
    look_for_loops(timestamp_ns);
    // A search takes longer than keyframes are apart at the least; it looks at the newest one when it begins.
    if (!surface_worker_.is_under_way()) surface_worker_.begin(frame_index_, map_, camera_, mapper_.noise_pixels);
}

void SessionCore::insert_keyframe_and_adjust(int64_t timestamp_ns, FrameOutput *out) {
    Stopwatch watch(&out->times.mapping_ms);
    const int index = mapper_.add_keyframe(timestamp_ns, last_pose_, twist_, pyramid_, thumbnail_, tracker_.tracks);
    tracker_.drop_lost();
    mapper_.host_points(index, pyramid_, options_.wanted_tracks, tracker_.typical_inverse_depth, &tracker_.tracks);
    look_back_.look(index, tracker_.tracks, tracker_.typical_inverse_depth);
    const CameraModel known_before = camera_;
    is_frame_costly_ = mapper_.adjust_window(options_.window).variable_poses > options_.window;
    follow_lens(known_before);
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

void SessionCore::follow_lens(const CameraModel &before) {
    const LensChange change(before, camera_);
    if (change.is_none()) return;
    log_.change_lens(change);
    for (Track &track : tracker_.tracks) track.centred = map_.centred(camera_, track.pixel);
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

void SessionCore::free_memory_of_frames() {
    tracker_.free_memory();
    look_back_.free_memory();
    mapper_.free_memory();
#ifdef __GLIBC__
    // What is free in between would stay with the process.
    malloc_trim(0);
#endif
}

int SessionCore::review_surfaces() {
    if (!review_left_) {
        surface_worker_.begin_review();
        free_memory_of_frames();
        review_left_.emplace();
        // Surfaces of a world that wasn't recognised aren't told of.
        const bool is_known = has_world() && known_world_ != KnownWorld::sought;
        for (const bool is_for_outlines : {true, false}) {
            for (size_t k = 0; is_known && k < map_.keyframes.size(); ++k) {
                if (map_.keyframes[k].picture) review_left_->push_back({static_cast<int>(k), is_for_outlines});
            }
        }
    }
    // The newest first: what it shows is what was looked at last.
    if (!review_left_->empty()) {
        const ReviewStep step = review_left_->back();
        review_left_->pop_back();
        if (step.is_for_outlines) {
            surface_worker_.label(map_, camera_, mapper_.noise_pixels, step.keyframe);
        } else {
            surface_worker_.review(map_, camera_, mapper_.noise_pixels, step.keyframe);
        }
    }
    const int left = static_cast<int>(review_left_->size());
    if (left == 0) end_review();
    return left;
}

void SessionCore::end_review() {
    if (!review_left_) return;
    surface_worker_.end_review();
    review_left_.reset();
}

std::vector<LoggedPose> SessionCore::finish() {
    // The map moves under what was told.
    told_pose_.reset();
    if (map_.keyframes.size() >= 3) {
        const CameraModel known_before = camera_;
        mapper_.adjust_all(50);
        follow_lens(known_before);
    }
    return log_.refined(map_, mapper_.noise_pixels);
}

}  // namespace foothold
