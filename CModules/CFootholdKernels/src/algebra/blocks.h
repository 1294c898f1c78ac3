// Blocks of eight observations, a lane each.
#pragma once

#include <cstdint>

#include "fh_reprojection.h"

namespace foothold::kernels {

constexpr int32_t kBlock = 8;

/// A camera and where it is: world from camera, the rotation by rows.
struct ProjectionModel {
    double fx, fy, cx, cy;
    double rotation[9];
    double translation[3];
};

/// Eight of each; the information may be null.
struct ObservationBlock {
    const double *x, *y, *z, *u, *v;
    const double *uu, *uv, *vv;
};

/// Derivatives are `stride` doubles apart, one after the other; either may be null.
struct BlockResults {
    double *residual_u, *residual_v;
    uint8_t *in_front;
    double *by_pose, *by_point;
    int32_t stride;
};

/// Hessian, gradient, error, and how many count.
constexpr int32_t kSums = 29;

/// Every sum in eight parts.
struct PartialSums {
    alignas(64) double of[kSums][kBlock];
};

}  // namespace foothold::kernels
