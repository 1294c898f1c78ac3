// Filters over whole pictures: each source row is filtered once and waits in a ring of five for its neighbours.
#include "pyramid/filters.h"

#include "dispatch/arguments.h"

namespace foothold::kernels {

size_t FilteredRowBytes(int32_t width) { return RoundUp(static_cast<size_t>(width) * sizeof(uint16_t), 64); }

namespace {

/// Row y of the result is centred on the source's row y · `step`.
void FilterPicture(const KernelTable &kernels, const fh_image &source, int32_t step, uint8_t *out, ptrdiff_t out_stride,
                   void *scratch) {
    const int32_t width = source.width, height = source.height;
    const int32_t out_width = (width + step - 1) / step, out_height = (height + step - 1) / step;
    const auto filter = step == 2 ? kernels.filter_row_halving : kernels.filter_row;
    const size_t ring_stride = FilteredRowBytes(width) / sizeof(uint16_t);
    uint16_t *ring = static_cast<uint16_t *>(scratch);
    int32_t filtered = 0;
    for (int32_t y = 0; y < out_height; ++y) {
        const int32_t last = y * step + 2 < height ? y * step + 2 : height - 1;
        for (; filtered <= last; ++filtered) filter(Row(source, filtered), width, ring + (filtered % 5) * ring_stride);
        const uint16_t *rows[5];
        for (int32_t i = 0; i < 5; ++i) rows[i] = ring + (Mirror(y * step - 2 + i, height) % 5) * ring_stride;
        kernels.combine_rows(rows, out_width, out + y * out_stride);
    }
}

bool CanFilter(const fh_image *source, int32_t step, const uint8_t *out, int32_t out_stride, const void *scratch) {
    return IsValid(source) && out != nullptr && out_stride >= (source->width + step - 1) / step && scratch != nullptr;
}

}  // namespace

void HalveGaussian(const KernelTable &kernels, const fh_image &source, uint8_t *out, ptrdiff_t out_stride,
                   void *scratch) {
    FilterPicture(kernels, source, 2, out, out_stride, scratch);
}

void BlurGaussian(const KernelTable &kernels, const fh_image &source, uint8_t *out, ptrdiff_t out_stride,
                  void *scratch) {
    FilterPicture(kernels, source, 1, out, out_stride, scratch);
}

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

size_t fh_gaussian_scratch_size(int32_t width) {
    if (width < 1 || width > FH_IMAGE_MAX_SIDE) return 0;
    return 5 * FilteredRowBytes(width) + 63;
}

int32_t fh_halve_gaussian(const fh_image *source, uint8_t *out, int32_t out_stride, void *scratch,
                          size_t scratch_size) {
    if (!CanFilter(source, 2, out, out_stride, scratch)) return FH_KERNEL_BAD_ARGUMENT;
    if (scratch_size < fh_gaussian_scratch_size(source->width)) return FH_KERNEL_TOO_SMALL;
    FilterPicture(Kernels(), *source, 2, out, out_stride, Align64(scratch));
    return FH_KERNEL_OK;
}

int32_t fh_blur_gaussian(const fh_image *source, uint8_t *out, int32_t out_stride, void *scratch, size_t scratch_size) {
    if (!CanFilter(source, 1, out, out_stride, scratch)) return FH_KERNEL_BAD_ARGUMENT;
    if (scratch_size < fh_gaussian_scratch_size(source->width)) return FH_KERNEL_TOO_SMALL;
    FilterPicture(Kernels(), *source, 1, out, out_stride, Align64(scratch));
    return FH_KERNEL_OK;
}

int32_t fh_halve_mean(const fh_image *source, uint8_t *out, int32_t out_stride) {
    if (!IsValid(source) || out == nullptr || out_stride < source->width / 2) return FH_KERNEL_BAD_ARGUMENT;
    const KernelTable &kernels = Kernels();
    for (int32_t y = 0; y < source->height / 2; ++y) {
        kernels.mean_rows(Row(*source, 2 * y), Row(*source, 2 * y + 1), source->width / 2,
                          out + static_cast<ptrdiff_t>(y) * out_stride);
    }
    return FH_KERNEL_OK;
}

}  // extern "C"
