// Up and surfaces, from the map as it is after each keyframe.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "depth/depth_point.h"
#include "geometry/similarity.h"
#include "gravity/gravity_estimator.h"
#include "gravity/inertial_scale.h"
#include "gravity/inertial_up.h"
#include "map_view.h"
#include "session/surface_snapshot.h"
#include "surfaces/lens_free_picture.h"
#include "surfaces/surface_tracker.h"

namespace foothold {

class SurfaceStage {
public:
    /// Keyframes that a snapshot for `begin` holds.
    static constexpr int window = 12;

    /// Up in a new world, from all its keyframes and what is known before there are surfaces.
    Eigen::Vector3d initial_up(const SurfaceSnapshot &snapshot);
    /// The world was turned: x' = rotation · x.
    void rotate_world(const Eigen::Matrix3d &rotation);
    /// One inertial reading, in the camera's axes.
    void add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel);
    /// The camera's pose at a frame's time, for what the inertial readings since the last one say about up and about
    /// how long a metre is.
    void add_pose(int64_t timestamp_ns, const SE3 &world_from_camera);
    /// After every keyframe: begins to look at it. The snapshot must stay as it is until `advance` says that nothing is
    /// left.
    void begin(const SurfaceSnapshot &snapshot);
    /// Does the next part of what was begun; true while more are left.
    bool advance() { return tracker_.advance(); }
    static constexpr size_t part_count = SurfaceTracker::part_count;
    /// As the tracker's.
    double share_of_first(size_t parts) const { return tracker_.share_of_first(parts); }
    /// After a review of all keyframes: labels the newest one's picture; and then takes the outlines that labels show.
    void label(const SurfaceSnapshot &snapshot);
    void trace_labels();
    void reset();

    /// What is known of up and of surfaces, for keeping.
    const GravityEstimator &gravity() const { return gravity_; }
    const SurfaceTracker &tracker() const { return tracker_; }
    /// Takes over what was kept with a map whose newest keyframe has this id.
    void restore(GravityEstimator gravity, SurfaceTracker tracker, int64_t newest_id);
    /// Gives away what is known, to begin a new world.
    void leave(GravityEstimator *gravity, SurfaceTracker *tracker);
    /// The world was found to be part of an earlier one: it changed its frame (x' = change · x) unless the other one
    /// did. Up is as `gravity` says, or as it was where that is null.
    void join(const Similarity &change, const GravityEstimator *gravity, SurfaceTracker tracker);
    /// Keyframes of the world were moved, each in its own way.
    void transform_each(const PartedChange &change);
    /// From this moment on the surfaces of a restored world are seen again.
    void date(int64_t timestamp_ns) { tracker_.date(timestamp_ns); }

    std::span<const Surface> surfaces() const { return tracker_.surfaces(); }
    /// As inertial readings tell it: how long the world's unit is; 0 where they don't.
    double metres_per_unit() const { return metre_ > 0 ? 1 / metre_ : 0; }
    std::span<const SurfaceEvent> events() const { return tracker_.events(); }
    /// Where pieces of the picture lie, as a copy that stays as it is while the next search is under way.
    void copy_depth_points(std::vector<DepthPoint> *out_points) const;

private:
    /// Up as surfaces are found with it, from what is known before this search.
    void choose_up();
    void look_at(const SurfaceSnapshot &snapshot);
    void forget_forces();
    void change_unit(const Similarity &change);
    void forget_metre();

    GravityEstimator gravity_;
    InertialUp inertial_;
    InertialScale scale_;
    /// In the world's unit, as it was known well last; 0 before.
    double metre_ = 0;
    SurfaceTracker tracker_;
    MapView view_;
    std::vector<KeyframeView> keyframes_;
    LensFreePictures lens_free_;
    int64_t newest_id_ = -1;
    /// Of the readings since the last pose.
    Eigen::Vector3d force_sum_ = Eigen::Vector3d::Zero();
    int force_count_ = 0;
    std::optional<int64_t> last_pose_ns_;
};

}  // namespace foothold
