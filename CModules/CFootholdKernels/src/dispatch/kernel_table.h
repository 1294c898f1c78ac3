// The table of kernels: filled with the scalar reference first, then overwritten per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "CFootholdKernels.h"

namespace foothold::kernels {

struct AffineGrid;
struct BlockResults;
struct CellSums;
struct ObservationBlock;
struct PartialSums;
struct ProjectionModel;
struct SweepPartSums;

/// One entry per kernel. Rows and pictures are as the public headers describe them; checks are done by the callers.
struct KernelTable {
    const char *name;
    /// Bytes in a vector.
    int32_t (*vector_bytes)();

    /// Filters a row by (1 4 6 4 1) at every second pixel: (width + 1) / 2 sums, 0 … 4080.
    void (*filter_row_halving)(const uint8_t *row, int32_t width, uint16_t *out);
    /// Filters a row by (1 4 6 4 1) at every pixel.
    void (*filter_row)(const uint8_t *row, int32_t width, uint16_t *out);
    /// (r0 + 4 r1 + 6 r2 + 4 r3 + r4 + 128) / 256 of five filtered rows.
    void (*combine_rows)(const uint16_t *const rows[5], int32_t width, uint8_t *out);
    /// Rounded means of 2×2 pixels of two rows.
    void (*mean_rows)(const uint8_t *top, const uint8_t *bottom, int32_t out_width, uint8_t *out);

    /// FAST scores of the pixels begin … end - 1 of a row that has three pixels on every side; 0 where no corner is.
    /// `width` is the picture's. Returns whether there is any corner. `scores` has kScorePadding bytes before pixel 0
    /// and after the last; those outside begin … end - 1 are left alone or set to 0.
    bool (*fast_score_row)(const uint8_t *row, ptrdiff_t stride, int32_t width, int32_t begin, int32_t end,
                           int32_t threshold, uint8_t *scores);
    /// Corners of begin … end - 1 whose score is above all eight neighbours'; returns how many, writes up to `room`.
    int32_t (*fast_suppress_row)(const uint8_t *above, const uint8_t *scores, const uint8_t *below, int32_t begin,
                                 int32_t end, int32_t y, fh_corner *out, int32_t room);
    /// Sums over 7×7 pixels of dx², dx·dy and dy² of doubled central differences.
    void (*structure_sums)(const fh_image &image, const fh_corner *corners, int32_t count, int32_t (*out)[3]);

    /// Whole batches of points, options checked.
    void (*klt_track)(const fh_pyramid &from, const fh_pyramid &to, const fh_point *from_points, const float *steps,
                      fh_point *to_points, fh_klt_result *results, int32_t count, const fh_klt_options &options);
    void (*patch_align)(const fh_template &patch, const fh_image &image, const fh_align_options &options,
                        fh_point *position, fh_align_result *result);
    void (*template_sample)(const fh_image &source, fh_point center, const float *step, int32_t window,
                            int32_t brightness, fh_template *out);

    /// Samples a piece of a picture, at 1/64 grey level; returns how many places lay outside.
    int32_t (*affine_sample)(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride);

    /// Correlation of a piece that lies inside.
    float (*piece_correlate)(const fh_piece &piece, const fh_piece_picture &picture, fh_point center,
                             const float *step);

    /// Moments of the disc around a pixel: sums of x · level and of y · level. Pixels up to kDiscRadius + 1 away are
    /// read.
    void (*disc_moments)(const uint8_t *pixel, ptrdiff_t stride, int32_t out[2]);
    /// The comparisons of a pattern, turned by `turn` of kPatternTurns, around a pixel.
    void (*compare_pairs)(const uint8_t *pixel, ptrdiff_t stride, int32_t turn, fh_descriptor *out);
    /// Nearest and second nearest of each query; positions and reach are null and unused, or restrict the candidates.
    /// `scratch` is aligned to 64 and has MatchScratchBytes.
    void (*match)(const fh_descriptor *queries, const fh_point *query_points, int32_t query_count,
                  const fh_descriptor *candidates, const fh_point *candidate_points, int32_t candidate_count,
                  float reach, fh_match *out, void *scratch);

    /// Pixels from points before the lens (x / z, y / z), pairs of doubles next to each other.
    void (*lens_distort)(const fh_lens &lens, const double *points, int32_t count, double *out_pixels);
    /// The other way round.
    void (*lens_undistort)(const fh_lens &lens, const double *pixels, int32_t count, double *out_points);

    /// Draws a row of a remapped picture.
    void (*remap_row)(const fh_image &image, const uint32_t *places, const uint16_t *weights, int32_t width,
                      uint8_t *out);

    /// Residuals and derivatives of eight observations.
    void (*reproject_block)(const ProjectionModel &model, const ObservationBlock &block, const BlockResults &results);
    /// Adds eight observations to the normal equations, each to its own part.
    void (*add_block)(const ProjectionModel &model, const ObservationBlock &block, int32_t robust, double width,
                      PartialSums *sums);

    /// Adds the pixels begin … end - 1 of inner rows (a neighbour on every side), kMostCellPixels at most, to a cell's
    /// sums.
    void (*cell_rows)(const uint8_t *row, ptrdiff_t stride, int32_t begin, int32_t end, int32_t rows, CellSums *sums);
    /// Adds a row's grey levels to eight partial histograms.
    void (*histogram_row)(const uint8_t *row, int32_t width, uint32_t (*histograms)[256]);
    /// Sum of absolute differences of two rows.
    uint64_t (*difference_row)(const uint8_t *a, const uint8_t *b, int32_t width);

    /// Compares a row with other pictures at each distance.
    void (*sweep_compare_row)(const uint8_t *row, int32_t width, int32_t y, const fh_sweep_source *sources,
                              int32_t source_count, const float *inverse_depths, int32_t cap, uint8_t *out_costs);
    /// Compares a row with another picture, each pixel at its own distance.
    void (*sweep_differ_row)(const uint8_t *row, int32_t width, int32_t y, const float *inverse_depths,
                             const fh_sweep_other &other, float scale, float most, float *out);
    /// Follows paths from the row before, and sideways.
    void (*sweep_smooth_row)(const uint16_t *costs, int32_t width, uint16_t step, const uint16_t *jumps,
                             bool is_sideways, uint16_t *paths, uint16_t *sums);
    /// The place of each pixel's least sum.
    void (*sweep_choose_row)(const uint16_t *sums, int32_t width, float *out_places);
    /// What a plane is fitted to a window's values by.
    void (*sweep_add_window)(const fh_sweep_window &window, const float *plane, float tolerance, SweepPartSums *out);
};

/// Zero bytes around a row of scores, so that whole vectors may be read there.
constexpr int32_t kScorePadding = 64;

/// The kernels that calls from this thread run.
const KernelTable &Kernels();
/// The references, for so little that a vector isn't filled, where they give the same bits.
const KernelTable &ScalarKernels();

/// Each kernel's reference, put into the table.
void AddScalarPyramid(KernelTable *table);
void AddScalarCorners(KernelTable *table);
void AddScalarKlt(KernelTable *table);
void AddScalarAffine(KernelTable *table);
void AddScalarPieces(KernelTable *table);
void AddScalarStatistics(KernelTable *table);
void AddScalarDescriptors(KernelTable *table);
void AddScalarLens(KernelTable *table);
void AddScalarRemap(KernelTable *table);
void AddScalarReprojection(KernelTable *table);
void AddScalarSweep(KernelTable *table);
void AddScalarDifferences(KernelTable *table);

/// Each kernel's version for one of Highway's targets, put over the reference.
void AddVectorPyramid(int64_t target, KernelTable *table);
void AddVectorCorners(int64_t target, KernelTable *table);
void AddVectorKlt(int64_t target, KernelTable *table);
void AddVectorAffine(int64_t target, KernelTable *table);
void AddVectorPieces(int64_t target, KernelTable *table);
void AddVectorStatistics(int64_t target, KernelTable *table);
void AddVectorDescriptors(int64_t target, KernelTable *table);
void AddVectorLens(int64_t target, KernelTable *table);
void AddVectorRemap(int64_t target, KernelTable *table);
void AddVectorReprojection(int64_t target, KernelTable *table);
void AddVectorSweep(int64_t target, KernelTable *table);
void AddVectorDifferences(int64_t target, KernelTable *table);

}  // namespace foothold::kernels
