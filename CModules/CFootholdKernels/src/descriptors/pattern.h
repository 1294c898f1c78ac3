// Where descriptors look: pairs of pixels from a seeded rule, and the disc of their orientation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::kernels {

constexpr int32_t kPairs = 256;
constexpr int32_t kPatternTurns = 64;
constexpr int32_t kDiscRadius = 15;

/// A patch around a pixel, kDiscRadius to each side, in rows of 32.
constexpr int32_t kPatchStride = 32;
constexpr int32_t kPatchRows = 2 * kDiscRadius + 1;

/// Half the width of the disc in the row `y` from its middle: the largest x with x² + y² ≤ (radius + ½)².
constexpr int32_t DiscHalfWidth(int32_t y) {
    int32_t x = 0;
    while (4 * ((x + 1) * (x + 1) + y * y) <= (2 * kDiscRadius + 1) * (2 * kDiscRadius + 1)) ++x;
    return x < kDiscRadius ? x : kDiscRadius;
}

/// Places in a patch, row · kPatchStride + column, of every pair's first and second pixel for every turn.
struct Pattern {
    alignas(64) uint16_t first[kPatternTurns][kPairs];
    alignas(64) uint16_t second[kPatternTurns][kPairs];
};

/// Made at the first call.
const Pattern &ThePattern();

/// Bytes that matching so many candidates needs, from a multiple of 64 on.
size_t MatchScratchBytes(int32_t candidate_count);

/// Candidates are packed in groups of this many.
constexpr int32_t kMatchGroup = 16;
/// Bits of a key that hold a candidate's index; its distance is above them.
constexpr int32_t kIndexBits = 22;
constexpr int32_t kNoDistance = kPairs + 1;

}  // namespace foothold::kernels
