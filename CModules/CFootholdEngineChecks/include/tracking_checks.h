// The tracking front end against pictures whose contents are known functions: patches, corners, turning, allocations.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_check_alignment_options {
    /// How the second picture shows the first: turned and scaled about the patch, shifted, and brightness changed to
    /// gain · value + offset.
    double angle_rad, scale, shift_x, shift_y;
    double gain, offset;
    /// Grey levels.
    double noise;
    /// By how much the prediction misses, pixels of the level.
    double start_error;
    /// Not zero: the second picture shows another texture.
    int32_t wrong_texture;
    /// Pyramid level that is searched.
    int32_t level;
} fh_check_alignment_options;

typedef struct fh_check_alignment_report {
    int32_t built, converged;
    int32_t iterations;
    int32_t reserved;
    /// Level-0 pixels.
    double error_pixels;
    double correlation, gain;
} fh_check_alignment_report;

/// One patch, aligned on one level with the true warp.
void fh_check_alignment(uint64_t seed, const fh_check_alignment_options *options,
                        fh_check_alignment_report *out_report);

/// The whole search from `start_level` (find_point): 1 when found, with its error in pixels; else 0.
int32_t fh_check_find_point(uint64_t seed, const fh_check_alignment_options *options, int32_t start_level,
                            double minimum_correlation, double *out_error_pixels);

/// Whether a template can be built on an even (0), single-edged (1) or textured (2) patch.
int32_t fh_check_template_is_built(int32_t texture);

typedef struct fh_check_corners_report {
    int32_t count, count_of_sparse, count_with_none_wanted;
    /// Pixels; of the picture that is rich in texture.
    double nearest_neighbour, nearest_taken, nearest_edge;
    /// The same for a picture of squares with fewer corners than wanted.
    double nearest_neighbour_of_sparse;
    double texture_share, texture_share_of_even;
    /// A second detection gave exactly the same, and taking 20 of what was found leaves none of them.
    int32_t is_deterministic;
    /// Corners that aren't at one of the true corners of squares, within 3 pixels.
    int32_t astray;
    /// All corners of the rich picture, as near to each other as they like, and those that come after a worse one.
    int32_t all, after_worse;
} fh_check_corners_report;

void fh_check_corners(uint64_t seed, int32_t wanted, double spacing, int32_t margin,
                      fh_check_corners_report *out_report);

/// Turns a camera by `degrees` before a far surrounding; the error of align_rotation in degrees and its correlation.
void fh_check_turning(uint64_t seed, double degrees, double *out_error_degrees, double *out_correlation);

/// Correlation of two different surroundings after the best turn.
double fh_check_turning_of_strangers(uint64_t seed);

/// A textured picture with noise of a standard deviation, in grey levels: the noise that is measured, how far the
/// filtered picture is from the one without noise (root mean square), and whether the filter did anything.
void fh_check_noise(uint64_t seed, double sigma, double *out_measured, double *out_left, int32_t *out_filtered);

/// The noise that the filter says it left in the half-size picture, over what two pictures of the same differ by there.
double fh_check_smoothed_noise(uint64_t seed, double sigma);

typedef struct fh_check_look_back_report {
    /// Points hosted by the newest of four keyframes, of those inside a keyframe before it.
    int32_t hosted, expected;
    /// Sightings noted in keyframes before it, and points with one at least.
    int32_t sightings, points_seen;
    /// Of the sightings, pixels.
    double median_error_pixels, share_beyond_2_pixels;
    /// Of the depths of points with a sighting: median error in shares of the depth, and how many are more than a fifth
    /// wrong.
    double median_depth_error, share_of_wrong_depths;
    /// Mean of the squared errors of inverse depth over their variance; the worst tenth isn't counted.
    double variance_ratio;
    /// Points that were told how they lie by the known ones around them, and the median error of that.
    int32_t slanted;
    double median_slant_error;
} fh_check_look_back_report;

/// New points of a keyframe before a corner of a room, looked for in three keyframes taken to its side; a few known
/// points say how far things are. `rolls`: every row later than the last, 20 ms from first to last. `knows_slants`:
/// it's known how the known points lie.
int32_t fh_check_look_back(uint64_t seed, int32_t rolls, int32_t knows_slants, fh_check_look_back_report *out_report);

/// A point's warp and place beside where the planes around random points are seen from another camera: the worst error
/// of all entries, and in pixels.
double fh_check_slanted_warp(uint64_t seed, int32_t trials);

/// A point's plane beside the one that it was given, and beside places on that one, as another camera sees them; worst.
double fh_check_planes_around_points(uint64_t seed, int32_t trials);

/// Corners of a room seen from much nearer and lower than their host: how far off most of them are found, in pixels,
/// when all are taken to face the host and when it's known how they lie (medians; NaN where too few are in view).
void fh_check_slanted_patches(uint64_t seed, double *out_facing_pixels, double *out_slanted_pixels);

/// What points on a square, beside it, before and behind it are told of how they lie: the worst error of those on it,
/// and how many of the others have another slant than they should.
void fh_check_surface_slants(uint64_t seed, double *out_worst_error, int32_t *out_wrongly_slanted);

typedef struct fh_check_joined_maps_report {
    /// Worst distance of a point from where it lay before, and of a point taken there and back by the change of frame.
    double worst_position_error, worst_return_error;
    /// Sightings that name another point or keyframe than before.
    int32_t wrong_sightings;
    /// Identifiers given twice.
    int32_t repeated_ids;
    /// The joined map is written and read again with all its keyframes and points.
    int32_t is_kept;
} fh_check_joined_maps_report;

/// Two random maps, the one changed into the other's frame and taken in by it.
int32_t fh_check_joined_maps(uint64_t seed, fh_check_joined_maps_report *out_report);

typedef struct fh_check_adjusted_map_report {
    /// How far the keyframes moved and turned in the mean.
    double mean_shift_m, mean_turn_rad;
    /// By which share the map grew or shrank, and the worst keyframe beside the first one, sizes made equal.
    double scale_error, worst_relative_error_m;
    /// Relative, and as a share of the distance to the corner.
    double focal_error, bend_error, center_error_pixels;
    /// Between where a point is seen and where the map has it, after the pixels followed the lens.
    double worst_residual_pixels;
} fh_check_adjusted_map_report;

/// A map of exact sights whose first keyframe is off by a degree and three centimetres, adjusted as a whole; with an
/// unknown lens, the focal length is given 6 % too long, and neither a bend of 8 % nor a principal point 5 pixels from
/// the middle is given at all.
void fh_check_adjusted_map(uint64_t seed, int32_t lens_is_unknown, fh_check_adjusted_map_report *out_report);

typedef enum fh_check_call {
    FH_CHECK_CALL_ALIGN = 0,
    FH_CHECK_CALL_FIND_POINT = 1,
    FH_CHECK_CALL_OPTIMISE_POSE = 2,
    FH_CHECK_CALL_AFFINE_WARP = 3,
    FH_CHECK_CALL_PYRAMID = 4,
    FH_CHECK_CALL_ALIGN_ROTATION = 5,
    FH_CHECK_CALL_TRACK = 6,
} fh_check_call;

/// Heap allocations of the second of two equal calls.
int32_t fh_check_call_allocations(int32_t call);

typedef struct fh_check_frame_allocations {
    int32_t frames, tracked_frames, keyframes;
    /// Of tracked frames that became no keyframe and looked for no surfaces, after the first 40.
    int32_t ordinary_frames;
    double mean_of_ordinary;
    int32_t fewest_of_ordinary, most_of_ordinary;
} fh_check_frame_allocations;

/// Runs a session over pictures of a corner of a room and counts what fh_session_process takes from the heap.
int32_t fh_check_session_allocations(uint64_t seed, fh_check_frame_allocations *out_report);

#ifdef __cplusplus
}
#endif
