// Batches of points through a camera's lens, both ways.
//
// Camera axes: x right, y down, z forward. "Normalised" points are (x / z, y / z), without distortion. Points lie next
// to each other as pairs (or triples) of doubles.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Distortion models, as OpenCV defines them.
enum {
    FH_LENS_NONE = 0,
    /// k1 k2 p1 p2 k3 (Brown-Conrady).
    FH_LENS_RADIAL_TANGENTIAL = 1,
    /// k1 k2 k3 k4 of the equidistant model (Kannala & Brandt, 2006).
    FH_LENS_FISHEYE = 2,
};

/// A camera's intrinsics; focal lengths and centre in pixels.
typedef struct fh_lens {
    int32_t model;
    double fx, fy, cx, cy;
    double k[5];
} fh_lens;

/// Normalised points to pixels.
int32_t fh_lens_distort(const fh_lens *lens, const double *points, int32_t count, double *out_pixels);

/// Pixels to normalised points by Newton's method, to a few units in the last place where the lens's model can be
/// inverted (for a fisheye: within 90° of the axis); what it can't is not a number.
int32_t fh_lens_undistort(const fh_lens *lens, const double *pixels, int32_t count, double *out_points);

/// Points (x, y, z) in the camera to pixels. `out_in_front` receives 1 where z > 1e-9 and 0 elsewhere, where the pixel
/// is not a number.
int32_t fh_lens_project(const fh_lens *lens, const double *points_in_camera, int32_t count, double *out_pixels,
                        uint8_t *out_in_front);

#ifdef __cplusplus
}
#endif
