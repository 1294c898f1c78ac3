// Rigid transforms and rotations. Names say both frames: `world_from_camera` takes camera coordinates to the world.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace foothold {

/// The matrix with hat(a) * b = a × b.
inline Eigen::Matrix3d hat(const Eigen::Vector3d &v) {
    Eigen::Matrix3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

/// Rotation vector (radians) to matrix, Rodrigues' formula.
inline Eigen::Matrix3d so3_exp(const Eigen::Vector3d &w) {
    const double angle_squared = w.squaredNorm();
    const double angle = std::sqrt(angle_squared);
    double a, b;  // sin(θ)/θ and (1 - cos θ)/θ²
    if (angle < 1e-5) {
        a = 1 - angle_squared / 6;
        b = 0.5 - angle_squared / 24;
    } else {
        a = std::sin(angle) / angle;
        b = (1 - std::cos(angle)) / angle_squared;
    }
    const Eigen::Matrix3d h = hat(w);
    return Eigen::Matrix3d::Identity() + a * h + b * h * h;
}

/// Matrix to rotation vector (radians), the inverse of so3_exp for angles below π.
inline Eigen::Vector3d so3_log(const Eigen::Matrix3d &r) {
    const Eigen::AngleAxisd angle_axis(r);
    return angle_axis.angle() * angle_axis.axis();
}

/// The angle of the turn from one frame to another, radians.
inline double turn_between(const Eigen::Matrix3d &a, const Eigen::Matrix3d &b) {
    return so3_log(a.transpose() * b).norm();
}

struct SE3 {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();

    SE3 inverse() const {
        SE3 result;
        result.rotation = rotation.transpose();
        result.translation = -(result.rotation * translation);
        return result;
    }
    SE3 operator*(const SE3 &other) const {
        return SE3{rotation * other.rotation, rotation * other.translation + translation};
    }
    Eigen::Vector3d operator*(const Eigen::Vector3d &point) const { return rotation * point + translation; }

    /// Rounding errors of many products are taken out of the rotation.
    void orthonormalise() { rotation = Eigen::Quaterniond(rotation).normalized().toRotationMatrix(); }
};

/// The update that every optimiser here uses: rotation on the camera's side, translation in the world.
/// `delta` is (rotation vector, translation).
inline SE3 updated(const SE3 &world_from_camera, const Eigen::Matrix<double, 6, 1> &delta) {
    return SE3{world_from_camera.rotation * so3_exp(delta.head<3>()), world_from_camera.translation + delta.tail<3>()};
}

}  // namespace foothold
