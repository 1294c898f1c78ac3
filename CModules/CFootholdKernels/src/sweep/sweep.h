// What the versions of the plane sweep share.
#pragma once

#include <cstdint>

#include "fh_sweep.h"

namespace foothold::kernels {

/// What lies nearer to a source's camera, or behind it, isn't shown.
constexpr float kLeastSweepDepth = 1e-6f;
/// No path costs as much; with a step more it still fits.
constexpr uint16_t kNoPath = 2 * FH_SWEEP_COST_LIMIT;

/// Of a row of a source's places: what doesn't change along it.
struct SweepRow {
    float begin[3];
    float change[3];

    SweepRow(const fh_sweep_source &source, int32_t y) {
        for (int32_t i = 0; i < 3; ++i) {
            begin[i] = source.matrix[3 * i + 1] * static_cast<float>(y) + source.matrix[3 * i + 2];
            change[i] = source.matrix[3 * i];
        }
    }
};

/// Where the least of a pixel's sums lies, `best` being the first of the least.
inline float PlaceOfLeast(const uint16_t *sums, int32_t best) {
    if (best == 0 || best == FH_SWEEP_DEPTHS - 1) return -1;
    const int32_t before = sums[best - 1], after = sums[best + 1], curvature = before + after - 2 * sums[best];
    const float shift = curvature > 0 ? 0.5f * static_cast<float>(before - after) / static_cast<float>(curvature) : 0;
    return static_cast<float>(best) + shift;
}

/// Columns that are added up by themselves.
constexpr int32_t kSweepParts = FH_SWEEP_WINDOW_PADDING + 1;

/// The sums of a window's parts, by sum and part.
struct SweepPartSums {
    alignas(64) float n[kSweepParts], x[kSweepParts], y[kSweepParts], xx[kSweepParts], xy[kSweepParts], yy[kSweepParts],
        w[kSweepParts], xw[kSweepParts], yw[kSweepParts];

    fh_sweep_sums Added() const {
        const auto add = [](const float *parts) {
            float sum = 0;
            for (int32_t i = 0; i < kSweepParts; ++i) sum += parts[i];
            return sum;
        };
        return {add(n), add(x), add(y), add(xx), add(xy), add(yy), add(w), add(xw), add(yw)};
    }
};

}  // namespace foothold::kernels
