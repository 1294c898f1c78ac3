// Reprojection, a lane an observation: the derivatives stay in registers while they are multiplied with each other.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algebra/reprojection_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include "algebra/blocks.h"
#include "dispatch/kernel_table.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kBlock>;
using V = hn::Vec<D>;

HWY_INLINE V Number(double value) { return hn::Set(D(), value); }

/// Everything is zero where a point isn't in front of the camera.
struct Linearised {
    hn::Mask<D> in_front;
    V ru, rv;
    V pose_u[6], pose_v[6];
};

HWY_INLINE Linearised Linearise(const ProjectionModel &m, const ObservationBlock &o, int32_t first) {
    const D d;
    Linearised out;
    const double *r = m.rotation;
    const V dx = hn::Sub(hn::LoadU(d, o.x + first), Number(m.translation[0]));
    const V dy = hn::Sub(hn::LoadU(d, o.y + first), Number(m.translation[1]));
    const V dz = hn::Sub(hn::LoadU(d, o.z + first), Number(m.translation[2]));
    const auto turned = [&](int32_t i) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(Number(r[i]), dx), hn::Mul(Number(r[3 + i]), dy)),
                       hn::Mul(Number(r[6 + i]), dz));
    };
    const V px = turned(0), py = turned(1), pz = turned(2);
    out.in_front = hn::Gt(pz, Number(FH_LEAST_DEPTH));
    const auto shown = [&](V v) HWY_ATTR { return hn::IfThenElseZero(out.in_front, v); };
    const V iz = hn::Div(Number(1.0), pz);
    const V x = hn::Mul(px, iz), y = hn::Mul(py, iz), xy = hn::Mul(x, y);
    const V fx = Number(m.fx), fy = Number(m.fy);
    out.ru = shown(hn::Sub(hn::Add(hn::Mul(fx, x), Number(m.cx)), hn::LoadU(d, o.u + first)));
    out.rv = shown(hn::Sub(hn::Add(hn::Mul(fy, y), Number(m.cy)), hn::LoadU(d, o.v + first)));
    out.pose_u[0] = shown(hn::Mul(fx, xy));
    out.pose_u[1] = shown(hn::Neg(hn::Add(fx, hn::Mul(fx, hn::Mul(x, x)))));
    out.pose_u[2] = shown(hn::Mul(fx, y));
    out.pose_v[0] = shown(hn::Add(fy, hn::Mul(fy, hn::Mul(y, y))));
    out.pose_v[1] = shown(hn::Neg(hn::Mul(fy, xy)));
    out.pose_v[2] = shown(hn::Neg(hn::Mul(fy, x)));
    const V a = hn::Mul(fx, iz), b = hn::Mul(fy, iz);
    for (int32_t j = 0; j < 3; ++j) {
        const V depth = Number(r[3 * j + 2]);
        out.pose_u[3 + j] = shown(hn::Mul(a, hn::Sub(hn::Mul(x, depth), Number(r[3 * j]))));
        out.pose_v[3 + j] = shown(hn::Mul(b, hn::Sub(hn::Mul(y, depth), Number(r[3 * j + 1]))));
    }
    return out;
}

void ReprojectBlock(const ProjectionModel &model, const ObservationBlock &block, const BlockResults &results) {
    const D d;
    for (int32_t first = 0; first < kBlock; first += static_cast<int32_t>(hn::MaxLanes(d))) {
        const Linearised l = Linearise(model, block, first);
        hn::StoreU(l.ru, d, results.residual_u + first);
        hn::StoreU(l.rv, d, results.residual_v + first);
        uint8_t bits[8] = {};
        hn::StoreMaskBits(d, l.in_front, bits);
        for (int32_t k = 0; k < static_cast<int32_t>(hn::MaxLanes(d)); ++k) {
            results.in_front[first + k] = static_cast<uint8_t>(bits[0] >> k & 1);
        }
        if (results.by_pose != nullptr) {
            for (ptrdiff_t i = 0; i < 6; ++i) {
                hn::StoreU(l.pose_u[i], d, results.by_pose + i * results.stride + first);
                hn::StoreU(l.pose_v[i], d, results.by_pose + (i + 6) * results.stride + first);
            }
        }
        if (results.by_point != nullptr) {
            const V zero = hn::Zero(d);
            for (ptrdiff_t i = 0; i < 3; ++i) {
                hn::StoreU(hn::Sub(zero, l.pose_u[3 + i]), d, results.by_point + i * results.stride + first);
                hn::StoreU(hn::Sub(zero, l.pose_v[3 + i]), d, results.by_point + (i + 3) * results.stride + first);
            }
        }
    }
}

HWY_INLINE V WeightOf(int32_t robust, double width, V chi_squared) {
    const V one = Number(1.0);
    switch (robust) {
        case FH_ROBUST_HUBER: {
            const V chi = hn::Sqrt(chi_squared);
            return hn::IfThenElse(hn::Gt(chi, Number(width)), hn::Div(Number(width), chi), one);
        }
        case FH_ROBUST_CAUCHY:
            return hn::Div(one, hn::Add(one, hn::Div(chi_squared, Number(width * width))));
        default:
            return one;
    }
}

void AddBlock(const ProjectionModel &model, const ObservationBlock &block, int32_t robust, double width,
              PartialSums *sums) {
    const D d;
    for (int32_t first = 0; first < kBlock; first += static_cast<int32_t>(hn::MaxLanes(d))) {
        const Linearised l = Linearise(model, block, first);
        const auto load = [&](const double *values, double otherwise)
                              HWY_ATTR { return values != nullptr ? hn::LoadU(d, values + first) : Number(otherwise); };
        const V uu = load(block.uu, 1.0), uv = load(block.uv, 0.0), vv = load(block.vv, 1.0);
        const V iu = hn::Add(hn::Mul(uu, l.ru), hn::Mul(uv, l.rv)), iv = hn::Add(hn::Mul(uv, l.ru), hn::Mul(vv, l.rv));
        const V chi_squared = hn::Add(hn::Mul(l.ru, iu), hn::Mul(l.rv, iv));
        const V weight = WeightOf(robust, width, chi_squared);
        const V wuu = hn::Mul(weight, uu), wuv = hn::Mul(weight, uv), wvv = hn::Mul(weight, vv);
        int32_t next = 0;
        const auto add = [&](V value) HWY_ATTR {
            double *const sum = sums->of[next++] + first;
            hn::Store(hn::Add(hn::Load(d, sum), value), d, sum);
        };
        V left_u[6], left_v[6];
        for (int32_t i = 0; i < 6; ++i) {
            left_u[i] = hn::Add(hn::Mul(l.pose_u[i], wuu), hn::Mul(l.pose_v[i], wuv));
            left_v[i] = hn::Add(hn::Mul(l.pose_u[i], wuv), hn::Mul(l.pose_v[i], wvv));
        }
        for (int32_t i = 0; i < 6; ++i) {
            for (int32_t j = i; j < 6; ++j) {
                add(hn::Add(hn::Mul(left_u[i], l.pose_u[j]), hn::Mul(left_v[i], l.pose_v[j])));
            }
        }
        for (int32_t i = 0; i < 6; ++i) add(hn::Add(hn::Mul(left_u[i], l.ru), hn::Mul(left_v[i], l.rv)));
        add(hn::Mul(weight, chi_squared));
        add(hn::IfThenElseZero(l.in_front, Number(1.0)));
    }
}

void AddReprojection(KernelTable *table) {
    table->reproject_block = ReprojectBlock;
    table->add_block = AddBlock;
}

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorReprojection(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddReprojection, table) }
}  // namespace foothold::kernels
#endif
