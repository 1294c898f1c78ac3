// Which points on a plane hang together, and what part of the plane they cover.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "surfaces/plane_fit.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// Two unit vectors that span the plane with this normal: right-handed (x, normal, z).
void plane_axes(const Eigen::Vector3d &normal, Eigen::Vector3d *x, Eigen::Vector3d *z);

/// Of the points (projected along the normal), the largest group that hangs together, each within about `link` times
/// the link distance of another; with a `seed` (a point's index) the group around it. Keeps the order of `indices`.
std::vector<int> connected_cluster(std::span<const SurfacePoint> points, std::span<const int> indices,
                                   const Eigen::Vector3d &normal, double link, int seed);

/// Squares of a plane, laid over the points that are given.
class PlaneCells {
public:
    PlaneCells(std::span<const SurfacePoint> points, std::span<const int> indices, const Eigen::Vector3d &normal,
               double cell_size, int margin);

    /// Index of the cell that holds a position (projected along the normal), or -1 outside.
    int index_of(const Eigen::Vector3d &position) const {
        const Eigen::Vector3d p = position - origin_;
        const double column = std::floor(x_.dot(p) / cell_size_), row = std::floor(z_.dot(p) / cell_size_);
        if (!(column >= 0 && row >= 0 && column < columns_ && row < rows_)) return -1;
        return static_cast<int>(row) * columns_ + static_cast<int>(column);
    }
    int columns() const { return columns_; }
    int rows() const { return rows_; }
    int count() const { return columns_ * rows_; }

private:
    Eigen::Vector3d origin_, x_, z_;
    double cell_size_;
    int columns_ = 0;
    int rows_ = 0;
};

/// The cells of a plane that points lie in, with one ring of neighbours.
class RegionMask {
public:
    RegionMask(std::span<const SurfacePoint> points, std::span<const int> indices, const PlaneFit &fit,
               double cell_size);
    bool contains(const Eigen::Vector3d &position) const {
        const int index = cells_.index_of(position);
        return index >= 0 && covered_[index];
    }

private:
    PlaneCells cells_;
    std::vector<uint8_t> covered_;
};

}  // namespace foothold
