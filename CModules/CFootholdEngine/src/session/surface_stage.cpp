#include "session/surface_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surfaces/parted_change.h"

namespace foothold {

namespace {

// Over a longer gap between two poses the camera may have turned.
constexpr int64_t kLongestPoseGapNs = 200'000'000;
/// Up that is known no better than this (4°) is taken from the largest surface that faces up within some 35°.
constexpr double kUnsureUp = 0.07;
/// Radians: as well as level things are parallel to the largest of them.
constexpr double kLevelTogether = 0.04;
constexpr double kFacesUp = 0.82;
/// Radians: as far apart as this, what a surface's lowest points say of the way it faces counts as much as what all do.
constexpr double kFarApart = 0.03;
/// Relative: a metre that is known no better isn't known.
constexpr double kUnsureMetre = 0.05;

/// The camera of the half-size picture: every second pixel's centre is kept, so coordinates halve.
CameraModel half_camera(const CameraModel &camera) {
    CameraModel half = camera;
    half.width = half.height = 0;
    half.fx *= 0.5;
    half.fy *= 0.5;
    half.cx *= 0.5;
    half.cy *= 0.5;
    return half;
}

/// A surface's normal if it's level: between what all its points say and what those say that lie lowest. The former is
/// surer, the latter right where the two are far apart.
Eigen::Vector3d up_of(const Surface &surface) {
    if (surface.resting_normal.isZero(0)) return surface.free_normal;
    const double apart = (surface.resting_normal - surface.free_normal).norm();
    const double lowest = apart * apart / (apart * apart + kFarApart * kFarApart);
    return (lowest * surface.resting_normal + (1 - lowest) * surface.free_normal).normalized();
}

KeyframeView view_of(const SurfaceSnapshot::View &keyframe, const CameraModel &camera) {
    KeyframeView view;
    view.id = keyframe.id;
    view.timestamp_ns = keyframe.timestamp_ns;
    view.world_from_camera_rotation = keyframe.world_from_camera.rotation;
    view.camera_in_world = keyframe.world_from_camera.translation;
    view.observations = keyframe.observations;
    view.luma_camera = half_camera(camera);
    if (!keyframe.picture) return view;
    const KeyframePicture &picture = *keyframe.picture;
    view.luma_camera.width = picture.half_width;
    view.luma_camera.height = picture.half_height;
    view.luma = picture.half_luma.data();
    view.stride = picture.half_width;
    view.smoothed_noise = picture.smoothed_noise;
    view.full_luma = picture.luma.data();
    view.full_width = picture.width;
    view.full_height = picture.height;
    return view;
}

}  // namespace

Eigen::Vector3d SurfaceStage::initial_up(const SurfaceSnapshot &snapshot) {
    gravity_.reset();
    forget_metre();
    newest_id_ = -1;
    look_at(snapshot);
    if (inertial_.is_known()) {
        gravity_.add_inertial(snapshot.keyframes.back().world_from_camera.rotation * inertial_.up_in_camera(),
                              inertial_.sigma());
    }
    // The flat things in view have a say: most are level or upright. They are only asked, not kept.
    for (int round = 0; round < 2; ++round) {
        choose_up();
        tracker_.update(view_);
    }
    gravity_.set_surfaces(tracker_.surfaces_by_evidence());
    Eigen::Vector3d up = gravity_.estimate().up_in_world;
    tracker_.reset();
    return up;
}

void SurfaceStage::rotate_world(const Eigen::Matrix3d &rotation) {
    gravity_.rotate_world(rotation);
    tracker_.transform(1, rotation, Eigen::Vector3d::Zero());
    scale_.transform(1, rotation);
}

void SurfaceStage::add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel) {
    if (!is_plausible(gyro, accel)) return;
    inertial_.add(timestamp_ns, gyro, accel);
    scale_.add_reading(timestamp_ns, gyro, accel);
    force_sum_ += accel;
    ++force_count_;
}

void SurfaceStage::add_pose(int64_t timestamp_ns, const SE3 &world_from_camera) {
    if (force_count_ > 0 && last_pose_ns_ && timestamp_ns - *last_pose_ns_ < kLongestPoseGapNs) {
        gravity_.add_force(world_from_camera.rotation * force_sum_ / force_count_,
                           static_cast<double>(timestamp_ns - *last_pose_ns_) * 1e-9);
    }
    forget_forces();
    last_pose_ns_ = timestamp_ns;
    scale_.add_pose(timestamp_ns, world_from_camera);
}

void SurfaceStage::transform_each(const PartedChange &change) {
    tracker_.transform_each(change);
    // The camera goes on in the newest part.
    if (!change.parts().empty()) change_unit(change.parts().back().change);
}

void SurfaceStage::change_unit(const Similarity &change) {
    scale_.transform(change.scale, change.rotation);
    metre_ *= change.scale;
}

void SurfaceStage::forget_metre() {
    scale_.reset();
    metre_ = 0;
}

void SurfaceStage::forget_forces() {
    force_sum_.setZero();
    force_count_ = 0;
    last_pose_ns_.reset();
}

void SurfaceStage::look_at(const SurfaceSnapshot &snapshot) {
    keyframes_.clear();
    for (const SurfaceSnapshot::View &keyframe : snapshot.keyframes) {
        keyframes_.push_back(view_of(keyframe, snapshot.camera));
        keyframes_.back().lens_free = &lens_free_;
        if (keyframe.id <= newest_id_) continue;
        gravity_.add_keyframe(keyframes_.back());
        newest_id_ = keyframe.id;
    }
    view_.points = snapshot.points;
    view_.keyframes = keyframes_;
    if (const auto scale = scale_.estimate()) {
        gravity_.set_unbiased(-scale->gravity.normalized(), scale->gravity_sigma_rad);
        // What was known once isn't forgotten while the camera rests.
        if (scale->relative_sigma < kUnsureMetre) metre_ = 1 / scale->metres_per_unit;
    } else {
        gravity_.forget_unbiased();
    }
    view_.metre = metre_;
    view_.newest_timestamp_ns = snapshot.newest_timestamp_ns;
    view_.is_review = snapshot.is_review;
    view_.second_thread = snapshot.second_thread;
}

void SurfaceStage::begin(const SurfaceSnapshot &snapshot) {
    look_at(snapshot);
    choose_up();
    tracker_.begin(view_);
}

void SurfaceStage::label(const SurfaceSnapshot &snapshot) {
    look_at(snapshot);
    lens_free_.forget_pairs();
    tracker_.label(view_);
}

void SurfaceStage::trace_labels() {
    choose_up();
    tracker_.trace_labels(view_);
}

void SurfaceStage::choose_up() {
    const std::vector<Surface> surfaces = tracker_.surfaces_by_evidence();
    gravity_.set_surfaces(surfaces);
    const GravityEstimate &up = gravity_.estimate();
    view_.up_in_world = up.up_in_world;
    view_.up_sigma_rad = up.sigma_rad;
    view_.is_up_guessed = up.sigma_rad > kUnsureUp;
    if (view_.is_up_guessed) {
        // Nothing upright or inertial tells up well: then the largest thing that faces up more or less is level.
        const Surface *largest = nullptr;
        for (const Surface &surface : surfaces) {
            if (surface.free_normal.dot(up.up_in_world) < kFacesUp) continue;
            if (largest == nullptr || surface.area * surface.confidence > largest->area * largest->confidence) {
                largest = &surface;
            }
        }
        if (largest != nullptr && largest->free_normal_sigma_rad < kUnsureUp) {
            view_.up_in_world = up_of(*largest);
            view_.up_sigma_rad = std::max(kLevelTogether, largest->free_normal_sigma_rad);
        }
    }
}

void SurfaceStage::copy_depth_points(std::vector<DepthPoint> *out_points) const {
    out_points->clear();
    for (const DensePoint &source : tracker_.dense_points()) {
        if (!(source.inverse_depth > 0)) continue;
        out_points->push_back({source.position_in_world(), source.view_sum.normalized().cast<float>(),
                               static_cast<float>(std::sqrt(source.variance) / source.inverse_depth),
                               source.keyframes_unseen});
    }
}

void SurfaceStage::restore(GravityEstimator gravity, SurfaceTracker tracker, int64_t newest_id) {
    gravity_ = std::move(gravity);
    forget_metre();
    tracker.resume_after(tracker_);
    tracker_ = std::move(tracker);
    lens_free_.clear();
    newest_id_ = newest_id;
    forget_forces();
}

void SurfaceStage::leave(GravityEstimator *gravity, SurfaceTracker *tracker) {
    *gravity = std::exchange(gravity_, GravityEstimator());
    *tracker = tracker_.leave();
    reset();
}

void SurfaceStage::join(const Similarity &change, const GravityEstimator *gravity, SurfaceTracker tracker) {
    if (gravity != nullptr) gravity_ = *gravity;
    tracker_.transform(change.scale, change.rotation, change.translation);
    change_unit(change);
    tracker_.take_in(std::move(tracker));
}

void SurfaceStage::reset() {
    gravity_.reset();
    forget_metre();
    tracker_.reset();
    lens_free_.clear();
    newest_id_ = -1;
    forget_forces();
}

}  // namespace foothold
