// Checks the arguments of the lens functions; projection divides by the depth first.
#include <cmath>
#include <limits>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

using namespace foothold::kernels;

namespace {

bool IsValid(const fh_lens *lens) {
    if (lens == nullptr || lens->model < FH_LENS_NONE || lens->model > FH_LENS_FISHEYE) return false;
    if (!(std::isfinite(lens->fx) && std::isfinite(lens->fy) && lens->fx != 0 && lens->fy != 0)) return false;
    return std::isfinite(lens->cx) && std::isfinite(lens->cy);
}

bool AreValid(const fh_lens *lens, const void *in, int32_t count, const void *out) {
    return IsValid(lens) && count >= 0 && (count == 0 || (in != nullptr && out != nullptr));
}

/// Points that a vector of two would hold are quicker one by one.
const KernelTable &KernelsFor(int32_t count) { return count < 3 ? ScalarKernels() : Kernels(); }

}  // namespace

extern "C" {

int32_t fh_lens_distort(const fh_lens *lens, const double *points, int32_t count, double *out_pixels) {
    if (!AreValid(lens, points, count, out_pixels)) return FH_KERNEL_BAD_ARGUMENT;
    KernelsFor(count).lens_distort(*lens, points, count, out_pixels);
    return FH_KERNEL_OK;
}

int32_t fh_lens_undistort(const fh_lens *lens, const double *pixels, int32_t count, double *out_points) {
    if (!AreValid(lens, pixels, count, out_points)) return FH_KERNEL_BAD_ARGUMENT;
    KernelsFor(count).lens_undistort(*lens, pixels, count, out_points);
    return FH_KERNEL_OK;
}

int32_t fh_lens_project(const fh_lens *lens, const double *points_in_camera, int32_t count, double *out_pixels,
                        uint8_t *out_in_front) {
    if (!AreValid(lens, points_in_camera, count, out_pixels) || (count > 0 && out_in_front == nullptr)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    constexpr double kLeastDepth = 1e-9;
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    for (int32_t i = 0; i < count; ++i) {
        const double *p = points_in_camera + 3 * static_cast<ptrdiff_t>(i);
        const bool in_front = p[2] > kLeastDepth;
        out_in_front[i] = in_front ? 1 : 0;
        out_pixels[2 * i] = in_front ? p[0] / p[2] : kNaN;
        out_pixels[2 * i + 1] = in_front ? p[1] / p[2] : kNaN;
    }
    KernelsFor(count).lens_distort(*lens, out_pixels, count, out_pixels);
    return FH_KERNEL_OK;
}

}  // extern "C"
