// What surface detection and gravity estimation may see of the map: borrowed views, valid for one call.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "geometry/camera_model.h"

namespace foothold {

/// A triangulated point of the map.
struct MapPoint {
    int64_t id = 0;
    Eigen::Vector3d position_in_world = Eigen::Vector3d::Zero();
    /// Standard deviation along the viewing ray, metres.
    double sigma_m = 0;
    int observation_count = 0;
    /// Unit vector from the point to the cameras that saw it.
    Eigen::Vector3d mean_view_direction = Eigen::Vector3d::Zero();
};

/// Where a keyframe sees a map point: normalised coordinates (x/z, y/z) with the lens taken out.
struct Observation {
    int64_t point_id = 0;
    Eigen::Vector2f normalised = Eigen::Vector2f::Zero();
};

class LensFreePictures;
class SecondThread;

/// A keyframe: pose, camera, picture and observations. Camera axes: x right, y down, z forward.
struct KeyframeView {
    int64_t id = 0;
    int64_t timestamp_ns = 0;
    Eigen::Matrix3d world_from_camera_rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d camera_in_world = Eigen::Vector3d::Zero();
    /// Of the luma picture below, which may be a reduced one.
    CameraModel luma_camera;
    /// 8-bit luma of `luma_camera.width` × `luma_camera.height`; null when it's gone.
    const uint8_t *luma = nullptr;
    int stride = 0;
    /// Standard deviation of its noise where that was smoothed, grey levels; 0 where the picture itself tells it.
    double smoothed_noise = 0;
    /// The picture at its full size, where there is one: `luma_camera`'s coordinates times two. Null when it's gone.
    const uint8_t *full_luma = nullptr;
    int full_width = 0;
    int full_height = 0;
    /// What keeps its pictures without their lens; null where nobody does.
    LensFreePictures *lens_free = nullptr;
    /// Points seen here.
    std::span<const Observation> observations;

    /// Grey levels between four pixels of the picture, which there must be; at least one off its rim.
    double luma_at(const Eigen::Vector2d &pixel) const {
        const int x = static_cast<int>(pixel.x()), y = static_cast<int>(pixel.y());
        const uint8_t *above = luma + static_cast<ptrdiff_t>(y) * stride + x;
        const uint8_t *below = above + stride;
        const double right = pixel.x() - x, down = pixel.y() - y;
        return (1 - down) * ((1 - right) * above[0] + right * above[1]) +
               down * ((1 - right) * below[0] + right * below[1]);
    }

    /// The same keyframe with its full-size picture, which it must have, as its picture.
    KeyframeView full_size() const {
        KeyframeView full = *this;
        full.luma_camera.fx *= 2;
        full.luma_camera.fy *= 2;
        full.luma_camera.cx *= 2;
        full.luma_camera.cy *= 2;
        full.luma_camera.width = full_width;
        full.luma_camera.height = full_height;
        full.luma = full_luma;
        full.stride = full_width;
        full.full_luma = nullptr;
        return full;
    }
};

/// The map at one keyframe.
struct MapView {
    std::span<const MapPoint> points;
    /// The recent window, newest last.
    std::span<const KeyframeView> keyframes;
    int64_t newest_timestamp_ns = 0;
    Eigen::Vector3d up_in_world = Eigen::Vector3d::UnitY();
    /// Standard deviation of the direction of up, radians about each horizontal axis.
    double up_sigma_rad = 0.1;
    /// Nothing tells up well but the largest surface that faces up, if there is one.
    bool is_up_guessed = false;
    /// How long a metre is in the world's unit; 0 where nobody knows.
    double metre = 0;
    /// The keyframes were looked at before, and are looked at once more, all of them, beside what was seen later.
    bool is_review = false;
    /// What may do a half of the work; null for none. Results are the same.
    SecondThread *second_thread = nullptr;
};

}  // namespace foothold
