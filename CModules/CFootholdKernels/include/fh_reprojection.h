// Reprojection errors of many points in one camera, their derivatives, and the normal equations of the camera's pose.
//
// Structures of arrays: coordinate by coordinate, in doubles. Camera axes: x right, y down, z forward. Sums are made in
// eight parts (point i belongs to part i % 8) that are then added pairwise, so that every instruction set rounds alike.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Focal lengths and centre in pixels; lenses are undone beforehand (`fh_lens_undistort`).
typedef struct fh_pinhole {
    double fx, fy, cx, cy;
} fh_pinhole;

/// A camera in the world: point_in_world = rotation · point_in_camera + translation. The rotation is given by rows.
typedef struct fh_camera_pose {
    double rotation[9];
    double translation[3];
} fh_camera_pose;

/// Points in the world and the pixels they were seen at, `count` of each coordinate.
typedef struct fh_observations {
    const double *x, *y, *z;
    const double *u, *v;
    /// Null for the identity, or three arrays one after the other: uu, uv and vv of each observation's 2×2 information.
    const double *information;
    int32_t count;
} fh_observations;

/// Derivatives of a residual by the pose, six for u and then six for v: by a rotation vector on the camera's side
/// (rotation · exp(w)), and by the translation in the world.
#define FH_POSE_DERIVATIVES 12
/// Derivatives by the point in the world, three for u and then three for v.
#define FH_POINT_DERIVATIVES 6

/// Points nearer than this along the camera's z axis count as behind it.
#define FH_LEAST_DEPTH 1e-6

/// Residuals: the pixel a point projects to minus the one it was seen at. Points behind the camera get zeros
/// everywhere, and 0 in `out_in_front` (1 elsewhere). The Jacobians may be null; otherwise they receive
/// FH_POSE_DERIVATIVES and FH_POINT_DERIVATIVES arrays of `count`, one after the other.
int32_t fh_reproject(const fh_pinhole *camera, const fh_camera_pose *pose, const fh_observations *observations,
                     double *out_residual_u, double *out_residual_v, uint8_t *out_in_front, double *out_by_pose,
                     double *out_by_point);

/// How observations with large errors lose their weight. With chi² = residual · information · residual:
enum {
    /// 1.
    FH_ROBUST_NONE = 0,
    /// 1 below the width, width / chi above.
    FH_ROBUST_HUBER = 1,
    /// 1 / (1 + chi² / width²).
    FH_ROBUST_CAUCHY = 2,
};

/// Weighted sums over observations, J a residual's 2×6 derivatives by the pose.
typedef struct fh_normal_equations {
    /// Jᵀ W J, the upper triangle row by row.
    double hessian[21];
    /// Jᵀ W residual.
    double gradient[6];
    /// residualᵀ W residual.
    double error;
    /// Observations in front of the camera.
    int32_t count;
} fh_normal_equations;

/// Residuals, derivatives and normal equations of a pose in one go. `width` is in the information's units (without
/// information: pixels), above 0 unless `robust` is FH_ROBUST_NONE.
int32_t fh_pose_equations(const fh_pinhole *camera, const fh_camera_pose *pose, const fh_observations *observations,
                          int32_t robust, double width, fh_normal_equations *out_equations);

#ifdef __cplusplus
}
#endif
