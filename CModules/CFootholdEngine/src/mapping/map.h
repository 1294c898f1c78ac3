// The map: keyframes, and points hosted in them by a pixel and an inverse depth.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "frontend/descriptors.h"
#include "frontend/patch.h"
#include "frontend/rotation_alignment.h"
#include "geometry/radial_lens.h"
#include "geometry/rolling_shutter.h"
#include "geometry/se3.h"
#include "geometry/similarity.h"

namespace foothold {

/// A keyframe's sight of a point.
struct Sighting {
    int point = -1;
    /// Centred, undistorted pixels: focal · (x/z, y/z), so that the focal length can be refined.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
};

/// A keyframe's luma, rows without gaps.
struct KeyframePicture {
    int width = 0;
    int height = 0;
    std::vector<uint8_t> luma;
    /// At half size: every second pixel's centre is kept, so coordinates halve.
    int half_width = 0;
    int half_height = 0;
    std::vector<uint8_t> half_luma;
    /// Standard deviation of its noise where that was smoothed, grey levels; 0 where the picture itself tells it.
    double smoothed_noise = 0;
};

struct Keyframe {
    int64_t id = 0;
    int64_t timestamp_ns = 0;
    SE3 world_from_camera;
    /// How the camera moved when the picture was taken.
    Twist twist;
    /// Every point seen here, those hosted here excepted; pixels as they were seen, whatever the shutter.
    std::vector<Sighting> observations;
    /// For finding this place again; empty for views between the first two.
    Thumbnail thumbnail;
    /// For surfaces; given back when the keyframe is old, null for views between the first two. Shared, never changed,
    /// so that whoever looks at it later needs no copy.
    std::shared_ptr<const KeyframePicture> picture;
};

enum class PointState : uint8_t {
    unused,
    /// Seen, but its depth isn't known yet.
    immature,
    /// Its depth is good enough to be used for the pose.
    mature,
};

/// A point, hosted in the keyframe where it was first seen: the template comes from there, so the host's pixel is
/// exact by definition and only the inverse depth is unknown.
struct HostedPoint {
    int64_t id = 0;
    PointState state = PointState::unused;
    int host = -1;
    /// The finest pyramid level at which it can be located: soft spots have no detail below theirs.
    int level = 0;
    /// Centred, undistorted pixel in the host: focal · (x/z, y/z).
    Eigen::Vector2d host_pixel = Eigen::Vector2d::Zero();
    /// How a rolling shutter moved it, per second of readout.
    Eigen::Vector2d host_row_rate = Eigen::Vector2d::Zero();
    /// Level-0 pixel in the host's picture (with the lens's distortion).
    Eigen::Vector2d host_raw_pixel = Eigen::Vector2d::Zero();
    /// 1 / (depth along the host's z axis), and its variance.
    double inverse_depth = 0;
    double inverse_depth_variance = 0;
    /// How what lies around it is turned away from the host: by what share of its own its inverse depth grows along x
    /// and y of the host's normalised picture. Zero where that isn't known, as if it faced the host.
    Eigen::Vector2d slant = Eigen::Vector2d::Zero();
    /// Keyframes that see it, the host not counted.
    int observation_count = 0;
    int consecutive_failures = 0;
    int depth_updates = 0;
    HostPatch patch;
    PlaceDescriptors descriptors{};
};

class Map {
public:
    std::vector<Keyframe> keyframes;
    std::vector<HostedPoint> points;
    /// Focal length in pixels of the tracked picture that centred pixels are made with.
    double focal = 0;
    /// Seconds from the first row's exposure to the last one's; 0 unless the observations say otherwise.
    double readout = 0;
    /// Of the tracked picture.
    double height_pixels = 1;

    int add_point();
    void remove_point(int index);
    /// Those that are chosen (by index, not 0), in one pass over all sightings.
    void remove_points(const std::vector<uint8_t> &chosen);
    /// Forgets everything; identifiers go on.
    void clear();
    /// Gives away everything; identifiers, the focal length and the readout go on.
    Map leave();
    /// Goes on with another map in place of this one's contents. No identifier is given twice.
    void resume(Map other);
    /// x' = change · x for everything.
    void transform(const Similarity &change);
    /// Each keyframe with the points that it hosts: x' = change · x, one change for each keyframe.
    void transform_each(const std::vector<Similarity> &changes);
    /// What was seen through a lens that is known better now.
    void change_lens(const LensChange &change);
    /// Takes in another map that lies in the same frame: its keyframes go before the own ones, its points after the own
    /// ones. Returns the index that its first point has now.
    int take_in(Map other);
    int64_t next_keyframe_id() const {
        return keyframes.empty() ? next_keyframe_id_ : std::max(next_keyframe_id_, keyframes.back().id + 1);
    }
    /// What is worth keeping: settled points that several keyframes see and that are no further from their host than
    /// `farthest`, without gaps.
    Map settled(double farthest) const;
    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

    /// Centred, undistorted pixel where the camera's picture has this one.
    Eigen::Vector2d centred(const CameraModel &camera, const Eigen::Vector2d &pixel) const {
        return focal * camera.normalise(pixel);
    }
    /// How a rolling shutter moves the pixel of a point in front of a camera, per second of readout.
    Eigen::Vector2d row_rate(const Eigen::Vector3d &point_in_camera, const Twist &twist) const {
        return foothold::row_rate(point_in_camera, twist, focal, height_pixels);
    }
    /// Where the host would see the point if all rows were exposed at once.
    Eigen::Vector2d host_pixel(const HostedPoint &point) const {
        return point.host_pixel - readout * point.host_row_rate;
    }
    Eigen::Vector3d host_bearing(const HostedPoint &point) const {
        const Eigen::Vector2d pixel = host_pixel(point);
        return {pixel.x() / focal, pixel.y() / focal, 1};
    }
    Eigen::Vector3d position_in_world(const HostedPoint &point) const {
        return keyframes[point.host].world_from_camera * (host_bearing(point) / point.inverse_depth);
    }

private:
    std::vector<int> free_points_;
    int64_t next_point_id_ = 0;
    /// At least; worlds that were left have those before it.
    int64_t next_keyframe_id_ = 0;
};

}  // namespace foothold
