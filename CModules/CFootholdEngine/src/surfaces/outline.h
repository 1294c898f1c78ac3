// From a grid of evidence to a polygon.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "surfaces/evidence_grid.h"

namespace foothold {

struct Outline {
    /// Local (x, z), counter-clockwise seen from the normal's side (clockwise in a drawing with x right and z up).
    std::vector<Eigen::Vector2d> polygon;
    double area = 0;
};

/// How far an outline goes beyond what was seen, metres: gaps up to `bridge` are closed; where the surface looks plain,
/// gaps up to `blank_bridge`, and it reaches `blank_reach` beyond what is known.
struct OutlineReach {
    double bridge = 0;
    double blank_bridge = 0;
    double blank_reach = 0;
};

/// The outer boundary of the largest region that is supported or has one of `points` that carry the surface now, and of
/// those beside it that are no small share of it, joined to it by narrow bridges. Never holds what is contradicted and
/// has no point. Empty when nothing is supported. `is_excluded(local)` says where the surface can't be whatever its
/// evidence.
Outline trace_outline(const EvidenceGrid &grid, std::span<const Eigen::Vector2d> points, const OutlineReach &reach,
                      const std::function<bool(const Eigen::Vector2d &)> &is_excluded);

bool polygon_contains(const std::vector<Eigen::Vector2d> &polygon, const Eigen::Vector2d &point);
double polygon_area(const std::vector<Eigen::Vector2d> &polygon);

}  // namespace foothold
