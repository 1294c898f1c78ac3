// Checks the arguments of tracking and alignment and hands them to the kernels.
#include <cmath>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

using namespace foothold::kernels;

namespace {

bool IsWindow(int32_t window) { return window >= FH_WINDOW_MIN && window <= FH_WINDOW_MAX; }

bool IsBrightness(int32_t brightness) {
    return brightness >= FH_BRIGHTNESS_FIXED && brightness <= FH_BRIGHTNESS_GAIN_OFFSET;
}

bool IsSearch(int32_t max_iterations, float epsilon) {
    return max_iterations >= 1 && max_iterations <= 100 && epsilon >= 0;
}

bool IsValid(const fh_pyramid *pyramid) {
    return pyramid != nullptr && pyramid->level_count >= 1 && pyramid->level_count <= FH_PYRAMID_MAX_LEVELS;
}

bool IsValid(const fh_klt_options *options) {
    return options != nullptr && IsWindow(options->window) && options->finest_level >= 0 &&
           options->coarsest_level >= options->finest_level && options->coarsest_level < FH_PYRAMID_MAX_LEVELS &&
           IsSearch(options->max_iterations, options->epsilon) && IsBrightness(options->brightness);
}

}  // namespace

extern "C" {

void fh_klt_options_default(fh_klt_options *out_options) {
    if (out_options == nullptr) return;
    *out_options = {
        .window = 9,
        .coarsest_level = 3,
        .finest_level = 0,
        .max_iterations = 20,
        .epsilon = 0.01f,
        .brightness = FH_BRIGHTNESS_GAIN_OFFSET,
        .min_eigenvalue = 0,
        .min_correlation = -1,
        .max_residual = 0,
        .max_forward_backward = 0,
    };
}

int32_t fh_klt_track(const fh_pyramid *from, const fh_pyramid *to, const fh_point *from_points, const float *steps,
                     fh_point *to_points, fh_klt_result *out_results, int32_t count, const fh_klt_options *options) {
    if (!IsValid(from) || !IsValid(to) || !IsValid(options) || count < 0 ||
        options->finest_level >= from->level_count || options->finest_level >= to->level_count ||
        (count > 0 && (from_points == nullptr || to_points == nullptr || out_results == nullptr))) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().klt_track(*from, *to, from_points, steps, to_points, out_results, count, *options);
    return FH_KERNEL_OK;
}

int32_t fh_template_sample(const fh_image *source, fh_point center, const float *step, int32_t window,
                           int32_t brightness, fh_template *out_template) {
    if (!IsValid(source) || !IsWindow(window) || !IsBrightness(brightness) || out_template == nullptr ||
        !std::isfinite(center.x) || !std::isfinite(center.y)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    constexpr float identity[4] = {1, 0, 0, 1};
    if (step == nullptr) step = identity;
    for (int i = 0; i < 4; ++i) {
        if (!std::isfinite(step[i])) return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().template_sample(*source, center, step, window, brightness, out_template);
    return FH_KERNEL_OK;
}

int32_t fh_patch_align(const fh_template *patch, const fh_pyramid *pyramid, int32_t level,
                       const fh_align_options *options, fh_point *position, fh_align_result *out_result) {
    if (patch == nullptr || !IsWindow(patch->window) || !IsValid(pyramid) || level < 0 ||
        level >= pyramid->level_count || options == nullptr || !IsSearch(options->max_iterations, options->epsilon) ||
        position == nullptr || out_result == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().patch_align(*patch, pyramid->levels[level], *options, position, out_result);
    return FH_KERNEL_OK;
}

}  // extern "C"
