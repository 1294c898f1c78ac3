#include "gravity/line_segments.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

constexpr float weakest_gradient = 5.0f;
// Gradient directions of one edge agree to within this (cosine of 20°).
constexpr float same_direction = 0.94f;
constexpr int magnitude_bins = 64;

}  // namespace

const std::vector<LineSegment> &LineSegmentDetector::detect(const uint8_t *luma, int width, int height, int stride,
                                                            double minimum_length) {
    width_ = width;
    height_ = height;
    segments_.clear();
    if (width < 8 || height < 8) return segments_;
    compute_gradients(luma, stride);
    for (int seed : order_) {
        if (taken_[seed]) continue;
        grow(seed);
        LineSegment segment;
        if (fit(minimum_length, &segment)) segments_.push_back(segment);
    }
    return segments_;
}

void LineSegmentDetector::compute_gradients(const uint8_t *luma, int stride) {
    const size_t count = static_cast<size_t>(width_) * height_;
    gradient_x_.assign(count, 0);
    gradient_y_.assign(count, 0);
    magnitude_.assign(count, 0);
    taken_.assign(count, 1);
    float strongest = weakest_gradient;
    for (int y = 1; y + 1 < height_; ++y) {
        const uint8_t *above = luma + static_cast<ptrdiff_t>(y - 1) * stride;
        const uint8_t *here = above + stride;
        const uint8_t *below = here + stride;
        for (int x = 1; x + 1 < width_; ++x) {
            const float gx = 0.125f * static_cast<float>(above[x + 1] + 2 * here[x + 1] + below[x + 1] - above[x - 1] -
                                                         2 * here[x - 1] - below[x - 1]);
            const float gy = 0.125f * static_cast<float>(below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] -
                                                         2 * above[x] - above[x + 1]);
            const float magnitude = std::sqrt(gx * gx + gy * gy);
            if (magnitude < weakest_gradient) continue;
            const size_t i = static_cast<size_t>(y) * width_ + x;
            gradient_x_[i] = gx / magnitude;
            gradient_y_[i] = gy / magnitude;
            magnitude_[i] = magnitude;
            taken_[i] = 0;
            strongest = std::max(strongest, magnitude);
        }
    }
    // Strong edges first, by a counting sort.
    int starts[magnitude_bins + 1] = {};
    const float scale = (magnitude_bins - 1) / strongest;
    const auto bin = [&](size_t i) { return magnitude_bins - 1 - static_cast<int>(magnitude_[i] * scale); };
    size_t candidates = 0;
    for (size_t i = 0; i < count; ++i) {
        if (taken_[i]) continue;
        ++starts[bin(i) + 1];
        ++candidates;
    }
    for (int b = 0; b < magnitude_bins; ++b) starts[b + 1] += starts[b];
    order_.resize(candidates);
    for (size_t i = 0; i < count; ++i) {
        if (!taken_[i]) order_[starts[bin(i)]++] = static_cast<int>(i);
    }
}

void LineSegmentDetector::grow(int seed) {
    region_.assign(1, seed);
    taken_[seed] = 1;
    float direction_x = gradient_x_[seed], direction_y = gradient_y_[seed];
    float sum_x = direction_x, sum_y = direction_y;
    for (size_t next = 0; next < region_.size(); ++next) {
        const int center = region_[next];
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const int i = center + dy * width_ + dx;
                if (taken_[i]) continue;
                if (gradient_x_[i] * direction_x + gradient_y_[i] * direction_y < same_direction) continue;
                taken_[i] = 1;
                region_.push_back(i);
                sum_x += gradient_x_[i];
                sum_y += gradient_y_[i];
                const float norm = 1 / std::sqrt(sum_x * sum_x + sum_y * sum_y);
                direction_x = sum_x * norm;
                direction_y = sum_y * norm;
            }
        }
    }
}

bool LineSegmentDetector::fit(double minimum_length, LineSegment *out_segment) const {
    if (static_cast<double>(region_.size()) < minimum_length) return false;
    double weight = 0, mean_x = 0, mean_y = 0;
    for (int i : region_) {
        const int column = i % width_, row = i / width_;
        const double w = magnitude_[i];
        weight += w;
        mean_x += w * column;
        mean_y += w * row;
    }
    mean_x /= weight;
    mean_y /= weight;
    double xx = 0, xy = 0, yy = 0;
    for (int i : region_) {
        const int column = i % width_, row = i / width_;
        const double w = magnitude_[i], x = column - mean_x, y = row - mean_y;
        xx += w * x * x;
        xy += w * x * y;
        yy += w * y * y;
    }
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    const Eigen::Vector2d direction(std::cos(angle), std::sin(angle));
    const double half_trace = 0.5 * (xx + yy);
    const double root = std::hypot(0.5 * (xx - yy), xy);
    const double thickness = std::sqrt(std::max(0.0, (half_trace - root) / weight));
    double low = 0, high = 0;
    for (int i : region_) {
        const int column = i % width_, row = i / width_;
        const double along = direction.dot(Eigen::Vector2d(column - mean_x, row - mean_y));
        low = std::min(low, along);
        high = std::max(high, along);
    }
    const double length = high - low;
    // A straight edge is thin and fills its length.
    if (length < minimum_length || thickness > 1.3 || static_cast<double>(region_.size()) < 0.8 * length) return false;
    const Eigen::Vector2d center(mean_x, mean_y);
    out_segment->start = center + low * direction;
    out_segment->end = center + high * direction;
    // A third of a pixel per edge point, and what a slight curve hides.
    out_segment->direction_sigma = std::hypot(0.3 * std::sqrt(12.0 / length) / length, 0.1 / length);
    return true;
}

}  // namespace foothold
