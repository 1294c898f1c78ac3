// Polygons: their area, and what is left of one whose edges meet.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace foothold {

/// Positive where it runs from x towards y.
double signed_area(const std::vector<Eigen::Vector2d> &polygon);

/// What is left of a polygon without edges that cross or touch each other: wherever two do, the smaller of the loops
/// that they close is cut off. Fewer than three corners when nothing is left. Exact for whole numbers, but for the
/// places where edges cross.
std::vector<Eigen::Vector2d> simple_polygon(std::vector<Eigen::Vector2d> polygon);

/// The polygon with every edge moved outwards by this much, but for sharp corners, which move by less than twice as
/// much. Of a simple one with narrow gaps it may not be simple.
std::vector<Eigen::Vector2d> widened(const std::vector<Eigen::Vector2d> &polygon, double by);

/// The first two edges that meet elsewhere than at the corner that they share, by their first corners, and where; false
/// when the polygon is simple.
bool find_meeting(const std::vector<Eigen::Vector2d> &polygon, size_t *out_first, size_t *out_second,
                  Eigen::Vector2d *out_place);

}  // namespace foothold
