// The filters, a vector of pixels at a time.
//
// Rows are filtered first: a row's even and odd pixels are the low and high bytes of 16-bit lanes, so that halving
// needs no shuffles. Rows' ends, where the picture is mirrored, are left to the reference's arithmetic.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pyramid/pyramid_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// Calls `body` at begin, begin + lanes, …; the last place is moved back so that it ends at `end`. False, without a
/// call, when the range is shorter than a vector.
template <class Body>
HWY_INLINE bool ForVectors(int32_t begin, int32_t end, int32_t lanes, const Body &body) {
    if (end - begin < lanes) return false;
    int32_t x = begin;
    for (; x + lanes <= end; x += lanes) body(x);
    if (x < end) body(end - lanes);
    return true;
}

HWY_INLINE uint16_t FilteredAtEnd(const uint8_t *row, int32_t width, int32_t x) {
    const int32_t sum = row[Mirror(x - 2, width)] + 4 * row[Mirror(x - 1, width)] + 6 * row[Mirror(x, width)] +
                        4 * row[Mirror(x + 1, width)] + row[Mirror(x + 2, width)];
    return static_cast<uint16_t>(sum);
}

void FilterRowHalving(const uint8_t *row, int32_t width, uint16_t *out) {
    const int32_t out_width = (width + 1) / 2;
    // Outputs whose five pixels lie inside, and which end within the row when whole vectors are read.
    const int32_t begin = 1, end = (width - 2) / 2;
    const auto filter = [&](auto d) {
        const hn::Repartition<uint8_t, decltype(d)> d8;
        const auto low = hn::Set(d, uint16_t{0x00FF});
        return ForVectors(begin, end, static_cast<int32_t>(hn::Lanes(d)), [&](int32_t x) HWY_ATTR {
            const auto left = hn::BitCast(d, hn::LoadU(d8, row + 2 * x - 2));
            const auto middle = hn::BitCast(d, hn::LoadU(d8, row + 2 * x));
            const auto right = hn::BitCast(d, hn::LoadU(d8, row + 2 * x + 2));
            const auto even = hn::And(middle, low);
            const auto ends = hn::Add(hn::And(left, low), hn::And(right, low));
            const auto fours = hn::Add(hn::Add(hn::ShiftRight<8>(left), hn::ShiftRight<8>(middle)), even);
            hn::StoreU(hn::Add(hn::Add(ends, hn::Add(even, even)), hn::ShiftLeft<2>(fours)), d, out + x);
        });
    };
    const bool done = filter(hn::ScalableTag<uint16_t>()) || filter(hn::CappedTag<uint16_t, 8>());
    const int32_t filled = done ? end : begin;
    for (int32_t x = 0; x < begin && x < out_width; ++x) out[x] = FilteredAtEnd(row, width, 2 * x);
    for (int32_t x = filled; x < out_width; ++x) out[x] = FilteredAtEnd(row, width, 2 * x);
}

void FilterRow(const uint8_t *row, int32_t width, uint16_t *out) {
    const int32_t begin = 2, end = width - 2;
    const auto filter = [&](auto d) {
        const hn::Rebind<uint8_t, decltype(d)> d8;
        const auto load = [&](int32_t x) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d8, row + x)); };
        return ForVectors(begin, end, static_cast<int32_t>(hn::Lanes(d)), [&](int32_t x) HWY_ATTR {
            const auto middle = load(x);
            const auto ends = hn::Add(load(x - 2), load(x + 2));
            const auto fours = hn::Add(hn::Add(load(x - 1), load(x + 1)), middle);
            hn::StoreU(hn::Add(hn::Add(ends, hn::Add(middle, middle)), hn::ShiftLeft<2>(fours)), d, out + x);
        });
    };
    const bool done = filter(hn::ScalableTag<uint16_t>()) || filter(hn::CappedTag<uint16_t, 8>());
    const int32_t filled = done ? end : begin;
    for (int32_t x = 0; x < begin && x < width; ++x) out[x] = FilteredAtEnd(row, width, x);
    for (int32_t x = filled; x < width; ++x) out[x] = FilteredAtEnd(row, width, x);
}

void CombineRows(const uint16_t *const rows[5], int32_t width, uint8_t *out) {
    const auto combine = [&](auto d) {
        const hn::Rebind<uint8_t, decltype(d)> d8;
        const hn::RebindToSigned<decltype(d)> di;
        const auto half = hn::Set(d, uint16_t{128});
        return ForVectors(0, width, static_cast<int32_t>(hn::Lanes(d)), [&](int32_t x) HWY_ATTR {
            const auto middle = hn::LoadU(d, rows[2] + x);
            const auto ends = hn::Add(hn::LoadU(d, rows[0] + x), hn::LoadU(d, rows[4] + x));
            const auto fours = hn::Add(hn::Add(hn::LoadU(d, rows[1] + x), hn::LoadU(d, rows[3] + x)), middle);
            const auto twos = hn::Add(hn::Add(middle, middle), half);
            const auto sum = hn::Add(hn::Add(ends, twos), hn::ShiftLeft<2>(fours));
            hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, hn::ShiftRight<8>(sum))), d8, out + x);
        });
    };
    if (combine(hn::ScalableTag<uint16_t>()) || combine(hn::CappedTag<uint16_t, 8>())) return;
    for (int32_t x = 0; x < width; ++x) {
        const int32_t sum = rows[0][x] + 4 * rows[1][x] + 6 * rows[2][x] + 4 * rows[3][x] + rows[4][x];
        out[x] = static_cast<uint8_t>((sum + 128) >> 8);
    }
}

void MeanRows(const uint8_t *top, const uint8_t *bottom, int32_t out_width, uint8_t *out) {
    const auto halve = [&](auto d) {
        const hn::Repartition<uint8_t, decltype(d)> d8;
        const hn::Rebind<uint8_t, decltype(d)> d8_out;
        const hn::RebindToSigned<decltype(d)> di;
        const auto low = hn::Set(d, uint16_t{0x00FF});
        const auto half = hn::Set(d, uint16_t{2});
        return ForVectors(0, out_width, static_cast<int32_t>(hn::Lanes(d)), [&](int32_t x) HWY_ATTR {
            const auto a = hn::BitCast(d, hn::LoadU(d8, top + 2 * x));
            const auto b = hn::BitCast(d, hn::LoadU(d8, bottom + 2 * x));
            const auto even = hn::Add(hn::And(a, low), hn::And(b, low));
            const auto odd = hn::Add(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b));
            const auto sum = hn::Add(hn::Add(even, odd), half);
            hn::StoreU(hn::DemoteTo(d8_out, hn::BitCast(di, hn::ShiftRight<2>(sum))), d8_out, out + x);
        });
    };
    if (halve(hn::ScalableTag<uint16_t>()) || halve(hn::CappedTag<uint16_t, 8>())) return;
    for (int32_t x = 0; x < out_width; ++x) {
        const int32_t sum = top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1];
        out[x] = static_cast<uint8_t>((sum + 2) >> 2);
    }
}

int32_t VectorBytes() { return static_cast<int32_t>(hn::Lanes(hn::ScalableTag<uint8_t>())); }

void AddPyramid(KernelTable *table) {
    table->vector_bytes = VectorBytes;
    table->filter_row_halving = FilterRowHalving;
    table->filter_row = FilterRow;
    table->combine_rows = CombineRows;
    table->mean_rows = MeanRows;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorPyramid(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddPyramid, table) }
}  // namespace foothold::kernels
#endif
