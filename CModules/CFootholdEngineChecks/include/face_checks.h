// Checks of faces that hang from the edges of tops and go back from those of fronts, against exact truth.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a top is the top of.
typedef enum fh_check_body {
    /// A box whose front has a label and some print, and is plain otherwise.
    FH_CHECK_BOX = 0,
    /// A board on thin legs: the floor and the wall are seen below it.
    FH_CHECK_BOARD = 1,
    /// A box whose front has a label of 12 × 8 cm: too little for points to tell where it is.
    FH_CHECK_SMALL_LABEL = 2,
    /// Tall and shallow, its front printed, with a label on its plain top.
    FH_CHECK_CABINET = 3,
    /// A printed screen of the same height: nothing is behind it but the floor and the wall.
    FH_CHECK_SCREEN = 4,
    /// As high and 7 cm deep, its front printed, its top plain, before a plain wall.
    FH_CHECK_CARTON = 5,
} fh_check_body;

/// What seven views say of the front below an edge that is supposed to lie so far before it, metres, and to be turned
/// by so much. `speaks_for` is 1 where it's taken for one; then `degrees` and `offset_m` are what it's off by.
/// Certainty and misfit are 0 where nothing is found.
typedef struct fh_check_front {
    int32_t speaks_for;
    double degrees, offset_m, length_m, height_m, misfit, certainty;
} fh_check_front;
/// Returns 0, or -1 where an argument is null.
int32_t fh_check_front_below_edge(uint64_t seed, fh_check_body body, double supposed_before_m,
                                  double supposed_turned_degrees, fh_check_front *out_front);

/// What a tracker that knows points of the floor, the wall and the top tells of the front from eighteen keyframes: how
/// many surfaces near it face as it does, and what the last of them is off by. Where `is_saved` the tracker is saved as
/// soon as it tells of one, and goes on from what was loaded.
typedef struct fh_check_told_face {
    int32_t count;
    double degrees, offset_m, area_m2;
    /// Keyframes until the first of them.
    int32_t keyframes;
    /// 1 where something hung when the tracker was saved.
    int32_t hangs;
} fh_check_told_face;
/// Returns 0, -1 where an argument is null, or -2 where what was loaded differs from what was saved.
int32_t fh_check_front_is_told(uint64_t seed, fh_check_body body, int32_t is_saved, fh_check_told_face *out_front);
/// The same of the top, from points of the floor, the wall and the front.
int32_t fh_check_top_is_told(uint64_t seed, fh_check_body body, int32_t is_saved, fh_check_told_face *out_top);

#ifdef __cplusplus
}
#endif
