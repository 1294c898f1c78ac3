// Tracking, a row of the window (or two rows at once) per vector of 16-bit lanes.
//
// Windows up to 8 columns use 8 lanes a row, up to 16 use 16, others 32. Where a vector holds two rows of the window,
// it does. Lanes beyond the window are read from the pyramid's border and count for nothing, because the template's
// values and gradients are zero there.
//
// Templates are measured in template_body.h; lockstep_body.h runs several points together.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "klt/klt_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "affine/affine.h"
#include "dispatch/kernel_table.h"
#include "klt/blend.h"
#include "klt/rules.h"
#include "klt/sums.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL
/// Multiplies and adds in one instruction (AVX-512 VNNI, part of this target), for which this Highway's compiler flags
/// have no intrinsic.
template <class V32, class V16>
HWY_INLINE V32 AddProducts(V32 sum, V16 a, V16 b) {
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
}

template <class V32, class V16>
HWY_INLINE V32 AddProductsAt(V32 sum, V16 a, const int16_t *b) {
    struct Bytes {
        uint8_t of[sizeof(a.raw)];
    };
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "m"(*reinterpret_cast<const Bytes *>(b)));
    return sum;
}
#endif

/// Sums of products of 16-bit lanes in 32 bits.
template <class D>
class ProductSum {
public:
    using D32 = hn::RepartitionToWide<D>;
    HWY_INLINE ProductSum() : even_(hn::Zero(D32())), odd_(hn::Zero(D32())) {}
#if HWY_TARGET == HWY_AVX3_DL
    HWY_INLINE void Add(hn::Vec<D> a, hn::Vec<D> b) { even_ = AddProducts(even_, a, b); }
    HWY_INLINE void AddAt(hn::Vec<D> a, const int16_t *b) { even_ = AddProductsAt(even_, a, b); }
#else
    HWY_INLINE void Add(hn::Vec<D> a, hn::Vec<D> b) { even_ = hn::ReorderWidenMulAccumulate(D32(), a, b, even_, odd_); }
    HWY_INLINE void AddAt(hn::Vec<D> a, const int16_t *b) { Add(a, hn::LoadU(D(), b)); }
#endif
    HWY_INLINE hn::Vec<D32> Get() const { return hn::Add(even_, odd_); }

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

/// Adds up a vector's blocks of four.
template <bool kAdd, class D32>
HWY_INLINE void StoreFour(D32, hn::Vec<D32> v, double *out) {
    if constexpr (hn::MaxLanes(D32()) > 4) {
        const hn::Half<D32> half;
        StoreFour<kAdd>(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), out);
    } else {
        const hn::CappedTag<double, 4> d;
        const auto store = [&](auto part, double *place) HWY_ATTR {
            auto real = hn::PromoteTo(d, part);
            if constexpr (kAdd) real = hn::Add(real, hn::Load(d, place));
            hn::Store(real, d, place);
        };
        if constexpr (hn::MaxLanes(d) == 4) {
            store(v, out);
        } else {
            const hn::Half<D32> half;
            store(hn::LowerHalf(half, v), out);
            store(hn::UpperHalf(half, v), out + 2);
        }
    }
}

/// Adds the totals of four vectors to four numbers, or sets them.
template <bool kAdd, class D32>
HWY_INLINE void StoreTotals(D32 d32, hn::Vec<D32> a, hn::Vec<D32> b, hn::Vec<D32> c, hn::Vec<D32> e, double *out) {
    // Two vectors become one that has sums of both, twice; what is left is one vector with all four in every block.
    const hn::Repartition<int64_t, D32> d64;
    const auto ab = hn::BitCast(d64, hn::Add(hn::InterleaveLower(d32, a, b), hn::InterleaveUpper(d32, a, b)));
    const auto ce = hn::BitCast(d64, hn::Add(hn::InterleaveLower(d32, c, e), hn::InterleaveUpper(d32, c, e)));
    StoreFour<kAdd>(
        d32,
        hn::Add(hn::BitCast(d32, hn::InterleaveLower(d64, ab, ce)), hn::BitCast(d32, hn::InterleaveUpper(d64, ab, ce))),
        out);
}

/// The same of two vectors.
template <bool kAdd, class D32>
HWY_INLINE void StoreTwo(D32 d32, hn::Vec<D32> a, hn::Vec<D32> b, double *out) {
    alignas(32) double four[4];
    const auto both = hn::Add(hn::InterleaveLower(d32, a, b), hn::InterleaveUpper(d32, a, b));
    StoreFour<false>(d32, both, four);
    out[0] = (kAdd ? out[0] : 0) + (four[0] + four[2]);
    out[1] = (kAdd ? out[1] : 0) + (four[1] + four[3]);
}

/// Ones in the columns left … right - 1 of a block.
template <class D>
HWY_INLINE hn::Vec<D> ColumnOnes(D d, int32_t left, int32_t right, int32_t first) {
    const auto column = hn::Iota(d, static_cast<int16_t>(first));
    const auto inside = hn::And(hn::Gt(column, hn::Set(d, static_cast<int16_t>(left - 1))),
                                hn::Lt(column, hn::Set(d, static_cast<int16_t>(right))));
    return hn::IfThenElseZero(inside, hn::Set(d, int16_t{1}));
}

/// The sums of some of a window's rows: of the template's gradients with the picture, with `kValues` of its values too,
/// with `kCompare` those that tell the likeness. `kAdd` adds them to what is there.
template <int32_t kStride, bool kValues, bool kCompare, bool kAdd>
HWY_INLINE void SumRows(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, const fh_template &patch,
                        int32_t top, int32_t bottom, StepSums *sums, LikenessSums *likeness) {
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
        int32_t place = top * kStride + first;
        const auto add_rows = [&]() HWY_ATTR {
            row += S::kRows * stride;
            const auto next = hn::Sub(BlendRows<S::kRows>(d, row, stride, weight_x), bias);
            auto lower = next;
            if constexpr (S::kRows == 2) lower = hn::ConcatLowerUpper(d, next, upper);
            const auto level = hn::ShiftRight<1>(hn::Add(upper, hn::MulFixedPoint15(hn::Sub(lower, upper), weight_y)));
            upper = next;
            i.Add(level, ones);
            xi.AddAt(level, patch.gradient_x + place);
            yi.AddAt(level, patch.gradient_y + place);
            if constexpr (kValues) qi.AddAt(level, patch.value + place);
            if constexpr (kCompare) {
                const auto quarter = hn::ShiftRight<3>(hn::Add(level, hn::Set(d, int16_t{4})));
                e.Add(quarter, ones);
                // Squares of the columns that count: what the ones leave of the value, times the value.
                ee.Add(quarter, hn::Mul(quarter, ones));
            }
            place += S::kRows * kStride;
        };
        int32_t v = top;
        for (; v + S::kRows <= bottom; v += S::kRows) add_rows();
        if constexpr (S::kRows == 2) {
            if (v < bottom) {
                // The row beyond the last one doesn't count; the template is zero there.
                ones = hn::ZeroExtendVector(d, hn::LowerHalf(hn::Half<decltype(d)>(), ones));
                add_rows();
            }
        }
    }
    StoreTotals<kAdd>(d32, i.Get(), qi.Get(), xi.Get(), yi.Get(), &sums->i);
    if constexpr (kCompare) StoreTwo<kAdd>(d32, e.Get(), ee.Get(), &likeness->e);
}

template <int32_t kStride, bool kValues, bool kCompare>
HWY_INLINE void SumPictureWith(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                               const fh_template &patch, StepSums *sums, LikenessSums *likeness) {
    // Sums over 512 pixels fit 32 bits.
    int32_t bottom = std::min(patch.top + kRowsPerSum, patch.bottom);
    SumRows<kStride, kValues, kCompare, false>(top_left, stride, wx, wy, patch, patch.top, bottom, sums, likeness);
    if constexpr (kStride == 32) {
        while (bottom < patch.bottom) {
            const int32_t top = bottom;
            bottom = std::min(top + kRowsPerSum, patch.bottom);
            SumRows<kStride, kValues, kCompare, true>(top_left, stride, wx, wy, patch, top, bottom, sums, likeness);
        }
    }
}

#include "affine/affine_body.h"
// After it:
#include "klt/template_body.h"

struct Operations {
    static int32_t SampleAffine(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride) {
        return HWY_NAMESPACE::SampleAffine(source, grid, out, stride);
    }

    static HWY_INLINE void SampleRim(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, int32_t side,
                                     int16_t *rim) {
        if (side <= 16) {
            using S = Shape<16>;
            if constexpr (S::kRows == 2) {
                return SampleRowPairs(S::D(), top_left, stride, wx, wy, side, rim);
            } else {
                SampleColumns(hn::CappedTag<int16_t, 16>(), top_left, stride, wx, wy, side, rim);
            }
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
                                      const fh_template &patch, StepSums *sums, LikenessSums *likeness) {
        switch (patch.row_stride) {
            case 8:
                return SumWindow<8>(top_left, stride, wx, wy, patch, sums, likeness);
            case 16:
                return SumWindow<16>(top_left, stride, wx, wy, patch, sums, likeness);
            default:
                return SumWindow<32>(top_left, stride, wx, wy, patch, sums, likeness);
        }
    }

private:
    template <int32_t kStride>
    static HWY_INLINE void SumWindow(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                                     const fh_template &patch, StepSums *sums, LikenessSums *likeness) {
        if (likeness != nullptr) {
            SumPictureWith<kStride, true, true>(top_left, stride, wx, wy, patch, sums, likeness);
        } else if (patch.brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
            SumPictureWith<kStride, true, false>(top_left, stride, wx, wy, patch, sums, likeness);
        } else {
            SumPictureWith<kStride, false, false>(top_left, stride, wx, wy, patch, sums, likeness);
        }
    }

    /// Up to 16 columns; an odd last row takes one more with it.
    template <class D>
    static HWY_INLINE void SampleRowPairs(D d, const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
                                          int32_t side, int16_t *rim) {
        const hn::Half<D> half;
        const auto weight_x = hn::Set(d, static_cast<int16_t>(wx)), weight_y = hn::Set(d, static_cast<int16_t>(wy));
        const uint8_t *row = top_left;
        auto upper = BlendRows<2>(d, row, stride, weight_x);
        for (int32_t v = 0; v < side; v += 2) {
            row += 2 * stride;
            const auto next = BlendRows<2>(d, row, stride, weight_x);
            const auto lower = hn::ConcatLowerUpper(d, next, upper);
            const auto blended = hn::Add(upper, hn::MulFixedPoint15(hn::Sub(lower, upper), weight_y));
            hn::Store(hn::LowerHalf(half, blended), half, rim + v * kRimStride);
            hn::Store(hn::UpperHalf(half, blended), half, rim + (v + 1) * kRimStride);
            upper = next;
        }
    }

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
// After it:
#include "klt/lockstep_body.h"

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
