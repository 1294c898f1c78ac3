#include "session/pose_easing.h"

namespace foothold {

void PoseEasing::begin(const SE3 &told, const SE3 &corrected, int64_t timestamp_ns) {
    camera_from_told_ = corrected.inverse() * told;
    begin_ns_ = timestamp_ns;
    is_under_way_ = true;
}

SE3 PoseEasing::eased(const SE3 &pose, int64_t timestamp_ns) {
    if (!is_under_way_) return pose;
    const double x = static_cast<double>(timestamp_ns - begin_ns_) * 1e-9 / seconds;
    if (x >= 1) {
        is_under_way_ = false;
        return pose;
    }
    // Begins and ends without a jerk.
    const double left = 1 - x * x * x * (10 + x * (6 * x - 15));
    SE3 told = pose * SE3{so3_exp(left * so3_log(camera_from_told_.rotation)), left * camera_from_told_.translation};
    told.orthonormalise();
    return told;
}

}  // namespace foothold
