// The first map from nothing: two views, then all of them between.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "geometry/se3.h"
#include "optimisation/bundle_adjuster.h"

namespace foothold {

/// Tracks from one host frame through later frames. `pixel[frame][track]` is centred and undistorted; NaN where the
/// track wasn't found. Frame 0 is the host's.
struct InitialTracks {
    std::vector<Eigen::Vector2d> host_pixel;
    std::vector<std::vector<Eigen::Vector2d>> pixel;
};

enum class InitialisationStatus {
    succeeded,
    /// Too few tracks are left.
    too_few_tracks,
    /// The camera stands still.
    no_motion,
    /// The movement is explained by turning alone.
    pure_rotation,
    /// No motion explains the tracks well enough, or two explain them equally well: look at more frames.
    undecided,
};

struct InitialisationResult {
    InitialisationStatus status = InitialisationStatus::too_few_tracks;
    double median_flow = 0;
    double parallax_pixels = 0;
    /// Frames that took part (indices into `pixel`, ascending; the first is 0, the last the newest) and their poses in
    /// the host camera's frame. The median depth is 1.
    std::vector<int> frames;
    std::vector<SE3> host_from_camera;
    /// One per track: inverse depth (0 where it is an outlier or unknown) and its variance.
    std::vector<double> inverse_depth;
    std::vector<double> inverse_depth_variance;
    double noise_pixels = 0;
    double focal = 0;
};

/// How far the camera's model is to be relied on.
struct CameraTrust {
    /// Share of a point's movement that the model may get wrong: it makes depths less certain.
    double model_error = 0;
    /// Standard deviation of the points' inverse depths, relative, that a first map may have at the most in the middle.
    double most_depth_spread = 0.06;
};

class Initialiser {
public:
    /// `width_pixels` is the picture's longer side.
    InitialisationResult attempt(const InitialTracks &tracks, double focal, double width_pixels,
                                 const CameraTrust &trust);

private:
    struct Candidate {
        SE3 host_from_target;
        double cost = 0;
        int inliers = 0;
        BundleProblem problem;
        BundleSummary summary;
        std::vector<int> frames;
    };
    void propose(const std::vector<Eigen::Vector2d> &host, const std::vector<Eigen::Vector2d> &target, double focal,
                 const Eigen::Matrix3d &target_from_host, std::vector<SE3> *out_motions) const;
    /// The mean squared residual, and how many tracks agree in the newest view. What no motion explains costs the same
    /// in all of them: it mustn't decide between a flat scene's two readings.
    static void judge(Candidate *candidate);
    /// Fits the newest view and the points' depths, from the motion that was proposed; false where most points would
    /// lie behind it.
    bool fit_newest(const InitialTracks &tracks, const std::vector<int> &alive, double focal, Candidate *candidate);
    /// And then the views between.
    void fit_all(const InitialTracks &tracks, const std::vector<int> &alive, double focal, Candidate *candidate);

    BundleAdjuster adjuster_;
};

}  // namespace foothold
