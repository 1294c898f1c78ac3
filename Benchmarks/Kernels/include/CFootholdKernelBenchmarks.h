// Measures the kernels: against their scalar reference, and against what OpenCV does for the same purpose, one thread
// each, in interleaved runs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fhb_options {
    /// Fewer runs, and pictures of 640×480 only.
    int32_t quick;
    /// Called after every case; may be null.
    void (*progress)(void *context, int32_t done, int32_t total);
    void *context;
} fhb_options;

/// One kernel at one size. Times in milliseconds; what isn't there is not a number.
typedef struct fhb_figures {
    char name[48];
    /// "640x480", or "1000 points".
    char size[24];
    /// OpenCV's function; empty where it has none.
    char peer[48];
    /// Median over the runs, and their interquartile range, inputs in the caches.
    double median, spread;
    /// Medians' ratio to the scalar reference's time, and the median of the runs' ratios to OpenCV's.
    double ratio_to_scalar, ratio_to_opencv;
    /// The same with inputs and outputs out of the caches.
    double cold_median, cold_ratio_to_opencv;
} fhb_figures;

/// How often tracking comes close to the truth on pictures warped by a known motion: shares of the points.
typedef struct fhb_accuracy {
    /// What is done to the second picture.
    char motion[48];
    /// Side of the window in pixels.
    int32_t window;
    /// Points followed.
    int32_t points;
    /// Within 0.1 and 0.5 pixels; ours as it is by default, with brightness held fixed as OpenCV does, and OpenCV's.
    double ours_tenth, ours_half;
    double fixed_tenth, fixed_half;
    double opencv_tenth, opencv_half;
} fhb_accuracy;

#define FHB_MOST_FIGURES 128
#define FHB_MOST_ACCURACIES 64

enum {
    FHB_OK = 0,
    FHB_BAD_ARGUMENT = -1,
    /// OpenCV or the memory refused; `fhb_last_error` says what.
    FHB_FAILED = -2,
};

/// Runs all cases. The arrays have room for FHB_MOST_FIGURES and FHB_MOST_ACCURACIES. Pictures and points are made from
/// a fixed seed. Takes OpenCV's thread count to 1 while it runs.
int32_t fhb_run(const fhb_options *options, fhb_figures *out_figures, int32_t *out_figure_count,
                fhb_accuracy *out_accuracies, int32_t *out_accuracy_count);

/// What went wrong in this thread's last call. Valid until the next one.
const char *fhb_last_error(void);

#ifdef __cplusplus
}
#endif
