// What a shutter that opens row by row does to a moving camera's pixels.
//
// A row's exposure is later than the middle row's by its share of the readout time; to first order a pixel is where it
// would be in the middle row's picture plus its movement in that time (Forssén & Ringaby, "Rectifying rolling shutter
// video from hand-held devices", 2010, linearised).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "geometry/se3.h"

namespace foothold {

/// How a camera moves, in its own axes: rad/s, and lengths of the map per second.
struct Twist {
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();

    /// Between two poses `seconds` apart, at the later one.
    static Twist between(const SE3 &earlier, const SE3 &later, double seconds) {
        if (seconds <= 0) return {};
        return {so3_log(earlier.rotation.transpose() * later.rotation) / seconds,
                later.rotation.transpose() * (later.translation - earlier.translation) / seconds};
    }
};

/// How far a point's centred pixel is from where the middle row's moment would show it, for each second of readout.
/// `height_pixels` is the picture's; zero behind the camera.
inline Eigen::Vector2d row_rate(const Eigen::Vector3d &point_in_camera, const Twist &twist, double focal,
                                double height_pixels) {
    if (point_in_camera.z() < 1e-6) return Eigen::Vector2d::Zero();
    const Eigen::Vector3d moving = -twist.angular.cross(point_in_camera) - twist.linear;
    const double scale = focal / point_in_camera.z();
    const Eigen::Vector2d flow =
        scale * (moving.head<2>() - point_in_camera.head<2>() * (moving.z() / point_in_camera.z()));
    return flow * (scale * point_in_camera.y() / height_pixels);
}

}  // namespace foothold
