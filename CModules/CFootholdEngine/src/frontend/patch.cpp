#include "frontend/patch.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace foothold {

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

bool WarpedTemplate::build(const HostPatch &host, const Eigen::Matrix2d &current_from_host, int level) {
    const double determinant = current_from_host.determinant();
    if (!(determinant > 0.05 && determinant < 20)) return false;
    // The host level whose pixels are nearest in size to the search level's.
    const int shift = static_cast<int>(std::lround(-0.5 * std::log2(determinant)));
    const int host_level = std::clamp(level + shift, 0, host.levels - 1);
    const Eigen::Matrix2f step =
        (current_from_host.inverse() * std::ldexp(1.0, level - host_level)).cast<float>();
    const Eigen::Vector2f center = host.center[host_level];
    constexpr int kPadded = kSide + 2;
    const float reach = kRadius + 1;
    const float extent_x = (std::abs(step(0, 0)) + std::abs(step(0, 1))) * reach;
    const float extent_y = (std::abs(step(1, 0)) + std::abs(step(1, 1))) * reach;
    if (center.x() - extent_x < 0 || center.y() - extent_y < 0 || center.x() + extent_x >= HostPatch::kSize - 1 ||
        center.y() + extent_y >= HostPatch::kSize - 1) {
        return false;
    }
    float padded[kPadded * kPadded];
    const uint8_t *pixels = host.pixels[host_level].data();
    for (int row = 0; row < kPadded; ++row) {
        for (int column = 0; column < kPadded; ++column) {
            const float dx = static_cast<float>(column) - reach;
            const float dy = static_cast<float>(row) - reach;
            const float x = center.x() + step(0, 0) * dx + step(0, 1) * dy;
            const float y = center.y() + step(1, 0) * dx + step(1, 1) * dy;
            const int xi = static_cast<int>(x);
            const int yi = static_cast<int>(y);
            const float fx = x - static_cast<float>(xi);
            const float fy = y - static_cast<float>(yi);
            const uint8_t *p = pixels + yi * HostPatch::kSize + xi;
            padded[row * kPadded + column] = (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) +
                                             fy * ((1 - fx) * p[HostPatch::kSize] + fx * p[HostPatch::kSize + 1]);
        }
    }
    float sum = 0, sum_squares = 0;
    Eigen::Matrix4f hessian = Eigen::Matrix4f::Zero();
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            const int i = row * kSide + column;
            const float *p = padded + (row + 1) * kPadded + column + 1;
            value[i] = p[0];
            gradient_x[i] = 0.5f * (p[1] - p[-1]);
            gradient_y[i] = 0.5f * (p[kPadded] - p[-kPadded]);
            sum += value[i];
            sum_squares += value[i] * value[i];
        }
    }
    mean = sum / kCount;
    const float variance = sum_squares / kCount - mean * mean;
    standard_deviation = std::sqrt(std::max(variance, 0.0f));
    if (standard_deviation < 2.5f) return false;
    float gxx = 0, gxy = 0, gyy = 0, gxv = 0, gyv = 0, gx = 0, gy = 0;
    for (int i = 0; i < kCount; ++i) {
        value[i] -= mean;
        gxx += gradient_x[i] * gradient_x[i];
        gxy += gradient_x[i] * gradient_y[i];
        gyy += gradient_y[i] * gradient_y[i];
        gxv += gradient_x[i] * value[i];
        gyv += gradient_y[i] * value[i];
        gx += gradient_x[i];
        gy += gradient_y[i];
    }
    min_eigenvalue =
        0.5f * (gxx + gyy - std::sqrt((gxx - gyy) * (gxx - gyy) + 4 * gxy * gxy)) / static_cast<float>(kCount);
    if (min_eigenvalue < 1.0f) return false;
    hessian << gxx, gxy, gxv, gx, gxy, gyy, gyv, gy, gxv, gyv, variance * kCount, 0, gx, gy, 0, kCount;
    inverse_hessian = hessian.inverse();
    return inverse_hessian.allFinite();
}

AlignmentResult align(const WarpedTemplate &patch, const ImageView &image, int max_iterations, float epsilon,
                      float max_shift, Eigen::Vector2f *pixel) {
    constexpr int kRadius = WarpedTemplate::kRadius;
    constexpr int kSide = WarpedTemplate::kSide;
    AlignmentResult result;
    const Eigen::Vector2f start = *pixel;
    Eigen::Vector2f position = start;
    float gain = 1, offset = patch.mean;
    float window[WarpedTemplate::kCount];
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        const int left = static_cast<int>(std::floor(position.x())) - kRadius;
        const int top = static_cast<int>(std::floor(position.y())) - kRadius;
        if (!(left >= 0 && top >= 0 && left + kSide < image.width && top + kSide < image.height)) return result;
        const float fx = position.x() - std::floor(position.x());
        const float fy = position.y() - std::floor(position.y());
        const float w00 = (1 - fx) * (1 - fy), w01 = fx * (1 - fy), w10 = (1 - fx) * fy, w11 = fx * fy;
        for (int row = 0; row < kSide; ++row) {
            const uint8_t *a = image.data + (top + row) * image.stride + left;
            const uint8_t *b = a + image.stride;
            float *out = window + row * kSide;
            for (int column = 0; column < kSide; ++column) {
                out[column] = w00 * a[column] + w01 * a[column + 1] + w10 * b[column] + w11 * b[column + 1];
            }
        }
        float bx = 0, by = 0, bg = 0, bo = 0;
        for (int i = 0; i < WarpedTemplate::kCount; ++i) {
            const float residual = window[i] - gain * patch.value[i] - offset;
            bx += patch.gradient_x[i] * residual;
            by += patch.gradient_y[i] * residual;
            bg += patch.value[i] * residual;
            bo += residual;
        }
        const Eigen::Vector4f step = patch.inverse_hessian * Eigen::Vector4f(bx, by, bg, bo);
        // The template's gradient scales with the gain.
        const float inverse_gain = 1 / std::clamp(gain, 0.3f, 3.0f);
        const Eigen::Vector2f shift(-step.x() * inverse_gain, -step.y() * inverse_gain);
        if (!shift.allFinite()) return result;
        position += shift;
        gain += step.z();
        offset += step.w();
        result.iterations = iteration + 1;
        if ((position - start).squaredNorm() > max_shift * max_shift) return result;
        if (shift.squaredNorm() < epsilon * epsilon) {
            result.converged = true;
            break;
        }
    }
    // The last window is less than a step away from the final position: good enough to judge the fit by.
    float sum = 0, sum_squares = 0, cross = 0;
    for (int i = 0; i < WarpedTemplate::kCount; ++i) {
        sum += window[i];
        sum_squares += window[i] * window[i];
        cross += window[i] * patch.value[i];
    }
    const float variance = sum_squares / WarpedTemplate::kCount -
                           (sum / WarpedTemplate::kCount) * (sum / WarpedTemplate::kCount);
    const float deviation = std::sqrt(std::max(variance, 1e-6f));
    result.correlation = cross / (WarpedTemplate::kCount * deviation * patch.standard_deviation);
    result.gain = gain;
    *pixel = position;
    return result;
}

}  // namespace foothold
