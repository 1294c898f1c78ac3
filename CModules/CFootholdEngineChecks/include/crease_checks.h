// Checks of where plain walls meet known ones, against exact truth.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the wall behind a floor meets at its left end, all of one brightness.
typedef enum fh_check_wall_end {
    /// Another wall that comes towards the camera.
    FH_CHECK_PLAIN_WALL = 0,
    /// A post's edge, half a metre before the wall, that covers it from there on: no crease.
    FH_CHECK_POST_BEFORE = 1,
    /// A wardrobe's front on the wall's own plane: floor is seen before it, beyond where a wall would stand.
    FH_CHECK_WARDROBE = 2,
    /// Another wall that comes towards the camera and is hardly darker; neither has any texture.
    FH_CHECK_FAINT_CREASE = 3,
    /// Another wall that comes towards the camera and has some points, but beside it the wall behind is as dark: a
    /// shadow's edge looks like the crease.
    FH_CHECK_SHADOW = 4,
} fh_check_wall_end;

/// Asks eight views of the wall for its crease on the left. `out_views` is 0 where there's none; `out_error` is how far
/// it is from the wall's end, metres. Returns 0, or -1 where an argument is null.
int32_t fh_check_crease(uint64_t seed, fh_check_wall_end end, int32_t is_bent, double *out_views, double *out_error);

/// What a tracker finds of the wall on the left, which has no texture at all, from eighteen keyframes.
typedef struct fh_check_side_wall {
    int32_t is_found;
    double degrees, offset_m;
    /// Of its outline, the share that lies on the wall, above the floor and before the wall behind; and its area.
    double share_inside, area_m2;
    /// Upright surfaces that face to the side, in all.
    int32_t to_the_side;
} fh_check_side_wall;
int32_t fh_check_wall_at_crease(uint64_t seed, fh_check_wall_end end, fh_check_side_wall *out_wall);

/// What a tracker finds of a floor before a wall with a skirting board, from eighteen keyframes: how many surfaces face
/// up, and of the last of them how far it is from the floor's height, how far it leans, and its area.
typedef struct fh_check_floor {
    int32_t facing_up;
    double height_m, degrees, area_m2;
} fh_check_floor;
/// The floor has texture or none at all.
int32_t fh_check_floor_at_crease(uint64_t seed, int32_t is_textured, fh_check_floor *out_floor);

#ifdef __cplusplus
}
#endif
