// Numbers about the depth of whole pictures, measured on painted planes with exact truth.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_check_sweep_report {
    /// Places that are asked for, and those where a depth is told; of these, within 2 % of the true depth (half a
    /// pixel), and more than 5 % off.
    int32_t places, told, right, wrong;
    /// Of those told, where it's told which way they face, and that within 20° of the truth.
    int32_t facing, facing_right;
    /// Of these, the median angle between what is told and the truth, degrees.
    double facing_error_degrees;
    /// Mean squared error of the inverse depth over its claimed variance, of those told that aren't wrong.
    double normalised_error;
} fh_check_sweep_report;

/// A textured floor and a wall behind it (`contrast` grey levels to either side), seen from three places with
/// noise of 0.8 grey levels and other exposures. `is_bent`: through a lens with distortion.
int32_t fh_check_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report);

/// The same room, seen from seven places, after the sweep between three of them was refined with all.
int32_t fh_check_refined_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report);

/// What is told of a board that stands askew before the wall, some 16 half-size pixels wide, at every third pixel; with
/// and without the quarters of squares.
int32_t fh_check_refined_board(uint64_t seed, int32_t is_bent, int32_t with_quarters,
                               fh_check_sweep_report *out_report);

#ifdef __cplusplus
}
#endif
