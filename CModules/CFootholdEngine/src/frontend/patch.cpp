#include "frontend/patch.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace foothold {

namespace {

/// Of a template's gradient matrix, in squared grey levels per pixel: below this it can't be located.
constexpr float kMinimumEigenvalue = 1;

}  // namespace

void HostPatch::extract(const ImagePyramid &pyramid, const Eigen::Vector2d &pixel) {
    levels = std::min(kLevels, pyramid.level_count());
    for (int level = 0; level < levels; ++level) {
        const ImageView &image = pyramid.level(level);
        const double scale = 1.0 / (1 << level);
        const double x = pixel.x() * scale;
        const double y = pixel.y() * scale;
        const int left = static_cast<int>(std::lround(x)) - kSize / 2;
        const int top = static_cast<int>(std::lround(y)) - kSize / 2;
        center[level] = Eigen::Vector2f(static_cast<float>(x - left), static_cast<float>(y - top));
        uint8_t *out = pixels[level].data();
        for (int row = 0; row < kSize; ++row) {
            const uint8_t *source = image.data + std::clamp(top + row, 0, image.height - 1) * image.stride;
            for (int column = 0; column < kSize; ++column) {
                *out++ = source[std::clamp(left + column, 0, image.width - 1)];
            }
        }
    }
}

bool sample_template(const HostPatch &host, const Eigen::Matrix2d &current_from_host, int level,
                     fh_template *out_template) {
    const double determinant = current_from_host.determinant();
    if (!(determinant > 0.05 && determinant < 20)) return false;
    // The host level whose pixels are nearest in size to the search level's.
    const int shift = static_cast<int>(std::lround(-0.5 * std::log2(determinant)));
    const int host_level = std::clamp(level + shift, 0, host.levels - 1);
    const Eigen::Matrix2f warp = (current_from_host.inverse() * std::ldexp(1.0, level - host_level)).cast<float>();
    const float step[4] = {warp(0, 0), warp(0, 1), warp(1, 0), warp(1, 1)};
    const fh_image window = {host.pixels[host_level].data(), HostPatch::kSize, HostPatch::kSize, HostPatch::kSize};
    const fh_point center = {host.center[host_level].x(), host.center[host_level].y()};
    if (fh_template_sample(&window, center, step, kTemplateSide, FH_BRIGHTNESS_GAIN_OFFSET, out_template) !=
        FH_KERNEL_OK) {
        return false;
    }
    return out_template->outside_count == 0 && out_template->standard_deviation >= 2.5f &&
           out_template->min_eigenvalue >= kMinimumEigenvalue;
}

AlignmentResult align(const fh_template &patch, const ImagePyramid &pyramid, int level, int max_iterations,
                      float epsilon, float max_shift, Eigen::Vector2f *pixel) {
    const fh_align_options options = {max_iterations, epsilon, max_shift, kMinimumEigenvalue, -1};
    fh_point position = {pixel->x(), pixel->y()};
    fh_align_result found;
    AlignmentResult result;
    if (fh_patch_align(&patch, &pyramid.kernel_view(), level, &options, &position, &found) != FH_KERNEL_OK ||
        found.status != FH_TRACK_FOUND) {
        return result;
    }
    *pixel = Eigen::Vector2f(position.x, position.y);
    result.converged = true;
    result.correlation = found.correlation;
    result.gain = found.gain;
    result.iterations = found.iterations;
    return result;
}

}  // namespace foothold
