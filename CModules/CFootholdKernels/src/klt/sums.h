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

/// Sums over the template's window, whole numbers all of them. q: value, t: picture at 1/32 (value before rounding to
/// 1/4), x and y: gradients.
struct alignas(64) TemplateSums {
    double t, x, y, xx;
    double xy, yy, xt, yt;
    double q, qq, qt, xq;
    double yq;
};

/// Sums of the picture under the window that a step needs. i: picture at 1/32.
struct alignas(32) StepSums {
    double i, qi, xi, yi;
};

/// Sums that tell how like the template the picture is. e: picture rounded to 1/4.
struct alignas(16) LikenessSums {
    double e, ee;
};

/// Values below this variance, in (grey levels)², have no contrast to compare gains with.
constexpr double kLeastVariance = 0.25;
/// Steps are not scaled by gains outside this range.
constexpr double kLeastGain = 0.25, kMostGain = 4;

/// Turns sums into the fields that the solver uses; false when the template has too little structure to be solved for.
bool FinishTemplate(const TemplateSums &sums, fh_template *patch);

/// A Gauss-Newton step.
struct Step {
    double x, y;
    /// Contrast of the picture over that of the template.
    double gain;
};

Step SolveStep(const fh_template &patch, const StepSums &sums);

/// How like the template the picture is.
struct Likeness {
    float correlation;
    float residual;
};

Likeness Compare(const fh_template &patch, const StepSums &sums, const LikenessSums &likeness);

}  // namespace foothold::kernels
