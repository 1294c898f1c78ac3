// Which points on a plane hang together, and what part of the plane they cover.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "surfaces/plane_fit.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// Two unit vectors that span the plane with this normal: right-handed (x, normal, z).
void plane_axes(const Eigen::Vector3d &normal, Eigen::Vector3d *x, Eigen::Vector3d *z);

/// Of the points (projected along the normal), the largest group in which each is within the link distance of the
/// next. Keeps the order of `indices`.
std::vector<int> largest_cluster(std::span<const SurfacePoint> points, std::span<const int> indices,
                                 const Eigen::Vector3d &normal);

/// The cells of a plane that points lie in, with one ring of neighbours.
class RegionMask {
public:
    RegionMask(std::span<const SurfacePoint> points, std::span<const int> indices, const PlaneFit &fit,
               double cell_size);
    bool contains(const Eigen::Vector3d &position) const;

private:
    int64_t key(const Eigen::Vector3d &position, int dx, int dz) const;

    Eigen::Vector3d origin_, x_, z_;
    double cell_size_;
    std::unordered_set<int64_t> cells_;
};

}  // namespace foothold
