// Corners: FAST-9, Shi-Tomasi's score, and the best corner of every free cell of a grid.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A FAST corner. `score` is the largest threshold at which the pixel is still a corner.
typedef struct fh_corner {
    int32_t x;
    int32_t y;
    int32_t score;
} fh_corner;

/// Bytes of scratch for `fh_fast_corners` on a picture of this width.
size_t fh_fast_scratch_size(int32_t width);

/// FAST-9 corners (Rosten & Drummond, "Machine Learning for High-Speed Corner Detection", 2006) inside a rectangle, by
/// rows, each from left to right: pixels with nine neighbouring pixels of the 16 on a circle of radius 3 all brighter
/// by more than `threshold` (1 … 255), or all darker. The same corners and scores as OpenCV's FAST TYPE_9_16.
///
/// `area` NULL means the whole picture; corners lie at least 3 pixels inside the picture whatever the rectangle. With
/// `suppress`, only corners whose score is above that of all eight neighbours are kept; the neighbours are the
/// picture's, so that a rectangle gives exactly the whole picture's corners that lie in it.
/// `out_count` receives how many there are; only the first `capacity` are written.
int32_t fh_fast_corners(const fh_image *image, const fh_rect *area, int32_t threshold, int32_t suppress,
                        fh_corner *out_corners, int32_t capacity, int32_t *out_count, void *scratch,
                        size_t scratch_size);

/// Shi-Tomasi's score (Shi & Tomasi, "Good Features to Track", 1994) of pixels: the smaller eigenvalue of the mean of
/// the gradient's outer product over 7×7 pixels, in (grey levels per pixel)². Gradients are central differences,
/// (I(x + 1) - I(x - 1)) / 2. 0 for pixels nearer than 4 pixels to the picture's edge.
int32_t fh_shi_tomasi(const fh_image *image, const fh_corner *corners, int32_t count, float *out_scores);

/// A corner chosen for tracking.
typedef struct fh_grid_corner {
    int32_t x;
    int32_t y;
    /// Shi-Tomasi's score, as `fh_shi_tomasi` defines it.
    float score;
    /// FAST's score.
    int32_t fast_score;
    /// Index of its cell: row · columns + column.
    int32_t cell;
} fh_grid_corner;

typedef struct fh_grid_options {
    /// Side of the square cells in pixels, 8 or more. Cells start at (0, 0); the last of a row or column may be
    /// narrower. Columns: (width + cell_size - 1) / cell_size.
    int32_t cell_size;
    /// FAST threshold, 1 … 255.
    int32_t threshold;
    /// Corners nearer than this to the picture's edge are left out; 4 or more.
    int32_t margin;
    /// Corners with a Shi-Tomasi score below this are left out.
    float min_score;
    /// How many of a cell's corners, the highest FAST scores first, are scored by Shi-Tomasi: 1 … 64.
    int32_t candidates;
} fh_grid_options;

/// Number of cells of a picture.
int32_t fh_grid_cell_count(int32_t width, int32_t height, int32_t cell_size);

/// Bytes of scratch for `fh_select_corners_grid`.
size_t fh_grid_scratch_size(int32_t width, int32_t height, const fh_grid_options *options);

/// The best corner of every cell that isn't taken: FAST with non-maximum suppression runs only over runs of free cells,
/// and the cell's best candidates are compared by Shi-Tomasi's score (ties: the higher one, then the one further left).
///
/// `taken` has one byte per cell, row by row: non-zero means that the cell needs no corner; NULL means that all are
/// free. At most one corner per cell, in the order of cells; `capacity` of `fh_grid_cell_count` is always enough, and
/// what is beyond it is not written. `out_count` receives how many there are.
int32_t fh_select_corners_grid(const fh_image *image, const fh_grid_options *options, const uint8_t *taken,
                               fh_grid_corner *out_corners, int32_t capacity, int32_t *out_count, void *scratch,
                               size_t scratch_size);

#ifdef __cplusplus
}
#endif
