// A camera that stands still is still: its pose is held where it would else tremble with the picture's noise.
#pragma once

#include "geometry/camera_model.h"
#include "geometry/se3.h"

namespace foothold {

class StillCamera {
public:
    /// The pose to tell for one that was measured: the mean since the camera stands still, and the measured one while
    /// it moves; what lies between is made up for within some frames. `noise_pixels` is how uncertain the measured pose
    /// is in the picture, `inverse_depth` that of what is seen.
    SE3 steadied(const SE3 &measured, const CameraModel &camera, double inverse_depth, double noise_pixels);
    /// Poses begin anew, or the world has changed under them.
    void reset() {
        frames_ = 0;
        doubts_ = 0;
        has_offset_ = false;
    }

    bool is_still() const { return frames_ > kFramesToStill; }

private:
    /// Frames that the picture must have stood before it is believed to stand.
    static constexpr int kFramesToStill = 8;

    /// Mean of the poses of the last `frames_` frames, all of which are the same but for noise.
    SE3 mean_;
    int frames_ = 0;
    /// How many of the last ones lay beside them.
    int doubts_ = 0;
    /// What was told last, when it differed from what was measured: told · measured⁻¹.
    SE3 offset_;
    bool has_offset_ = false;
};

}  // namespace foothold
