// Per-frame work: find the map's points in the new picture and the camera's pose from them.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "frontend/image_pyramid.h"
#include "frontend/rotation_alignment.h"
#include "geometry/camera_model.h"
#include "mapping/map.h"
#include "optimisation/pose_optimiser.h"
#include "tracking/point_finder.h"

namespace foothold {

/// A point of the map that is being followed through the frames.
struct Track {
    int point = -1;
    /// Level-0 pixel with the lens's distortion, in the newest frame that found it.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    Eigen::Vector2d previous_pixel = Eigen::Vector2d::Zero();
    /// Centred, undistorted, as it was seen; and how a rolling shutter moved it, per second of readout.
    Eigen::Vector2d centred = Eigen::Vector2d::Zero();
    Eigen::Vector2d row_rate = Eigen::Vector2d::Zero();
    bool found = false;
    bool is_inlier = false;
    int level = 0;
    int misses = 0;
};

struct TrackingOutcome {
    bool succeeded = false;
    int attempted = 0;
    int found = 0;
    int mature_found = 0;
    int inliers = 0;
    double rms_pixels = 0;
    /// How coarse the next frame's search should begin, from how good this one's predictions were.
    int start_level = 2;
    /// Median movement of found tracks since the last frame, in pixels.
    double flow_pixels = 0;
    Eigen::Matrix<double, 6, 6> covariance = Eigen::Matrix<double, 6, 6>::Identity();
};

class Tracker {
public:
    Tracker(Map &map, CameraModel &camera) : map_(map), camera_(camera) {}

    /// Follows every track into `pyramid`, then finds the pose. `predicted` is where the camera should be, and `twist`
    /// how it moves. `start_level` is how coarse the search begins.
    TrackingOutcome track(const ImagePyramid &pyramid, const SE3 &predicted, const Twist &twist, int start_level,
                          SE3 *out_pose);
    /// The pose again, with a better idea of how the camera moves: changes nothing unless the shutter rolls.
    void correct_pose(const Twist &twist, TrackingOutcome *outcome, SE3 *pose);

    /// Follows tracks that have no depth yet (before there is a map), given how the camera turned.
    int track_without_map(const ImagePyramid &pyramid, const Eigen::Matrix3d &current_from_host,
                          const Eigen::Matrix3d &current_from_previous);

    /// Looks for points of the map that aren't being followed, at most `budget` of them, and follows those found.
    int refind(const ImagePyramid &pyramid, const SE3 &pose, int budget);

    /// Follows the points of the map that should be seen from `pose`, at most `most` of them, spread over all hosts.
    void follow_visible(const SE3 &pose, int most);

    /// Improves the depths of points that aren't mature yet with the newest frame.
    void update_depths(const SE3 &pose);

    /// Drops tracks that were missed for too long or disagree.
    void drop_lost();

    /// Frees what only makes following quicker, until the next frame.
    void free_memory() { templates_ = TemplateCache(); }

    std::vector<Track> tracks;
    double noise_pixels = 0.5;
    /// Inverse depth to assume where nothing is known: the map's median.
    double typical_inverse_depth = 1;

private:
    /// Where the point should be seen from a pose; false when it is outside the picture or looks too different there.
    bool is_visible(const HostedPoint &point, const SE3 &pose, const SE3 &camera_from_world,
                    Eigen::Vector2d *out_pixel) const;
    TrackingOutcome solve_pose(const SE3 &start, SE3 *out_pose);
    /// Notes how the shutter moves a track seen from a camera that moves by `twist_`, and returns how far.
    Eigen::Vector2d shutter_shift(const HostedPoint &point, const SE3 &camera_from_world, Track *track) const;
    /// Where a track would be seen if all rows were exposed at once.
    Eigen::Vector2d without_shutter(const Track &track) const { return track.centred - map_.readout * track.row_rate; }

    Map &map_;
    CameraModel &camera_;
    TemplateCache templates_;
    std::vector<PoseObservation> observations_;
    std::vector<int> observation_track_;
    std::vector<double> scratch_, predicted_wrong_;
    std::vector<uint8_t> followed_;
    size_t refind_cursor_ = 0;
    Twist twist_;
};

}  // namespace foothold
