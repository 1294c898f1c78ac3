#include "frontend/picture_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "fh_statistics.h"
#include "frontend/repetition.h"

namespace foothold {

namespace {

/// Of the grid for noise and texture.
constexpr int kTextureColumns = 8, kTextureRows = 6;
/// Mean squared gradient of a cell of the reduced picture above which it shows something, and as a multiple of what
/// noise alone makes.
constexpr float kDetail = 6, kDetailOverNoise = 2.5f;
constexpr int64_t kRepetitionEvery = 4;

/// Detail is looked for in pictures about this wide, and repetition in those twice as wide, whatever the camera's size:
/// what is finer is for nobody's eyes. A smaller picture is taken as it is.
constexpr int kWidth = 160;

const ImageView &level_of_width(const ImagePyramid &pyramid, int width) {
    int level = 0;
    while (level + 1 < pyramid.level_count() && pyramid.level(level + 1).width >= width) ++level;
    return pyramid.level(level);
}

double mean_gradient(const ImageView &image, int step) {
    int64_t sum = 0, count = 0;
    for (int y = 1; y + 1 < image.height; y += step) {
        const uint8_t *row = image.data + static_cast<ptrdiff_t>(y) * image.stride;
        for (int x = 1; x + 1 < image.width; x += step) {
            sum += std::abs(row[x + 1] - row[x - 1]) + std::abs(row[x + image.stride] - row[x - image.stride]);
            ++count;
        }
    }
    return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

}  // namespace

PictureStatistics PictureAnalyser::analyse(const ImagePyramid &pyramid) {
    PictureStatistics out;
    const ImageView &small = level_of_width(pyramid, kWidth);
    const size_t count = static_cast<size_t>(small.width) * small.height;
    const fh_image previous = {last_.data(), small.width, small.height, small.width};
    const fh_statistics_options options = {kTextureColumns, kTextureRows, 16, 240};
    fh_statistics measured;
    float texture[kTextureColumns * kTextureRows];
    fh_statistics_measure(&small, last_.size() == count ? &previous : nullptr, &options, &measured, texture);
    // Of a difference between two noisy pixels, halved and squared, along x and along y.
    const float noise = std::max(0.0f, measured.noise);
    const float enough = std::max(kDetail, kDetailOverNoise * noise * noise);
    out.detail_share = static_cast<double>(std::count_if(std::begin(texture), std::end(texture),
                                                         [&](float energy) { return energy > enough; })) /
                       (kTextureColumns * kTextureRows);
    if (frame_++ % kRepetitionEvery == 0) {
        repetition_ = repetition(level_of_width(pyramid, 2 * kWidth));
    }
    out.repetition = repetition_;
    last_.resize(count);
    for (int y = 0; y < small.height; ++y) {
        std::copy_n(small.data + static_cast<ptrdiff_t>(y) * small.stride, small.width,
                    last_.data() + static_cast<ptrdiff_t>(y) * small.width);
    }
    out.brightness = measured.mean / 255;
    out.dark_share = measured.dark_share;
    out.bright_share = measured.bright_share;
    out.change = std::max(0.0f, measured.change) / 255;
    const double fine = mean_gradient(pyramid.level(0), 4);
    const double coarse = mean_gradient(pyramid.level(std::min(1, pyramid.level_count() - 1)), 2);
    out.sharpness = coarse > 0.5 ? fine / coarse : 0;
    return out;
}

}  // namespace foothold
