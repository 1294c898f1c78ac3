// Pictures through another lens: where every pixel comes from is worked out once, and pictures are drawn from it.
#pragma once

#include "fh_image.h"
#include "fh_lens.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the pixels of a picture come from in another. Made by `fh_remap_build`; the memory is the one given there.
typedef struct fh_remap {
    int32_t width, height;
    int32_t source_width, source_height;
    /// One per pixel, row by row: the upper left of four source pixels as y << 16 | x, and the weights of the right and
    /// lower ones in 1/64 as wy << 8 | wx. FH_REMAP_OUTSIDE where the source has nothing.
    const uint32_t *places;
    const uint16_t *weights;
} fh_remap;

#define FH_REMAP_OUTSIDE 0xFFFFFFFFu

/// Bytes that `fh_remap_build` needs for a result of this size; 0 when it is out of range.
size_t fh_remap_memory_size(int32_t width, int32_t height);

/// For a result as `target` would see it from a source as `source` saw it: each pixel's ray, undistorted by `target`,
/// is distorted by `source`. Places are rounded to 1/64 pixel; pixels between the source's outermost pixel centres are
/// inside. The source is at least 2×2.
int32_t fh_remap_build(const fh_lens *source, int32_t source_width, int32_t source_height, const fh_lens *target,
                       int32_t width, int32_t height, void *memory, size_t memory_size, fh_remap *out_remap);

/// Draws the result: bilinear, rounded to nearest, 0 where the source has nothing. `image` has the source's size, and
/// `out` rows of `out_stride` bytes.
int32_t fh_remap_apply(const fh_remap *remap, const fh_image *image, uint8_t *out, int32_t out_stride);

#ifdef __cplusplus
}
#endif
