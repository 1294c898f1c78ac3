// From a grid of evidence to a polygon.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "surfaces/evidence_grid.h"
#include "surfaces/surface.h"

namespace foothold {

/// Pieces that a cell of evidence is cut into for outlines, each way.
constexpr int pieces_per_cell = 3;

/// A surface's extent in pieces, with some cells of room around it.
struct FineMask {
    /// Rows along z, CV_8U: 255 where the surface is. Empty where nothing is known.
    cv::Mat inside;
    /// The first piece's place in local (x, z), counted in pieces.
    Eigen::Vector2i first = Eigen::Vector2i::Zero();
    double piece_size = 0;

    /// Local (x, z) of a place, counted in pieces (column, row) from the first one's middle.
    Eigen::Vector2d middle_of(const Eigen::Vector2d &piece) const {
        return piece_size * (first.cast<double>() + piece + Eigen::Vector2d::Constant(0.5));
    }
    Eigen::Vector2d middle_of(int column, int row) const { return middle_of(Eigen::Vector2d(column, row)); }
    /// CV_8U: 255 where it isn't.
    cv::Mat around() const { return ~inside; }
    double area() const { return inside.empty() ? 0 : cv::countNonZero(inside) * piece_size * piece_size; }
};

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
    /// Pieces are joined whatever lies between them: nothing lies behind.
    bool joins_all = false;
};

/// Of the regions that are supported or hold some of `points`, which carry the surface now, the one with the largest
/// product of cells and cells that have a point, and those beside it that are no splinters, joined to it by narrow
/// bridges. Never holds what is contradicted and has no point. Empty when nothing is supported. `is_excluded(local)`
/// says where the surface can't be whatever its evidence.
FineMask extent_of(const EvidenceGrid &grid, std::span<const Eigen::Vector2d> points, const OutlineReach &reach,
                   const std::function<bool(const Eigen::Vector2d &)> &is_excluded);

/// How an outline follows a mask, pieces: how far corners may be off it that are left out, and how much wider it is
/// than through the middles of its outermost pieces.
struct Tracing {
    double smoothness = 0.4 * pieces_per_cell;
    double widening = 0;
};

/// The outer boundary of the largest region, a simple polygon; no polygon when there's none.
Outline trace_outline(const FineMask &mask, const Tracing &tracing = {});

/// The surface reaches as far as the outline, where that has corners.
void reach_out_to(const Outline &outline, Surface *surface);

}  // namespace foothold
