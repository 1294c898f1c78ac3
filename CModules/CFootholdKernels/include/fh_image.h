// Pictures, points and status codes that all kernels speak.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Status codes of kernels.
enum {
    FH_KERNEL_OK = 0,
    /// A null pointer, a size or a number outside its stated range.
    FH_KERNEL_BAD_ARGUMENT = -1,
    /// The memory given is smaller than the matching `..._size` function says.
    FH_KERNEL_TOO_SMALL = -2,
};

/// A borrowed 8-bit luma picture. `data` points at pixel (0, 0); rows are `stride` bytes apart (stride >= width).
/// Only the pixels inside are read, unless a function says that it needs a pyramid's border.
typedef struct fh_image {
    const uint8_t *data;
    int32_t width;
    int32_t height;
    int32_t stride;
} fh_image;

/// A place in a picture, in pixels.
typedef struct fh_point {
    float x;
    float y;
} fh_point;

/// A rectangle of pixels: x .. x + width - 1, y .. y + height - 1.
typedef struct fh_rect {
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} fh_rect;

/// Largest width and height of any picture.
#define FH_IMAGE_MAX_SIDE 16384

#ifdef __cplusplus
}
#endif
