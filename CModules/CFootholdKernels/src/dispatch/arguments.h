// Checks and small helpers shared by the public functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fh_image.h"
#include "fh_pieces.h"

namespace foothold::kernels {

/// A legal size of pictures.
inline bool IsSize(int32_t width, int32_t height) {
    return width >= 1 && height >= 1 && width <= FH_IMAGE_MAX_SIDE && height <= FH_IMAGE_MAX_SIDE;
}

/// A readable picture of a legal size.
inline bool IsValid(const fh_image *image) {
    return image != nullptr && image->data != nullptr && IsSize(image->width, image->height) &&
           image->stride >= image->width;
}

/// A readable picture to find pieces in.
inline bool IsPicture(const fh_piece_picture *picture) {
    return picture != nullptr && picture->pairs != nullptr && IsSize(picture->width, picture->height) &&
           picture->width >= 2 && picture->height >= 2 && picture->stride >= picture->width &&
           static_cast<int64_t>(picture->height) * picture->stride <= INT32_MAX / 2;
}

inline const uint8_t *Row(const fh_image &image, int32_t y) {
    return image.data + static_cast<ptrdiff_t>(y) * image.stride;
}

constexpr size_t RoundUp(size_t size, size_t multiple) { return (size + multiple - 1) / multiple * multiple; }

/// The first multiple of 64 at or after a pointer; sizes that callers are told include the 63 bytes it may skip.
inline void *Align64(void *memory) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
    return static_cast<uint8_t *>(memory) + (RoundUp(address, 64) - address);
}

/// Index of the pixel seen at `i` in a row of `count` pixels mirrored at its ends without repeating them.
inline int32_t Mirror(int32_t i, int32_t count) {
    if (count == 1) return 0;
    const int32_t period = 2 * (count - 1);
    i = (i < 0 ? -i : i) % period;
    return i < count ? i : period - i;
}

}  // namespace foothold::kernels
