// What a cell of a picture adds up to.
#pragma once

#include <cstdint>

namespace foothold::kernels {

/// Rows of a picture that are measured at once: few enough to be still at hand when the histogram has read them, and no
/// more pixels than 32-bit sums can take.
constexpr int32_t kMostCellRows = 16, kMostCellPixels = 65536;

constexpr int32_t CellRowsAtOnce(int32_t width) {
    const int32_t most = kMostCellPixels / width;
    return most < kMostCellRows ? most : kMostCellRows;
}

/// Sums over pixels that have all eight neighbours.
struct CellSums {
    /// Grey levels.
    uint64_t level = 0;
    /// Squares of doubled central differences, both directions.
    uint64_t gradient = 0;
    /// Absolute values of Immerkær's mask (1 -2 1; -2 4 -2; 1 -2 1).
    uint64_t second_difference = 0;
};

}  // namespace foothold::kernels
