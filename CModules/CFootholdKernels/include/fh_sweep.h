// Depth of every pixel of a picture from others whose places are known: how unlike they are at each of a row of
// distances (a plane sweep: Collins, "A Space-Sweep Approach to True Multi-Image Matching", 1996), and what that says
// where neighbours mostly lie at the same one (semi-global matching: Hirschmüller, "Stereo Processing by Semiglobal
// Matching and Mutual Information", 2008).
#pragma once

#include "fh_image.h"
#include "fh_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Distances that are tried.
#define FH_SWEEP_DEPTHS 64
#define FH_SWEEP_MAX_SOURCES 4
/// Costs, steps and jumps of semi-global matching are below this.
#define FH_SWEEP_COST_LIMIT 8192
/// Values after the last of a window that `fh_sweep_add_window` may read.
#define FH_SWEEP_WINDOW_PADDING 7
/// Numbers a pixel that `fh_sweep_smooth_row` keeps from row to row.
#define FH_SWEEP_PATH (FH_SWEEP_DEPTHS + 2)

/// A picture that is compared with the reference.
typedef struct fh_sweep_source {
    fh_image image;
    /// Homogeneous pixel here of the reference's pixel (x, y): matrix · (x, y, 1) + inverse depth · shift; row by row.
    float matrix[9];
    float shift[3];
} fh_sweep_source;

/// Compares a row of the reference with the sources. out_costs[64 x + d] is the sum over the sources of
/// min(|difference|, cap) at the pixel nearest to where they show what pixel x shows if it lies at
/// `inverse_depths[d]`, and cap / 2 where one doesn't show that place. 1 … FH_SWEEP_MAX_SOURCES sources; cap 2 … 63.
int32_t fh_sweep_compare_row(const uint8_t *row, int32_t width, int32_t y, const fh_sweep_source *sources,
                             int32_t source_count, const float inverse_depths[FH_SWEEP_DEPTHS], int32_t cap,
                             uint8_t *out_costs);

/// Follows the paths of semi-global matching through a row: from the row that was last given, and sideways both ways if
/// `is_sideways`. A neighbouring distance costs `step` more, any other one `jumps[x]`, which is at least `step`.
/// `paths` is the memory of the way from row to row, FH_SWEEP_PATH numbers a pixel: `fh_sweep_begin` before the first.
/// `sums[64 x + d]` is increased by each path's cost; four paths fit.
int32_t fh_sweep_smooth_row(const uint16_t *costs, int32_t width, uint16_t step, const uint16_t *jumps,
                            int32_t is_sideways, uint16_t *paths, uint16_t *sums);
int32_t fh_sweep_begin(int32_t width, uint16_t *paths);

/// The distance with the least of its 64 sums at each pixel, the first of equal ones, and where between its neighbours
/// the parabola through the three has its least: out_places[x] counts distances, and is -1 where the least is the first
/// or the last of them.
int32_t fh_sweep_choose_row(const uint16_t *sums, int32_t width, float *out_places);

/// Of the values w of a window that lie near a plane: how many, and sums of what a plane is fitted by. x and y are from
/// the window's middle; w is from the plane's value there.
typedef struct fh_sweep_sums {
    float n, x, y, xx, xy, yy, w, xw, yw;
} fh_sweep_sums;

/// A window of `columns` × `rows` values, `stride` values from row to row, with FH_SWEEP_WINDOW_PADDING more after the
/// last. The value at column i and row j lies at x = first_x + i, y = first_y + j · step_y.
typedef struct fh_sweep_window {
    const float *values;
    int32_t stride, columns, rows;
    float first_x, first_y, step_y;
} fh_sweep_window;

/// Sums over the positive values that are at most `tolerance` from the plane plane[0] + plane[1] · x + plane[2] · y.
/// Every eighth column is added up by itself, and these eight in order: all instruction sets give the same.
int32_t fh_sweep_add_window(const fh_sweep_window *window, const float plane[3], float tolerance,
                            fh_sweep_sums *out_sums);

/// A picture that is compared with the reference pixel by pixel, and where it shows what the reference shows, as
/// `fh_sweep_source` says.
typedef struct fh_sweep_other {
    fh_piece_picture picture;
    float matrix[9];
    float shift[3];
    /// Grey levels by which it's brighter.
    float offset;
} fh_sweep_other;

/// How a row of the reference differs from another picture when each of its pixels has an inverse depth of its own:
/// out[x] = min(|difference| · scale, most), bilinearly; -1 where the inverse depth isn't above 0 or what it says isn't
/// at least a pixel inside the other picture.
int32_t fh_sweep_differ_row(const uint8_t *row, int32_t width, int32_t y, const float *inverse_depths,
                            const fh_sweep_other *other, float scale, float most, float *out);

#ifdef __cplusplus
}
#endif
