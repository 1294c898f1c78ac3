// Reference of the filters: what every other version must equal.
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

namespace foothold::kernels {

namespace {

/// (1 4 6 4 1) centred on pixel x.
uint16_t Filtered(const uint8_t *row, int32_t width, int32_t x) {
    const auto pixel = [&](int32_t i) -> int32_t { return row[Mirror(i, width)]; };
    return static_cast<uint16_t>(pixel(x - 2) + 4 * pixel(x - 1) + 6 * pixel(x) + 4 * pixel(x + 1) + pixel(x + 2));
}

void FilterRowHalving(const uint8_t *row, int32_t width, uint16_t *out) {
    for (int32_t x = 0; x < (width + 1) / 2; ++x) out[x] = Filtered(row, width, 2 * x);
}

void FilterRow(const uint8_t *row, int32_t width, uint16_t *out) {
    for (int32_t x = 0; x < width; ++x) out[x] = Filtered(row, width, x);
}

void CombineRows(const uint16_t *const rows[5], int32_t width, uint8_t *out) {
    for (int32_t x = 0; x < width; ++x) {
        const int32_t sum = rows[0][x] + 4 * rows[1][x] + 6 * rows[2][x] + 4 * rows[3][x] + rows[4][x];
        out[x] = static_cast<uint8_t>((sum + 128) >> 8);
    }
}

void MeanRows(const uint8_t *top, const uint8_t *bottom, int32_t out_width, uint8_t *out) {
    for (int32_t x = 0; x < out_width; ++x) {
        const int32_t sum = top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1];
        out[x] = static_cast<uint8_t>((sum + 2) >> 2);
    }
}

}  // namespace

void AddScalarPyramid(KernelTable *table) {
    table->filter_row_halving = FilterRowHalving;
    table->filter_row = FilterRow;
    table->combine_rows = CombineRows;
    table->mean_rows = MeanRows;
}

}  // namespace foothold::kernels
