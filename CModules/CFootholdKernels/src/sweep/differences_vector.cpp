// Comparing a row pixel by pixel for Highway's targets, a lane a pixel.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/differences_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <cstring>

#include "dispatch/kernel_table.h"
#include "sweep/differences.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

#include "pieces/blend_body.h"

void DifferRow(const uint8_t *row, int32_t width, int32_t y, const float *inverse_depths, const fh_sweep_other &other,
               float scale, float most, float *out) {
    const hn::CappedTag<float, 16> d;
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const OtherRow along(other, y);
    if (width < lanes) {
        DifferPixels(row, 0, width, along, inverse_depths, other, scale, most, out);
        return;
    }
    const fh_piece_picture &picture = other.picture;
    const auto one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    const auto right = hn::Set(d, static_cast<float>(picture.width - 2));
    const auto bottom = hn::Set(d, static_cast<float>(picture.height - 2));
    const auto stride = hn::Set(di, picture.stride);
    alignas(64) int32_t offsets[16], pixels[16];
    for (int32_t next = 0; next < width; next += lanes) {
        // The last pixels are compared once more where they don't fill a vector.
        const int32_t x = next + lanes <= width ? next : width - lanes;
        const auto inverse = hn::LoadU(d, inverse_depths + x);
        if (hn::AllFalse(d, hn::Gt(inverse, zero))) {
            hn::StoreU(hn::Set(d, -1.0f), d, out + x);
            continue;
        }
        const auto place = hn::Iota(d, static_cast<float>(x));
        const auto seen = [&](int32_t k) HWY_ATTR {
            return hn::Add(hn::Add(hn::Mul(hn::Set(d, along.change[k]), place), hn::Set(d, along.begin[k])),
                           hn::Mul(inverse, hn::Set(d, other.shift[k])));
        };
        const auto depth = seen(2);
        const auto is_before = hn::And(hn::Gt(inverse, zero), hn::Gt(depth, zero));
        const auto divisor = hn::IfThenElse(is_before, depth, one);
        const auto u = hn::Div(seen(0), divisor), v = hn::Div(seen(1), divisor);
        const auto is_seen = hn::And(
            is_before, hn::And(hn::And(hn::Ge(u, one), hn::Ge(v, one)), hn::And(hn::Le(u, right), hn::Le(v, bottom))));
        if (hn::AllFalse(d, is_seen)) {
            hn::StoreU(hn::Set(d, -1.0f), d, out + x);
            continue;
        }
        const auto seen_u = hn::IfThenElseZero(is_seen, u), seen_v = hn::IfThenElseZero(is_seen, v);
        const auto at_x = hn::ConvertTo(di, seen_u), at_y = hn::ConvertTo(di, seen_v);
        hn::Store(hn::Add(hn::Mul(at_y, stride), at_x), di, offsets);
        for (int32_t i = 0; i < lanes; ++i) std::memcpy(pixels + i, picture.pairs + offsets[i], 4);
        const auto share_x = hn::Sub(seen_u, hn::ConvertTo(d, at_x)), share_y = hn::Sub(seen_v, hn::ConvertTo(d, at_y));
        const auto level = LevelsBetween(d, hn::Load(di, pixels), share_x, share_y);
        const auto own = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, row + x)));
        const auto difference = hn::Abs(hn::Sub(hn::Sub(level, hn::Set(d, other.offset)), own));
        const auto cost = hn::Min(hn::Mul(difference, hn::Set(d, scale)), hn::Set(d, most));
        hn::StoreU(hn::IfThenElse(is_seen, cost, hn::Set(d, -1.0f)), d, out + x);
    }
}

void AddDifferences(KernelTable *table) { table->sweep_differ_row = DifferRow; }

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorDifferences(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddDifferences, table) }
}  // namespace foothold::kernels
#endif
