// One pixel of a remapped row, as every instruction set draws it.
#pragma once

#include <cstdint>

#include "dispatch/arguments.h"
#include "fh_remap.h"

namespace foothold::kernels {

/// Weights are fractions of this.
constexpr int32_t kRemapOne = 64;

inline uint8_t RemapPixel(const fh_image &image, uint32_t place, uint16_t weights) {
    if (place == FH_REMAP_OUTSIDE) return 0;
    const int32_t wx = weights & 255, wy = weights >> 8;
    const uint8_t *top = Row(image, static_cast<int32_t>(place >> 16)) + (place & 0xFFFF);
    const uint8_t *bottom = top + image.stride;
    const int32_t above = top[0] * (kRemapOne - wx) + top[1] * wx;
    const int32_t below = bottom[0] * (kRemapOne - wx) + bottom[1] * wx;
    constexpr int32_t one = kRemapOne * kRemapOne;
    return static_cast<uint8_t>((above * (kRemapOne - wy) + below * wy + one / 2) / one);
}

}  // namespace foothold::kernels
