// The statistics, a vector of pixels at a time; the histogram in eight parts, so that equal neighbours don't wait for
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

/// 32-bit sums of some vectors of pixels.
template <class D>
struct CellSummer {
    using D32 = hn::RepartitionToWide<D>;
    hn::Vec<D32> level, level_odd, gradient, gradient_odd, second, second_odd;

    HWY_INLINE CellSummer() { level = level_odd = gradient = gradient_odd = second = second_odd = hn::Zero(D32()); }

    /// `ones` has zeros where pixels don't count.
    template <bool kAll>
    HWY_INLINE void Add(const uint8_t *p, ptrdiff_t stride, hn::Vec<D> ones) {
        const D d;
        const D32 d32;
        const hn::Rebind<uint8_t, D> d8;
        const auto at = [&](ptrdiff_t dx, ptrdiff_t dy)
                            HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d8, p + dy * stride + dx)); };
        const auto west = at(-1, 0), middle = at(0, 0), east = at(1, 0), north = at(0, -1), south = at(0, 1);
        auto dx = hn::Sub(east, west), dy = hn::Sub(south, north);
        if constexpr (!kAll) {
            dx = hn::Mul(dx, ones);
            dy = hn::Mul(dy, ones);
        }
        level = hn::ReorderWidenMulAccumulate(d32, middle, ones, level, level_odd);
        gradient = hn::ReorderWidenMulAccumulate(d32, dx, dx, gradient, gradient_odd);
        gradient = hn::ReorderWidenMulAccumulate(d32, dy, dy, gradient, gradient_odd);
        // Corners minus twice the sides plus four times the middle.
        const auto corners = hn::Add(hn::Add(at(-1, -1), at(1, -1)), hn::Add(at(-1, 1), at(1, 1)));
        const auto sides = hn::Add(hn::Add(west, east), hn::Add(north, south));
        const auto inner = hn::Sub(hn::Add(middle, middle), sides);
        const auto mixed = hn::Add(corners, hn::Add(inner, inner));
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

/// False, with nothing done, when the rectangle is narrower than a vector.
template <class D>
HWY_INLINE bool AddCell(D d, const uint8_t *row, ptrdiff_t stride, int32_t begin, int32_t end, int32_t rows,
                        CellSums *sums) {
    // Every vector adds up to four squares of 255 to a 32-bit lane.
    static_assert(kMostCellPixels / 8 <= INT32_MAX / (4 * 255 * 255));
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    if (end - begin < lanes) return false;
    const auto all = hn::Set(d, int16_t{1});
    // The last vector is moved back so that it ends with the row; what was counted before counts no more.
    const int32_t whole = (end - begin) / lanes * lanes, rest = end - begin - whole;
    const auto last = hn::IfThenZeroElse(hn::FirstN(d, static_cast<size_t>(lanes - rest)), all);
    CellSummer<D> summer;
    for (int32_t y = 0; y < rows; ++y, row += stride) {
        for (int32_t x = begin; x < begin + whole; x += lanes) summer.template Add<true>(row + x, stride, all);
        if (rest > 0) summer.template Add<false>(row + end - lanes, stride, last);
    }
    summer.AddTo(sums);
    return true;
}

void CellRows(const uint8_t *row, ptrdiff_t stride, int32_t begin, int32_t end, int32_t rows, CellSums *sums) {
    if (AddCell(hn::ScalableTag<int16_t>(), row, stride, begin, end, rows, sums)) return;
    if (AddCell(hn::CappedTag<int16_t, 8>(), row, stride, begin, end, rows, sums)) return;
    if (AddCell(hn::CappedTag<int16_t, 2>(), row, stride, begin, end, rows, sums)) return;
    for (int32_t y = 0; y < rows; ++y, row += stride) {
        for (int32_t x = begin; x < end; ++x) {
            const uint8_t *p = row + x;
            const int32_t dx = p[1] - p[-1], dy = p[stride] - p[-stride];
            const int32_t corners = p[-stride - 1] + p[-stride + 1] + p[stride - 1] + p[stride + 1];
            const int32_t sides = p[-1] + p[1] + p[-stride] + p[stride];
            sums->level += p[0];
            sums->gradient += static_cast<uint64_t>(dx * dx + dy * dy);
            sums->second_difference += static_cast<uint64_t>(std::abs(corners - 2 * sides + 4 * p[0]));
        }
    }
}

void HistogramRow(const uint8_t *row, int32_t width, uint32_t (*histograms)[256]) {
    int32_t x = 0;
    for (; x + 8 <= width; x += 8) {
        uint64_t pixels;
        std::memcpy(&pixels, row + x, sizeof(pixels));
        for (int32_t i = 0; i < 8; ++i) ++histograms[i][(pixels >> (8 * i)) & 255];
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
    table->cell_rows = CellRows;
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
