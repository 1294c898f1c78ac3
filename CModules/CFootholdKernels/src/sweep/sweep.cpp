// Checks the arguments of the plane sweep.
#include "sweep/sweep.h"

#include <algorithm>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

using namespace foothold::kernels;

extern "C" {

int32_t fh_sweep_compare_row(const uint8_t *row, int32_t width, int32_t y, const fh_sweep_source *sources,
                             int32_t source_count, const float inverse_depths[FH_SWEEP_DEPTHS], int32_t cap,
                             uint8_t *out_costs) {
    if (row == nullptr || !IsSize(width, 1) || y < 0 || y >= FH_IMAGE_MAX_SIDE || sources == nullptr ||
        source_count < 1 || source_count > FH_SWEEP_MAX_SOURCES || inverse_depths == nullptr || cap < 2 || cap > 63 ||
        out_costs == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    for (int32_t i = 0; i < source_count; ++i) {
        const fh_image &image = sources[i].image;
        if (!IsValid(&image) || static_cast<int64_t>(image.height) * image.stride > INT32_MAX)
            return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().sweep_compare_row(row, width, y, sources, source_count, inverse_depths, cap, out_costs);
    return FH_KERNEL_OK;
}

int32_t fh_sweep_smooth_row(const uint16_t *costs, int32_t width, uint16_t step, const uint16_t *jumps,
                            int32_t is_sideways, uint16_t *paths, uint16_t *sums) {
    if (costs == nullptr || !IsSize(width, 1) || step >= FH_SWEEP_COST_LIMIT || jumps == nullptr || paths == nullptr ||
        sums == nullptr || *std::max_element(jumps, jumps + width) >= FH_SWEEP_COST_LIMIT) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().sweep_smooth_row(costs, width, step, jumps, is_sideways != 0, paths, sums);
    return FH_KERNEL_OK;
}

int32_t fh_sweep_choose_row(const uint16_t *sums, int32_t width, float *out_places) {
    if (sums == nullptr || !IsSize(width, 1) || out_places == nullptr) return FH_KERNEL_BAD_ARGUMENT;
    Kernels().sweep_choose_row(sums, width, out_places);
    return FH_KERNEL_OK;
}

int32_t fh_sweep_add_window(const fh_sweep_window *window, const float plane[3], float tolerance,
                            fh_sweep_sums *out_sums) {
    if (window == nullptr || window->values == nullptr || !IsSize(window->columns, window->rows) ||
        window->stride < window->columns || plane == nullptr || out_sums == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    SweepPartSums parts;
    Kernels().sweep_add_window(*window, plane, tolerance, &parts);
    *out_sums = parts.Added();
    return FH_KERNEL_OK;
}

int32_t fh_sweep_begin(int32_t width, uint16_t *paths) {
    if (!IsSize(width, 1) || paths == nullptr) return FH_KERNEL_BAD_ARGUMENT;
    for (int32_t x = 0; x < width; ++x, paths += FH_SWEEP_PATH) {
        std::fill_n(paths, FH_SWEEP_PATH, uint16_t{0});
        paths[0] = paths[FH_SWEEP_PATH - 1] = kNoPath;
    }
    return FH_KERNEL_OK;
}

}  // extern "C"
