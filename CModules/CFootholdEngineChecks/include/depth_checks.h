// The depth of a picture against scenes whose depth is known exactly.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fh_check_depth_scene {
    /// No points, no surfaces.
    FH_CHECK_DEPTH_NOTHING = 0,
    /// A dark box two metres away before a bright wall at three metres; points on both.
    FH_CHECK_DEPTH_BOX_BEFORE_WALL = 1,
    /// A box on a floor that is a known surface, whose outline runs under the box and before it.
    FH_CHECK_DEPTH_BOX_ON_FLOOR = 2,
    /// As the first, with points of the wall behind the box, seen long ago.
    FH_CHECK_DEPTH_HIDDEN_POINTS = 3,
    /// A wall with points in its left third only, and an edge of the picture from top to bottom beside them.
    FH_CHECK_DEPTH_LEFT_THIRD = 4,
    /// A floor that is a known surface, and nothing else.
    FH_CHECK_DEPTH_FLOOR = 5,
} fh_check_depth_scene;

typedef struct fh_check_depth_report {
    int32_t width, height;
    int32_t cells, known;
    /// Known cells more than 5 % wrong, and those of them more than one cell from any border between things.
    int32_t wrong, wrong_inside;
    /// Known cells beyond the picture's edge (left third only).
    int32_t known_beyond;
    /// Cells whose depth or deviation is no finite number, is negative, or of which only one is known.
    int32_t malformed;
    double median_error;
    /// Blocks taken from the heap by another call.
    int32_t allocations;
    int32_t reserved;
    /// FNV-1a over depths and deviations.
    uint64_t digest;
} fh_check_depth_report;

/// 0, or -1 for an unknown scene or null.
int32_t fh_check_depth(int32_t scene, uint64_t seed, int32_t width, int32_t height, fh_check_depth_report *out_report);

typedef struct fh_check_raycast_report {
    /// Rays at the middle of the box and at the wall beside it, and those of them that meet a plane.
    int32_t box_rays, box_found, wall_rays, wall_found;
    /// Of what was found, errors of the distance (relative) and of the normal; the worst nine of ten.
    double distance_error, normal_degrees;
    /// Lowest and highest confidence.
    double lowest_confidence, highest_confidence;
    /// Rays to where no point is known, and among points all through the room, that meet a plane.
    int32_t found_nowhere, found_in_clutter;
} fh_check_raycast_report;

/// Rays from the origin at a box two metres away before a wall at three, both of which are known by points with noise
/// of 0.5 % of their distance; points of the wall behind the box were seen from elsewhere. 0, or -1 for null.
int32_t fh_check_point_raycast(uint64_t seed, fh_check_raycast_report *out_report);

#ifdef __cplusplus
}
#endif
