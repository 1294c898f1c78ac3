// Small planes among clutter: looked for in one neighbourhood at a time, where a slice through a whole room's clutter
// can't outvote them.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surfaces/plane_fit.h"
#include "surfaces/seeded_random.h"
#include "surfaces/surface_point.h"

namespace foothold {

struct LocalPlane {
    Plane plane;
    GravityConstraint constraint = GravityConstraint::none;
    /// Index of a point that lies on it.
    int seed = -1;
    /// How little chance explains the points on it, in nats.
    double surprise = 0;
};

/// The least accidental planes of each neighbourhood of the points of `available`, the best first. `up` is unit length.
/// Deterministic for a given state of `random`.
std::vector<LocalPlane> find_local_planes(std::span<const SurfacePoint> points, std::span<const int> available,
                                          const Eigen::Vector3d &up, double noise_scale, SeededRandom &random);

}  // namespace foothold
