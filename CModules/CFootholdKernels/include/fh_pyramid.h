// A picture at halving sizes, and the filters that make it.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FH_PYRAMID_MAX_LEVELS 8

/// Readable pixels around every level: the picture mirrored at its edge pixels (… 2 1 | 0 1 2 …).
#define FH_PYRAMID_BORDER 24

/// A picture at halving sizes: level l's pixel (x, y) lies at level 0's (x · 2^l, y · 2^l), and level l + 1 is
/// (width + 1) / 2 by (height + 1) / 2 of level l. Every level has FH_PYRAMID_BORDER readable pixels around it, and 64
/// readable bytes after its last row. Rows start at multiples of 64 bytes. The memory is the one given to
/// `fh_pyramid_build`; kernels that take an fh_pyramid accept only one made there.
typedef struct fh_pyramid {
    fh_image levels[FH_PYRAMID_MAX_LEVELS];
    int32_t level_count;
} fh_pyramid;

/// Bytes that `fh_pyramid_build` needs for this size; 0 when an argument is out of range.
size_t fh_pyramid_memory_size(int32_t width, int32_t height, int32_t levels);

/// Builds a pyramid: level 0 is a copy, each next one the Gaussian (1 4 6 4 1) half of the one before, as
/// `fh_halve_gaussian` computes it.
///
/// `luma` is width × height pixels (1 … FH_IMAGE_MAX_SIDE each), rows `stride` bytes apart. `levels` is 1 …
/// FH_PYRAMID_MAX_LEVELS; fewer are made when the next would have a side below 8 pixels. `memory` needs no alignment.
int32_t fh_pyramid_build(const uint8_t *luma, int32_t width, int32_t height, int32_t stride, int32_t levels,
                         void *memory, size_t memory_size, fh_pyramid *out_pyramid);

/// Builds the pyramid whose levels are `source`'s through `fh_blur_gaussian`, into memory of its own, as large as
/// `fh_pyramid_memory_size` says for the source's size and level count.
int32_t fh_pyramid_blur(const fh_pyramid *source, void *memory, size_t memory_size, fh_pyramid *out_pyramid);

/// Bytes of scratch for `fh_halve_gaussian` and `fh_blur_gaussian` with a source of this width.
size_t fh_gaussian_scratch_size(int32_t width);

/// Half size by the 5×5 binomial filter (1 4 6 4 1)/16 in both directions, rounded to nearest, the source mirrored at
/// its edge pixels: OpenCV's pyrDown, bit for bit. Writes (width + 1) / 2 by (height + 1) / 2 pixels.
int32_t fh_halve_gaussian(const fh_image *source, uint8_t *out, int32_t out_stride, void *scratch, size_t scratch_size);

/// Half size by the mean of 2×2 pixels, rounded half up. Writes width / 2 by height / 2 pixels; an odd last column or
/// row is left out. The result's pixel (x, y) lies at the source's (2x + 0.5, 2y + 0.5).
int32_t fh_halve_mean(const fh_image *source, uint8_t *out, int32_t out_stride);

/// Same size through the 5×5 binomial filter, rounded to nearest, the source mirrored at its edge pixels.
int32_t fh_blur_gaussian(const fh_image *source, uint8_t *out, int32_t out_stride, void *scratch, size_t scratch_size);

#ifdef __cplusplus
}
#endif
