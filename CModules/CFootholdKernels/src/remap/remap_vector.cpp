// Remapping, a 32-bit lane a pixel: two gathers bring the upper and the lower pair of source pixels, which one multiply
// of bytes and one of 16-bit numbers blend.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "remap/remap_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <cstdint>

#include "dispatch/kernel_table.h"
#include "remap/remap_row.h"

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

void DrawRow(const fh_image &image, const uint32_t *places, const uint16_t *weights, int32_t width, uint8_t *out) {
    const hn::ScalableTag<uint32_t> d;
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Repartition<int16_t, decltype(d)> d16;
    const hn::Rebind<uint16_t, decltype(d)> d_weights;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    // Four bytes are read for a pair of pixels, from up to two to its left on, so that none lies beyond the picture.
    const bool reaches = image.width >= 4 && static_cast<int64_t>(image.height) * image.stride <= INT32_MAX;
    int32_t x = 0;
    if (reaches) {
        const auto stride = hn::Set(d, static_cast<uint32_t>(image.stride));
        const auto low = hn::Set(d, 0xFFFFu), two = hn::Set(d, 2u);
        const auto one = hn::Set(d, static_cast<uint32_t>(kRemapOne));
        for (; x + lanes <= width; x += lanes) {
            const auto place = hn::LoadU(d, places + x);
            const auto outside = hn::Eq(place, hn::Set(d, FH_REMAP_OUTSIDE));
            const auto inside = hn::IfThenZeroElse(outside, place);
            const auto column = hn::And(inside, low);
            const auto back = hn::Min(column, two);
            const auto offset = hn::Add(hn::Mul(hn::ShiftRight<16>(inside), stride), hn::Sub(column, back));
            const auto shift = hn::ShiftLeft<3>(back);
            const auto pair = [&](hn::Vec<decltype(d)> at) HWY_ATTR {
                const auto bytes =
                    hn::GatherOffset(d, reinterpret_cast<const uint32_t *>(image.data), hn::BitCast(di, at));
                return hn::And(hn::Shr(bytes, shift), low);
            };
            const auto above = pair(offset), below = pair(hn::Add(offset, stride));
            const auto weight = hn::PromoteTo(d, hn::LoadU(d_weights, weights + x));
            const auto wx = hn::And(weight, hn::Set(d, 255u)), wy = hn::ShiftRight<8>(weight);
            // Left pixels and right pixels of both rows as 16-bit numbers.
            const auto both = hn::Or(above, hn::ShiftLeft<16>(below));
            const auto left = hn::BitCast(d16, hn::And(both, hn::Set(d, 0x00FF00FFu)));
            const auto right = hn::BitCast(d16, hn::And(hn::ShiftRight<8>(both), hn::Set(d, 0x00FF00FFu)));
            const auto across = hn::BitCast(d16, hn::Or(wx, hn::ShiftLeft<16>(wx)));
            const auto all = hn::Set(d16, static_cast<int16_t>(kRemapOne));
            const auto rows = hn::Add(hn::Mul(left, hn::Sub(all, across)), hn::Mul(right, across));
            const auto top = hn::And(hn::BitCast(d, rows), low), bottom = hn::ShiftRight<16>(hn::BitCast(d, rows));
            const auto sum = hn::Add(hn::Mul(top, hn::Sub(one, wy)), hn::Mul(bottom, wy));
            const auto level = hn::ShiftRight<12>(hn::Add(sum, hn::Set(d, 2048u)));
            hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, hn::IfThenZeroElse(outside, level))), d8, out + x);
        }
    }
    for (; x < width; ++x) out[x] = RemapPixel(image, places[x], weights[x]);
}

void AddRemap(KernelTable *table) { table->remap_row = DrawRow; }

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
static_assert(kRemapOne == 64, "the vector version shifts by twice six bits");
void AddVectorRemap(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddRemap, table) }
}  // namespace foothold::kernels
#endif
