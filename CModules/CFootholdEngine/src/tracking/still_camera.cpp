#include "tracking/still_camera.h"

#include <algorithm>

namespace foothold {

namespace {

/// Movement of the picture below which nothing is known to move, in pixels and in deviations of the pose.
constexpr double kStillPixels = 0.12;
constexpr double kStillDeviations = 4;
/// Of a camera that stands already, which may see now these points, now those, when something passes: so many times as
/// much.
constexpr double kStandsOn = 3;
/// … and by so many times that for a few frames.
constexpr double kGlitch = 2;
constexpr int kGlitchFrames = 3;
/// Of the difference that is left, what stays in the next frame.
constexpr double kKept = 0.75;
constexpr double kSettledPixels = 0.01;

/// By how many pixels the picture moves between two poses, where it moves most.
double movement(const SE3 &from, const SE3 &to, const CameraModel &camera, double inverse_depth) {
    const SE3 to_from = to.inverse() * from;
    double most = 0;
    for (const double x : {-0.8, 0.0, 0.8}) {
        for (const double y : {-0.8, 0.0, 0.8}) {
            const Eigen::Vector2d at(x * 0.5 * camera.width / camera.fx, y * 0.5 * camera.height / camera.fy);
            const Eigen::Vector3d seen = to_from.rotation * at.homogeneous() + inverse_depth * to_from.translation;
            if (seen.z() < 0.1) return 1e9;
            most = std::max(most, camera.focal() * (seen.hnormalized() - at).norm());
        }
    }
    return most;
}

/// The pose a share of the way from one to another.
SE3 between(const SE3 &from, const SE3 &to, double share) {
    return SE3{from.rotation * so3_exp(share * so3_log(from.rotation.transpose() * to.rotation)),
               from.translation + share * (to.translation - from.translation)};
}

}  // namespace

SE3 StillCamera::steadied(const SE3 &measured, const CameraModel &camera, double inverse_depth, double noise_pixels) {
    const bool stood = is_still();
    const SE3 told = stood ? mean_ : has_offset_ ? offset_ * measured : measured;
    const double limit = (stood ? kStandsOn : 1) * std::max(kStillPixels, kStillDeviations * noise_pixels);
    const double moved = frames_ > 0 ? movement(mean_, measured, camera, inverse_depth) : 2 * kGlitch * limit;
    if (moved < limit) {
        ++frames_;
        mean_ = between(mean_, measured, 1.0 / frames_);
        doubts_ = 0;
    } else if (stood && doubts_ < kGlitchFrames && moved < kGlitch * limit) {
        ++doubts_;
    } else {
        frames_ = 1;
        mean_ = measured;
        doubts_ = 0;
    }
    const SE3 aim = is_still() ? mean_ : measured;
    if (is_still() != stood) {
        // What is told goes on from where it was.
        offset_ = told * aim.inverse();
        has_offset_ = true;
    }
    if (!has_offset_) return aim;
    offset_ = between(SE3(), offset_, kKept);
    const SE3 eased = offset_ * aim;
    has_offset_ = movement(aim, eased, camera, inverse_depth) > kSettledPixels;
    return eased;
}

}  // namespace foothold
