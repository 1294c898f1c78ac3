// Which of some points and of some others are nearest to each other.
#pragma once

#include <utility>
#include <vector>

namespace foothold {

/// `squared_distance(a, b)` tells how far apart two are. Of equally near ones the first; both default-made where either
/// is empty. Every pair is looked at.
template <typename Point, typename SquaredDistance>
std::pair<Point, Point> nearest_pair(const std::vector<Point> &first, const std::vector<Point> &second,
                                     SquaredDistance squared_distance) {
    std::pair<Point, Point> nearest{};
    double least = 1e300;
    for (const Point &a : first) {
        for (const Point &b : second) {
            const double squared = squared_distance(a, b);
            if (squared >= least) continue;
            least = squared;
            nearest = {a, b};
        }
    }
    return nearest;
}

}  // namespace foothold
