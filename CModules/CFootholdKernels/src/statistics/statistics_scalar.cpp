// Reference of the statistics kernels: what every other version must equal.
#include <cstdlib>

#include "dispatch/kernel_table.h"
#include "statistics/cell_sums.h"

namespace foothold::kernels {

namespace {

void CellRows(const uint8_t *row, ptrdiff_t stride, int32_t begin, int32_t end, int32_t rows, CellSums *sums) {
    for (int32_t y = 0; y < rows; ++y, row += stride) {
        const uint8_t *above = row - stride, *below = row + stride;
        for (int32_t x = begin; x < end; ++x) {
            const int32_t dx = row[x + 1] - row[x - 1];
            const int32_t dy = below[x] - above[x];
            const int32_t top = above[x - 1] - 2 * above[x] + above[x + 1];
            const int32_t middle = row[x - 1] - 2 * row[x] + row[x + 1];
            const int32_t bottom = below[x - 1] - 2 * below[x] + below[x + 1];
            sums->level += row[x];
            sums->gradient += static_cast<uint64_t>(dx * dx + dy * dy);
            sums->second_difference += static_cast<uint64_t>(std::abs(top - 2 * middle + bottom));
        }
    }
}

void HistogramRow(const uint8_t *row, int32_t width, uint32_t (*histograms)[256]) {
    for (int32_t x = 0; x < width; ++x) ++histograms[0][row[x]];
}

uint64_t DifferenceRow(const uint8_t *a, const uint8_t *b, int32_t width) {
    uint64_t sum = 0;
    for (int32_t x = 0; x < width; ++x) sum += static_cast<uint64_t>(std::abs(a[x] - b[x]));
    return sum;
}

}  // namespace

void AddScalarStatistics(KernelTable *table) {
    table->cell_rows = CellRows;
    table->histogram_row = HistogramRow;
    table->difference_row = DifferenceRow;
}

}  // namespace foothold::kernels
