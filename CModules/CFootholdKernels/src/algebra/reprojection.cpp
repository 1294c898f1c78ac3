// Checks the arguments and hands blocks of eight observations to the kernels; the last block is filled up with points
// behind the camera, which count for nothing.
#include <algorithm>
#include <cmath>

#include "algebra/blocks.h"
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

bool IsValid(const fh_pinhole *camera, const fh_camera_pose *pose, const fh_observations *seen) {
    if (camera == nullptr || pose == nullptr || seen == nullptr || seen->count < 0) return false;
    if (!(std::isfinite(camera->fx) && std::isfinite(camera->fy) && std::isfinite(camera->cx) &&
          std::isfinite(camera->cy))) {
        return false;
    }
    return seen->count == 0 ||
           (seen->x != nullptr && seen->y != nullptr && seen->z != nullptr && seen->u != nullptr && seen->v != nullptr);
}

ProjectionModel ModelOf(const fh_pinhole &camera, const fh_camera_pose &pose) {
    ProjectionModel model;
    model.fx = camera.fx;
    model.fy = camera.fy;
    model.cx = camera.cx;
    model.cy = camera.cy;
    std::copy_n(pose.rotation, 9, model.rotation);
    std::copy_n(pose.translation, 3, model.translation);
    return model;
}

/// Inputs of one block, `stride` doubles apart from one coordinate to the next.
struct Staged {
    alignas(64) double of[8][kBlock];
};

ObservationBlock BlockAt(const fh_observations &seen, int32_t first) {
    const auto information = [&](int32_t i) {
        return seen.information == nullptr ? nullptr
                                           : seen.information + static_cast<ptrdiff_t>(i) * seen.count + first;
    };
    return {seen.x + first, seen.y + first, seen.z + first, seen.u + first,
            seen.v + first, information(0), information(1), information(2)};
}

/// The last, incomplete block: what is missing lies in the camera itself, and so not in front of it.
ObservationBlock StageRest(const fh_observations &seen, const fh_camera_pose &pose, int32_t first, Staged *staged) {
    const ObservationBlock rest = BlockAt(seen, first);
    const double *const sources[8] = {rest.x, rest.y, rest.z, rest.u, rest.v, rest.uu, rest.uv, rest.vv};
    for (int32_t i = 0; i < 8; ++i) {
        std::fill_n(staged->of[i], kBlock, i < 3 ? pose.translation[i] : 0.0);
        if (sources[i] != nullptr) std::copy_n(sources[i], seen.count - first, staged->of[i]);
    }
    const bool informed = seen.information != nullptr;
    return {staged->of[0],
            staged->of[1],
            staged->of[2],
            staged->of[3],
            staged->of[4],
            informed ? staged->of[5] : nullptr,
            informed ? staged->of[6] : nullptr,
            informed ? staged->of[7] : nullptr};
}

/// Where one block's results go; `count` apart from one derivative to the next.
BlockResults ResultsAt(int32_t count, int32_t first, double *residual_u, double *residual_v, uint8_t *in_front,
                       double *by_pose, double *by_point) {
    return {residual_u + first,
            residual_v + first,
            in_front + first,
            by_pose == nullptr ? nullptr : by_pose + first,
            by_point == nullptr ? nullptr : by_point + first,
            count};
}

}  // namespace

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

int32_t fh_reproject(const fh_pinhole *camera, const fh_camera_pose *pose, const fh_observations *observations,
                     double *out_residual_u, double *out_residual_v, uint8_t *out_in_front, double *out_by_pose,
                     double *out_by_point) {
    if (!IsValid(camera, pose, observations)) return FH_KERNEL_BAD_ARGUMENT;
    const int32_t count = observations->count;
    if (count > 0 && (out_residual_u == nullptr || out_residual_v == nullptr || out_in_front == nullptr)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const KernelTable &kernels = Kernels();
    const ProjectionModel model = ModelOf(*camera, *pose);
    int32_t first = 0;
    for (; first + kBlock <= count; first += kBlock) {
        kernels.reproject_block(
            model, BlockAt(*observations, first),
            ResultsAt(count, first, out_residual_u, out_residual_v, out_in_front, out_by_pose, out_by_point));
    }
    if (first == count) return FH_KERNEL_OK;
    Staged staged;
    alignas(64) double residual_u[kBlock], residual_v[kBlock];
    alignas(64) double by_pose[FH_POSE_DERIVATIVES * kBlock], by_point[FH_POINT_DERIVATIVES * kBlock];
    uint8_t in_front[kBlock];
    kernels.reproject_block(model, StageRest(*observations, *pose, first, &staged),
                            ResultsAt(kBlock, 0, residual_u, residual_v, in_front, by_pose, by_point));
    const int32_t rest = count - first;
    std::copy_n(residual_u, rest, out_residual_u + first);
    std::copy_n(residual_v, rest, out_residual_v + first);
    std::copy_n(in_front, rest, out_in_front + first);
    for (int32_t i = 0; i < FH_POSE_DERIVATIVES && out_by_pose != nullptr; ++i) {
        std::copy_n(by_pose + i * kBlock, rest, out_by_pose + static_cast<ptrdiff_t>(i) * count + first);
    }
    for (int32_t i = 0; i < FH_POINT_DERIVATIVES && out_by_point != nullptr; ++i) {
        std::copy_n(by_point + i * kBlock, rest, out_by_point + static_cast<ptrdiff_t>(i) * count + first);
    }
    return FH_KERNEL_OK;
}

int32_t fh_pose_equations(const fh_pinhole *camera, const fh_camera_pose *pose, const fh_observations *observations,
                          int32_t robust, double width, fh_normal_equations *out_equations) {
    if (!IsValid(camera, pose, observations) || out_equations == nullptr || robust < FH_ROBUST_NONE ||
        robust > FH_ROBUST_CAUCHY || (robust != FH_ROBUST_NONE && !(width > 0))) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const int32_t count = observations->count;
    const KernelTable &kernels = Kernels();
    const ProjectionModel model = ModelOf(*camera, *pose);
    PartialSums sums = {};
    int32_t first = 0;
    for (; first + kBlock <= count; first += kBlock) {
        kernels.add_block(model, BlockAt(*observations, first), robust, width, &sums);
    }
    if (first < count) {
        Staged staged;
        kernels.add_block(model, StageRest(*observations, *pose, first, &staged), robust, width, &sums);
    }
    double totals[kSums];
    for (int32_t i = 0; i < kSums; ++i) {
        const double *part = sums.of[i];
        totals[i] = ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
    }
    std::copy_n(totals, 21, out_equations->hessian);
    std::copy_n(totals + 21, 6, out_equations->gradient);
    out_equations->error = totals[27];
    out_equations->count = static_cast<int32_t>(totals[28]);
    return FH_KERNEL_OK;
}

}  // extern "C"
