// Reference of the reprojection kernels: what every other version must equal. Operations are in one order everywhere,
// and products and sums are never fused, so that results agree to the last bit.
#include <cmath>

#include "algebra/blocks.h"
#include "dispatch/kernel_table.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

struct Linearised {
    bool in_front;
    double ru, rv;
    double pose_u[6], pose_v[6];
};

Linearised Linearise(const ProjectionModel &m, const ObservationBlock &o, int32_t k) {
    Linearised out = {};
    const double *r = m.rotation;
    const double dx = o.x[k] - m.translation[0], dy = o.y[k] - m.translation[1], dz = o.z[k] - m.translation[2];
    const double px = r[0] * dx + r[3] * dy + r[6] * dz;
    const double py = r[1] * dx + r[4] * dy + r[7] * dz;
    const double pz = r[2] * dx + r[5] * dy + r[8] * dz;
    out.in_front = pz > FH_LEAST_DEPTH;
    if (!out.in_front) return out;
    const double iz = 1.0 / pz;
    const double x = px * iz, y = py * iz;
    out.ru = (m.fx * x + m.cx) - o.u[k];
    out.rv = (m.fy * y + m.cy) - o.v[k];
    const double xy = x * y;
    out.pose_u[0] = m.fx * xy;
    out.pose_u[1] = -(m.fx + m.fx * (x * x));
    out.pose_u[2] = m.fx * y;
    out.pose_v[0] = m.fy + m.fy * (y * y);
    out.pose_v[1] = -(m.fy * xy);
    out.pose_v[2] = -(m.fy * x);
    const double a = m.fx * iz, b = m.fy * iz;
    for (int32_t j = 0; j < 3; ++j) {
        out.pose_u[3 + j] = a * (x * r[3 * j + 2] - r[3 * j]);
        out.pose_v[3 + j] = b * (y * r[3 * j + 2] - r[3 * j + 1]);
    }
    return out;
}

void ReprojectBlock(const ProjectionModel &model, const ObservationBlock &block, const BlockResults &results) {
    for (int32_t k = 0; k < kBlock; ++k) {
        const Linearised l = Linearise(model, block, k);
        results.residual_u[k] = l.ru;
        results.residual_v[k] = l.rv;
        results.in_front[k] = l.in_front ? 1 : 0;
        for (ptrdiff_t i = 0; i < 6 && results.by_pose != nullptr; ++i) {
            results.by_pose[i * results.stride + k] = l.pose_u[i];
            results.by_pose[(i + 6) * results.stride + k] = l.pose_v[i];
        }
        // The world moved one way is the camera moved the other.
        for (ptrdiff_t i = 0; i < 3 && results.by_point != nullptr; ++i) {
            results.by_point[i * results.stride + k] = 0.0 - l.pose_u[3 + i];
            results.by_point[(i + 3) * results.stride + k] = 0.0 - l.pose_v[3 + i];
        }
    }
}

double WeightOf(int32_t robust, double width, double chi_squared) {
    switch (robust) {
        case FH_ROBUST_HUBER: {
            const double chi = std::sqrt(chi_squared);
            return chi > width ? width / chi : 1.0;
        }
        case FH_ROBUST_CAUCHY:
            return 1.0 / (1.0 + chi_squared / (width * width));
        default:
            return 1.0;
    }
}

void AddBlock(const ProjectionModel &model, const ObservationBlock &block, int32_t robust, double width,
              PartialSums *sums) {
    for (int32_t k = 0; k < kBlock; ++k) {
        const Linearised l = Linearise(model, block, k);
        const bool informed = block.uu != nullptr;
        const double uu = informed ? block.uu[k] : 1.0, uv = informed ? block.uv[k] : 0.0,
                     vv = informed ? block.vv[k] : 1.0;
        const double iu = uu * l.ru + uv * l.rv, iv = uv * l.ru + vv * l.rv;
        const double chi_squared = l.ru * iu + l.rv * iv;
        const double weight = WeightOf(robust, width, chi_squared);
        const double wuu = weight * uu, wuv = weight * uv, wvv = weight * vv;
        int32_t next = 0;
        double left_u[6], left_v[6];
        for (int32_t i = 0; i < 6; ++i) {
            left_u[i] = l.pose_u[i] * wuu + l.pose_v[i] * wuv;
            left_v[i] = l.pose_u[i] * wuv + l.pose_v[i] * wvv;
        }
        for (int32_t i = 0; i < 6; ++i) {
            for (int32_t j = i; j < 6; ++j) sums->of[next++][k] += left_u[i] * l.pose_u[j] + left_v[i] * l.pose_v[j];
        }
        for (int32_t i = 0; i < 6; ++i) sums->of[next++][k] += left_u[i] * l.ru + left_v[i] * l.rv;
        sums->of[next++][k] += weight * chi_squared;
        sums->of[next][k] += l.in_front ? 1.0 : 0.0;
    }
}

}  // namespace

void AddScalarReprojection(KernelTable *table) {
    table->reproject_block = ReprojectBlock;
    table->add_block = AddBlock;
}

}  // namespace foothold::kernels
