// Description and matching, vectors at a time.
//
// Orientation: columns are summed over rows before they are weighted, and opposite rows are subtracted, so that sixteen
// bits hold everything. Comparisons: with byte permutes (AVX-512 VBMI) the patch is a lookup table in registers;
// elsewhere its pixels are picked one by one and compared a vector at a time. Matching: candidates lie transposed,
// one 32-bit word of sixteen candidates next to each other, so that every lane counts its own candidate's bits.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "descriptors/descriptors_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "descriptors/pattern.h"
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

/// The disc's columns -15 … 16 of each of its upper rows, all bits set inside.
struct DiscMasks {
    alignas(64) int16_t columns[kDiscRadius + 1][kPatchStride];

    DiscMasks() {
        for (int32_t y = 0; y <= kDiscRadius; ++y) {
            for (int32_t i = 0; i < kPatchStride; ++i) {
                const int32_t x = i - kDiscRadius;
                columns[y][i] = x <= DiscHalfWidth(y) && -x <= DiscHalfWidth(y) ? -1 : 0;
            }
        }
    }
};

void DiscMoments(const uint8_t *pixel, ptrdiff_t stride, int32_t out[2]) {
    static const DiscMasks masks;
    const hn::CappedTag<int16_t, kPatchStride> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const hn::RepartitionToWide<decltype(d)> d32;
    const int32_t lanes = static_cast<int32_t>(hn::MaxLanes(d));
    auto x_even = hn::Zero(d32), x_odd = hn::Zero(d32), y_even = hn::Zero(d32), y_odd = hn::Zero(d32);
    for (int32_t block = 0; block < kPatchStride; block += lanes) {
        const uint8_t *column = pixel - kDiscRadius + block;
        const auto load = [&](int32_t y) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(d8, column + y * stride)); };
        auto sums = hn::And(load(0), hn::LoadU(d, masks.columns[0] + block));
        auto differences = hn::Zero(d);
        for (int32_t y = 1; y <= kDiscRadius; ++y) {
            const auto mask = hn::LoadU(d, masks.columns[y] + block);
            const auto below = load(y), above = load(-y);
            sums = hn::Add(sums, hn::And(hn::Add(below, above), mask));
            const auto difference = hn::And(hn::Sub(below, above), mask);
            differences = hn::Add(differences, hn::Mul(difference, hn::Set(d, static_cast<int16_t>(y))));
        }
        const auto x = hn::Iota(d, static_cast<int16_t>(block - kDiscRadius));
        x_even = hn::ReorderWidenMulAccumulate(d32, sums, x, x_even, x_odd);
        y_even = hn::ReorderWidenMulAccumulate(d32, differences, hn::Set(d, int16_t{1}), y_even, y_odd);
    }
    out[0] = hn::GetLane(hn::SumOfLanes(d32, hn::Add(x_even, x_odd)));
    out[1] = hn::GetLane(hn::SumOfLanes(d32, hn::Add(y_even, y_odd)));
}

#if HWY_TARGET == HWY_AVX3_DL

/// The pattern for byte permutes: the lower seven bits of every place as a byte, the upper three as bits.
struct PatternBytes {
    alignas(64) uint8_t lower[kPatternTurns][2][kPairs];
    uint64_t upper[kPatternTurns][2][kPairs / 64][3];

    PatternBytes() : upper{} {
        const Pattern &pattern = ThePattern();
        for (int32_t turn = 0; turn < kPatternTurns; ++turn) {
            const uint16_t *const places[2] = {pattern.first[turn], pattern.second[turn]};
            for (int32_t i = 0; i < 2; ++i) {
                for (int32_t pair = 0; pair < kPairs; ++pair) {
                    const uint64_t place = places[i][pair];
                    lower[turn][i][pair] = place & 127;
                    for (int32_t bit = 0; bit < 3; ++bit) {
                        upper[turn][i][pair / 64][bit] |= ((place >> (7 + bit)) & 1) << (pair % 64);
                    }
                }
            }
        }
    }
};

/// 64 bytes of a table of 1024.
HWY_INLINE __m512i LookUp(const __m512i table[16], const uint8_t *lower, const uint64_t upper[3]) {
    const __m512i index = _mm512_load_si512(lower);
    const auto choose = [](uint64_t bits, __m512i zero, __m512i one)
                            HWY_ATTR { return _mm512_mask_blend_epi8(bits, zero, one); };
    __m512i part[8];
    for (int32_t i = 0; i < 8; ++i) part[i] = _mm512_permutex2var_epi8(table[2 * i], index, table[2 * i + 1]);
    for (int32_t i = 0; i < 4; ++i) part[i] = choose(upper[0], part[2 * i], part[2 * i + 1]);
    for (int32_t i = 0; i < 2; ++i) part[i] = choose(upper[1], part[2 * i], part[2 * i + 1]);
    return choose(upper[2], part[0], part[1]);
}

void ComparePairs(const uint8_t *pixel, ptrdiff_t stride, int32_t turn, fh_descriptor *out) {
    static const PatternBytes pattern;
    const uint8_t *row = pixel - kDiscRadius * stride - kDiscRadius;
    const hn::FixedTag<uint8_t, 32> d;
    const hn::FixedTag<uint8_t, 64> d_pair;
    __m512i table[16];
    for (int32_t i = 0; i < 15; ++i, row += 2 * stride) {
        table[i] = hn::Combine(d_pair, hn::LoadU(d, row + stride), hn::LoadU(d, row)).raw;
    }
    table[15] = hn::ZeroExtendVector(d_pair, hn::LoadU(d, row)).raw;
    for (int32_t i = 0; i < kPairs / 64; ++i) {
        const __m512i first = LookUp(table, pattern.lower[turn][0] + 64 * i, pattern.upper[turn][0][i]);
        const __m512i second = LookUp(table, pattern.lower[turn][1] + 64 * i, pattern.upper[turn][1][i]);
        out->words[i] = _mm512_cmplt_epu8_mask(first, second);
    }
}

#else

/// The patch around a pixel in rows of kPatchStride.
HWY_INLINE void CopyPatch(const uint8_t *pixel, ptrdiff_t stride, uint8_t *patch) {
    const uint8_t *row = pixel - kDiscRadius * stride - kDiscRadius;
    for (int32_t y = 0; y < kPatchRows; ++y) std::memcpy(patch + y * kPatchStride, row + y * stride, kPatchStride);
}

/// Whether first < second, 256 times.
HWY_INLINE void CompareBytes(const uint8_t *first, const uint8_t *second, fh_descriptor *out) {
    const hn::ScalableTag<uint8_t> d;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    uint8_t bytes[kPairs / 8 + 8];
    for (int32_t i = 0; i < kPairs; i += lanes) {
        const auto a = hn::LoadU(d, first + i), b = hn::LoadU(d, second + i);
        hn::StoreMaskBits(d, hn::Ne(hn::SaturatedSub(b, a), hn::Zero(d)), bytes + i / 8);
    }
    std::memcpy(out->words, bytes, sizeof(out->words));
}

void ComparePairs(const uint8_t *pixel, ptrdiff_t stride, int32_t turn, fh_descriptor *out) {
    const Pattern &pattern = ThePattern();
    alignas(64) uint8_t patch[kPatchRows * kPatchStride];
    CopyPatch(pixel, stride, patch);
    alignas(64) uint8_t first[kPairs], second[kPairs];
    for (int32_t pair = 0; pair < kPairs; ++pair) {
        first[pair] = patch[pattern.first[turn][pair]];
        second[pair] = patch[pattern.second[turn][pair]];
    }
    CompareBytes(first, second, out);
}

#endif

/// Candidates as vectors: eight words of kMatchGroup candidates, then their x and y, and the boxes around each group.
struct Packed {
    uint32_t *words;
    float *x, *y;
    float *left, *right, *top, *bottom;
};

HWY_INLINE Packed Pack(const fh_descriptor *candidates, const fh_point *points, int32_t count, void *scratch) {
    const int32_t padded = static_cast<int32_t>(RoundUp(static_cast<size_t>(count), kMatchGroup));
    const int32_t groups = padded / kMatchGroup;
    const int32_t boxes = static_cast<int32_t>(RoundUp(static_cast<size_t>(groups), kMatchGroup));
    Packed packed;
    packed.words = static_cast<uint32_t *>(scratch);
    packed.x = reinterpret_cast<float *>(packed.words + static_cast<ptrdiff_t>(padded) * 8);
    packed.y = packed.x + padded;
    packed.left = packed.y + padded;
    packed.right = packed.left + boxes;
    packed.top = packed.right + boxes;
    packed.bottom = packed.top + boxes;
    for (int32_t c = 0; c < count; ++c) {
        uint32_t words[8];
        std::memcpy(words, candidates[c].words, sizeof(words));
        uint32_t *group = packed.words + static_cast<ptrdiff_t>(c / kMatchGroup) * kMatchGroup * 8 + c % kMatchGroup;
        for (int32_t w = 0; w < 8; ++w) group[w * kMatchGroup] = words[w];
    }
    for (int32_t c = count; c < padded; ++c) {
        uint32_t *group = packed.words + static_cast<ptrdiff_t>(c / kMatchGroup) * kMatchGroup * 8 + c % kMatchGroup;
        for (int32_t w = 0; w < 8; ++w) group[w * kMatchGroup] = 0;
        packed.x[c] = packed.y[c] = 0;
    }
    if (points == nullptr) return packed;
    constexpr float far = std::numeric_limits<float>::infinity();
    for (int32_t group = 0; group < boxes; ++group) {
        float left = far, right = -far, top = far, bottom = -far;
        const int32_t first = group * kMatchGroup, end = std::min(first + kMatchGroup, count);
        for (int32_t c = first; c < end; ++c) {
            const float x = points[c].x, y = points[c].y;
            packed.x[c] = x;
            packed.y[c] = y;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
        packed.left[group] = left;
        packed.right[group] = right;
        packed.top[group] = top;
        packed.bottom[group] = bottom;
    }
    return packed;
}

using Tag32 = hn::CappedTag<uint32_t, kMatchGroup>;

/// Bits set per 32-bit lane of eight words together.
HWY_INLINE hn::Vec<Tag32> CountBits(Tag32 d, const hn::Vec<Tag32> words[8]) {
#if HWY_TARGET == HWY_AVX3_DL
    auto sum = hn::PopulationCount(words[0]);
    for (int32_t w = 1; w < 8; ++w) sum = hn::Add(sum, hn::PopulationCount(words[w]));
    return sum;
#else
    // Bytes hold up to 64, so they are added up before they are widened.
    const hn::Repartition<uint8_t, Tag32> d8;
    auto sum = hn::PopulationCount(hn::BitCast(d8, words[0]));
    for (int32_t w = 1; w < 8; ++w) sum = hn::Add(sum, hn::PopulationCount(hn::BitCast(d8, words[w])));
    const hn::Repartition<uint16_t, Tag32> d16;
    const auto bytes = hn::BitCast(d16, sum);
    const auto pairs = hn::Add(hn::And(bytes, hn::Set(d16, uint16_t{255})), hn::ShiftRight<8>(bytes));
    const auto halves = hn::BitCast(d, pairs);
    return hn::Add(hn::And(halves, hn::Set(d, 65535u)), hn::ShiftRight<16>(halves));
#endif
}

/// The nearest two of one query in every lane: distances above indices.
class Nearest {
public:
    HWY_INLINE explicit Nearest(const fh_descriptor &query) {
        uint32_t words[8];
        std::memcpy(words, query.words, sizeof(words));
        for (int32_t w = 0; w < 8; ++w) words_[w] = hn::Set(Tag32(), words[w]);
        best_ = second_ = hn::Set(Tag32(), ~0u);
    }

    /// A vector of candidates from `first` on; without `kAll`, of those that count.
    template <bool kAll>
    HWY_INLINE void Add(const Packed &packed, int32_t first, hn::Mask<Tag32> counts) {
        const Tag32 d;
        const uint32_t *group =
            packed.words + static_cast<ptrdiff_t>(first / kMatchGroup) * kMatchGroup * 8 + first % kMatchGroup;
        hn::Vec<Tag32> different[8];
        for (int32_t w = 0; w < 8; ++w) different[w] = hn::Xor(words_[w], hn::LoadU(d, group + w * kMatchGroup));
        const auto distance = CountBits(d, different);
        auto key = hn::Or(hn::ShiftLeft<kIndexBits>(distance), hn::Iota(d, static_cast<uint32_t>(first)));
        if constexpr (!kAll) key = hn::IfThenElse(counts, key, hn::Set(d, ~0u));
        second_ = hn::Min(second_, hn::Max(best_, key));
        best_ = hn::Min(best_, key);
    }

    HWY_INLINE fh_match Get() const {
        const Tag32 d;
        alignas(64) uint32_t best_keys[kMatchGroup], second_keys[kMatchGroup];
        hn::StoreU(best_, d, best_keys);
        hn::StoreU(second_, d, second_keys);
        uint32_t best_key = ~0u, second_key = ~0u;
        for (int32_t i = 0; i < static_cast<int32_t>(hn::MaxLanes(d)); ++i) {
            for (const uint32_t key : {best_keys[i], second_keys[i]}) {
                second_key = std::min(second_key, std::max(best_key, key));
                best_key = std::min(best_key, key);
            }
        }
        const auto distance_of = [](uint32_t key) {
            return key == ~0u ? kNoDistance : static_cast<int32_t>(key >> kIndexBits);
        };
        const int32_t index = best_key == ~0u ? -1 : static_cast<int32_t>(best_key & ((1u << kIndexBits) - 1));
        return {index, distance_of(best_key), distance_of(second_key)};
    }

private:
    hn::Vec<Tag32> words_[8];
    hn::Vec<Tag32> best_, second_;
};

HWY_INLINE hn::Mask<Tag32> UpTo(int32_t first, int32_t count) {
    const Tag32 d;
    return hn::Lt(hn::Iota(d, static_cast<uint32_t>(first)), hn::Set(d, static_cast<uint32_t>(count)));
}

HWY_INLINE fh_match MatchAll(const fh_descriptor &query, const Packed &packed, int32_t count) {
    constexpr int32_t lanes = static_cast<int32_t>(hn::MaxLanes(Tag32()));
    Nearest nearest(query);
    int32_t first = 0;
    for (; first + lanes <= count; first += lanes) nearest.Add<true>(packed, first, UpTo(0, 0));
    if (first < count) nearest.Add<false>(packed, first, UpTo(first, count));
    return nearest.Get();
}

/// Groups among the sixteen from `first` on whose boxes come near enough, a bit each. Rounding keeps the order of
/// differences, so that no candidate within reach lies in a box that doesn't.
HWY_INLINE uint32_t GroupsInReach(const Packed &packed, int32_t first, fh_point at, float reach) {
    const hn::CappedTag<float, kMatchGroup> d;
    const auto x = hn::Set(d, at.x), y = hn::Set(d, at.y), limit = hn::Set(d, reach), below = hn::Set(d, -reach);
    uint32_t bits = 0;
    for (int32_t i = 0; i < kMatchGroup; i += static_cast<int32_t>(hn::MaxLanes(d))) {
        const auto load = [&](const float *values) HWY_ATTR { return hn::LoadU(d, values + first + i); };
        const auto across =
            hn::And(hn::Le(hn::Sub(load(packed.left), x), limit), hn::Ge(hn::Sub(load(packed.right), x), below));
        const auto down =
            hn::And(hn::Le(hn::Sub(load(packed.top), y), limit), hn::Ge(hn::Sub(load(packed.bottom), y), below));
        uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, hn::And(across, down), bytes);
        bits |= static_cast<uint32_t>(bytes[0] | bytes[1] << 8) << i;
    }
    return bits;
}

HWY_INLINE fh_match MatchNear(const fh_descriptor &query, fh_point at, float reach, const Packed &packed,
                              int32_t count) {
    const Tag32 d;
    const hn::Rebind<float, Tag32> df;
    constexpr int32_t lanes = static_cast<int32_t>(hn::MaxLanes(Tag32()));
    const auto x = hn::Set(df, at.x), y = hn::Set(df, at.y), limit = hn::Set(df, reach);
    Nearest nearest(query);
    const int32_t groups = (count + kMatchGroup - 1) / kMatchGroup;
    for (int32_t group = 0; group < groups; group += kMatchGroup) {
        uint32_t bits = GroupsInReach(packed, group, at, reach);
        if (groups - group < kMatchGroup) bits &= (1u << (groups - group)) - 1;
        for (; bits != 0; bits &= bits - 1) {
            const int32_t begin = (group + __builtin_ctz(bits)) * kMatchGroup;
            for (int32_t first = begin; first < begin + kMatchGroup; first += lanes) {
                const auto dx = hn::Abs(hn::Sub(hn::LoadU(df, packed.x + first), x));
                const auto dy = hn::Abs(hn::Sub(hn::LoadU(df, packed.y + first), y));
                const auto in_reach = hn::RebindMask(d, hn::And(hn::Le(dx, limit), hn::Le(dy, limit)));
                const auto counts = hn::And(UpTo(first, count), in_reach);
                if (!hn::AllFalse(d, counts)) nearest.Add<false>(packed, first, counts);
            }
        }
    }
    return nearest.Get();
}

void Match(const fh_descriptor *queries, const fh_point *query_points, int32_t query_count,
           const fh_descriptor *candidates, const fh_point *candidate_points, int32_t candidate_count, float reach,
           fh_match *out, void *scratch) {
    const Packed packed = Pack(candidates, candidate_points, candidate_count, scratch);
    for (int32_t q = 0; q < query_count; ++q) {
        out[q] = query_points == nullptr ? MatchAll(queries[q], packed, candidate_count)
                                         : MatchNear(queries[q], query_points[q], reach, packed, candidate_count);
    }
}

void AddDescriptors(KernelTable *table) {
    table->disc_moments = DiscMoments;
    table->compare_pairs = ComparePairs;
    table->match = Match;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorDescriptors(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddDescriptors, table) }
}  // namespace foothold::kernels
#endif
