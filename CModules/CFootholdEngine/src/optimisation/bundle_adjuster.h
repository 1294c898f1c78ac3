// Bundle adjustment over keyframe poses and inverse depths.
//
// Levenberg-Marquardt with the Schur complement over the points (Triggs et al., "Bundle Adjustment - A Modern
// Synthesis", 2000); robust by Huber's weights.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "geometry/se3.h"
#include "optimisation/reprojection.h"

namespace foothold {

/// What lens and shutter do to all observations alike.
struct SharedModel {
    /// Seconds from the first row's exposure to the last one's.
    double readout = 0;
    /// See radial_lens.h.
    Eigen::Vector2d bend = Eigen::Vector2d::Zero();
    /// The principal point from the picture's middle, pixels.
    Eigen::Vector2d center = Eigen::Vector2d::Zero();
};

/// Where a point was seen.
struct BundleSight {
    /// Centred and without the lens that the problem starts with.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// With the lens, from the picture's middle; only read where the lens is refined.
    Eigen::Vector2d in_picture = Eigen::Vector2d::Zero();
    /// How a rolling shutter moves it, per second of readout (see rolling_shutter.h).
    Eigen::Vector2d row_rate = Eigen::Vector2d::Zero();
};

struct BundlePoint {
    int host = 0;
    BundleSight in_host;
    double inverse_depth = 1;
    /// Of its observations: the inverse of their variance, relative to a good one's.
    double weight = 1;
    /// Out: variance given the poses (1-sigma pixels squared · its information's inverse).
    double variance = 0;
};

struct BundleObservation {
    int point = 0;
    int pose = 0;
    BundleSight sight;
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
    SharedModel shared;
    bool refine_readout = false;
    /// Say how far a refined readout would go from here, without going there.
    bool probe_readout = false;
    /// Only the bend's first term is ever probed.
    bool refine_bend = false, probe_bend = false;
    bool refine_center = false;
    /// Say how far a refined focal length would go from here, a principal point beside it, and a bend alone, without
    /// going there; where none is refined and nothing bends.
    bool probe_camera = false;
    double half_diagonal = 1;
    /// Where the principal point is believed to lie, from the picture's middle.
    Eigen::Vector2d prior_center = Eigen::Vector2d::Zero();
    /// Standard deviations of what is believed beforehand, around no bend and that point; 0 for nothing.
    Eigen::Vector2d prior_bend_sigma = Eigen::Vector2d::Zero();
    double prior_center_sigma = 0;
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
    /// Poses that weren't fixed.
    int variable_poses = 0;
    /// Standard deviation of the residuals in each direction, from their median: outliers don't count.
    double noise_pixels = 0;
    /// Standard deviation of log focal at the solution for observations as noisy as `prior_noise_pixels`; infinite when
    /// it was neither refined nor probed.
    double log_focal_sigma = 0;
    /// How far log focal would go, where it was probed.
    double log_focal_step = 0;
    /// What fits best, where it was refined or probed, and the standard deviations in the same sense. What is only
    /// probed is left out of the other ones' deviations.
    SharedModel shared, shared_sigma;
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
    /// What all observations share, in the order of the variables: the readout, the bend, the principal point and the
    /// logarithm of the focal length.
    static constexpr int kGlobals = 6, kReadout = 0, kBend = 1, kCenter = 3, kFocal = 5;
    using Globals = Eigen::Matrix<double, kGlobals, 1>;
    using GlobalMatrix = Eigen::Matrix<double, kGlobals, kGlobals>;
    using Chosen = std::array<bool, kGlobals>;
    static Chosen refined(const BundleProblem &problem);
    static Chosen probed(const BundleProblem &problem);
    /// What is believed beforehand, as residuals in pixels: their slopes by the variables and their values.
    struct Priors {
        Globals slope = Globals::Zero(), residual = Globals::Zero();
    };
    static Priors priors(const BundleProblem &problem, const SharedModel &shared, double focal);

    /// Pairs of cameras at these poses, each made when it's first asked for.
    class CameraPairs {
    public:
        void begin(const std::vector<SE3> &poses);
        const CameraPair &of(int host, int target);

    private:
        const std::vector<SE3> *poses_ = nullptr;
        /// By host and target: the place in `pairs_`, or -1.
        std::vector<int> places_;
        std::vector<CameraPair> pairs_;
    };

    /// What is solved for.
    struct Estimate {
        std::vector<SE3> world_from_camera;
        std::vector<double> inverse_depths;
        SharedModel shared;
        double focal = 1;
    };
    /// What an estimate costs, and the normal equations around it.
    struct Linearised {
        double cost = 0;
        Eigen::MatrixXd pose_hessian;
        Eigen::VectorXd pose_gradient;
        std::vector<double> point_hessian, point_gradient;
        std::vector<Globals> point_global_coupling;
        /// They come last among the variables.
        bool has_globals = false;
        /// By point, from `block_begin` on.
        std::vector<Block> blocks;
        std::vector<int> block_begin;
        /// By observation: lengths in pixels; infinite behind the camera.
        std::vector<double> residuals;
    };

    void linearise(const BundleProblem &problem, const Estimate &estimate, const Chosen &free, Linearised *out);
    /// The step from `at_`, into `pose_step_` and `point_step_`.
    bool solve_step(double lambda);
    /// Puts what comes of the step into `trial_`.
    void take_step(const Chosen &free);
    void summarise_globals(const BundleProblem &problem, BundleSummary *summary);

    CameraPairs pairs_;
    std::vector<int> variable_index_;
    int variable_count_ = 0;
    Estimate best_, trial_;
    /// Of `best_` and of `trial_`.
    Linearised at_, at_trial_;
    Eigen::MatrixXd reduced_;
    Eigen::VectorXd reduced_gradient_, pose_step_;
    std::vector<double> point_step_, residuals_;
};

}  // namespace foothold
