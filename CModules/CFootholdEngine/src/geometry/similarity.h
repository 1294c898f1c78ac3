// A change of frame between worlds whose units differ: x' = scale · rotation · x + translation.
#pragma once

#include "geometry/se3.h"

namespace foothold {

struct Similarity {
    double scale = 1;
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();

    /// The one that takes the second camera's frame in one world to the first's in another; lengths grow by `scale`.
    static Similarity between(const SE3 &world_from_camera, const SE3 &other_from_camera, double scale) {
        Similarity result;
        result.scale = scale;
        result.rotation = world_from_camera.rotation * other_from_camera.rotation.transpose();
        result.translation = world_from_camera.translation - scale * (result.rotation * other_from_camera.translation);
        return result;
    }

    Similarity inverse() const {
        Similarity result;
        result.scale = 1 / scale;
        result.rotation = rotation.transpose();
        result.translation = -(result.scale * (result.rotation * translation));
        return result;
    }
    Eigen::Vector3d operator*(const Eigen::Vector3d &point) const { return scale * (rotation * point) + translation; }
    Similarity operator*(const Similarity &other) const {
        return {scale * other.scale, rotation * other.rotation, *this * other.translation};
    }
    /// A pose in the frame that is left to the one that is gone to.
    SE3 operator*(const SE3 &pose) const { return SE3{rotation * pose.rotation, *this * pose.translation}; }
};

}  // namespace foothold
