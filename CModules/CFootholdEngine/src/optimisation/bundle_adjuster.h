// Bundle adjustment over keyframe poses and inverse depths.
//
// Levenberg-Marquardt with the Schur complement over the points (Triggs et al., "Bundle Adjustment - A Modern
// Synthesis", 2000); robust by Huber's weights.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "geometry/se3.h"

namespace foothold {

struct BundlePoint {
    int host = 0;
    Eigen::Vector2d host_pixel = Eigen::Vector2d::Zero();
    double inverse_depth = 1;
    /// Out: variance given the poses (1-sigma pixels squared · its information's inverse).
    double variance = 0;
};

struct BundleObservation {
    int point = 0;
    int pose = 0;
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// Out: length of the residual in pixels at the end; infinite behind the camera.
    double residual = 0;
};

struct BundleProblem {
    std::vector<SE3> world_from_camera;
    std::vector<bool> is_fixed;
    std::vector<BundlePoint> points;
    /// Sorted by point.
    std::vector<BundleObservation> observations;
    double focal = 1;
    bool refine_focal = false;
    /// What is believed of the focal length beforehand, and the standard deviation of its logarithm; 0 for nothing.
    double prior_focal = 0;
    double prior_focal_sigma = 0;
    /// Standard deviation of a good observation, against which the prior is weighed.
    double prior_noise_pixels = 1;
    double huber_pixels = 1.0;
    int max_iterations = 8;
    /// Stops when the cost falls by less than this share.
    double tolerance = 1e-4;
};

struct BundleSummary {
    double initial_cost = 0;
    double final_cost = 0;
    int iterations = 0;
    /// Standard deviation of the residuals in each direction, from their median: outliers don't count.
    double noise_pixels = 0;
    /// Standard deviation of log focal at the solution for observations as noisy as `prior_noise_pixels`; infinite when
    /// it wasn't refined.
    double log_focal_sigma = 0;
};

/// Solves in place. Buffers are kept between calls, so that a window of steady size allocates nothing.
class BundleAdjuster {
public:
    BundleSummary solve(BundleProblem &problem);

private:
    struct Block {
        int pose;
        Eigen::Matrix<double, 6, 1> coupling;
    };
    double evaluate_cost(BundleProblem &problem, const std::vector<SE3> &poses, const std::vector<double> &depths,
                         double focal) const;
    void build(const BundleProblem &problem);
    bool solve_step(const BundleProblem &problem, double lambda);

    std::vector<int> variable_index_;
    int variable_count_ = 0;
    Eigen::MatrixXd pose_hessian_, reduced_;
    Eigen::VectorXd pose_gradient_, reduced_gradient_, pose_step_;
    std::vector<double> point_hessian_, point_gradient_, point_step_;
    std::vector<double> point_focal_coupling_;
    std::vector<Block> blocks_;
    std::vector<int> block_begin_;
    std::vector<SE3> trial_poses_;
    std::vector<double> depths_, trial_depths_, residuals_;
};

}  // namespace foothold
