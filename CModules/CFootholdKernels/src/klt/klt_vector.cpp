// Tracking, a row of the window (or two rows at once) per vector of 16-bit lanes.
//
// Windows up to 8 columns use 8 lanes a row, up to 16 use 16, others 32. Where a vector holds two rows of the window,
// it does. Lanes beyond the window are read from the pyramid's border and count for nothing, because the template's
// values and gradients are zero there.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "klt/klt_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "dispatch/kernel_table.h"
#include "klt/blend.h"
#include "klt/sums.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// Sums of products of 16-bit lanes in 32 bits.
template <class D>
class ProductSum {
public:
    using D32 = hn::RepartitionToWide<D>;
    HWY_INLINE ProductSum() : even_(hn::Zero(D32())), odd_(hn::Zero(D32())) {}
    HWY_INLINE void Add(hn::Vec<D> a, hn::Vec<D> b) { even_ = hn::ReorderWidenMulAccumulate(D32(), a, b, even_, odd_); }
    HWY_INLINE hn::Vec<D32> Get() const { return hn::Add(even_, odd_); }
    HWY_INLINE int64_t Total() const { return hn::GetLane(hn::SumOfLanes(D32(), Get())); }

private:
    hn::Vec<D32> even_, odd_;
};

/// How a window of `kStride` columns lies in vectors: `kRows` rows in one, or `kBlocks` vectors for one row.
template <int32_t kStride>
struct Shape {
    using D = hn::CappedTag<int16_t, kStride == 32 ? 32 : 2 * kStride>;
    static constexpr int32_t kLanes = static_cast<int32_t>(hn::MaxLanes(D()));
    static constexpr int32_t kRows = kLanes > kStride ? 2 : 1;
    static constexpr int32_t kBlocks = kLanes < kStride ? kStride / kLanes : 1;
};

/// Pixels of one row, or of two rows below each other, as 16-bit lanes.
template <int32_t kRows, class D>
HWY_INLINE hn::Vec<D> LoadPixels(D d, const uint8_t *row, ptrdiff_t stride) {
    const hn::Rebind<uint8_t, D> d8;
    if constexpr (kRows == 1) {
        return hn::PromoteTo(d, hn::LoadU(d8, row));
    } else {
        const hn::Half<decltype(d8)> half;
        return hn::PromoteTo(d, hn::Combine(d8, hn::LoadU(half, row + stride), hn::LoadU(half, row)));
    }
}

/// Rows blended with their right neighbours, at 1/64 grey level.
template <int32_t kRows, class D>
HWY_INLINE hn::Vec<D> BlendRows(D d, const uint8_t *row, ptrdiff_t stride, hn::Vec<D> wx) {
    const auto left = LoadPixels<kRows>(d, row, stride);
    const auto right = LoadPixels<kRows>(d, row + 1, stride);
    const auto step = hn::ShiftLeft<kSampleBits>(hn::Sub(right, left));
    return hn::Add(hn::ShiftLeft<kSampleBits>(left), hn::MulFixedPoint15(step, wx));
}

/// Four vectors' totals next to each other.
template <class D32>
HWY_INLINE void StoreTotals(D32 d32, hn::Vec<D32> a, hn::Vec<D32> b, hn::Vec<D32> c, hn::Vec<D32> e, int32_t *out) {
    if constexpr (hn::MaxLanes(D32()) > 4) {
        const hn::Half<D32> half;
        const auto fold = [&](auto v) HWY_ATTR { return hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)); };
        StoreTotals(half, fold(a), fold(b), fold(c), fold(e), out);
    } else {
        const auto ab = hn::Add(hn::InterleaveLower(d32, a, b), hn::InterleaveUpper(d32, a, b));
        const auto ce = hn::Add(hn::InterleaveLower(d32, c, e), hn::InterleaveUpper(d32, c, e));
        hn::StoreU(hn::Add(hn::ConcatLowerLower(d32, ce, ab), hn::ConcatUpperUpper(d32, ce, ab)), d32, out);
    }
}

/// Ones in the columns left … right - 1 of a block.
template <class D>
HWY_INLINE hn::Vec<D> ColumnOnes(D d, int32_t left, int32_t right, int32_t first) {
    const auto column = hn::Iota(d, static_cast<int16_t>(first));
    const auto inside = hn::And(hn::Gt(column, hn::Set(d, static_cast<int16_t>(left - 1))),
                                hn::Lt(column, hn::Set(d, static_cast<int16_t>(right))));
    return hn::IfThenElseZero(inside, hn::Set(d, int16_t{1}));
}

/// Adds the rows top … bottom - 1 of the picture under the window.
template <int32_t kStride, bool kCompare>
HWY_INLINE void SumRows(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, const fh_template &patch,
                        int32_t top, int32_t bottom, PictureSums *sums) {
    using S = Shape<kStride>;
    const typename S::D d;
    const hn::RepartitionToWide<decltype(d)> d32;
    const auto weight_x = hn::Set(d, static_cast<int16_t>(wx)), weight_y = hn::Set(d, static_cast<int16_t>(wy));
    ProductSum<typename S::D> i, qi, xi, yi, e, ee;
    for (int32_t block = 0; block < S::kBlocks; ++block) {
        const int32_t first = block * S::kLanes;
        auto ones = [&]() HWY_ATTR {
            if constexpr (S::kRows == 1) {
                return ColumnOnes(d, patch.left, patch.right, first);
            } else {
                const hn::Half<decltype(d)> half;
                const auto row = ColumnOnes(half, patch.left, patch.right, 0);
                return hn::Combine(d, row, row);
            }
        }();
        // Rounding to 1/32 and centring are one subtraction before the shift.
        const auto bias = hn::Set(d, static_cast<int16_t>(2 * kLevelOffset - 1));
        const uint8_t *row = top_left + top * stride + first;
        auto upper = hn::Sub(BlendRows<S::kRows>(d, row, stride, weight_x), bias);
        for (int32_t v = top; v < bottom; v += S::kRows) {
            row += S::kRows * stride;
            const auto next = hn::Sub(BlendRows<S::kRows>(d, row, stride, weight_x), bias);
            auto lower = next;
            if constexpr (S::kRows == 2) {
                lower = hn::ConcatLowerUpper(d, next, upper);
                // A row beyond the last one doesn't count; the template is zero there.
                if (v + 1 == bottom) ones = hn::ZeroExtendVector(d, hn::LowerHalf(hn::Half<decltype(d)>(), ones));
            }
            const auto level = hn::ShiftRight<1>(hn::Add(upper, hn::MulFixedPoint15(hn::Sub(lower, upper), weight_y)));
            upper = next;
            const int32_t place = v * kStride + first;
            i.Add(level, ones);
            xi.Add(level, hn::LoadU(d, patch.gradient_x + place));
            yi.Add(level, hn::LoadU(d, patch.gradient_y + place));
            qi.Add(level, hn::LoadU(d, patch.value + place));
            if constexpr (kCompare) {
                const auto quarter = hn::ShiftRight<3>(hn::Add(level, hn::Set(d, int16_t{4})));
                e.Add(quarter, ones);
                // Squares of the columns that count: what the ones leave of the value, times the value.
                ee.Add(quarter, hn::And(quarter, hn::Sub(hn::Zero(d), ones)));
            }
        }
    }
    alignas(16) int32_t totals[4];
    StoreTotals(d32, i.Get(), qi.Get(), xi.Get(), yi.Get(), totals);
    sums->i += totals[0];
    sums->qi += totals[1];
    sums->xi += totals[2];
    sums->yi += totals[3];
    if constexpr (kCompare) {
        StoreTotals(d32, e.Get(), ee.Get(), e.Get(), ee.Get(), totals);
        sums->e += totals[0];
        sums->ee += totals[1];
    }
}

template <int32_t kStride>
HWY_INLINE void SumPictureWith(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                               const fh_template &patch, bool compare, PictureSums *sums) {
    *sums = {};
    // Sums over 512 pixels fit 32 bits.
    for (int32_t top = patch.top; top < patch.bottom; top += kRowsPerSum) {
        const int32_t bottom = std::min(top + kRowsPerSum, patch.bottom);
        if (compare) {
            SumRows<kStride, true>(top_left, stride, wx, wy, patch, top, bottom, sums);
        } else {
            SumRows<kStride, false>(top_left, stride, wx, wy, patch, top, bottom, sums);
        }
    }
}

/// Everything that a template's sums hold, over at most kRowsPerSum rows.
template <class D>
struct TemplateSummer {
    ProductSum<D> t, q, qq, qt, x, y, xx, xy, yy, xq, yq, xt, yt;

    HWY_INLINE TemplateSummer() {}

    template <bool kWithValues>
    HWY_INLINE void Add(hn::Vec<D> ones, hn::Vec<D> level, hn::Vec<D> quarter, hn::Vec<D> gradient_x,
                        hn::Vec<D> gradient_y) {
        t.Add(level, ones);
        x.Add(gradient_x, ones);
        y.Add(gradient_y, ones);
        xx.Add(gradient_x, gradient_x);
        xy.Add(gradient_x, gradient_y);
        yy.Add(gradient_y, gradient_y);
        xt.Add(gradient_x, level);
        yt.Add(gradient_y, level);
        if constexpr (kWithValues) {
            q.Add(quarter, ones);
            qq.Add(quarter, quarter);
            qt.Add(quarter, level);
            xq.Add(gradient_x, quarter);
            yq.Add(gradient_y, quarter);
        }
    }

    template <bool kWithValues>
    HWY_INLINE void AddTo(TemplateSums *sums) const {
        const hn::RepartitionToWide<D> d32;
        alignas(16) int32_t totals[4];
        StoreTotals(d32, t.Get(), x.Get(), y.Get(), xx.Get(), totals);
        sums->t += totals[0];
        sums->x += totals[1];
        sums->y += totals[2];
        sums->xx += totals[3];
        StoreTotals(d32, xy.Get(), yy.Get(), xt.Get(), yt.Get(), totals);
        sums->xy += totals[0];
        sums->yy += totals[1];
        sums->xt += totals[2];
        sums->yt += totals[3];
        if constexpr (kWithValues) {
            StoreTotals(d32, q.Get(), qq.Get(), qt.Get(), xq.Get(), totals);
            sums->q += totals[0];
            sums->qq += totals[1];
            sums->qt += totals[2];
            sums->xq += totals[3];
            sums->yq += yq.Total();
        }
    }
};

/// Row pairs come from the rim as two loads.
template <int32_t kRows, class D>
HWY_INLINE hn::Vec<D> LoadRim(D d, const int16_t *p) {
    if constexpr (kRows == 1) {
        return hn::LoadU(d, p);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, hn::LoadU(half, p + kRimStride), hn::LoadU(half, p));
    }
}

template <int32_t kStride, bool kSmooth>
HWY_INLINE void SumTemplateWith(const int16_t *rim, fh_template *patch, TemplateSums *sums) {
    using S = Shape<kStride>;
    using D = typename S::D;
    const D d;
    *sums = {};
    const auto zero = hn::Zero(d);
    const auto to_gradient = [&](hn::Vec<D> difference)
                                 HWY_ATTR { return hn::ShiftRight<4>(hn::Add(difference, hn::Set(d, int16_t{8}))); };
    const auto middle_weight = hn::Set(d, static_cast<int16_t>(kScharrMiddle));
    const auto side_weight = hn::Set(d, static_cast<int16_t>(kScharrSide));
    const auto smoothed = [&](hn::Vec<D> before, hn::Vec<D> middle, hn::Vec<D> after) HWY_ATTR {
        return hn::Add(hn::MulFixedPoint15(middle, middle_weight),
                       hn::MulFixedPoint15(hn::Add(before, after), side_weight));
    };
    const auto row_index = [&]() HWY_ATTR {
        if constexpr (S::kRows == 1) {
            return zero;
        } else {
            const hn::Half<D> half;
            return hn::Combine(d, hn::Set(half, int16_t{1}), hn::Zero(half));
        }
    }();
    const auto in_range = [&](hn::Vec<D> v, int32_t begin, int32_t end) HWY_ATTR {
        return hn::And(hn::Gt(v, hn::Set(d, static_cast<int16_t>(begin - 1))),
                       hn::Lt(v, hn::Set(d, static_cast<int16_t>(end))));
    };
    if constexpr (S::kRows == 2) {
        // A pair of rows that begins at the last one reads one more.
        const int32_t place = patch->window * kStride;
        hn::StoreU(zero, d, patch->value + place);
        hn::StoreU(zero, d, patch->gradient_x + place);
        hn::StoreU(zero, d, patch->gradient_y + place);
    }
    for (int32_t part = 0; part < patch->window; part += kRowsPerSum) {
        const int32_t part_end = std::min(part + kRowsPerSum, patch->window);
        TemplateSummer<D> summer;
        for (int32_t block = 0; block < S::kBlocks; ++block) {
            const int32_t first = block * S::kLanes;
            auto columns = hn::Iota(d, static_cast<int16_t>(first));
            if constexpr (S::kRows == 2) {
                const hn::Half<D> half;
                columns = hn::Combine(d, hn::Iota(half, int16_t{0}), hn::Iota(half, int16_t{0}));
            }
            const auto in_columns = in_range(columns, patch->left, patch->right);
            for (int32_t v = part; v < part_end; v += S::kRows) {
                const auto rows = hn::Add(row_index, hn::Set(d, static_cast<int16_t>(v)));
                const auto counts = hn::And(in_columns, in_range(rows, patch->top, patch->bottom));
                const auto ones = hn::IfThenElseZero(counts, hn::Set(d, int16_t{1}));
                const int16_t *p = rim + (v + 1) * kRimStride + first + 1;
                const auto at = [&](int32_t dx, int32_t dy)
                                    HWY_ATTR { return LoadRim<S::kRows>(d, p + dy * kRimStride + dx); };
                auto level = hn::Sub(hn::ShiftRight<1>(hn::Add(at(0, 0), hn::Set(d, int16_t{1}))),
                                     hn::Set(d, static_cast<int16_t>(kLevelOffset)));
                auto across = hn::Sub(at(1, 0), at(-1, 0)), down = hn::Sub(at(0, 1), at(0, -1));
                if constexpr (kSmooth) {
                    across = smoothed(hn::Sub(at(1, -1), at(-1, -1)), across, hn::Sub(at(1, 1), at(-1, 1)));
                    down = smoothed(hn::Sub(at(-1, 1), at(-1, -1)), down, hn::Sub(at(1, 1), at(1, -1)));
                }
                level = hn::IfThenElseZero(counts, level);
                const auto x = hn::IfThenElseZero(counts, to_gradient(across));
                const auto y = hn::IfThenElseZero(counts, to_gradient(down));
                const auto quarter =
                    hn::IfThenElseZero(counts, hn::ShiftRight<3>(hn::Add(level, hn::Set(d, int16_t{4}))));
                const int32_t place = v * kStride + first;
                hn::StoreU(quarter, d, patch->value + place);
                hn::StoreU(x, d, patch->gradient_x + place);
                hn::StoreU(y, d, patch->gradient_y + place);
                summer.template Add<!kSmooth>(ones, level, quarter, x, y);
            }
        }
        summer.template AddTo<!kSmooth>(sums);
    }
}

struct Operations {
    static HWY_INLINE void SampleRim(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, int32_t side,
                                     int16_t *rim) {
        if (side <= 16) {
            SampleColumns(hn::CappedTag<int16_t, 16>(), top_left, stride, wx, wy, side, rim);
        } else {
            SampleColumns(hn::CappedTag<int16_t, 32>(), top_left, stride, wx, wy, side, rim);
        }
    }

    static HWY_INLINE void SumTemplate(const int16_t *rim, bool smooth, fh_template *patch, TemplateSums *sums) {
        switch (patch->row_stride) {
            case 8:
                return smooth ? SumTemplateWith<8, true>(rim, patch, sums)
                              : SumTemplateWith<8, false>(rim, patch, sums);
            case 16:
                return smooth ? SumTemplateWith<16, true>(rim, patch, sums)
                              : SumTemplateWith<16, false>(rim, patch, sums);
            default:
                return smooth ? SumTemplateWith<32, true>(rim, patch, sums)
                              : SumTemplateWith<32, false>(rim, patch, sums);
        }
    }

    static HWY_INLINE void SumPicture(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                                      const fh_template &patch, bool compare, PictureSums *sums) {
        switch (patch.row_stride) {
            case 8:
                return SumPictureWith<8>(top_left, stride, wx, wy, patch, compare, sums);
            case 16:
                return SumPictureWith<16>(top_left, stride, wx, wy, patch, compare, sums);
            default:
                return SumPictureWith<32>(top_left, stride, wx, wy, patch, compare, sums);
        }
    }

private:
    template <class D>
    static HWY_INLINE void SampleColumns(D d, const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                                         int32_t side, int16_t *rim) {
        const int32_t lanes = static_cast<int32_t>(hn::MaxLanes(d));
        const auto weight_x = hn::Set(d, static_cast<int16_t>(wx)), weight_y = hn::Set(d, static_cast<int16_t>(wy));
        for (int32_t u = 0; u < side; u += lanes) {
            const uint8_t *row = top_left + u;
            auto upper = BlendRows<1>(d, row, stride, weight_x);
            for (int32_t v = 0; v < side; ++v) {
                row += stride;
                const auto lower = BlendRows<1>(d, row, stride, weight_x);
                hn::StoreU(hn::Add(upper, hn::MulFixedPoint15(hn::Sub(lower, upper), weight_y)), d,
                           rim + v * kRimStride + u);
                upper = lower;
            }
        }
    }
};

#include "klt/track_body.h"

void AddKlt(KernelTable *table) {
    table->klt_track = KltTrack;
    table->patch_align = PatchAlign;
    table->template_sample = TemplateSample;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorKlt(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddKlt, table) }
}  // namespace foothold::kernels
#endif
