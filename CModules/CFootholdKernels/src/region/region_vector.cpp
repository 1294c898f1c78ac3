// Sums over regions for Highway's targets, a lane a pixel.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "region/region_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>

#include "dispatch/kernel_table.h"
#include "region/region.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kRegionParts>;
using V = hn::Vec<D>;

HWY_INLINE V Number(float value) { return hn::Set(D(), value); }

struct Places {
    V x, y, change_x, change_y;
};

HWY_INLINE Places PlacesOf(const fh_region_view &view, const float *plane, V x, V y) {
    const float *r = view.rotation, *t = view.translation;
    const V inverse_depth =
        hn::Add(hn::Add(hn::Mul(Number(plane[0]), x), hn::Mul(Number(plane[1]), y)), Number(plane[2]));
    const auto turned = [&](int32_t i) HWY_ATTR {
        const V ahead =
            hn::Add(hn::Add(hn::Mul(Number(r[3 * i]), x), hn::Mul(Number(r[3 * i + 1]), y)), Number(r[3 * i + 2]));
        return hn::Add(ahead, hn::Mul(inverse_depth, Number(t[i])));
    };
    const V depth = turned(2);
    const auto in_front = hn::And(hn::Gt(inverse_depth, Number(0)), hn::Ge(depth, Number(FH_REGION_LEAST_DEPTH)));
    const V scale = hn::Div(Number(1), depth);
    const V u = hn::Mul(scale, turned(0)), v = hn::Mul(scale, turned(1));
    const auto change = [&](float focal, float along, V at) HWY_ATTR {
        return hn::Mul(Number(focal), hn::Mul(scale, hn::Sub(Number(along), hn::Mul(Number(t[2]), at))));
    };
    Places places;
    places.x = hn::IfThenElseZero(in_front, hn::Add(hn::Mul(Number(view.fx), u), Number(view.cx)));
    places.y = hn::IfThenElseZero(in_front, hn::Add(hn::Mul(Number(view.fy), v), Number(view.cy)));
    places.change_x = change(view.fx, t[0], u);
    places.change_y = change(view.fy, t[1], v);
    return places;
}

/// Fills terms and weights of as many pixels as a vector holds; returns how many the other picture shows.
HWY_INLINE size_t Fill(const fh_region_pixels &pixels, const fh_region_view &view, const fh_region_question &question,
                       int32_t index, int32_t at, int32_t count, RegionPiece *piece) {
    const D d;
    const hn::RebindToSigned<D> di;
    const size_t left_over = static_cast<size_t>(std::clamp(count - at, 0, static_cast<int32_t>(hn::Lanes(d))));
    const auto exists = hn::FirstN(d, left_over);
    const auto load = [&](const float *values) HWY_ATTR {
        if (left_over == hn::Lanes(d)) return hn::LoadU(d, values + index);
        alignas(64) float some[kRegionParts] = {};
        std::copy_n(values + index, left_over, some);
        return hn::Load(d, some);
    };
    const V x = load(pixels.ray_x), y = load(pixels.ray_y);
    const Places places = pixels.place_x != nullptr ? Places{load(pixels.place_x), load(pixels.place_y),
                                                             load(pixels.change_x), load(pixels.change_y)}
                                                    : PlacesOf(view, question.plane, x, y);
    const V one = Number(1);
    const auto shown = hn::And(hn::And(exists, hn::And(hn::Ge(places.x, one), hn::Ge(places.y, one))),
                               hn::And(hn::Lt(places.x, Number(static_cast<float>(view.width - 2))),
                                       hn::Lt(places.y, Number(static_cast<float>(view.height - 2)))));
    const auto store = [&](V value, float *values)
                           HWY_ATTR { hn::Store(hn::IfThenElseZero(shown, value), d, values + at); };
    const size_t visible = hn::CountTrue(d, shown);
    if (visible == 0) {
        for (auto &term : piece->terms) store(one, term);
        for (float *values : {piece->weights, piece->slopes, piece->stretches}) store(one, values);
        return 0;
    }
    // Others look where there is a picture, too.
    const V inside_x = hn::IfThenElse(shown, places.x, one), inside_y = hn::IfThenElse(shown, places.y, one);
    const auto left = hn::ConvertTo(di, inside_x), top = hn::ConvertTo(di, inside_y);
    const V s = hn::Sub(inside_x, hn::ConvertTo(d, left)), t = hn::Sub(inside_y, hn::ConvertTo(d, top));
    const auto offset = hn::Add(hn::Mul(top, hn::Set(di, view.stride)), left);
    const auto level = [&](int32_t column, int32_t row) HWY_ATTR {
        return hn::GatherIndex(d, view.luma, hn::Add(offset, hn::Set(di, row * view.stride + column)));
    };
    const auto along = [&](V from, V to) HWY_ATTR { return hn::Add(from, hn::Mul(s, hn::Sub(to, from))); };
    const V upper_left = level(0, 0), upper_right = level(1, 0), lower_left = level(0, 1), lower_right = level(1, 1);
    const V upper = along(upper_left, upper_right), lower = along(lower_left, lower_right);
    V slope = hn::Zero(d);
    if (question.wants_changes) {
        const auto across = [&](V here, V right, int32_t row) HWY_ATTR {
            const V before = level(-1, row), after = level(2, row);
            return hn::Add(hn::Sub(right, before), hn::Mul(s, hn::Add(hn::Sub(hn::Sub(after, here), right), before)));
        };
        const V above = along(level(0, -1), level(1, -1)), below = along(level(0, 2), level(1, 2));
        const V half = Number(0.5f);
        const V dx = hn::Mul(half, hn::Add(hn::Mul(hn::Sub(one, t), across(upper_left, upper_right, 0)),
                                           hn::Mul(t, across(lower_left, lower_right, 1))));
        const V dy = hn::Mul(
            half, hn::Add(hn::Sub(lower, above), hn::Mul(t, hn::Add(hn::Sub(hn::Sub(below, upper), lower), above))));
        slope = hn::Add(hn::Mul(dx, places.change_x), hn::Mul(dy, places.change_y));
    }
    const V mean = Number(question.mean_luma), reach = Number(question.reach);
    const V terms[FH_REGION_TERMS] = {hn::Sub(hn::Add(upper, hn::Mul(t, hn::Sub(lower, upper))), mean),
                                      hn::Mul(slope, x),
                                      hn::Mul(slope, y),
                                      slope,
                                      hn::Sub(load(pixels.luma), mean),
                                      one,
                                      hn::Div(hn::Sub(x, Number(question.middle_x)), reach),
                                      hn::Div(hn::Sub(y, Number(question.middle_y)), reach)};
    V weight = one;
    if (question.light != nullptr) {
        V residual = terms[FH_REGION_SHOWN];
        for (int32_t i = 0; i < 4; ++i) {
            residual = hn::Sub(residual, hn::Mul(Number(question.light[i]), terms[FH_REGION_OWN + i]));
        }
        const V squared = hn::Mul(residual, residual);
        weight = hn::Div(one, hn::Add(one, hn::Mul(Number(question.sharpness), squared)));
    }
    for (int32_t i = 0; i < FH_REGION_TERMS; ++i) store(terms[i], piece->terms[i]);
    store(weight, piece->weights);
    store(hn::Mul(slope, slope), piece->slopes);
    store(hn::Add(hn::Mul(places.change_x, places.change_x), hn::Mul(places.change_y, places.change_y)),
          piece->stretches);
    return visible;
}

/// Calls `use(first part)` for each vector of parts.
template <typename Use>
HWY_INLINE void ForParts(Use use) {
    for (int32_t part = 0; part < kRegionParts; part += static_cast<int32_t>(hn::Lanes(D()))) use(part);
}

HWY_INLINE double SumOf(const float *values, int32_t count) {
    const D d;
    alignas(64) RegionParts parts;
    ForParts([&](int32_t part) HWY_ATTR {
        V sum = hn::Zero(d);
        for (int32_t at = part; at < count; at += kRegionParts) sum = hn::Add(sum, hn::Load(d, values + at));
        hn::Store(sum, d, parts + part);
    });
    return Added(parts);
}

void AddRegion(const fh_region_pixels &pixels, const fh_region_view &view, const fh_region_question &question,
               fh_region_sums *sums) {
    const D d;
    RegionPiece piece;
    int32_t used[FH_REGION_TERMS], terms = 0;
    for (int32_t i = 0; i < FH_REGION_TERMS; ++i) {
        if (question.wants_changes || !IsChange(i)) used[terms++] = i;
    }
    for (int32_t first = 0; first < pixels.count; first += kRegionPiece) {
        const int32_t count = std::min(kRegionPiece, pixels.count - first);
        const int32_t padded = Padded(count);
        for (int32_t at = 0; at < padded; at += static_cast<int32_t>(hn::Lanes(d))) {
            sums->count += static_cast<int32_t>(Fill(pixels, view, question, first + at, at, count, &piece));
        }
        for (int32_t a = 0; a < terms; ++a) {
            const float *const own = piece.terms[used[a]];
            // Four products at a time, so that what they share is read once.
            for (int32_t b = a; b < terms; b += 4) {
                const float *others[4];
                for (int32_t k = 0; k < 4; ++k) others[k] = piece.terms[used[std::min(b + k, terms - 1)]];
                alignas(64) RegionParts parts[4];
                ForParts([&](int32_t part) HWY_ATTR {
                    V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
                    for (int32_t at = part; at < padded; at += kRegionParts) {
                        const V weighted = hn::Mul(hn::Load(d, piece.weights + at), hn::Load(d, own + at));
                        s0 = hn::Add(s0, hn::Mul(weighted, hn::Load(d, others[0] + at)));
                        s1 = hn::Add(s1, hn::Mul(weighted, hn::Load(d, others[1] + at)));
                        s2 = hn::Add(s2, hn::Mul(weighted, hn::Load(d, others[2] + at)));
                        s3 = hn::Add(s3, hn::Mul(weighted, hn::Load(d, others[3] + at)));
                    }
                    hn::Store(s0, d, parts[0] + part);
                    hn::Store(s1, d, parts[1] + part);
                    hn::Store(s2, d, parts[2] + part);
                    hn::Store(s3, d, parts[3] + part);
                });
                for (int32_t k = 0; k < std::min(4, terms - b); ++k) {
                    sums->products[ProductOf(used[a], used[b + k])] += Added(parts[k]);
                }
            }
        }
        sums->weights += SumOf(piece.weights, padded);
        sums->slopes += SumOf(piece.slopes, padded);
        sums->stretches += SumOf(piece.stretches, padded);
    }
}

void AddRegionKernels(KernelTable *table) { table->region_add = AddRegion; }

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorRegion(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddRegionKernels, table) }
}  // namespace foothold::kernels
#endif
