// What the versions of comparing a row pixel by pixel share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "fh_sweep.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

/// Homogeneous pixel of the other picture at inverse depth 0: begin + change · x.
struct OtherRow {
    float begin[3], change[3];

    OtherRow(const fh_sweep_other &other, int32_t y) {
        for (int32_t k = 0; k < 3; ++k) {
            begin[k] = other.matrix[3 * k + 1] * static_cast<float>(y) + other.matrix[3 * k + 2];
            change[k] = other.matrix[3 * k];
        }
    }
};

/// The pixels begin … end - 1 of a row.
inline void DifferPixels(const uint8_t *row, int32_t begin, int32_t end, const OtherRow &along,
                         const float *inverse_depths, const fh_sweep_other &other, float scale, float most,
                         float *out) {
    const fh_piece_picture &picture = other.picture;
    const float right = static_cast<float>(picture.width - 2), bottom = static_cast<float>(picture.height - 2);
    for (int32_t x = begin; x < end; ++x) {
        out[x] = -1;
        const float inverse = inverse_depths[x];
        if (!(inverse > 0)) continue;
        const auto seen = [&](int32_t k) {
            return (along.change[k] * static_cast<float>(x) + along.begin[k]) + inverse * other.shift[k];
        };
        const float depth = seen(2);
        if (!(depth > 0)) continue;
        const float u = seen(0) / depth, v = seen(1) / depth;
        if (!(u >= 1 && v >= 1 && u <= right && v <= bottom)) continue;
        const int32_t at_x = static_cast<int32_t>(u), at_y = static_cast<int32_t>(v);
        const float share_x = u - static_cast<float>(at_x), share_y = v - static_cast<float>(at_y);
        const uint16_t *pair = picture.pairs + static_cast<ptrdiff_t>(at_y) * picture.stride + at_x;
        const auto between = [&](uint16_t levels) {
            const float top = static_cast<float>(levels & 255), below = static_cast<float>(levels >> 8);
            return top + share_y * (below - top);
        };
        const float near = between(pair[0]), far = between(pair[1]);
        const float level = near + share_x * (far - near);
        out[x] = std::min(std::abs((level - other.offset) - static_cast<float>(row[x])) * scale, most);
    }
}

}  // namespace foothold::kernels
