// After the map was corrected: what is told of the camera goes over to the corrected pose without a jump.
#pragma once

#include <cstdint>

#include "geometry/se3.h"

namespace foothold {

class PoseEasing {
public:
    /// Time that a correction takes, however large it is.
    static constexpr double seconds = 1;
    /// The largest share of a correction that a second of it brings, over one second.
    static constexpr double steepest = 1.875;

    /// The pose told was `told` where `corrected` is right now.
    void begin(const SE3 &told, const SE3 &corrected, int64_t timestamp_ns);
    /// The pose to tell.
    SE3 eased(const SE3 &pose, int64_t timestamp_ns);
    void reset() { is_under_way_ = false; }

private:
    bool is_under_way_ = false;
    int64_t begin_ns_ = 0;
    /// In the camera's axes, so that what is near it isn't thrown about by a turn: corrected⁻¹ · told.
    SE3 camera_from_told_;
};

}  // namespace foothold
