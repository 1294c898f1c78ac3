#include "session/surface_stage.h"

#include <algorithm>
#include <cmath>

namespace foothold {

namespace {

constexpr int kWindow = 12;
constexpr int64_t kInertialVoteNs = 250'000'000;
/// Up that is known no better than this (4°) is taken from the largest surface that faces up within some 35°.
constexpr double kUnsureUp = 0.07;
constexpr double kFacesUp = 0.82;

/// The camera of the keyframe's half-size picture: every second pixel's centre is kept, so coordinates halve.
CameraModel half_camera(const CameraModel &camera, const Keyframe &keyframe) {
    CameraModel half = camera;
    half.width = keyframe.half_width;
    half.height = keyframe.half_height;
    half.fx *= 0.5;
    half.fy *= 0.5;
    half.cx *= 0.5;
    half.cy *= 0.5;
    return half;
}

KeyframeView view_of(const Keyframe &keyframe, const CameraModel &camera) {
    KeyframeView view;
    view.id = keyframe.id;
    view.timestamp_ns = keyframe.timestamp_ns;
    view.world_from_camera_rotation = keyframe.world_from_camera.rotation;
    view.camera_in_world = keyframe.world_from_camera.translation;
    view.luma_camera = half_camera(camera, keyframe);
    view.luma = keyframe.half_luma.empty() ? nullptr : keyframe.half_luma.data();
    view.stride = keyframe.half_width;
    return view;
}

}  // namespace

Eigen::Vector3d SurfaceStage::initial_up(const Map &map, const CameraModel &camera, double noise_pixels) {
    gravity_.reset();
    for (const Keyframe &keyframe : map.keyframes) gravity_.add_keyframe(view_of(keyframe, camera));
    keyframes_seen_ = static_cast<int>(map.keyframes.size());
    if (inertial_.is_known()) {
        gravity_.add_inertial(map.keyframes.back().world_from_camera.rotation * inertial_.up_in_camera(),
                              inertial_.sigma());
    }
    // The flat things in view have a say: most are level or upright. They are only asked, not kept.
    build_view(map, camera, noise_pixels);
    for (int round = 0; round < 2; ++round) find_surfaces();
    gravity_.set_surfaces(tracker_.surfaces());
    const Eigen::Vector3d up = gravity_.estimate().up_in_world;
    tracker_.reset();
    return up;
}

void SurfaceStage::rotate_world(const Eigen::Matrix3d &rotation) {
    gravity_.rotate_world(rotation);
    tracker_.transform(1, rotation, Eigen::Vector3d::Zero());
}

void SurfaceStage::add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel) {
    inertial_.add(timestamp_ns, gyro, accel);
}

void SurfaceStage::add_pose(int64_t timestamp_ns, const SE3 &world_from_camera) {
    if (!inertial_.is_known() || timestamp_ns - last_inertial_vote_ns_ < kInertialVoteNs) return;
    last_inertial_vote_ns_ = timestamp_ns;
    gravity_.add_inertial(world_from_camera.rotation * inertial_.up_in_camera(), inertial_.sigma());
}

void SurfaceStage::build_view(const Map &map, const CameraModel &camera, double noise_pixels) {
    const int count = static_cast<int>(map.keyframes.size());
    const int first = std::max(0, count - kWindow);
    points_.clear();
    view_of_point_.assign(map.points.size(), -1);
    const Eigen::Vector3d here = map.keyframes.back().world_from_camera.translation;
    for (size_t i = 0; i < map.points.size(); ++i) {
        const HostedPoint &point = map.points[i];
        if (point.state != PointState::mature || point.observation_count < 1) continue;
        MapPoint out;
        out.id = point.id;
        out.position_in_world = map.position_in_world(point);
        const double length = map.host_bearing(point).norm();
        out.sigma_m = std::max(std::sqrt(point.inverse_depth_variance), 0.3 * noise_pixels / map.focal * 0.01) *
                      length / (point.inverse_depth * point.inverse_depth);
        out.observation_count = point.observation_count + 1;
        const Eigen::Vector3d host = map.keyframes[point.host].world_from_camera.translation;
        out.mean_view_direction = ((host - out.position_in_world).normalized() +
                                   (here - out.position_in_world).normalized())
                                      .normalized();
        view_of_point_[i] = static_cast<int>(points_.size());
        points_.push_back(out);
    }
    keyframes_.clear();
    observations_.resize(count - first);
    for (auto &list : observations_) list.clear();
    for (int k = first; k < count; ++k) {
        const Keyframe &keyframe = map.keyframes[k];
        keyframes_.push_back(view_of(keyframe, camera));
        for (const Sighting &o : keyframe.observations) {
            if (view_of_point_[o.point] < 0) continue;
            observations_[k - first].push_back({map.points[o.point].id, (o.pixel / map.focal).cast<float>()});
        }
    }
    for (size_t i = 0; i < map.points.size(); ++i) {
        const HostedPoint &point = map.points[i];
        if (view_of_point_[i] < 0 || point.host < first) continue;
        observations_[point.host - first].push_back({point.id, (point.host_pixel / map.focal).cast<float>()});
    }
    for (int k = first; k < count; ++k) keyframes_[k - first].observations = observations_[k - first];
    view_.points = points_;
    view_.keyframes = keyframes_;
    view_.newest_timestamp_ns = map.keyframes.back().timestamp_ns;
}

void SurfaceStage::update(const Map &map, const CameraModel &camera, double noise_pixels) {
    build_view(map, camera, noise_pixels);
    for (; keyframes_seen_ < static_cast<int>(map.keyframes.size()); ++keyframes_seen_) {
        gravity_.add_keyframe(view_of(map.keyframes[keyframes_seen_], camera));
    }
    find_surfaces();
}

void SurfaceStage::find_surfaces() {
    gravity_.set_surfaces(tracker_.surfaces());
    const GravityEstimate &up = gravity_.estimate();
    view_.up_in_world = up.up_in_world;
    view_.up_sigma_rad = up.sigma_rad;
    if (up.sigma_rad > kUnsureUp) {
        // Nothing upright or inertial tells up well: then the largest thing that faces up more or less is level.
        const Surface *largest = nullptr;
        for (const Surface &surface : tracker_.surfaces()) {
            if (surface.free_normal.dot(up.up_in_world) < kFacesUp) continue;
            if (largest == nullptr || surface.area * surface.confidence > largest->area * largest->confidence) {
                largest = &surface;
            }
        }
        if (largest != nullptr && largest->free_normal_sigma_rad < kUnsureUp) {
            view_.up_in_world = largest->free_normal;
            view_.up_sigma_rad = std::max(kUnsureUp, largest->free_normal_sigma_rad);
        }
    }
    view_.scale_is_metric = false;
    tracker_.update(view_);
}

void SurfaceStage::reset() {
    gravity_.reset();
    tracker_.reset();
    keyframes_seen_ = 0;
    last_inertial_vote_ns_ = INT64_MIN;
}

}  // namespace foothold
