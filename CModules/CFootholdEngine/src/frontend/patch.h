// Small pictures of a point as its host keyframe saw it, and their alignment with a later frame.
//
// Inverse-compositional alignment (Baker & Matthews, "Lucas-Kanade 20 Years On", 2004) of a warped template, with gain
// and offset of brightness.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

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

/// A template for one search level, ready to be aligned.
struct WarpedTemplate {
    static constexpr int kRadius = 5;
    static constexpr int kSide = 2 * kRadius + 1;
    static constexpr int kCount = kSide * kSide;
    float value[kCount];
    float gradient_x[kCount];
    float gradient_y[kCount];
    /// Inverse of the normal matrix over (x, y, gain, offset).
    Eigen::Matrix4f inverse_hessian;
    float mean = 0;
    float standard_deviation = 0;
    /// Smaller eigenvalue of the gradient matrix per pixel: how well the patch can be located.
    float min_eigenvalue = 0;

    /// Samples the host patch for search level `level`. `current_from_host` is the 2×2 affine warp between
    /// level-0 pixels of the host and of the current frame. False where the patch has too little structure
    /// or the warp leaves the host's window.
    bool build(const HostPatch &host, const Eigen::Matrix2d &current_from_host, int level);
};

struct AlignmentResult {
    bool converged = false;
    /// Zero-mean normalised cross-correlation of template and picture at the end, −1…1.
    float correlation = 0;
    float gain = 1;
    int iterations = 0;
};

/// Moves `pixel` (coordinates of that picture) to where the template fits best.
AlignmentResult align(const WarpedTemplate &patch, const ImageView &image, int max_iterations, float epsilon,
                      float max_shift, Eigen::Vector2f *pixel);

}  // namespace foothold
