// Polygons whose edges meet at their corners only.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace foothold {

/// What is left of a polygon without edges that cross or touch each other: wherever two do, the smaller of the loops
/// that they close is cut off. Fewer than three corners when nothing is left. Exact for whole numbers, but for the
/// places where edges cross.
std::vector<Eigen::Vector2d> simple_polygon(std::vector<Eigen::Vector2d> polygon);

/// The first two edges that meet elsewhere than at the corner that they share, by their first corners, and where; false
/// when the polygon is simple.
bool find_meeting(const std::vector<Eigen::Vector2d> &polygon, size_t *out_first, size_t *out_second,
                  Eigen::Vector2d *out_place);

}  // namespace foothold
