// The lens kernels, a vector of points at a time. Every lane does what the reference does, in its order; lanes that
// have converged keep their result while others go on.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lens/lens_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "dispatch/kernel_table.h"
#include "lens/lens_model.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE V Number(double value) { return hn::Set(D(), value); }

HWY_INLINE V Polynomial(const double *coefficients, int count, V x) {
    V sum = Number(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; --i) sum = hn::Add(hn::Mul(sum, x), Number(coefficients[i]));
    return sum;
}

HWY_INLINE V ArcTangent(V x) {
    const auto is_steep = hn::Gt(x, Number(kTanThreeEighths));
    const auto is_middle = hn::AndNot(is_steep, hn::Gt(x, Number(kTanEighth)));
    const V numerator = hn::IfThenElse(is_steep, Number(-1.0), hn::Sub(x, Number(1.0)));
    const V denominator = hn::IfThenElse(is_steep, x, hn::Add(x, Number(1.0)));
    const V reduced = hn::IfThenElse(hn::Or(is_steep, is_middle), hn::Div(numerator, denominator), x);
    const V base = hn::IfThenElse(is_steep, Number(kHalfPi), hn::IfThenElseZero(is_middle, Number(kQuarterPi)));
    return hn::Add(base, hn::Mul(reduced, Polynomial(kArcTangent, kArcTangentCount, hn::Mul(reduced, reduced))));
}

HWY_INLINE V Tangent(V angle) {
    const V half = hn::Mul(Number(0.5), angle);
    const V t = hn::Mul(half, Polynomial(kTangent, kTangentCount, hn::Mul(half, half)));
    return hn::Div(hn::Add(t, t), hn::Sub(Number(1.0), hn::Mul(t, t)));
}

/// 1 + t (c0 + t (c1 + t (c2 + t c3))).
HWY_INLINE V Series(V t, double c0, double c1, double c2, double c3) {
    V sum = hn::Add(Number(c2), hn::Mul(t, Number(c3)));
    sum = hn::Add(Number(c1), hn::Mul(t, sum));
    sum = hn::Add(Number(c0), hn::Mul(t, sum));
    return hn::Add(Number(1.0), hn::Mul(t, sum));
}

HWY_INLINE V FisheyeAngle(const fh_lens &lens, V theta) {
    return hn::Mul(theta, Series(hn::Mul(theta, theta), lens.k[0], lens.k[1], lens.k[2], lens.k[3]));
}

HWY_INLINE V FisheyeSlope(const fh_lens &lens, V theta) {
    return Series(hn::Mul(theta, theta), 3.0 * lens.k[0], 5.0 * lens.k[1], 7.0 * lens.k[2], 9.0 * lens.k[3]);
}

struct Radial {
    V xx, yy, xy, r2, radial;
};

HWY_INLINE Radial RadialOf(const fh_lens &lens, V x, V y) {
    Radial r;
    r.xx = hn::Mul(x, x);
    r.yy = hn::Mul(y, y);
    r.xy = hn::Mul(x, y);
    r.r2 = hn::Add(r.xx, r.yy);
    V sum = hn::Add(Number(lens.k[1]), hn::Mul(r.r2, Number(lens.k[4])));
    sum = hn::Add(Number(lens.k[0]), hn::Mul(r.r2, sum));
    r.radial = hn::Add(Number(1.0), hn::Mul(r.r2, sum));
    return r;
}

HWY_INLINE void DistortRadial(const fh_lens &lens, const Radial &r, V x, V y, V *out_x, V *out_y) {
    const double p1 = lens.k[2], p2 = lens.k[3];
    const V tangential_x =
        hn::Add(hn::Mul(Number(p1 + p1), r.xy), hn::Mul(Number(p2), hn::Add(r.r2, hn::Add(r.xx, r.xx))));
    const V tangential_y =
        hn::Add(hn::Mul(Number(p1), hn::Add(r.r2, hn::Add(r.yy, r.yy))), hn::Mul(Number(p2 + p2), r.xy));
    *out_x = hn::Add(hn::Mul(x, r.radial), tangential_x);
    *out_y = hn::Add(hn::Mul(y, r.radial), tangential_y);
}

HWY_INLINE void Distort(const fh_lens &lens, V x, V y, V *out_x, V *out_y) {
    if (lens.model == FH_LENS_RADIAL_TANGENTIAL) {
        DistortRadial(lens, RadialOf(lens, x, y), x, y, out_x, out_y);
    } else if (lens.model == FH_LENS_FISHEYE) {
        const V r = hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
        const V scale =
            hn::IfThenElse(hn::Gt(r, Number(kSmallRadius)), hn::Div(FisheyeAngle(lens, ArcTangent(r)), r), Number(1.0));
        *out_x = hn::Mul(x, scale);
        *out_y = hn::Mul(y, scale);
    } else {
        *out_x = x;
        *out_y = y;
    }
}

HWY_INLINE void UndistortRadial(const fh_lens &lens, V goal_x, V goal_y, V *out_x, V *out_y) {
    const D d;
    const V p1 = Number(lens.k[2]), p2 = Number(lens.k[3]), two = Number(2.0), six = Number(6.0);
    V x = goal_x, y = goal_y;
    auto is_open = hn::Eq(two, two);
    for (int i = 0; i < kNewtonSteps; ++i) {
        const Radial r = RadialOf(lens, x, y);
        V seen_x, seen_y;
        DistortRadial(lens, r, x, y, &seen_x, &seen_y);
        const V ex = hn::Sub(seen_x, goal_x), ey = hn::Sub(seen_y, goal_y);
        const V error = hn::Add(hn::Mul(ex, ex), hn::Mul(ey, ey));
        is_open = hn::AndNot(hn::Le(error, Number(kSmallErrorSquared)), is_open);
        if (hn::AllFalse(d, is_open)) break;
        V slope = hn::Add(Number(2.0 * lens.k[1]), hn::Mul(r.r2, Number(3.0 * lens.k[4])));
        slope = hn::Add(Number(lens.k[0]), hn::Mul(r.r2, slope));
        const V p1y = hn::Mul(p1, y), p2x = hn::Mul(p2, x);
        const V jxx = hn::Add(hn::Add(r.radial, hn::Mul(two, hn::Mul(r.xx, slope))),
                              hn::Add(hn::Mul(two, p1y), hn::Mul(six, p2x)));
        const V jyy = hn::Add(hn::Add(r.radial, hn::Mul(two, hn::Mul(r.yy, slope))),
                              hn::Add(hn::Mul(six, p1y), hn::Mul(two, p2x)));
        const V jxy = hn::Add(hn::Mul(two, hn::Mul(r.xy, slope)),
                              hn::Add(hn::Mul(two, hn::Mul(p1, x)), hn::Mul(two, hn::Mul(p2, y))));
        const V determinant = hn::Sub(hn::Mul(jxx, jyy), hn::Mul(jxy, jxy));
        const V step_x = hn::Div(hn::Sub(hn::Mul(jyy, ex), hn::Mul(jxy, ey)), determinant);
        const V step_y = hn::Div(hn::Sub(hn::Mul(jxx, ey), hn::Mul(jxy, ex)), determinant);
        x = hn::IfThenElse(is_open, hn::Sub(x, step_x), x);
        y = hn::IfThenElse(is_open, hn::Sub(y, step_y), y);
    }
    const V nowhere = Number(std::numeric_limits<double>::quiet_NaN());
    *out_x = hn::IfThenElse(is_open, nowhere, x);
    *out_y = hn::IfThenElse(is_open, nowhere, y);
}

HWY_INLINE void UndistortFisheye(const fh_lens &lens, V goal_x, V goal_y, V *out_x, V *out_y) {
    const D d;
    const V r = hn::Sqrt(hn::Add(hn::Mul(goal_x, goal_x), hn::Mul(goal_y, goal_y)));
    const auto is_off_axis = hn::Gt(r, Number(kSmallRadius));
    V theta = hn::IfThenElse(hn::Lt(r, Number(kQuarterPi)), r, Number(kQuarterPi));
    auto is_open = is_off_axis;
    for (int i = 0; i < kNewtonSteps; ++i) {
        const V error = hn::Sub(FisheyeAngle(lens, theta), r);
        is_open = hn::AndNot(hn::Le(hn::Mul(error, error), Number(kSmallErrorSquared)), is_open);
        if (hn::AllFalse(d, is_open)) break;
        const V step = hn::Div(error, FisheyeSlope(lens, theta));
        theta = hn::IfThenElse(is_open, hn::Sub(theta, step), theta);
    }
    const auto is_ahead = hn::And(hn::Gt(theta, Number(0.0)), hn::Lt(theta, Number(kHalfPi)));
    const V nowhere = Number(std::numeric_limits<double>::quiet_NaN());
    V scale = hn::IfThenElse(hn::AndNot(is_open, is_ahead), hn::Div(Tangent(theta), r), nowhere);
    *out_x = hn::IfThenElse(is_off_axis, hn::Mul(goal_x, scale), goal_x);
    *out_y = hn::IfThenElse(is_off_axis, hn::Mul(goal_y, scale), goal_y);
}

/// Runs `body` over pairs, the last few padded with zeros.
template <class Body>
HWY_INLINE void ForPairs(const double *in, int32_t count, double *out, const Body &body) {
    const D d;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    const auto run = [&](const double *from, double *to) HWY_ATTR {
        V x, y, out_x, out_y;
        hn::LoadInterleaved2(d, from, x, y);
        body(x, y, &out_x, &out_y);
        hn::StoreInterleaved2(out_x, out_y, d, to);
    };
    int32_t i = 0;
    for (; i + lanes <= count; i += lanes) run(in + 2 * i, out + 2 * i);
    if (i == count) return;
    double last[2 * hn::MaxLanes(d)] = {};
    std::copy(in + 2 * i, in + 2 * count, last);
    run(last, last);
    std::copy(last, last + 2 * (count - i), out + 2 * i);
}

void LensDistort(const fh_lens &lens, const double *points, int32_t count, double *out_pixels) {
    ForPairs(points, count, out_pixels, [&](V x, V y, V *out_x, V *out_y) HWY_ATTR {
        V distorted_x, distorted_y;
        Distort(lens, x, y, &distorted_x, &distorted_y);
        *out_x = hn::Add(hn::Mul(Number(lens.fx), distorted_x), Number(lens.cx));
        *out_y = hn::Add(hn::Mul(Number(lens.fy), distorted_y), Number(lens.cy));
    });
}

void LensUndistort(const fh_lens &lens, const double *pixels, int32_t count, double *out_points) {
    ForPairs(pixels, count, out_points, [&](V u, V v, V *out_x, V *out_y) HWY_ATTR {
        const V x = hn::Div(hn::Sub(u, Number(lens.cx)), Number(lens.fx));
        const V y = hn::Div(hn::Sub(v, Number(lens.cy)), Number(lens.fy));
        if (lens.model == FH_LENS_RADIAL_TANGENTIAL) {
            UndistortRadial(lens, x, y, out_x, out_y);
        } else if (lens.model == FH_LENS_FISHEYE) {
            UndistortFisheye(lens, x, y, out_x, out_y);
        } else {
            *out_x = x;
            *out_y = y;
        }
    });
}

void AddLens(KernelTable *table) {
    table->lens_distort = LensDistort;
    table->lens_undistort = LensUndistort;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorLens(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddLens, table) }
}  // namespace foothold::kernels
#endif
