// How well planes explain a set of points, for many planes.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surfaces/plane_fit.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// MSAC: each point on a plane and seen from its front earns what it lacks to the tolerance. Most points are far from
/// most planes, which is told side by side from what is kept of them. The points must stay as they are.
class PlaneScorer {
public:
    PlaneScorer(std::span<const SurfacePoint> points, std::span<const int> indices, double noise_scale);

    double score(const Plane &plane) const;

private:
    std::span<const SurfacePoint> points_;
    std::span<const int> indices_;
    double noise_scale_;
    /// Near the points, for precision.
    Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
    /// Of each point: place from the origin, and beyond what distance it's on no plane. In rows of all points.
    std::vector<float> x_, y_, z_, reach_;
};

}  // namespace foothold
