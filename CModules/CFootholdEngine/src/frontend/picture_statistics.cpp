#include "frontend/picture_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace foothold {

namespace {

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
    const ImageView &small = pyramid.level(std::min(2, pyramid.level_count() - 1));
    const size_t count = static_cast<size_t>(small.width) * small.height;
    const bool comparable = last_.size() == count;
    last_.resize(count);
    int64_t sum = 0, dark = 0, bright = 0, change = 0;
    size_t i = 0;
    for (int y = 0; y < small.height; ++y) {
        const uint8_t *row = small.data + static_cast<ptrdiff_t>(y) * small.stride;
        for (int x = 0; x < small.width; ++x, ++i) {
            sum += row[x];
            dark += row[x] < 16;
            bright += row[x] > 240;
            if (comparable) change += std::abs(row[x] - last_[i]);
            last_[i] = row[x];
        }
    }
    const double n = static_cast<double>(count);
    out.brightness = static_cast<double>(sum) / (255 * n);
    out.dark_share = static_cast<double>(dark) / n;
    out.bright_share = static_cast<double>(bright) / n;
    out.change = static_cast<double>(change) / (255 * n);
    const double fine = mean_gradient(pyramid.level(0), 4);
    const double coarse = mean_gradient(pyramid.level(std::min(1, pyramid.level_count() - 1)), 2);
    out.sharpness = coarse > 0.5 ? fine / coarse : 0;
    return out;
}

}  // namespace foothold
