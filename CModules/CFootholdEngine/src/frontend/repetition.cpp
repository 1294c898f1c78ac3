#include "frontend/repetition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace foothold {

namespace {

constexpr int kLines = 9;
constexpr int kLongest = 512;
/// Shorter periods are noise and weave.
constexpr int kShortestPeriod = 4;
/// Lines with less contrast than this, in grey levels, are passed over.
constexpr float kContrast = 5;
/// Between two copies the likeness has to fall below this: what merely changes slowly has no period.
constexpr float kValley = 0.35f;

/// The likeness at the best period of one line; negative for a line without contrast.
float line_repetition(const uint8_t *pixel, int count, ptrdiff_t step) {
    std::array<float, kLongest> value;
    count = std::min(count, kLongest);
    float mean = 0;
    for (int i = 0; i < count; ++i) mean += value[i] = pixel[i * step];
    mean /= static_cast<float>(count);
    float energy = 0;
    for (int i = 0; i < count; ++i) {
        value[i] -= mean;
        energy += value[i] * value[i];
    }
    if (energy < kContrast * kContrast * static_cast<float>(count)) return -1;
    float best = 0;
    bool has_fallen = false;
    for (int lag = 2; lag <= count / 4; ++lag) {
        const int overlap = count - lag;
        float product = 0, first = 0, second = 0;
        for (int i = 0; i < overlap; ++i) {
            product += value[i] * value[i + lag];
            first += value[i] * value[i];
            second += value[i + lag] * value[i + lag];
        }
        const float likeness = product / std::sqrt(std::max(first * second, 1e-6f));
        has_fallen = has_fallen || likeness < kValley;
        if (has_fallen && lag >= kShortestPeriod) best = std::max(best, likeness);
    }
    return best;
}

double median_repetition(const ImageView &image, bool along_rows) {
    std::array<float, kLines> found;
    int usable = 0;
    for (int k = 0; k < kLines; ++k) {
        const int across = along_rows ? image.height : image.width;
        const ptrdiff_t at = static_cast<ptrdiff_t>(across) * (2 * k + 1) / (2 * kLines);
        const uint8_t *start = image.data + (along_rows ? at * image.stride : at);
        const float likeness =
            along_rows ? line_repetition(start, image.width, 1) : line_repetition(start, image.height, image.stride);
        if (likeness >= 0) found[usable++] = likeness;
    }
    // One line in three is enough where rows of dots have gaps between them.
    if (usable < kLines / 3) return 0;
    std::nth_element(found.begin(), found.begin() + usable / 2, found.begin() + usable);
    return found[usable / 2];
}

}  // namespace

double repetition(const ImageView &image) {
    return std::max(median_repetition(image, true), median_repetition(image, false));
}

}  // namespace foothold
