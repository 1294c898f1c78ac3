#include "frontend/noise_filter.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

namespace foothold {

namespace {

/// Grey levels from which corners of the noise outnumber real ones, and below which it ends.
constexpr double kHarmful = 4;
constexpr double kHarmless = 3.2;
/// What is left is this much.
constexpr double kWanted = 2.5;

}  // namespace

double noise_of(const ImageView &luma) {
    std::array<int, 2048> histogram{};
    int count = 0;
    for (int y = 1; y + 1 < luma.height; y += 4) {
        const uint8_t *above = luma.data + static_cast<ptrdiff_t>(y - 1) * luma.stride;
        const uint8_t *row = above + luma.stride;
        const uint8_t *below = row + luma.stride;
        for (int x = 1; x + 1 < luma.width; x += 4) {
            const int value = above[x - 1] - 2 * above[x] + above[x + 1] - 2 * row[x - 1] + 4 * row[x] -
                              2 * row[x + 1] + below[x - 1] - 2 * below[x] + below[x + 1];
            ++histogram[static_cast<size_t>(std::abs(value))];
            ++count;
        }
    }
    int below_quartile = 0;
    size_t quartile = 0;
    while (quartile + 1 < histogram.size() && 4 * (below_quartile += histogram[quartile]) < count) ++quartile;
    // The filter's weights have a length of 6, and a normal variable's lower quartile lies at 0.3186.
    return static_cast<double>(quartile) / (6 * 0.3186);
}

ImageView NoiseFilter::clean(const ImageView &luma) {
    noise_ = noise_of(luma);
    is_on_ = noise_ > (is_on_ ? kHarmless : kHarmful);
    left_at_half_size_ = 0;
    if (!is_on_) return luma;
    // Smoothing by a Gaussian of width s leaves 1 / (2 √π s) of white noise.
    const double width = std::clamp(noise_ / kWanted / (2 * std::sqrt(CV_PI)), 0.6, 2.5);
    // Halving smooths once more, by the width of the kernel [1 4 6 4 1], which is one pixel.
    left_at_half_size_ = noise_ / (2 * std::sqrt(CV_PI) * std::hypot(width, 1.0));
    const cv::Mat source(luma.height, luma.width, CV_8UC1, const_cast<uint8_t *>(luma.data),
                         static_cast<size_t>(luma.stride));
    cv::GaussianBlur(source, smoothed_, cv::Size(), width);
    return {smoothed_.data, smoothed_.cols, smoothed_.rows, static_cast<int>(smoothed_.step)};
}

}  // namespace foothold
