// The corner kernels, a vector of pixels at a time.
//
// FAST's score is a maximum over arcs of a minimum over nine pixels (and the other way round for dark arcs), so scores
// need no branches: minima over runs of 2, 4 and 8 pixels are shared between the arcs, and two arcs share a run of 8. A
// block of pixels without a candidate among the four compass points is left after those.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "corners/corners_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>

#include "corners/circle.h"
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// Scores of one vector of pixels; 0 where no corner is.
template <class D>
HWY_INLINE hn::Vec<D> ScoreVector(D d, const uint8_t *pixels, const ptrdiff_t *offsets, hn::Vec<D> threshold) {
    const auto center = hn::LoadU(d, pixels);
    hn::Vec<D> p[kCircleSize];
    const auto load = [&](int32_t i) HWY_ATTR { return hn::LoadU(d, pixels + offsets[i]); };
    // Nine neighbours hold two neighbouring compass points.
    p[0] = load(0);
    p[4] = load(4);
    p[8] = load(8);
    p[12] = load(12);
    const auto high = hn::Min(hn::Max(p[0], p[8]), hn::Max(p[4], p[12]));
    const auto low = hn::Max(hn::Min(p[0], p[8]), hn::Min(p[4], p[12]));
    const auto most = hn::Max(hn::SaturatedSub(high, center), hn::SaturatedSub(center, low));
    const auto zero = hn::Zero(d);
    if (hn::AllTrue(d, hn::Eq(hn::SaturatedSub(most, threshold), zero))) return zero;
    for (int32_t i = 0; i < kCircleSize; ++i) {
        if (i % 4 != 0) p[i] = load(i);
    }
    // Runs of two and four begin at odd places.
    hn::Vec<D> least[kCircleSize], greatest[kCircleSize];
    for (int32_t i = 1; i < kCircleSize; i += 2) {
        least[i] = hn::Min(p[i], p[(i + 1) % kCircleSize]);
        greatest[i] = hn::Max(p[i], p[(i + 1) % kCircleSize]);
    }
    hn::Vec<D> least_four[kCircleSize], greatest_four[kCircleSize];
    for (int32_t i = 1; i < kCircleSize; i += 2) {
        least_four[i] = hn::Min(least[i], least[(i + 2) % kCircleSize]);
        greatest_four[i] = hn::Max(greatest[i], greatest[(i + 2) % kCircleSize]);
    }
    auto brighter = zero;
    auto darker = hn::Set(d, uint8_t{255});
    for (int32_t i = 1; i < kCircleSize; i += 2) {
        // Pixels i … i + 7 with the one before or the one after.
        const auto before = p[i - 1], after = p[(i + 8) % kCircleSize];
        const auto least_eight = hn::Min(least_four[i], least_four[(i + 4) % kCircleSize]);
        const auto greatest_eight = hn::Max(greatest_four[i], greatest_four[(i + 4) % kCircleSize]);
        brighter = hn::Max(brighter, hn::Min(least_eight, hn::Max(before, after)));
        darker = hn::Min(darker, hn::Max(greatest_eight, hn::Min(before, after)));
    }
    const auto difference = hn::Max(hn::SaturatedSub(brighter, center), hn::SaturatedSub(center, darker));
    const auto is_corner = hn::Ne(hn::SaturatedSub(difference, threshold), zero);
    return hn::IfThenElseZero(is_corner, hn::Sub(difference, hn::Set(d, uint8_t{1})));
}

template <class D>
HWY_INLINE bool ScoreRowWith(D d, const uint8_t *row, const ptrdiff_t *offsets, int32_t width, int32_t begin,
                             int32_t end, int32_t threshold, uint8_t *scores) {
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const auto limit = hn::Set(d, static_cast<uint8_t>(threshold));
    auto any = hn::Zero(d);
    for (int32_t x = begin; x < end; x += lanes) {
        // The last vector is moved back so that its circles stay inside the picture.
        const int32_t at = std::min(x, width - kCircleRadius - lanes);
        auto score = ScoreVector(d, row + at, offsets, limit);
        if (at < begin || at + lanes > end) {
            const auto up_to_end = hn::FirstN(d, static_cast<size_t>(end - at));
            score = hn::IfThenElseZero(up_to_end, score);
            if (at < begin) score = hn::IfThenZeroElse(hn::FirstN(d, static_cast<size_t>(begin - at)), score);
        }
        hn::StoreU(score, d, scores + at);
        any = hn::Or(any, score);
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

bool FastScoreRow(const uint8_t *row, ptrdiff_t stride, int32_t width, int32_t begin, int32_t end, int32_t threshold,
                  uint8_t *scores) {
    ptrdiff_t offsets[kCircleSize];
    for (int32_t i = 0; i < kCircleSize; ++i) offsets[i] = kCircle[i].y * stride + kCircle[i].x;
    const hn::ScalableTag<uint8_t> wide;
    const hn::CappedTag<uint8_t, 16> narrow;
    const hn::CappedTag<uint8_t, 1> single;
    const int32_t room = width - 2 * kCircleRadius;
    if (room >= static_cast<int32_t>(hn::Lanes(wide))) {
        return ScoreRowWith(wide, row, offsets, width, begin, end, threshold, scores);
    }
    if (room >= static_cast<int32_t>(hn::Lanes(narrow))) {
        return ScoreRowWith(narrow, row, offsets, width, begin, end, threshold, scores);
    }
    return ScoreRowWith(single, row, offsets, width, begin, end, threshold, scores);
}

int32_t FastSuppressRow(const uint8_t *above, const uint8_t *scores, const uint8_t *below, int32_t begin, int32_t end,
                        int32_t y, fh_corner *out, int32_t room) {
    const hn::ScalableTag<uint8_t> d;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    int32_t count = 0;
    for (int32_t x = begin; x < end; x += lanes) {
        const auto score = hn::LoadU(d, scores + x);
        if (hn::AllTrue(d, hn::Eq(score, hn::Zero(d)))) continue;
        const auto row_max = [&](const uint8_t *row)
                                 HWY_ATTR { return hn::Max(hn::LoadU(d, row + x - 1), hn::LoadU(d, row + x + 1)); };
        auto around = hn::Max(row_max(above), row_max(below));
        around = hn::Max(around, row_max(scores));
        around = hn::Max(around, hn::Max(hn::LoadU(d, above + x), hn::LoadU(d, below + x)));
        const auto best = hn::Ne(hn::SaturatedSub(score, around), hn::Zero(d));
        alignas(8) uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, best, bytes);
        uint64_t bits = 0;
        for (int32_t i = 0; i < 8; ++i) bits |= static_cast<uint64_t>(bytes[i]) << (8 * i);
        if (end - x < 64) bits &= (uint64_t{1} << (end - x)) - 1;
        for (; bits != 0; bits &= bits - 1) {
            const int32_t at = x + static_cast<int32_t>(__builtin_ctzll(bits));
            if (count < room) out[count] = {at, y, scores[at]};
            ++count;
        }
    }
    return count;
}

/// Eight columns from 3 left of the pixel on; the last one is masked out.
void StructureSums(const fh_image &image, const fh_corner *corners, int32_t count, int32_t (*out)[3]) {
    const hn::CappedTag<int16_t, 8> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const hn::RepartitionToWide<decltype(d)> d32;
    const auto seven = hn::FirstN(d, 7);
    const ptrdiff_t stride = image.stride;
    for (int32_t i = 0; i < count; ++i) {
        auto xx = hn::Zero(d32), xy = hn::Zero(d32), yy = hn::Zero(d32);
        auto xx_odd = hn::Zero(d32), xy_odd = hn::Zero(d32), yy_odd = hn::Zero(d32);
        const uint8_t *first = Row(image, corners[i].y - 3) + corners[i].x - 3;
        const auto load = [&](const uint8_t *p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d8, p)); };
        for (int32_t v = 0; v < 7; ++v) {
            const uint8_t *row = first + v * stride;
            // The right neighbours of the seven end with the picture's last pixel at most, so they are read from one
            // pixel further left and moved.
            const auto right = hn::ShiftRightLanes<1>(d, load(row));
            const auto x = hn::IfThenElseZero(seven, hn::Sub(right, load(row - 1)));
            const auto y = hn::IfThenElseZero(seven, hn::Sub(load(row + stride), load(row - stride)));
            xx = hn::ReorderWidenMulAccumulate(d32, x, x, xx, xx_odd);
            xy = hn::ReorderWidenMulAccumulate(d32, x, y, xy, xy_odd);
            yy = hn::ReorderWidenMulAccumulate(d32, y, y, yy, yy_odd);
        }
        out[i][0] = hn::GetLane(hn::SumOfLanes(d32, hn::Add(xx, xx_odd)));
        out[i][1] = hn::GetLane(hn::SumOfLanes(d32, hn::Add(xy, xy_odd)));
        out[i][2] = hn::GetLane(hn::SumOfLanes(d32, hn::Add(yy, yy_odd)));
    }
}

void AddCorners(KernelTable *table) {
    table->fast_score_row = FastScoreRow;
    table->fast_suppress_row = FastSuppressRow;
    table->structure_sums = StructureSums;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorCorners(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddCorners, table) }
}  // namespace foothold::kernels
#endif
