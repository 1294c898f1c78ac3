// Finding patches again: pyramidal Lucas-Kanade tracking, and alignment of one warped template.
//
// Both are inverse-compositional (Baker & Matthews, "Lucas-Kanade 20 Years On", 2004) over a translation, with gain and
// offset of brightness solved jointly. Pictures are sampled bilinearly at 1/32 grey level; sums are exact integers.
#pragma once

#include "fh_image.h"
#include "fh_pyramid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sides of windows in pixels.
#define FH_WINDOW_MIN 5
#define FH_WINDOW_MAX 31

/// What brightness is allowed to do between template and picture.
enum {
    FH_BRIGHTNESS_FIXED = 0,
    FH_BRIGHTNESS_OFFSET = 1,
    FH_BRIGHTNESS_GAIN_OFFSET = 2,
};

/// How the search for a patch ended.
enum {
    FH_TRACK_FOUND = 0,
    /// The position left the picture, started outside, or isn't finite.
    FH_TRACK_OUTSIDE = 1,
    /// The template has too little structure to be located.
    FH_TRACK_FLAT = 2,
    /// Steps didn't become small, or moved too far.
    FH_TRACK_DIVERGED = 3,
    /// The patch looks too different where it was found.
    FH_TRACK_UNLIKE = 4,
    /// Tracked back, it doesn't return to where it came from.
    FH_TRACK_INCONSISTENT = 5,
};

/// A template ready to be aligned; made by `fh_template_sample`. Fields are for reading.
typedef struct fh_template {
    /// Row-major windows of `row_stride` columns, zero beyond `window`. Values in 1/4 grey level minus 512, gradients
    /// in 1/8 grey level per pixel.
    int16_t value[FH_WINDOW_MAX * 32];
    int16_t gradient_x[FH_WINDOW_MAX * 32];
    int16_t gradient_y[FH_WINDOW_MAX * 32];
    int32_t window;
    int32_t row_stride;
    int32_t brightness;
    /// The part of the window that counts: columns left … right - 1 of rows top … bottom - 1. What `fh_klt_track` finds
    /// outside its picture doesn't.
    int32_t left, top, right, bottom;
    /// How many samples (with the one-pixel rim for gradients) lay outside the source and repeat its edge.
    int32_t outside_count;
    /// Smaller eigenvalue of the mean gradient matrix, brightness freedom taken out, in (grey levels per pixel)².
    float min_eigenvalue;
    /// Of the template's values, in grey levels.
    float standard_deviation;
    /// What the solver needs, in the units of the arrays: means, the values' sum of squares about their mean, their
    /// products with the gradients about the means, the gradients' products with the template itself, and the inverse
    /// normal matrix.
    double mean_value, mean_gradient_x, mean_gradient_y, value_variation, value_gradient_x, value_gradient_y;
    double own_x, own_y;
    double inverse_xx, inverse_xy, inverse_yy;
} fh_template;

/// Samples a template of `window` × `window` pixels: its pixel at offset u from the window's centre is the source at
/// `center` + step · u, bilinearly; `step` is a 2×2 matrix by rows, or NULL for the identity. Samples outside repeat
/// the source's edge and are counted. Gradients are taken in the template's own pixels.
int32_t fh_template_sample(const fh_image *source, fh_point center, const float *step, int32_t window,
                           int32_t brightness, fh_template *out_template);

typedef struct fh_align_options {
    /// Most Gauss-Newton steps, 1 … 100.
    int32_t max_iterations;
    /// Steps shorter than this, in pixels, end the search.
    float epsilon;
    /// The search is given up beyond this distance from its start, in pixels.
    float max_shift;
    /// Templates with a smaller eigenvalue than this are FLAT.
    float min_eigenvalue;
    /// Results with a correlation below this are UNLIKE; -1 accepts all.
    float min_correlation;
} fh_align_options;

typedef struct fh_align_result {
    /// An FH_TRACK_ value.
    int32_t status;
    int32_t iterations;
    /// Zero-mean normalised cross-correlation of template and picture, -1 … 1, less than one step before the end.
    float correlation;
    /// Contrast of the picture over that of the template.
    float gain;
    /// Root mean square difference that remains after gain and offset as allowed, in the picture's grey levels.
    float residual;
} fh_align_result;

/// Moves `position` (pixels of that level) to where the template fits best. `position` must lie inside the level.
/// It is changed only when the status is FOUND or UNLIKE.
int32_t fh_patch_align(const fh_template *patch, const fh_pyramid *pyramid, int32_t level,
                       const fh_align_options *options, fh_point *position, fh_align_result *out_result);

typedef struct fh_klt_options {
    /// Side of the window, FH_WINDOW_MIN … FH_WINDOW_MAX.
    int32_t window;
    /// Coarsest and finest level searched; the coarsest is lowered to what both pyramids have.
    int32_t coarsest_level;
    int32_t finest_level;
    /// Most steps per level, 1 … 100.
    int32_t max_iterations;
    /// Steps shorter than this, in pixels of the level, end the search there.
    float epsilon;
    /// An FH_BRIGHTNESS_ value.
    int32_t brightness;
    /// At the finest level, templates with a smaller eigenvalue are FLAT, results with a correlation below the second
    /// or a residual above the third (0: any) are UNLIKE.
    float min_eigenvalue;
    float min_correlation;
    float max_residual;
    /// Tracked back from where it was found, a point must return within this many level-0 pixels; 0 leaves the check
    /// out. The way back starts off by as much as the prediction was off.
    float max_forward_backward;
} fh_klt_options;

typedef struct fh_klt_result {
    /// An FH_TRACK_ value.
    int32_t status;
    /// Steps over all levels, there and back.
    int32_t iterations;
    /// As in fh_align_result, at the finest level.
    float correlation;
    float gain;
    float residual;
    /// Smaller eigenvalue of the template at the finest level.
    float min_eigenvalue;
    /// Distance between start and the way back's end in level-0 pixels; negative when not checked.
    float forward_backward;
} fh_klt_result;

/// Sensible options: 9×9 window, four levels, 20 steps, 0.01 px, gain and offset, all checks at their mildest, no way
/// back.
void fh_klt_options_default(fh_klt_options *out_options);

/// Finds points of one picture in another.
///
/// `from_points` are level-0 pixels in `from`; `to_points` come in as predictions and go out as what was found, in
/// level-0 pixels of `to` (unchanged unless the status is FOUND, UNLIKE or INCONSISTENT). `steps` is NULL, or
/// one 2×2 matrix by rows per point that warps the template: its pixel at offset u is `from` at the point + step · u.
int32_t fh_klt_track(const fh_pyramid *from, const fh_pyramid *to, const fh_point *from_points, const float *steps,
                     fh_point *to_points, fh_klt_result *out_results, int32_t count, const fh_klt_options *options);

#ifdef __cplusplus
}
#endif
