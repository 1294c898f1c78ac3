// The reference of the plane sweep.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"
#include "sweep/sweep.h"

#pragma clang fp contract(off)

namespace foothold::kernels {
namespace {

void CompareRow(const uint8_t *row, int32_t width, int32_t y, const fh_sweep_source *sources, int32_t source_count,
                const float *inverse_depths, int32_t cap, uint8_t *out_costs) {
    std::fill_n(out_costs, static_cast<size_t>(width) * FH_SWEEP_DEPTHS, uint8_t{0});
    for (int32_t i = 0; i < source_count; ++i) {
        const fh_sweep_source &source = sources[i];
        const SweepRow along(source, y);
        for (int32_t x = 0; x < width; ++x) {
            float far[3];
            for (int32_t k = 0; k < 3; ++k) far[k] = along.change[k] * static_cast<float>(x) + along.begin[k];
            for (int32_t d = 0; d < FH_SWEEP_DEPTHS; ++d) {
                const float depth = inverse_depths[d] * source.shift[2] + far[2];
                int32_t cost = cap / 2;
                if (depth >= kLeastSweepDepth) {
                    const float scale = 1 / depth;
                    const float u = (inverse_depths[d] * source.shift[0] + far[0]) * scale + 0.5f;
                    const float v = (inverse_depths[d] * source.shift[1] + far[1]) * scale + 0.5f;
                    if (u >= 0 && v >= 0 && u < static_cast<float>(source.image.width) &&
                        v < static_cast<float>(source.image.height)) {
                        const uint8_t shown = Row(source.image, static_cast<int32_t>(v))[static_cast<int32_t>(u)];
                        cost = std::min(std::abs(row[x] - shown), cap);
                    }
                }
                uint8_t &sum = out_costs[static_cast<ptrdiff_t>(x) * FH_SWEEP_DEPTHS + d];
                sum = static_cast<uint8_t>(sum + cost);
            }
        }
    }
}

/// One pixel of a path: from the one before to this one, both with their margins.
void Follow(const uint16_t *costs, uint16_t step, uint16_t jump, const uint16_t *before, uint16_t *path,
            uint16_t *sums) {
    uint16_t own[FH_SWEEP_PATH];
    const uint16_t least = *std::min_element(before, before + FH_SWEEP_PATH);
    own[0] = own[FH_SWEEP_PATH - 1] = kNoPath;
    for (int32_t d = 0; d < FH_SWEEP_DEPTHS; ++d) {
        const int32_t beside = std::min(before[d], before[d + 2]) + step;
        const int32_t best = std::min({int32_t{before[d + 1]}, beside, least + jump});
        own[d + 1] = static_cast<uint16_t>(costs[d] + best - least);
        sums[d] = static_cast<uint16_t>(sums[d] + own[d + 1]);
    }
    std::copy_n(own, FH_SWEEP_PATH, path);
}

void SmoothRow(const uint16_t *costs, int32_t width, uint16_t step, const uint16_t *jumps, bool is_sideways,
               uint16_t *paths, uint16_t *sums) {
    const auto follow = [&](int32_t x, uint16_t *path) {
        const ptrdiff_t at = static_cast<ptrdiff_t>(x) * FH_SWEEP_DEPTHS;
        Follow(costs + at, step, jumps[x], path, path, sums + at);
    };
    for (int32_t x = 0; x < width; ++x) follow(x, paths + static_cast<ptrdiff_t>(x) * FH_SWEEP_PATH);
    if (!is_sideways) return;
    uint16_t path[FH_SWEEP_PATH];
    fh_sweep_begin(1, path);
    for (int32_t x = 0; x < width; ++x) follow(x, path);
    fh_sweep_begin(1, path);
    for (int32_t x = width - 1; x >= 0; --x) follow(x, path);
}

void ChooseRow(const uint16_t *sums, int32_t width, float *out_places) {
    for (int32_t x = 0; x < width; ++x, sums += FH_SWEEP_DEPTHS) {
        out_places[x] = PlaceOfLeast(sums, static_cast<int32_t>(std::min_element(sums, sums + FH_SWEEP_DEPTHS) - sums));
    }
}

void AddWindow(const fh_sweep_window &window, const float *plane, float tolerance, SweepPartSums *out) {
    *out = {};
    for (int32_t part = 0; part < kSweepParts; ++part) {
        for (int32_t row = 0; row < window.rows; ++row) {
            const float *values = window.values + static_cast<ptrdiff_t>(row) * window.stride;
            const float y = window.first_y + static_cast<float>(row) * window.step_y;
            float n = 0, x = 0, xx = 0, w = 0, xw = 0;
            for (int32_t column = part; column < window.columns; column += kSweepParts) {
                const float at = window.first_x + static_cast<float>(column);
                const float off = values[column] - plane[0];
                if (!(values[column] > 0) || !(std::abs(off - plane[1] * at - plane[2] * y) <= tolerance)) continue;
                n += 1;
                x += at;
                xx += at * at;
                w += off;
                xw += at * off;
            }
            out->n[part] += n;
            out->x[part] += x;
            out->y[part] += y * n;
            out->xx[part] += xx;
            out->xy[part] += y * x;
            out->yy[part] += y * y * n;
            out->w[part] += w;
            out->xw[part] += xw;
            out->yw[part] += y * w;
        }
    }
}

}  // namespace

void AddScalarSweep(KernelTable *table) {
    table->sweep_compare_row = CompareRow;
    table->sweep_smooth_row = SmoothRow;
    table->sweep_choose_row = ChooseRow;
    table->sweep_add_window = AddWindow;
}

}  // namespace foothold::kernels
