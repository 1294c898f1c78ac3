// Small pictures of a point as its host keyframe saw it, and their alignment with a later frame.
//
// The kernels align them by inverse-compositional Gauss-Newton with gain and offset of brightness (see fh_klt.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "fh_klt.h"
#include "frontend/image_pyramid.h"

namespace foothold {

/// What the host keyframe saw around a point, at every level that the point can be looked for at.
struct HostPatch {
    static constexpr int kSize = 26;
    static constexpr int kLevels = 4;
    std::array<std::array<uint8_t, kSize * kSize>, kLevels> pixels;
    /// Where the host pixel lies within each level's window.
    std::array<Eigen::Vector2f, kLevels> center;
    int levels = 0;

    /// Cuts the windows out of a pyramid around `pixel` (level 0). Pixels outside the picture repeat its edge.
    void extract(const ImagePyramid &pyramid, const Eigen::Vector2d &pixel);
};

/// Side of the templates that are aligned, in pixels of the search level.
inline constexpr int kTemplateSide = 13;

/// Samples the host patch as search level `level` should show it. `current_from_host` is the 2×2 affine warp between
/// level-0 pixels of the host and of the current frame. False where the patch has too little structure to be located or
/// the warp leaves the host's window.
bool sample_template(const HostPatch &host, const Eigen::Matrix2d &current_from_host, int level,
                     fh_template *out_template);

struct AlignmentResult {
    bool converged = false;
    /// Zero-mean normalised cross-correlation of template and picture at the end, −1…1.
    float correlation = 0;
    /// Contrast of the picture over that of the template.
    float gain = 1;
    int iterations = 0;
};

/// Moves `pixel` (of that level) to where the template fits best, at most `max_shift` away.
AlignmentResult align(const fh_template &patch, const ImagePyramid &pyramid, int level, int max_iterations,
                      float epsilon, float max_shift, Eigen::Vector2f *pixel);

}  // namespace foothold
