// Puts a picture's sums together.
#include <algorithm>
#include <cmath>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"
#include "statistics/cell_sums.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

constexpr int32_t kMaxCellsAlong = 32;

bool IsValid(const fh_statistics_options *options) {
    const auto is_level = [](int32_t level) { return level >= 0 && level <= 255; };
    return options != nullptr && options->columns >= 1 && options->columns <= kMaxCellsAlong && options->rows >= 1 &&
           options->rows <= kMaxCellsAlong && is_level(options->dark_below) && is_level(options->bright_above);
}

/// First pixel of cell `index` of `count` along a side.
int32_t CellBegin(int32_t side, int32_t index, int32_t count) { return side * index / count; }

uint8_t Percentile(const uint32_t histogram[256], uint64_t pixels, uint64_t hundredths) {
    const uint64_t wanted = (pixels * hundredths + 99) / 100;
    uint64_t seen = 0;
    for (int32_t level = 0; level < 256; ++level) {
        seen += histogram[level];
        if (seen >= wanted) return static_cast<uint8_t>(level);
    }
    return 255;
}

void DescribeHistogram(const uint32_t histogram[256], uint64_t pixels, const fh_statistics_options &options,
                       fh_statistics *out) {
    uint64_t sum = 0, squares = 0, dark = 0, bright = 0;
    for (uint64_t level = 0; level < 256; ++level) {
        const uint64_t count = histogram[level];
        sum += count * level;
        squares += count * level * level;
        if (level < static_cast<uint64_t>(options.dark_below)) dark += count;
        if (level > static_cast<uint64_t>(options.bright_above)) bright += count;
    }
    const double n = static_cast<double>(pixels);
    const double mean = static_cast<double>(sum) / n;
    out->mean = static_cast<float>(mean);
    out->standard_deviation =
        static_cast<float>(std::sqrt(std::max(static_cast<double>(squares) / n - mean * mean, 0.0)));
    out->dark_share = static_cast<float>(static_cast<double>(dark) / n);
    out->bright_share = static_cast<float>(static_cast<double>(bright) / n);
    out->percentile_1 = Percentile(histogram, pixels, 1);
    out->percentile_5 = Percentile(histogram, pixels, 5);
    out->percentile_25 = Percentile(histogram, pixels, 25);
    out->percentile_50 = Percentile(histogram, pixels, 50);
    out->percentile_75 = Percentile(histogram, pixels, 75);
    out->percentile_95 = Percentile(histogram, pixels, 95);
    out->percentile_99 = Percentile(histogram, pixels, 99);
}

/// Standard deviation of the noise from the sum of absolute second differences of `count` pixels.
double NoiseOf(const CellSums &sums, uint64_t count) {
    constexpr double kRootHalfPi = 1.2533141373155003;
    return kRootHalfPi * static_cast<double>(sums.second_difference) / (6 * static_cast<double>(count));
}

/// A cell near black or white shows less noise than there is.
bool IsClipped(const CellSums &sums, uint64_t count) {
    const double mean = static_cast<double>(sums.level) / static_cast<double>(count);
    return mean < 10 || mean > 245;
}

}  // namespace

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" int32_t fh_statistics_measure(const fh_image *image, const fh_image *previous,
                                         const fh_statistics_options *options, fh_statistics *out_statistics,
                                         float *out_cell_texture) {
    if (!IsValid(image) || !IsValid(options) || out_statistics == nullptr) return FH_KERNEL_BAD_ARGUMENT;
    if (previous != nullptr &&
        (!IsValid(previous) || previous->width != image->width || previous->height != image->height)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const KernelTable &kernels = Kernels();
    const int32_t width = image->width, height = image->height;
    const int32_t rows_at_once = CellRowsAtOnce(width);
    uint32_t histograms[8][256] = {};
    uint64_t difference = 0;
    CellSums whole;
    double noises[kMaxCellsAlong * kMaxCellsAlong];
    int32_t noise_count = 0;
    for (int32_t row = 0; row < options->rows; ++row) {
        const int32_t top = CellBegin(height, row, options->rows), bottom = CellBegin(height, row + 1, options->rows);
        CellSums cells[kMaxCellsAlong];
        for (int32_t y = top; y < bottom; y += rows_at_once) {
            const int32_t end = std::min(y + rows_at_once, bottom);
            for (int32_t line = y; line < end; ++line) {
                const uint8_t *pixels = Row(*image, line);
                kernels.histogram_row(pixels, width, histograms);
                if (previous != nullptr) difference += kernels.difference_row(pixels, Row(*previous, line), width);
            }
            const int32_t inner = std::max(y, 1), inner_end = std::min(end, height - 1);
            if (inner >= inner_end) continue;
            for (int32_t column = 0; column < options->columns; ++column) {
                const int32_t left = std::max(CellBegin(width, column, options->columns), 1);
                const int32_t right = std::min(CellBegin(width, column + 1, options->columns), width - 1);
                if (left >= right) continue;
                kernels.cell_rows(Row(*image, inner), image->stride, left, right, inner_end - inner, &cells[column]);
            }
        }
        const int32_t inner_rows = std::min(bottom, height - 1) - std::max(top, 1);
        for (int32_t column = 0; column < options->columns; ++column) {
            const int32_t left = std::max(CellBegin(width, column, options->columns), 1);
            const int32_t right = std::min(CellBegin(width, column + 1, options->columns), width - 1);
            const bool empty = left >= right || inner_rows <= 0;
            const uint64_t count = empty ? 0 : static_cast<uint64_t>(right - left) * static_cast<uint64_t>(inner_rows);
            const CellSums &sums = cells[column];
            if (out_cell_texture != nullptr) {
                // Gradients are doubled.
                out_cell_texture[row * options->columns + column] =
                    empty ? 0
                          : static_cast<float>(static_cast<double>(sums.gradient) / (4 * static_cast<double>(count)));
            }
            if (empty) continue;
            whole.gradient += sums.gradient;
            if (!IsClipped(sums, count)) noises[noise_count++] = NoiseOf(sums, count);
        }
    }
    uint32_t histogram[256];
    for (int32_t level = 0; level < 256; ++level) {
        histogram[level] = 0;
        for (const auto &part : histograms) histogram[level] += part[level];
    }
    const uint64_t pixels = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
    *out_statistics = {};
    DescribeHistogram(histogram, pixels, *options, out_statistics);
    if (width > 2 && height > 2) {
        const double inner = static_cast<double>(width - 2) * static_cast<double>(height - 2);
        out_statistics->gradient_energy = static_cast<float>(static_cast<double>(whole.gradient) / (4 * inner));
    }
    out_statistics->noise = -1;
    if (noise_count > 0) {
        double *const chosen = noises + noise_count / 5;
        std::nth_element(noises, chosen, noises + noise_count);
        out_statistics->noise = static_cast<float>(*chosen);
    }
    out_statistics->change =
        previous == nullptr ? -1 : static_cast<float>(static_cast<double>(difference) / static_cast<double>(pixels));
    return FH_KERNEL_OK;
}
