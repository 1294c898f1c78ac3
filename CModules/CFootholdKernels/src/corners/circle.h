// The circle that FAST looks at.
#pragma once

#include <cstdint>

namespace foothold::kernels {

struct CircleOffset {
    int32_t x, y;
};

constexpr int32_t kCircleRadius = 3;
constexpr int32_t kCircleSize = 16;
/// Neighbouring pixels that have to agree.
constexpr int32_t kArcSize = 9;

/// Bresenham's circle of radius 3, all the way round.
constexpr CircleOffset kCircle[kCircleSize] = {{0, -3}, {1, -3},  {2, -2},  {3, -1}, {3, 0},  {3, 1},
                                               {2, 2},  {1, 3},   {0, 3},   {-1, 3}, {-2, 2}, {-3, 1},
                                               {-3, 0}, {-3, -1}, {-2, -2}, {-1, -3}};

}  // namespace foothold::kernels
