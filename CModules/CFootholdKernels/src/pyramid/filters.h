// The filters over whole pictures, arguments checked.
#pragma once

#include "dispatch/kernel_table.h"

namespace foothold::kernels {

/// Bytes between two filtered rows of a picture of this width.
size_t FilteredRowBytes(int32_t width);

/// `scratch` holds five filtered rows, aligned to 64 bytes.
void HalveGaussian(const KernelTable &kernels, const fh_image &source, uint8_t *out, ptrdiff_t out_stride,
                   void *scratch);
void BlurGaussian(const KernelTable &kernels, const fh_image &source, uint8_t *out, ptrdiff_t out_stride,
                  void *scratch);

}  // namespace foothold::kernels
