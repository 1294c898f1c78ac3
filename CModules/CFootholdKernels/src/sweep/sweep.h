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

}  // namespace foothold::kernels
