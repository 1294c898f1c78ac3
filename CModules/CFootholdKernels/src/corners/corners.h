// Corner search over rectangles, and scores, arguments checked.
#pragma once

#include "dispatch/kernel_table.h"

namespace foothold::kernels {

/// Writes the corners of a rectangle, by rows; returns how many there are. `scratch` has fh_fast_scratch_size bytes.
int32_t FindCorners(const KernelTable &kernels, const fh_image &image, const fh_rect &area, int32_t threshold,
                    bool suppress, fh_corner *out, int32_t capacity, void *scratch);

/// Pixels from the picture's edge that Shi-Tomasi's window reaches.
constexpr int32_t kStructureReach = 4;

/// Shi-Tomasi's score from sums over 7×7 pixels of doubled gradients.
float SmallerEigenvalue(const int32_t sums[3]);

}  // namespace foothold::kernels
