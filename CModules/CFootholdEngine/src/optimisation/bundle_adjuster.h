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
    /// Of its observations: the inverse of their variance, relative to a good one's.
    double weight = 1;
    /// How a rolling shutter moved the host's pixel, per second of readout (see rolling_shutter.h).
    Eigen::Vector2d host_row_rate = Eigen::Vector2d::Zero();
    /// How the host's pixel moves with the lens's bend (see radial_lens.h).
    Eigen::Vector2d host_bend_rate = Eigen::Vector2d::Zero();
    /// The host's pixel as if all rows were exposed at once, through the lens with so much more bend.
    Eigen::Vector2d host_pixel_with(double readout, double bend_change) const {
        return host_pixel - readout * host_row_rate + bend_change * host_bend_rate;
    }
    /// Out: variance given the poses (1-sigma pixels squared · its information's inverse).
    double variance = 0;
};

struct BundleObservation {
    int point = 0;
    int pose = 0;
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// Out: length of the residual in pixels at the end; infinite behind the camera.
    double residual = 0;
    /// As the point's in its host.
    Eigen::Vector2d row_rate = Eigen::Vector2d::Zero();
    Eigen::Vector2d bend_rate = Eigen::Vector2d::Zero();
    Eigen::Vector2d pixel_with(double readout, double bend_change) const {
        return pixel - readout * row_rate + bend_change * bend_rate;
    }
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
    /// Seconds from the first row's exposure to the last one's.
    double readout = 0;
    bool refine_readout = false;
    /// Say how far a refined readout would go from here, without going there.
    bool probe_readout = false;
    /// What the pixels were undistorted with, and how far that changes in solving; pixels follow to first order.
    double bend = 0;
    double bend_change = 0;
    bool refine_bend = false;
    /// As `probe_readout`.
    bool probe_bend = false;
    /// Standard deviation of what is believed beforehand, around no bend; 0 for nothing.
    double prior_bend_sigma = 0;
    /// Standard deviation of a good observation, against which the priors are weighed.
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
    /// Where they were refined or probed: the readout and the bend that fit best, and their standard deviations in the
    /// same sense. What is only probed is left out of the other ones' deviations.
    double readout = 0;
    double readout_sigma = 0;
    double bend = 0;
    double bend_sigma = 0;
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
    /// What all observations share, in the order of the variables.
    static constexpr int kGlobals = 3, kReadout = 0, kBend = 1, kFocal = 2;
    using Globals = Eigen::Matrix<double, kGlobals, 1>;

    struct Shared {
        double readout, bend_change, focal;
    };
    double evaluate_cost(BundleProblem &problem, const std::vector<SE3> &poses, const std::vector<double> &depths,
                         const Shared &shared) const;
    void build(const BundleProblem &problem, bool with_readout, bool with_bend);
    bool solve_step(const BundleProblem &problem, double lambda);
    void summarise_globals(BundleProblem &problem, BundleSummary *summary);

    std::vector<int> variable_index_;
    int variable_count_ = 0;
    Eigen::MatrixXd pose_hessian_, reduced_;
    Eigen::VectorXd pose_gradient_, reduced_gradient_, pose_step_;
    std::vector<double> point_hessian_, point_gradient_, point_step_;
    std::vector<Globals> point_global_coupling_;
    /// The readout, the bend and the logarithm of the focal length come last among the variables.
    bool has_globals_ = false;
    std::vector<Block> blocks_;
    std::vector<int> block_begin_;
    std::vector<SE3> trial_poses_;
    std::vector<double> depths_, trial_depths_, residuals_;
};

}  // namespace foothold
