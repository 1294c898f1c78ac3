// A piece of a picture, place by place: what every instruction set's sampling equals.
#pragma once

#include <cmath>
#include <cstdint>

#include "fh_affine.h"
#include "klt/blend.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

/// Which places are sampled.
struct AffineGrid {
    fh_point center;
    /// 2×2, by rows.
    const float *step;
    int32_t columns, rows;

    /// Offset of the first column or row from the middle.
    static float Reach(int32_t count) { return 0.5f * static_cast<float>(count - 1); }
};

/// Into 0 … last; what isn't a number becomes 0.
inline float Clamped(float x, float last) { return x > 0 ? (x < last ? x : last) : 0; }

/// Fills rows of `stride` numbers; returns how many places lay outside the picture.
inline int32_t SampleAffineSingly(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride) {
    const float reach_u = AffineGrid::Reach(grid.columns), reach_v = AffineGrid::Reach(grid.rows);
    const float last_x = static_cast<float>(source.width - 1), last_y = static_cast<float>(source.height - 1);
    int32_t outside = 0;
    for (int32_t row = 0; row < grid.rows; ++row) {
        for (int32_t column = 0; column < grid.columns; ++column) {
            const float u = static_cast<float>(column) - reach_u, v = static_cast<float>(row) - reach_v;
            const float x = grid.center.x + (grid.step[0] * u + grid.step[1] * v);
            const float y = grid.center.y + (grid.step[2] * u + grid.step[3] * v);
            const float inside_x = Clamped(x, last_x), inside_y = Clamped(y, last_y);
            outside += x != inside_x || y != inside_y;
            const float floor_x = std::floor(inside_x), floor_y = std::floor(inside_y);
            const int32_t at_x = static_cast<int32_t>(floor_x), at_y = static_cast<int32_t>(floor_y);
            const uint8_t *top = source.data + static_cast<ptrdiff_t>(at_y) * source.stride + at_x;
            const int32_t right = at_x + 1 < source.width ? 1 : 0;
            const uint8_t *bottom = at_y + 1 < source.height ? top + source.stride : top;
            out[row * stride + column] =
                Blend(top[0], top[right], bottom[0], bottom[right], static_cast<int32_t>((inside_x - floor_x) * 32768),
                      static_cast<int32_t>((inside_y - floor_y) * 32768));
        }
    }
    return outside;
}

}  // namespace foothold::kernels
