// Derivatives against central differences, rotations against their laws, lenses against OpenCV's.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Largest differences between derivatives and central differences, relative to the largest entry of each block.
typedef struct fh_check_jacobian_report {
    double by_host, by_target, by_inverse_depth, by_log_focal, by_host_pixel;
    /// Cases that took part (the point was in front of both cameras).
    int32_t trials;
    int32_t reserved;
} fh_check_jacobian_report;

/// The measurement model of bundle adjustment, for random poses, points and focal lengths.
void fh_check_reprojection_jacobians(uint64_t seed, int32_t trials, fh_check_jacobian_report *out_report);

/// Largest relative difference between the rate at which a rolling shutter moves pixels and central differences of a
/// moving camera's.
double fh_check_row_rate(uint64_t seed, int32_t trials);

/// Largest relative difference between the rates at which a lens's bend and principal point move pixels and central
/// differences of the lens, and the largest error, in pixels, of changing a camera's lens there and back and of bending
/// and unbending;
/// `out_unchanged_pixels`: how far another focal length with the same bend moves pixels, over their size.
double fh_check_lens_rates(uint64_t seed, int32_t trials, double *out_round_trip_pixels, double *out_unchanged_pixels);

/// Largest difference between the derivative of the distance from a circle and central differences.
double fh_check_circle_derivative(uint64_t seed, int32_t trials);

/// The pose optimiser's normal matrix (the inverse of its covariance) against one of central differences: the largest
/// relative difference over trials, some of them with uncertain depths. -1 when it failed to solve.
double fh_check_pose_information(uint64_t seed, int32_t trials);

typedef struct fh_check_rotation_report {
    /// log(exp(w)) − w, and exp(log(R)) − R.
    double log_of_exp, exp_of_log;
    /// RᵀR − 1 and the distance of the determinant from 1.
    double orthonormality;
    /// exp((a + b) w) − exp(a w) exp(b w), and against the matrix exponential's power series.
    double addition, series;
    /// T⁻¹ T − 1 for rigid transforms, and (A B) x − A (B x).
    double inverse, composition;
    /// hat(a) b − a × b.
    double cross;
} fh_check_rotation_report;

/// The largest error of each law over random vectors of lengths 1e-9 … 3.1.
void fh_check_rotation_laws(uint64_t seed, int32_t trials, fh_check_rotation_report *out_report);

typedef struct fh_check_lens_report {
    /// Pixels: normalise and back, over the whole picture, corners included.
    double round_trip;
    /// Pixels: the difference to OpenCV's projection of the same points.
    double against_opencv;
    /// Pixels: project() of the scaled camera against the scaled pixel.
    double scaled;
} fh_check_lens_report;

/// `distortion` and `coefficients` as in fh_camera; a picture of 640 × 480.
int32_t fh_check_lens(int32_t distortion, const double coefficients[5], double focal, fh_check_lens_report *out_report);

/// Greatest error (radians) of fit_rotation over trials of exact data with turns of up to 40°, and with a third of the
/// points moving on their own; and of the claimed residual (pixels) of exact data.
void fh_check_rotation_fit(uint64_t seed, int32_t trials, double *out_exact_error, double *out_error_with_movers,
                           double *out_residual_pixels);

/// Greatest difference between affine_warp and the exact warp of a patch that faces the host (entries, and pixels of
/// its place), over turns about the optical axis and approaches.
double fh_check_affine_warp(uint64_t seed, int32_t trials);

#ifdef __cplusplus
}
#endif
