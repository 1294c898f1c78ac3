// Squares of a plane, counted from its origin.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

namespace foothold {

/// Tells the square with this side that holds a place, or the one so many beside it, from all others that are less than
/// half a million away.
inline int64_t square_key(const Eigen::Vector2d &place, double side, int dx = 0, int dy = 0) {
    return (static_cast<int64_t>(std::floor(place.x() / side)) + dx) * 1'000'003 +
           static_cast<int64_t>(std::floor(place.y() / side)) + dy;
}

}  // namespace foothold
