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

typedef struct fh_check_lens_free_report {
    /// Grey levels between a picture without its lens and what such a lens would have shown.
    double worst;
    /// 1 where that's so: a picture is kept while it's needed; another keyframe's, and the same one's after the lens
    /// was learnt better, aren't taken for it; of many the oldest is forgotten and drawn anew, the same; the lower
    /// halves of pairs are the picture; many points at once go through the lens as each by itself.
    int32_t is_kept, tells_keyframes_apart, tells_lenses_apart, is_drawn_anew, pairs_agree, many_are_as_one;
} fh_check_lens_free_report;

/// Pictures of a smooth pattern, seen through a lens with distortion.
int32_t fh_check_lens_free(fh_check_lens_free_report *out_report);

/// A textured floor and a wall behind it (`contrast` grey levels to either side), seen from three places with
/// noise of 0.8 grey levels and other exposures. `is_bent`: through a lens with distortion.
int32_t fh_check_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report);

typedef struct fh_check_label_report {
    /// Every second pixel each way that shows the floor or the wall, and how many of these are told so; the same of the
    /// board, which is told as neither.
    int32_t places, right;
    int32_t of_board, board_right;
} fh_check_label_report;

/// The room with a narrow board before the wall, seen from seven places: which places of the newest picture show the
/// floor and which the wall, when both planes are known. With no contrast floor and wall are plain, and known only some
/// way from where they meet.
int32_t fh_check_labels(uint64_t seed, double contrast, int32_t is_bent, fh_check_label_report *out_report);

/// The same, plain, with the wall a slope or not: of the places that are plain and beyond what is known of both, and
/// where the floor may be, the share that is labelled with the wall.
int32_t fh_check_slope_in_the_open(uint64_t seed, int32_t is_slope, double *out_share);

/// A plain floor before a plain wall that nothing is known of: the shares of the floor that are labelled with it, and
/// of the wall where the floor's plane goes on.
int32_t fh_check_plain_floor_alone(uint64_t seed, double *out_held, double *out_beyond);

/// The board's extent after all seven pictures were labelled and voted, when its outline so far is too small and beside
/// its place (0.39): its intersection over union with the true one. `is_bent`: through a lens with distortion.
int32_t fh_check_label_votes(uint64_t seed, int32_t is_bent, double *out_overlap);
/// A textured top that ends at z = -1.5, beyond which all is plain and nothing known, and whose outline so far goes on
/// by `overhang` metres: the shares that are told of what the outline held before and behind that edge after all
/// pictures have voted.
int32_t fh_check_top_before_plain(uint64_t seed, double overhang, double *out_before, double *out_behind);
/// Two places of 0.09 and 0.08 m² that are seen of one level surface, 0.4 m apart: how much of both is kept, if it's a
/// floor or something else of that size.
int32_t fh_check_parted_extent(int32_t is_floor, double *out_share);
/// A top, 1 m wide and 0.6 m deep, whose outline so far reaches `beyond` metres past a wall that bounds the place: how
/// much is told of what lies before the wall.
int32_t fh_check_extent_before_wall(double beyond, double *out_share);
/// A top of 0.36 m² on which something stands 3 cm from its far edge, so that a third of it isn't seen: how much of the
/// whole is told.
int32_t fh_check_extent_around_thing(double *out_share);

/// The same room, seen from seven places, after the sweep between three of them was refined with all.
int32_t fh_check_refined_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report);
/// Squares of a picture's settled half and of its open one, and how many of them were changed.
typedef struct fh_check_refined_halves {
    int32_t settled, settled_changed;
    int32_t open, open_changed;
} fh_check_refined_halves;
/// The same beside four of them, with the picture's left half settled.
int32_t fh_check_refined_open(uint64_t seed, fh_check_refined_halves *out_halves);

/// What is told of a board that stands askew before the wall, some 16 half-size pixels wide, at every third pixel; with
/// and without the quarters of squares.
int32_t fh_check_refined_board(uint64_t seed, int32_t is_bent, int32_t with_quarters,
                               fh_check_sweep_report *out_report);

/// The same with quarters, on one thread and on two: how many squares and quarters are known, and how many of all of
/// them differ.
int32_t fh_check_refined_by_two(uint64_t seed, int32_t *out_known, int32_t *out_different);

#ifdef __cplusplus
}
#endif
