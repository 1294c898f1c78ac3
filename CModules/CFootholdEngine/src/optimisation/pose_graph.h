// A graph of keyframes whose parts may have drifted apart in place, direction and size.
//
// Every keyframe is a similarity, so that a drift of scale can be spread along a loop as well (Strasdat et al., "Scale
// Drift-Aware Large Scale Monocular SLAM", 2010). Levenberg-Marquardt with sparse Cholesky factors.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "geometry/similarity.h"

namespace foothold {

/// How one keyframe was measured to lie beside another.
struct PoseGraphEdge {
    int from = 0;
    int to = 0;
    Similarity from_to;
    /// Inverse of the distance that a change of place counts against, in the world's unit.
    double inverse_depth = 1;
    /// Inverse of its variance, relative to others.
    double weight = 1;
};

struct PoseGraph {
    std::vector<Similarity> world_from_node;
    std::vector<bool> is_fixed;
    std::vector<PoseGraphEdge> edges;
    int max_iterations = 30;
    /// Stops when the cost falls by less than this share.
    double tolerance = 1e-8;
};

struct PoseGraphSummary {
    double initial_cost = 0;
    double final_cost = 0;
    int iterations = 0;
};

/// What an edge says is wrong: rotation vector, place over depth, and logarithm of the scale. Derivatives are for
/// `updated` of each node.
struct PoseGraphResidual {
    using Vector7 = Eigen::Matrix<double, 7, 1>;
    using Matrix7 = Eigen::Matrix<double, 7, 7>;

    Vector7 value;
    Matrix7 by_from, by_to;

    void evaluate(const Similarity &world_from_from, const Similarity &world_from_to, const PoseGraphEdge &edge,
                  bool with_jacobians);
};

/// `delta` is (rotation vector on the node's side, translation in the world, logarithm of the scale).
Similarity updated(const Similarity &world_from_node, const PoseGraphResidual::Vector7 &delta);

/// Solves in place. At least one node must be fixed.
PoseGraphSummary solve_pose_graph(PoseGraph *graph);

}  // namespace foothold
