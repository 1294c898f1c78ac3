// The plane sweep for Highway's targets, a lane a distance.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/sweep_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include "dispatch/kernel_table.h"
#include "sweep/sweep.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// Where a source shows a pixel at each distance: bytes from its first pixel, and 255 where it does and 0 elsewhere.
struct SourcePlaces {
    alignas(64) int32_t offsets[FH_SWEEP_DEPTHS];
    alignas(64) uint8_t shown[FH_SWEEP_DEPTHS];
};

HWY_INLINE void FindPlaces(const fh_sweep_source &source, const SweepRow &along, int32_t x, const float *inverse_depths,
                           SourcePlaces *places) {
    const hn::CappedTag<float, FH_SWEEP_DEPTHS> d;
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const auto half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    const auto right = hn::Set(d, static_cast<float>(source.image.width));
    const auto bottom = hn::Set(d, static_cast<float>(source.image.height));
    const auto stride = hn::Set(di, source.image.stride), byte = hn::Set(di, 255);
    const auto far = [&](int32_t k)
                         HWY_ATTR { return hn::Set(d, along.change[k] * static_cast<float>(x) + along.begin[k]); };
    const auto far_x = far(0), far_y = far(1), far_z = far(2);
    const auto shift_x = hn::Set(d, source.shift[0]), shift_y = hn::Set(d, source.shift[1]),
               shift_z = hn::Set(d, source.shift[2]);
    for (int32_t first = 0; first < FH_SWEEP_DEPTHS; first += static_cast<int32_t>(hn::Lanes(d))) {
        const auto inverse = hn::LoadU(d, inverse_depths + first);
        const auto depth = hn::Add(hn::Mul(inverse, shift_z), far_z);
        const auto scale = hn::Div(one, depth);
        const auto u = hn::Add(hn::Mul(hn::Add(hn::Mul(inverse, shift_x), far_x), scale), half);
        const auto v = hn::Add(hn::Mul(hn::Add(hn::Mul(inverse, shift_y), far_y), scale), half);
        const auto shown = hn::And(hn::And(hn::Ge(depth, hn::Set(d, kLeastSweepDepth)), hn::Ge(u, zero)),
                                   hn::And(hn::And(hn::Ge(v, zero), hn::Lt(u, right)), hn::Lt(v, bottom)));
        const auto column = hn::ConvertTo(di, hn::IfThenElseZero(shown, u));
        const auto line = hn::ConvertTo(di, hn::IfThenElseZero(shown, v));
        hn::Store(hn::Add(hn::Mul(line, stride), column), di, places->offsets + first);
        hn::StoreU(hn::DemoteTo(d8, hn::IfThenElseZero(hn::RebindMask(di, shown), byte)), d8, places->shown + first);
    }
}

void CompareRow(const uint8_t *row, int32_t width, int32_t y, const fh_sweep_source *sources, int32_t source_count,
                const float *inverse_depths, int32_t cap, uint8_t *out_costs) {
    const hn::CappedTag<uint8_t, FH_SWEEP_DEPTHS> d;
    const auto most = hn::Set(d, static_cast<uint8_t>(cap)), unseen = hn::Set(d, static_cast<uint8_t>(cap / 2));
    SourcePlaces places;
    alignas(64) uint8_t pixels[FH_SWEEP_DEPTHS];
    for (int32_t i = 0; i < source_count; ++i) {
        const fh_sweep_source &source = sources[i];
        const SweepRow along(source, y);
        for (int32_t x = 0; x < width; ++x) {
            FindPlaces(source, along, x, inverse_depths, &places);
            for (int32_t k = 0; k < FH_SWEEP_DEPTHS; ++k) pixels[k] = source.image.data[places.offsets[k]];
            const auto own = hn::Set(d, row[x]);
            uint8_t *const costs = out_costs + static_cast<ptrdiff_t>(x) * FH_SWEEP_DEPTHS;
            for (int32_t first = 0; first < FH_SWEEP_DEPTHS; first += static_cast<int32_t>(hn::Lanes(d))) {
                const auto other = hn::Load(d, pixels + first), shown = hn::Load(d, places.shown + first);
                const auto difference = hn::Or(hn::SaturatedSub(other, own), hn::SaturatedSub(own, other));
                auto cost = hn::Or(hn::And(shown, hn::Min(difference, most)), hn::AndNot(shown, unseen));
                if (i > 0) cost = hn::Add(cost, hn::LoadU(d, costs + first));
                hn::StoreU(cost, d, costs + first);
            }
        }
    }
}

/// One pixel of a path, from `before` to `path`, both with their margins; `least` is the best before and becomes the
/// best here.
template <class D>
HWY_INLINE void Follow(D d, const uint16_t *costs, hn::Vec<D> step, uint16_t jump, const uint16_t *before,
                       uint16_t *path, uint16_t *sums, hn::Vec<D> *least) {
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const auto away = hn::Add(*least, hn::Set(d, jump));
    auto next = hn::Set(d, kNoPath);
    hn::Vec<D> own[FH_SWEEP_DEPTHS / 8];
    for (int32_t k = 0; k * lanes < FH_SWEEP_DEPTHS; ++k) {
        const uint16_t *const at = before + k * lanes;
        const auto beside = hn::Add(hn::Min(hn::LoadU(d, at), hn::LoadU(d, at + 2)), step);
        const auto best = hn::Min(hn::Min(hn::LoadU(d, at + 1), beside), away);
        own[k] = hn::Sub(hn::Add(hn::LoadU(d, costs + k * lanes), best), *least);
        next = hn::Min(next, own[k]);
    }
    for (int32_t k = 0; k * lanes < FH_SWEEP_DEPTHS; ++k) {
        hn::StoreU(own[k], d, path + 1 + k * lanes);
        uint16_t *const sum = sums + k * lanes;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), own[k]), d, sum);
    }
    *least = hn::MinOfLanes(d, next);
}

void SmoothRow(const uint16_t *costs, int32_t width, uint16_t step, const uint16_t *jumps, bool is_sideways,
               uint16_t *paths, uint16_t *sums) {
    const hn::CappedTag<uint16_t, 32> d;
    using V = hn::Vec<decltype(d)>;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const V by_step = hn::Set(d, step);
    // Ways left and right begin together, so that neither waits for itself; each writes where it doesn't read.
    uint16_t right[2][FH_SWEEP_PATH], left[2][FH_SWEEP_PATH];
    for (auto *path : {right[0], right[1], left[0], left[1]}) fh_sweep_begin(1, path);
    V least_right = hn::Zero(d), least_left = hn::Zero(d);
    const auto offset = [](int32_t x) { return static_cast<ptrdiff_t>(x) * FH_SWEEP_DEPTHS; };
    for (int32_t x = 0; x < width; ++x) {
        uint16_t *const path = paths + static_cast<ptrdiff_t>(x) * FH_SWEEP_PATH;
        V least = hn::LoadU(d, path + 1);
        for (int32_t k = lanes; k < FH_SWEEP_DEPTHS; k += lanes) least = hn::Min(least, hn::LoadU(d, path + 1 + k));
        least = hn::MinOfLanes(d, least);
        Follow(d, costs + offset(x), by_step, jumps[x], path, path, sums + offset(x), &least);
        if (!is_sideways) continue;
        const int32_t from = x % 2, to = 1 - from, back = width - 1 - x;
        Follow(d, costs + offset(x), by_step, jumps[x], right[from], right[to], sums + offset(x), &least_right);
        Follow(d, costs + offset(back), by_step, jumps[back], left[from], left[to], sums + offset(back), &least_left);
    }
}

void ChooseRow(const uint16_t *sums, int32_t width, float *out_places) {
    const hn::CappedTag<uint16_t, 32> d;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    for (int32_t x = 0; x < width; ++x, sums += FH_SWEEP_DEPTHS) {
        auto least = hn::LoadU(d, sums);
        for (int32_t k = lanes; k < FH_SWEEP_DEPTHS; k += lanes) least = hn::Min(least, hn::LoadU(d, sums + k));
        least = hn::MinOfLanes(d, least);
        int32_t first = 0;
        intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, sums), least));
        while (lane < 0) {
            first += lanes;
            lane = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, sums + first), least));
        }
        out_places[x] = PlaceOfLeast(sums, first + static_cast<int32_t>(lane));
    }
}

void AddWindow(const fh_sweep_window &window, const float *plane, float tolerance, SweepPartSums *out) {
    const hn::CappedTag<float, kSweepParts> d;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f), most = hn::Set(d, tolerance);
    const auto base = hn::Set(d, plane[0]), by_x = hn::Set(d, plane[1]);
    for (int32_t part = 0; part < kSweepParts; part += lanes) {
        auto all_n = zero, all_x = zero, all_y = zero, all_xx = zero, all_xy = zero, all_yy = zero, all_w = zero,
             all_xw = zero, all_yw = zero;
        for (int32_t row = 0; row < window.rows; ++row) {
            const float *values = window.values + static_cast<ptrdiff_t>(row) * window.stride;
            const float place = window.first_y + static_cast<float>(row) * window.step_y;
            const auto y = hn::Set(d, place), rise = hn::Set(d, plane[2] * place);
            auto n = zero, x = zero, xx = zero, w = zero, xw = zero;
            for (int32_t column = part; column < window.columns; column += kSweepParts) {
                const auto is_inside = hn::FirstN(d, static_cast<size_t>(window.columns - column));
                const auto value = hn::IfThenElseZero(is_inside, hn::LoadU(d, values + column));
                const auto at = hn::Iota(d, window.first_x + static_cast<float>(column));
                const auto off = hn::Sub(value, base);
                const auto error = hn::Abs(hn::Sub(hn::Sub(off, hn::Mul(by_x, at)), rise));
                const auto is_near = hn::And(hn::Gt(value, zero), hn::Le(error, most));
                const auto near_at = hn::IfThenElseZero(is_near, at), near_off = hn::IfThenElseZero(is_near, off);
                n = hn::Add(n, hn::IfThenElseZero(is_near, one));
                x = hn::Add(x, near_at);
                xx = hn::Add(xx, hn::Mul(near_at, at));
                w = hn::Add(w, near_off);
                xw = hn::Add(xw, hn::Mul(at, near_off));
            }
            all_n = hn::Add(all_n, n);
            all_x = hn::Add(all_x, x);
            all_y = hn::Add(all_y, hn::Mul(y, n));
            all_xx = hn::Add(all_xx, xx);
            all_xy = hn::Add(all_xy, hn::Mul(y, x));
            all_yy = hn::Add(all_yy, hn::Mul(hn::Mul(y, y), n));
            all_w = hn::Add(all_w, w);
            all_xw = hn::Add(all_xw, xw);
            all_yw = hn::Add(all_yw, hn::Mul(y, w));
        }
        hn::StoreU(all_n, d, out->n + part);
        hn::StoreU(all_x, d, out->x + part);
        hn::StoreU(all_y, d, out->y + part);
        hn::StoreU(all_xx, d, out->xx + part);
        hn::StoreU(all_xy, d, out->xy + part);
        hn::StoreU(all_yy, d, out->yy + part);
        hn::StoreU(all_w, d, out->w + part);
        hn::StoreU(all_xw, d, out->xw + part);
        hn::StoreU(all_yw, d, out->yw + part);
    }
}

void AddSweep(KernelTable *table) {
    table->sweep_compare_row = CompareRow;
    table->sweep_smooth_row = SmoothRow;
    table->sweep_choose_row = ChooseRow;
    table->sweep_add_window = AddWindow;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorSweep(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddSweep, table) }
}  // namespace foothold::kernels
#endif
