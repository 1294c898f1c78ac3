// Reference of remapping: what every other version must equal.
#include "dispatch/kernel_table.h"
#include "remap/remap_row.h"

namespace foothold::kernels {

namespace {

void DrawRow(const fh_image &image, const uint32_t *places, const uint16_t *weights, int32_t width, uint8_t *out) {
    for (int32_t x = 0; x < width; ++x) out[x] = RemapPixel(image, places[x], weights[x]);
}

}  // namespace

void AddScalarRemap(KernelTable *table) { table->remap_row = DrawRow; }

}  // namespace foothold::kernels
