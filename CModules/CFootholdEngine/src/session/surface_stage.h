// Up and surfaces, from the map as it is after each keyframe.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "gravity/gravity_estimator.h"
#include "gravity/inertial_up.h"
#include "map_view.h"
#include "mapping/map.h"
#include "surfaces/surface_tracker.h"

namespace foothold {

class SurfaceStage {
public:
    /// Up in a world whose first keyframe is `keyframes[0]`, from what is known before there are surfaces.
    Eigen::Vector3d initial_up(const Map &map, const CameraModel &camera, double noise_pixels);
    /// The world was turned: x' = rotation · x.
    void rotate_world(const Eigen::Matrix3d &rotation);
    /// One inertial reading, in the camera's axes.
    void add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel);
    /// The camera's pose at a frame's time, for what the inertial readings say about up.
    void add_pose(int64_t timestamp_ns, const SE3 &world_from_camera);
    /// After every keyframe.
    void update(const Map &map, const CameraModel &camera, double noise_pixels);
    void reset();

    std::span<const Surface> surfaces() const { return tracker_.surfaces(); }
    std::span<const SurfaceEvent> events() const { return tracker_.events(); }
    GravityEstimate gravity() { return gravity_.estimate(); }

private:
    void find_surfaces();
    void build_view(const Map &map, const CameraModel &camera, double noise_pixels);

    GravityEstimator gravity_;
    InertialUp inertial_;
    SurfaceTracker tracker_;
    MapView view_;
    std::vector<MapPoint> points_;
    std::vector<KeyframeView> keyframes_;
    std::vector<std::vector<Observation>> observations_;
    std::vector<int> view_of_point_;
    int keyframes_seen_ = 0;
    int64_t last_inertial_vote_ns_ = INT64_MIN;
};

}  // namespace foothold
