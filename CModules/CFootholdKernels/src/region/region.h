// Sums over a region, pixel by pixel: what every instruction set's sums equal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch/arguments.h"
#include "fh_region.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

constexpr int32_t kRegionParts = 16;
constexpr int32_t kRegionPiece = 256;

/// A piece of a region: terms and weights pixel by pixel, zeros where the other picture doesn't show one and up to a
/// multiple of kRegionParts.
struct RegionPiece {
    alignas(64) float terms[FH_REGION_TERMS][kRegionPiece];
    alignas(64) float weights[kRegionPiece];
    /// Squared changes of grey levels and of places.
    alignas(64) float slopes[kRegionPiece];
    alignas(64) float stretches[kRegionPiece];
};

/// Pixels of a piece together with the zeros after them.
constexpr int32_t Padded(int32_t count) {
    return static_cast<int32_t>(RoundUp(static_cast<size_t>(count), kRegionParts));
}

/// Of a product, sixteen parts.
using RegionParts = float[kRegionParts];

/// Adds the parts pairwise.
inline double Added(const RegionParts &parts) {
    float half[kRegionParts];
    for (int32_t i = 0; i < kRegionParts; ++i) half[i] = parts[i];
    for (int32_t step = kRegionParts / 2; step > 0; step /= 2) {
        for (int32_t i = 0; i < step; ++i) half[i] += half[i + step];
    }
    return half[0];
}

/// Whether a term is one of those that are left out without changes.
inline bool IsChange(int32_t term) { return term >= FH_REGION_CHANGE && term < FH_REGION_OWN; }

/// Which of the products it is, the upper triangle by rows.
inline int32_t ProductOf(int32_t i, int32_t j) { return i * FH_REGION_TERMS - i * (i - 1) / 2 + j - i; }

}  // namespace foothold::kernels
