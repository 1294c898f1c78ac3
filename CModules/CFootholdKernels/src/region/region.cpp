// Checks the arguments of sums over regions.
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"
#include "fh_region.h"

using namespace foothold::kernels;

extern "C" int32_t fh_region_add(const fh_region_pixels *pixels, const fh_region_view *view,
                                 const fh_region_question *question, fh_region_sums *sums) {
    if (pixels == nullptr || view == nullptr || question == nullptr || sums == nullptr || pixels->count < 0 ||
        view->luma == nullptr || !IsSize(view->width, view->height) || view->stride < view->width ||
        static_cast<int64_t>(view->height) * view->stride > INT32_MAX) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    if (pixels->count == 0) return FH_KERNEL_OK;
    const bool has_places = pixels->place_x != nullptr;
    if (pixels->ray_x == nullptr || pixels->ray_y == nullptr || pixels->luma == nullptr ||
        has_places != (pixels->place_y != nullptr) || has_places != (pixels->change_x != nullptr) ||
        has_places != (pixels->change_y != nullptr)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().region_add(*pixels, *view, *question, sums);
    return FH_KERNEL_OK;
}
