// Checks the arguments of comparing a row pixel by pixel, and has its reference.
#include "sweep/differences.h"

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

namespace foothold::kernels {
namespace {

void DifferRow(const uint8_t *row, int32_t width, int32_t y, const float *inverse_depths, const fh_sweep_other &other,
               float scale, float most, float *out) {
    DifferPixels(row, 0, width, OtherRow(other, y), inverse_depths, other, scale, most, out);
}

}  // namespace

void AddScalarDifferences(KernelTable *table) { table->sweep_differ_row = DifferRow; }

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

int32_t fh_sweep_differ_row(const uint8_t *row, int32_t width, int32_t y, const float *inverse_depths,
                            const fh_sweep_other *other, float scale, float most, float *out) {
    if (row == nullptr || !IsSize(width, 1) || y < 0 || y >= FH_IMAGE_MAX_SIDE || inverse_depths == nullptr ||
        other == nullptr || !IsPicture(&other->picture) || !(scale > 0) || !(most > 0) || out == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().sweep_differ_row(row, width, y, inverse_depths, *other, scale, most, out);
    return FH_KERNEL_OK;
}

}  // extern "C"
