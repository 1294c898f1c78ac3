// Estimators against exact synthetic truth: pose, bundle adjustment, first map, stillness, the log of frames.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_check_pose_report {
    int32_t succeeded;
    int32_t inlier_count;
    /// Outliers taken for inliers, and good points taken for outliers.
    int32_t false_inliers, false_outliers;
    double rotation_error_rad;
    /// Metres; the points are 1 … 4 m away.
    double position_error_m;
    double rms_pixels;
} fh_check_pose_report;

/// 200 points, from a start that is off by 3° and 10 cm. Outliers miss by 5 … 80 pixels.
void fh_check_pose(uint64_t seed, double noise_pixels, double outlier_share, fh_check_pose_report *out_report);

/// Pose errors over their claimed deviation: the root mean square of each of the six, smallest and largest, and the
/// mean of e' C⁻¹ e / 6. `depth_deviation` is the relative error of the points' depths. -1 when a trial failed.
int32_t fh_check_pose_covariance(uint64_t seed, int32_t trials, double depth_deviation, double *out_smallest,
                                 double *out_largest, double *out_consistency);

/// What the pose optimiser does with `count` points: 1 when it says that it failed and left the pose alone, 0 when it
/// solved, -1 when it did neither.
int32_t fh_check_pose_with_few_points(uint64_t seed, int32_t count);

typedef struct fh_check_bundle_options {
    double noise_pixels;
    double outlier_share;
    /// The focal length starts this much too long; 0 keeps it at the truth. Refined where it isn't 0.
    double focal_error;
    double focal_prior_sigma;
    /// Of the shutter, in seconds: every camera moves while it opens row by row. Refined from 0 where it isn't 0.
    double readout;
    /// Not zero: the focal length, the principal point and the bend stay as wrong as they start, and are only asked
    /// for.
    int32_t probe_camera;
    /// Not zero: the readout stays 0, and is only asked for.
    int32_t probe_readout;
    /// Not zero: the bend stays 0, and is only asked for.
    int32_t probe_bend;
    /// Of the lens, as shares of the distance to the corner. Refined from 0 where the first isn't 0.
    double bend, bend_excess;
    double bend_prior_sigma, bend_excess_prior_sigma;
    /// Of the principal point, pixels from where it is believed to lie. Refined from 0 where they aren't both 0.
    double center_x, center_y;
    double center_prior_sigma;
    double prior_noise_pixels;
    double huber_pixels;
    int32_t max_iterations;
    /// Keyframes that may not move, from the first; at least 2, so that the scale is known.
    int32_t fixed_poses;
} fh_check_bundle_options;

typedef struct fh_check_bundle_report {
    double rotation_error_rad, position_error_m;
    /// Relative, of the median and of the worst point.
    double median_depth_error, worst_depth_error;
    /// Relative.
    double focal_error;
    double log_focal_sigma, log_focal_step;
    /// As the summary tells it, seconds.
    double readout, readout_sigma;
    double bend, bend_sigma, bend_excess, bend_excess_sigma;
    /// Pixels; the deviation of the less certain one.
    double center_x, center_y, center_sigma;
    /// Largest entry by which a fixed pose differs from before; must be 0 exactly.
    double fixed_motion;
    double initial_cost, final_cost, noise_pixels;
    int32_t iterations;
    /// Heap allocations of a second run of the same size with the same adjuster.
    int32_t second_run_allocations;
} fh_check_bundle_report;

/// Ten keyframes around 250 points, poses perturbed by 1° and 2 cm, inverse depths by 10 %.
void fh_check_bundle(uint64_t seed, const fh_check_bundle_options *options, fh_check_bundle_report *out_report);

/// Errors of inverse depths with fixed exact poses over their claimed deviation: the root mean square, 1 when the
/// variance tells the truth.
double fh_check_bundle_depth_variance(uint64_t seed);

typedef enum fh_check_motion {
    /// Points all through a box, the camera moves sideways and turns.
    FH_CHECK_MOTION_GENERAL = 0,
    /// All points on one slanted plane.
    FH_CHECK_MOTION_PLANAR = 1,
    /// The plane again, the camera only turns.
    FH_CHECK_MOTION_PLANAR_TURNING = 2,
    /// The box, the camera only turns.
    FH_CHECK_MOTION_TURNING = 3,
    /// The camera stands.
    FH_CHECK_MOTION_STILL = 4,
    /// The camera stands and something that fills a third of the picture with most of the points moves past.
    FH_CHECK_MOTION_MOVING_THING = 5,
    /// The box, the camera moves straight ahead.
    FH_CHECK_MOTION_FORWARD = 6,
    /// The box, the camera turns far and moves sideways a little: of how far the picture moves 2 % is parallax.
    FH_CHECK_MOTION_SWINGING = 7,
    /// The box, the camera only turns, through a lens that bends the corners by 8 %, which nobody knows.
    FH_CHECK_MOTION_TURNING_BENT = 8,
} fh_check_motion;

typedef struct fh_check_first_map_report {
    /// 0 when no frame succeeded, else the frame's number.
    int32_t succeeded_at;
    /// The status of the last attempt (InitialisationStatus) and how often each was given.
    int32_t last_status;
    int32_t status_counts[5];
    /// Errors of the motion's direction and of the turning, degrees.
    double direction_error_degrees, rotation_error_degrees;
    /// Median relative error of depths, and the share of points with a depth that is off by more than a third.
    double median_depth_error, wrong_share;
    /// Mean of (error / claimed deviation)² of the inverse depths, the worst tenth left out.
    double variance_ratio;
    /// Median depth of the result: 1 by contract.
    double median_depth;
    /// What turning leaves unexplained, over how far the picture moved.
    double parallax_share;
} fh_check_first_map_report;

/// Up to 45 frames of 220 tracks with 0.3 pixels of noise; a twentieth of the tracks err and some get lost.
/// `model_error` is what the initialiser is told of the camera model: the share of a movement that it may get wrong.
int32_t fh_check_first_map(int32_t motion, uint64_t seed, double model_error, fh_check_first_map_report *out_report);

/// still_share of a picture of which `moving_share` of the cells move, these with ten times as many points.
double fh_check_still_share(uint64_t seed, double moving_share);

/// What is left of a random cubic field of up to 20 pixels with 0.3 pixels of noise, of which a tenth of the places are
/// 40 pixels off, where half of the others are moved by so many pixels beside.
double fh_check_beyond_smooth_flow(uint64_t seed, double step_pixels);

typedef struct fh_check_log_report {
    int32_t logged, returned;
    /// Of frames with plenty of sights, after the map was corrected.
    double refined_error_m;
    /// Of frames without sights: they follow their keyframe.
    double following_error_m;
    /// Of a frame whose points' places were taken over by other points.
    double reused_error_m;
    /// Indices and times came back as they were given.
    int32_t kept_order;
    /// So is a log with frames of before, between and after, that was taken in.
    int32_t kept_order_together;
    /// Entries after clear().
    int32_t after_clear;
} fh_check_log_report;

void fh_check_frame_log(uint64_t seed, fh_check_log_report *out_report);

#ifdef __cplusplus
}
#endif
