// Sums over a region, pixel by pixel: what every instruction set's sums equal.
#pragma once

#include <cstdint>

#include "fh_region.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

constexpr int32_t kRegionParts = 16;
constexpr int32_t kRegionPiece = 256;
/// Points nearer than this along the other camera's z axis aren't shown.
constexpr float kLeastRegionDepth = 0.05f;

/// Places of the terms.
enum RegionTerm : int32_t { kShown = 0, kChange = 1, kOwn = 4, kLight = 5 };

/// A piece of a region: terms and weights pixel by pixel, zeros where the other picture doesn't show one and up to a
/// multiple of kRegionParts.
struct RegionPiece {
    alignas(64) float terms[FH_REGION_TERMS][kRegionPiece];
    alignas(64) float weights[kRegionPiece];
    /// Squared changes of grey levels and of places.
    alignas(64) float slopes[kRegionPiece];
    alignas(64) float stretches[kRegionPiece];
    int32_t padded = 0;
};

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
inline bool IsChange(int32_t term) { return term >= kChange && term < kOwn; }

/// Which of the products it is, the upper triangle by rows.
inline int32_t ProductOf(int32_t i, int32_t j) { return i * FH_REGION_TERMS - i * (i - 1) / 2 + j - i; }

void AddRegionSingly(const fh_region_pixels &pixels, const fh_region_view &view, const fh_region_question &question,
                     fh_region_sums *sums);

}  // namespace foothold::kernels
