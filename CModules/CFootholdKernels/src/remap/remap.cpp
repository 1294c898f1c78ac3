// Builds maps with the lens kernels, a few pixels at a time, and draws rows with the kernel.
#include <algorithm>
#include <cmath>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"
#include "remap/remap_row.h"

#pragma clang fp contract(off)

using namespace foothold::kernels;

namespace {

/// The pixel before a coordinate and the weight of the one after it in 1/64; false outside 0 … last.
bool Split(double coordinate, int32_t last, uint32_t *pixel, uint32_t *weight) {
    const double steps = std::floor(coordinate * kRemapOne + 0.5);
    if (!(steps >= 0 && steps <= static_cast<double>(last) * kRemapOne)) return false;
    const int32_t whole = static_cast<int32_t>(steps);
    // The last pixel is the right one of its pair.
    const int32_t first = std::min(whole / kRemapOne, last - 1);
    *pixel = static_cast<uint32_t>(first);
    *weight = static_cast<uint32_t>(whole - first * kRemapOne);
    return true;
}

}  // namespace

extern "C" {

size_t fh_remap_memory_size(int32_t width, int32_t height) {
    if (!IsSize(width, height)) return 0;
    const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
    return RoundUp(pixels * sizeof(uint32_t), 64) + pixels * sizeof(uint16_t) + 63;
}

int32_t fh_remap_build(const fh_lens *source, int32_t source_width, int32_t source_height, const fh_lens *target,
                       int32_t width, int32_t height, void *memory, size_t memory_size, fh_remap *out_remap) {
    if (!IsSize(width, height) || !IsSize(source_width, source_height) || source_width < 2 || source_height < 2 ||
        memory == nullptr || out_remap == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    if (memory_size < fh_remap_memory_size(width, height)) return FH_KERNEL_TOO_SMALL;
    const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
    uint32_t *const places = static_cast<uint32_t *>(Align64(memory));
    uint16_t *const weights =
        reinterpret_cast<uint16_t *>(reinterpret_cast<uint8_t *>(places) + RoundUp(pixels * sizeof(uint32_t), 64));
    constexpr int32_t kBatch = 128;
    double points[2 * kBatch];
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t begin = 0; begin < width; begin += kBatch) {
            const int32_t count = std::min(kBatch, width - begin);
            for (int32_t i = 0; i < count; ++i) {
                points[2 * i] = begin + i;
                points[2 * i + 1] = y;
            }
            int32_t status = fh_lens_undistort(target, points, count, points);
            if (status == FH_KERNEL_OK) status = fh_lens_distort(source, points, count, points);
            if (status != FH_KERNEL_OK) return status;
            const size_t first = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(begin);
            for (int32_t i = 0; i < count; ++i) {
                uint32_t column = 0, row = 0, weight_x = 0, weight_y = 0;
                const bool inside = Split(points[2 * i], source_width - 1, &column, &weight_x) &&
                                    Split(points[2 * i + 1], source_height - 1, &row, &weight_y);
                places[first + static_cast<size_t>(i)] = inside ? row << 16 | column : FH_REMAP_OUTSIDE;
                weights[first + static_cast<size_t>(i)] =
                    inside ? static_cast<uint16_t>(weight_y << 8 | weight_x) : uint16_t{0};
            }
        }
    }
    *out_remap = {width, height, source_width, source_height, places, weights};
    return FH_KERNEL_OK;
}

int32_t fh_remap_apply(const fh_remap *remap, const fh_image *image, uint8_t *out, int32_t out_stride) {
    if (remap == nullptr || remap->places == nullptr || remap->weights == nullptr || !IsValid(image) ||
        image->width != remap->source_width || image->height != remap->source_height || out == nullptr ||
        out_stride < remap->width) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const KernelTable &kernels = Kernels();
    for (int32_t y = 0; y < remap->height; ++y) {
        const size_t first = static_cast<size_t>(y) * static_cast<size_t>(remap->width);
        kernels.remap_row(*image, remap->places + first, remap->weights + first, remap->width,
                          out + static_cast<ptrdiff_t>(y) * out_stride);
    }
    return FH_KERNEL_OK;
}

}  // extern "C"
