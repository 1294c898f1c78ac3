#include "depth/edge_filter.h"

#include <cmath>
#include <cstdlib>

namespace foothold {

namespace {

/// Grey levels that the picture changes from one cell to the next, there and back counted twice, so that thin lines
/// count too.
int change(const ImageView &fine, int x, int y, int dx, int dy) {
    const auto at = [&](int k) {
        return static_cast<int>(fine.data[static_cast<ptrdiff_t>(y + k * dy) * fine.stride + x + k * dx]);
    };
    return std::abs(at(1) - at(0)) + std::abs(at(2) - at(1));
}

template <int channels>
void flow(const float *__restrict from, float *__restrict to, float share) {
    for (int c = 0; c < channels; ++c) to[c] += share * (from[c] - to[c]);
}

}  // namespace

void EdgeFilter::follow_picture(const ImageView &coarse, const ImageView &fine) {
    width_ = coarse.width;
    height_ = coarse.height;
    const size_t count = static_cast<size_t>(width_) * height_;
    for (int r = 0; r < rounds; ++r) {
        from_left_[r].assign(count, 0);
        from_above_[r].assign(count, 0);
    }
    // Each round reaches half as far as the one before; together they reach `reach`.
    const float first = reach * std::sqrt(3.0f) * std::exp2(rounds - 1.0f) / std::sqrt(std::exp2(2.0f * rounds) - 1);
    // No two grey levels are more than 255 apart, and a change is counted twice.
    float passed[2 * 255 + 1];
    for (int d = 0; d <= 2 * 255; ++d) {
        passed[d] = std::exp(-std::sqrt(2.0f) / first * (1 + reach / step * static_cast<float>(d)));
    }
    for (int y = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x) {
            const size_t i = static_cast<size_t>(y) * width_ + x;
            float left = x > 0 ? passed[change(fine, 2 * x - 2, 2 * y, 1, 0)] : 0;
            float above = y > 0 ? passed[change(fine, 2 * x, 2 * y - 2, 0, 1)] : 0;
            for (int r = 0; r < rounds; ++r) {
                from_left_[r][i] = left;
                from_above_[r][i] = above;
                left *= left;
                above *= above;
            }
        }
    }
}

template <int channels>
void EdgeFilter::spread(std::vector<float> &values) const {
    const size_t row = static_cast<size_t>(width_);
    float *v = values.data();
    for (int r = 0; r < rounds; ++r) {
        const std::vector<float> &left = from_left_[r], &above = from_above_[r];
        for (int y = 0; y < height_; ++y) {
            const size_t begin = y * row, end = begin + row;
            for (size_t i = begin + 1; i < end; ++i) {
                flow<channels>(v + (i - 1) * channels, v + i * channels, left[i]);
            }
            for (size_t i = end - 1; i > begin; --i) flow<channels>(v + i * channels, v + (i - 1) * channels, left[i]);
        }
        for (size_t i = row; i < row * height_; ++i) {
            flow<channels>(v + (i - row) * channels, v + i * channels, above[i]);
        }
        for (size_t i = row * height_; i-- > row;) {
            flow<channels>(v + i * channels, v + (i - row) * channels, above[i]);
        }
    }
}

template void EdgeFilter::spread<2>(std::vector<float> &) const;
template void EdgeFilter::spread<12>(std::vector<float> &) const;

}  // namespace foothold
