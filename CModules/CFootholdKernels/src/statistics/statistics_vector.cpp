// The statistics, a vector of pixels at a time; the histogram in four parts, so that equal neighbours don't wait for
// each other.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "statistics/statistics_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <cstdlib>
#include <cstring>

#include "dispatch/kernel_table.h"
#include "statistics/cell_sums.h"

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// Adds one vector of pixels to 32-bit sums.
template <class D>
struct CellSummer {
    using D32 = hn::RepartitionToWide<D>;
    hn::Vec<D32> level, level_odd, gradient, gradient_odd, second, second_odd;

    HWY_INLINE CellSummer() { level = level_odd = gradient = gradient_odd = second = second_odd = hn::Zero(D32()); }

    HWY_INLINE void Add(const uint8_t *p, ptrdiff_t stride, hn::Vec<D> ones) {
        const D d;
        const D32 d32;
        const hn::Rebind<uint8_t, D> d8;
        const auto at = [&](ptrdiff_t dx, ptrdiff_t dy)
                            HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d8, p + dy * stride + dx)); };
        const auto mask = hn::Sub(hn::Zero(d), ones);
        const auto west = at(-1, 0), middle = at(0, 0), east = at(1, 0), north = at(0, -1), south = at(0, 1);
        const auto dx = hn::And(hn::Sub(east, west), mask), dy = hn::And(hn::Sub(south, north), mask);
        level = hn::ReorderWidenMulAccumulate(d32, middle, ones, level, level_odd);
        gradient = hn::ReorderWidenMulAccumulate(d32, dx, dx, gradient, gradient_odd);
        gradient = hn::ReorderWidenMulAccumulate(d32, dy, dy, gradient, gradient_odd);
        // Corners minus twice the sides plus four times the middle.
        const auto corners = hn::Add(hn::Add(at(-1, -1), at(1, -1)), hn::Add(at(-1, 1), at(1, 1)));
        const auto sides = hn::Add(hn::Add(west, east), hn::Add(north, south));
        const auto mixed = hn::Add(hn::Sub(corners, hn::Add(sides, sides)), hn::ShiftLeft<2>(middle));
        second = hn::ReorderWidenMulAccumulate(d32, hn::Abs(mixed), ones, second, second_odd);
    }

    HWY_INLINE void AddTo(CellSums *sums) const {
        const D32 d32;
        const auto total = [&](hn::Vec<D32> a, hn::Vec<D32> b) HWY_ATTR {
            return static_cast<uint64_t>(hn::GetLane(hn::SumOfLanes(d32, hn::Add(a, b))));
        };
        sums->level += total(level, level_odd);
        sums->gradient += total(gradient, gradient_odd);
        sums->second_difference += total(second, second_odd);
    }
};

/// Pixels that the 32-bit sums can take: 2^31 / (2 · 255²).
constexpr int32_t kMostPixels = 16384;

void CellRow(const uint8_t *row, ptrdiff_t stride, int32_t begin, int32_t end, CellSums *sums) {
    static_assert(FH_IMAGE_MAX_SIDE <= kMostPixels);
    const hn::ScalableTag<int16_t> wide;
    const hn::CappedTag<int16_t, 8> narrow;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(wide)), narrow_lanes = static_cast<int32_t>(hn::Lanes(narrow));
    int32_t x = begin;
    CellSummer<decltype(wide)> wide_sums;
    for (; x + lanes <= end; x += lanes) wide_sums.Add(row + x, stride, hn::Set(wide, int16_t{1}));
    if (x > begin) wide_sums.AddTo(sums);
    CellSummer<decltype(narrow)> narrow_sums;
    const int32_t narrow_begin = x;
    for (; x + narrow_lanes <= end; x += narrow_lanes) {
        narrow_sums.Add(row + x, stride, hn::Set(narrow, int16_t{1}));
    }
    if (x > narrow_begin) narrow_sums.AddTo(sums);
    const hn::CappedTag<int16_t, 2> pair;
    CellSummer<decltype(pair)> last_sums;
    const int32_t last_begin = x;
    for (; x + 2 <= end; x += 2) last_sums.Add(row + x, stride, hn::Set(pair, int16_t{1}));
    if (x > last_begin) last_sums.AddTo(sums);
    if (x < end) {
        const uint8_t *p = row + x;
        const int32_t dx = p[1] - p[-1], dy = p[stride] - p[-stride];
        const int32_t corners = p[-stride - 1] + p[-stride + 1] + p[stride - 1] + p[stride + 1];
        const int32_t sides = p[-1] + p[1] + p[-stride] + p[stride];
        sums->level += p[0];
        sums->gradient += static_cast<uint64_t>(dx * dx + dy * dy);
        sums->second_difference += static_cast<uint64_t>(std::abs(corners - 2 * sides + 4 * p[0]));
    }
}

void HistogramRow(const uint8_t *row, int32_t width, uint32_t (*histograms)[256]) {
    int32_t x = 0;
    for (; x + 8 <= width; x += 8) {
        uint64_t pixels;
        std::memcpy(&pixels, row + x, sizeof(pixels));
        for (int32_t i = 0; i < 8; ++i) ++histograms[i % 4][(pixels >> (8 * i)) & 255];
    }
    for (; x < width; ++x) ++histograms[0][row[x]];
}

uint64_t DifferenceRow(const uint8_t *a, const uint8_t *b, int32_t width) {
    const hn::ScalableTag<uint8_t> d;
    const hn::Repartition<uint64_t, decltype(d)> d64;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    auto sums = hn::Zero(d64);
    int32_t x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto va = hn::LoadU(d, a + x), vb = hn::LoadU(d, b + x);
        const auto difference = hn::Or(hn::SaturatedSub(va, vb), hn::SaturatedSub(vb, va));
        sums = hn::Add(sums, hn::SumsOf8(difference));
    }
    uint64_t total = hn::GetLane(hn::SumOfLanes(d64, sums));
    for (; x < width; ++x) total += static_cast<uint64_t>(std::abs(a[x] - b[x]));
    return total;
}

void AddStatistics(KernelTable *table) {
    table->cell_row = CellRow;
    table->histogram_row = HistogramRow;
    table->difference_row = DifferenceRow;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorStatistics(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddStatistics, table) }
}  // namespace foothold::kernels
#endif
