// Fixed-point sampling as every instruction set does it.
#pragma once

#include <cstdint>

#include "klt/sums.h"

namespace foothold::kernels {

/// Product of fixed-point numbers, the second in 1/32768, rounded to nearest: x86's pmulhrsw, NEON's sqrdmulh.
inline int32_t MultiplyRounded(int32_t a, int32_t b) { return (a * b + 16384) >> 15; }

/// Four pixels blended bilinearly, in 1/64 grey level. Weights in 1/32768.
inline int16_t Blend(uint8_t top_left, uint8_t top_right, uint8_t bottom_left, uint8_t bottom_right, int32_t wx,
                     int32_t wy) {
    constexpr int32_t one = 1 << kSampleBits;
    const int32_t top = top_left * one + MultiplyRounded((top_right - top_left) * one, wx);
    const int32_t bottom = bottom_left * one + MultiplyRounded((bottom_right - bottom_left) * one, wx);
    return static_cast<int16_t>(top + MultiplyRounded(bottom - top, wy));
}

/// From 1/64 to 1/32 grey level about the middle.
inline int32_t Level(int32_t sample) { return ((sample + 1) >> 1) - kLevelOffset; }

/// From the difference of samples two pixels apart to a gradient in 1/8 grey level per pixel.
inline int32_t Gradient(int32_t difference) { return (difference + 8) >> 4; }

/// 10/16 and 3/16 in 1/32768.
constexpr int32_t kScharrMiddle = 20480, kScharrSide = 6144;

/// From 1/32 to 1/4 grey level.
inline int32_t Quarter(int32_t level) { return (level + 4) >> 3; }

}  // namespace foothold::kernels
