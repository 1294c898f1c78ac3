// What a cell of a picture adds up to.
#pragma once

#include <cstdint>

namespace foothold::kernels {

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
