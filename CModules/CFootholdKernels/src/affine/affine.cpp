// Checks the arguments of affine sampling, and has its reference.
#include "affine/affine.h"

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

namespace foothold::kernels {

void AddScalarAffine(KernelTable *table) { table->affine_sample = SampleAffineSingly; }

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" int32_t fh_affine_sample(const fh_image *source, fh_point center, const float *step, int32_t columns,
                                    int32_t rows, int16_t *out, int32_t out_stride, int32_t *out_outside) {
    const auto is_side = [](int32_t side) { return side >= 1 && side <= FH_AFFINE_MAX_SIDE; };
    if (!IsValid(source) || !is_side(columns) || !is_side(rows) || step == nullptr || out == nullptr ||
        out_stride < columns || !std::isfinite(center.x) || !std::isfinite(center.y)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    for (int i = 0; i < 4; ++i) {
        if (!std::isfinite(step[i])) return FH_KERNEL_BAD_ARGUMENT;
    }
    const int32_t outside = Kernels().affine_sample(*source, {center, step, columns, rows}, out, out_stride);
    if (out_outside != nullptr) *out_outside = outside;
    return FH_KERNEL_OK;
}
