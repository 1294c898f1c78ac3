// Lays a pyramid out in the caller's memory and fills it.
#include <cstring>

#include "dispatch/arguments.h"
#include "pyramid/filters.h"

namespace foothold::kernels {

namespace {

constexpr int32_t kBorder = FH_PYRAMID_BORDER;
/// Bytes before a row's first pixel, so that rows start at multiples of 64.
constexpr size_t kLeft = 64;

/// An odd multiple of 64, so that neighbouring rows never fall into the same few cache sets.
size_t LevelStride(int32_t width) { return RoundUp(kLeft + static_cast<size_t>(width) + kBorder, 64) | 64; }

size_t LevelBytes(int32_t width, int32_t height) {
    return LevelStride(width) * (static_cast<size_t>(height) + 2 * kBorder);
}

bool HasNextLevel(int32_t width, int32_t height) { return (width + 1) / 2 >= 8 && (height + 1) / 2 >= 8; }

bool IsValidSize(int32_t width, int32_t height, int32_t levels) {
    return IsSize(width, height) && levels >= 1 && levels <= FH_PYRAMID_MAX_LEVELS;
}

/// Eight bytes, the other way round.
void CopyReversed(const uint8_t *source, uint8_t *out) {
    uint64_t bytes;
    std::memcpy(&bytes, source, sizeof(bytes));
    bytes = __builtin_bswap64(bytes);
    std::memcpy(out, &bytes, sizeof(bytes));
}

/// Mirrors a level's pixels into its border.
void FillBorder(uint8_t *data, int32_t width, int32_t height, ptrdiff_t stride) {
    for (int32_t y = 0; y < height; ++y) {
        uint8_t *row = data + y * stride;
        if (width > kBorder) {
            for (int32_t i = 0; i < kBorder; i += 8) {
                CopyReversed(row + 1 + i, row - 8 - i);
                CopyReversed(row + width - 9 - i, row + width + i);
            }
        } else {
            for (int32_t i = 1; i <= kBorder; ++i) row[-i] = row[Mirror(-i, width)];
            for (int32_t i = 0; i < kBorder; ++i) row[width + i] = row[Mirror(width + i, width)];
        }
    }
    const size_t bytes = static_cast<size_t>(width) + 2 * kBorder;
    for (int32_t i = 1; i <= kBorder; ++i) {
        std::memcpy(data - i * stride - kBorder, data + Mirror(-i, height) * stride - kBorder, bytes);
        std::memcpy(data + (height - 1 + i) * stride - kBorder,
                    data + Mirror(height - 1 + i, height) * stride - kBorder, bytes);
    }
}

}  // namespace

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

size_t fh_pyramid_memory_size(int32_t width, int32_t height, int32_t levels) {
    if (!IsValidSize(width, height, levels)) return 0;
    size_t size = 63 + 64 + 5 * FilteredRowBytes(width);
    for (int32_t level = 0; level < levels; ++level) {
        size += LevelBytes(width, height);
        if (!HasNextLevel(width, height)) break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return size;
}

int32_t fh_pyramid_build(const uint8_t *luma, int32_t width, int32_t height, int32_t stride, int32_t levels,
                         void *memory, size_t memory_size, fh_pyramid *out_pyramid) {
    if (luma == nullptr || memory == nullptr || out_pyramid == nullptr || !IsValidSize(width, height, levels) ||
        stride < width) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    if (memory_size < fh_pyramid_memory_size(width, height, levels)) return FH_KERNEL_TOO_SMALL;
    const KernelTable &kernels = Kernels();
    uint8_t *next = static_cast<uint8_t *>(Align64(memory));
    void *scratch = next;
    next += 5 * FilteredRowBytes(width);
    *out_pyramid = {};
    for (int32_t level = 0; level < levels; ++level) {
        const size_t level_stride = LevelStride(width);
        uint8_t *data = next + kBorder * level_stride + kLeft;
        next += LevelBytes(width, height);
        if (level == 0) {
            for (int32_t y = 0; y < height; ++y) {
                std::memcpy(data + y * level_stride, luma + static_cast<ptrdiff_t>(y) * stride,
                            static_cast<size_t>(width));
            }
        } else {
            HalveGaussian(kernels, out_pyramid->levels[level - 1], data, static_cast<ptrdiff_t>(level_stride), scratch);
        }
        FillBorder(data, width, height, static_cast<ptrdiff_t>(level_stride));
        out_pyramid->levels[level] = {data, width, height, static_cast<int32_t>(level_stride)};
        out_pyramid->level_count = level + 1;
        if (!HasNextLevel(width, height)) break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return FH_KERNEL_OK;
}

int32_t fh_pyramid_blur(const fh_pyramid *source, void *memory, size_t memory_size, fh_pyramid *out_pyramid) {
    if (source == nullptr || source->level_count < 1 || source->level_count > FH_PYRAMID_MAX_LEVELS ||
        memory == nullptr || out_pyramid == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const fh_image &picture = source->levels[0];
    if (memory_size < fh_pyramid_memory_size(picture.width, picture.height, source->level_count)) {
        return FH_KERNEL_TOO_SMALL;
    }
    const KernelTable &kernels = Kernels();
    uint8_t *next = static_cast<uint8_t *>(Align64(memory));
    void *scratch = next;
    next += 5 * FilteredRowBytes(picture.width);
    fh_pyramid blurred = {};
    for (int32_t level = 0; level < source->level_count; ++level) {
        const fh_image &sharp = source->levels[level];
        const size_t level_stride = LevelStride(sharp.width);
        uint8_t *data = next + kBorder * level_stride + kLeft;
        next += LevelBytes(sharp.width, sharp.height);
        BlurGaussian(kernels, sharp, data, static_cast<ptrdiff_t>(level_stride), scratch);
        FillBorder(data, sharp.width, sharp.height, static_cast<ptrdiff_t>(level_stride));
        blurred.levels[level] = {data, sharp.width, sharp.height, static_cast<int32_t>(level_stride)};
    }
    blurred.level_count = source->level_count;
    *out_pyramid = blurred;
    return FH_KERNEL_OK;
}

}  // extern "C"
