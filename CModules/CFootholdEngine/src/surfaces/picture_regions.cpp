#include "surfaces/picture_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace foothold {
namespace {

/// Steps of brightness a grey level.
constexpr int kSteps = 16;
/// Differences of more grey levels are all alike.
constexpr int kMostDifferent = 64;
/// What a region's size excuses, in deviations of the noise and pixels.
constexpr double kExcuse = 20;

struct Edge {
    int32_t first, second;
};

/// Disjoint sets with the difference up to which each may grow.
class Forest {
public:
    explicit Forest(size_t count, float excuse) : parent_(count), size_(count, 1), bound_(count, excuse) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int32_t root(int32_t at) {
        while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
        return at;
    }
    void join(int32_t first, int32_t second, float difference, float excuse) {
        int32_t a = root(first), b = root(second);
        if (a == b || difference > std::min(bound_[a], bound_[b])) return;
        if (size_[a] < size_[b]) std::swap(a, b);
        parent_[b] = a;
        size_[a] += size_[b];
        bound_[a] = difference + excuse / static_cast<float>(size_[a]);
    }

private:
    std::vector<int32_t> parent_, size_;
    std::vector<float> bound_;
};

}  // namespace

void find_regions(const cv::Mat &smooth, double noise, PictureRegions *out) {
    const int width = out->width = smooth.cols, height = out->height = smooth.rows;
    const size_t count = static_cast<size_t>(width) * height;
    std::vector<int16_t> picture;
    picture.reserve(count);
    for (int y = 0; y < height; ++y) {
        const float *row = smooth.ptr<float>(y);
        for (int x = 0; x < width; ++x) picture.push_back(static_cast<int16_t>(kSteps * row[x]));
    }
    // Sorted by difference, by counting.
    constexpr int kBins = kSteps * kMostDifferent;
    constexpr std::array<std::array<int, 2>, 4> kSteps4 = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
    std::vector<int32_t> begin(kBins + 1, 0);
    const auto visit = [&](auto use) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int32_t here = y * width + x;
                for (const auto &step : kSteps4) {
                    const int nx = x + step[0], ny = y + step[1];
                    if (nx < 0 || nx >= width || ny >= height) continue;
                    const int32_t there = ny * width + nx;
                    use(std::min(kBins - 1, std::abs(picture[here] - picture[there])), here, there);
                }
            }
        }
    };
    visit([&](int difference, int32_t, int32_t) { ++begin[difference + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Edge> edges(begin.back());
    std::vector<int32_t> next(begin.begin(), begin.end() - 1);
    visit([&](int difference, int32_t here, int32_t there) { edges[next[difference]++] = {here, there}; });
    const float excuse = static_cast<float>(kExcuse * kSteps * std::max(noise, 0.5));
    Forest forest(count, excuse);
    for (int difference = 0; difference < kBins; ++difference) {
        for (int32_t i = begin[difference]; i < begin[difference + 1]; ++i) {
            forest.join(edges[i].first, edges[i].second, static_cast<float>(difference), excuse);
        }
    }
    out->labels.assign(count, -1);
    out->sizes.clear();
    std::vector<int32_t> label_of(count, -1);
    for (size_t i = 0; i < count; ++i) {
        int32_t &label = label_of[forest.root(static_cast<int32_t>(i))];
        if (label < 0) {
            label = static_cast<int32_t>(out->sizes.size());
            out->sizes.push_back(0);
        }
        out->labels[i] = label;
        ++out->sizes[label];
    }
}

}  // namespace foothold
