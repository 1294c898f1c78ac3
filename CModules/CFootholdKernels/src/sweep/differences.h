// What the versions of comparing a row pixel by pixel share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fh_sweep.h"
#include "pieces/pieces.h"

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
        out[x] = std::min(std::abs((LevelAt(picture, u, v) - other.offset) - static_cast<float>(row[x])) * scale, most);
    }
}

}  // namespace foothold::kernels
