// The exact integer sums that alignment is made of, and the numbers that a template keeps from them.
#pragma once

#include <cstdint>

#include "fh_klt.h"

namespace foothold::kernels {

/// Fixed-point scales. Pictures are sampled at 1/64 grey level (kSampleBits) and compared at 1/32, minus 4096, so that
/// values fit ±2^12; gradients are kept at 1/8, template values at 1/4. Then no sum over 512 pixels leaves 32 bits.
constexpr int32_t kSampleBits = 6;
constexpr int32_t kLevelOffset = 4096;
constexpr int32_t kRowsPerSum = 16;

/// A sampled patch with a rim of one pixel for gradients; rows have room for whole vectors.
constexpr int32_t kRimSide = FH_WINDOW_MAX + 2;
constexpr int32_t kRimStride = 64;

/// Sums over the template's window. q: value, t: picture at 1/32 (value before rounding to 1/4), x and y: gradients.
struct TemplateSums {
    int64_t t, q, qq, qt, x, y, xx, xy, yy, xq, yq, xt, yt;
};

/// Sums of the picture under the window. i: picture at 1/32; e: rounded to 1/4 (only for the finest level).
struct PictureSums {
    int64_t i, qi, xi, yi, e, ee;
};

/// Turns sums into the fields that the solver uses; false when the template has too little structure to be solved for.
bool FinishTemplate(const TemplateSums &sums, fh_template *patch);

/// A Gauss-Newton step.
struct Step {
    double x, y;
    /// Contrast of the picture over that of the template.
    double gain;
};

Step SolveStep(const fh_template &patch, const PictureSums &sums);

/// How like the template the picture is.
struct Likeness {
    float correlation;
    float residual;
};

Likeness Compare(const fh_template &patch, const PictureSums &sums);

}  // namespace foothold::kernels
