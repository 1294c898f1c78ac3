// Sums over a region of a picture that is laid over another picture along a plane: what aligning the two needs.
//
// Sums are made in sixteen parts of single precision (pixel i of a piece belongs to part i % 16) that are then added
// pairwise, and pieces are added in double precision, so that every instruction set rounds alike.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is multiplied with each other, a number a pixel: what the other picture shows, its changes by the plane's three
/// numbers, what the region's own picture shows, and the light's even part and its two slopes.
enum {
    FH_REGION_SHOWN = 0,
    FH_REGION_CHANGE = 1,
    FH_REGION_OWN = 4,
    FH_REGION_LIGHT = 5,
};
#define FH_REGION_TERMS 8
#define FH_REGION_PRODUCTS 36

/// Points nearer than this along the other camera's z axis aren't shown.
#define FH_REGION_LEAST_DEPTH 0.05f

/// A region's pixels, `count` of each: x and y of their rays (z = 1) and their grey levels.
typedef struct fh_region_pixels {
    const float *ray_x, *ray_y, *luma;
    /// Where the other picture shows them, and how that moves by their inverse depth, in pixels: null for a camera
    /// without distortion. What isn't shown has places below 1.
    const float *place_x, *place_y, *change_x, *change_y;
    int32_t count;
} fh_region_pixels;

/// The other picture, rows of `stride` grey levels: point_in_view = rotation · point + translation (by rows), and focal
/// lengths and centre in pixels.
typedef struct fh_region_view {
    const float *luma;
    int32_t width, height, stride;
    float rotation[9], translation[3];
    float fx, fy, cx, cy;
} fh_region_view;

typedef struct fh_region_question {
    /// plane · X = 1 for its points X in the axes of the region's camera.
    float plane[3];
    /// Taken off grey levels; the rays' middle and reach, between which light slopes by one.
    float mean_luma, middle_x, middle_y, reach;
    /// Null weighs all pixels alike; otherwise gain, even part and slopes of the light, which tell each pixel's
    /// residual r: it weighs 1 / (1 + `sharpness` · r²).
    const float *light;
    float sharpness;
    /// 0 leaves out the changes, and all sums with them.
    int32_t wants_changes;
} fh_region_question;

typedef struct fh_region_sums {
    /// Weighted products of the terms, the upper triangle by rows.
    double products[FH_REGION_PRODUCTS];
    /// Of the weights; of squared changes by the inverse depth, of grey levels and of places.
    double weights, slopes, stretches;
    /// Pixels that the other picture shows.
    int32_t count;
} fh_region_sums;

/// Adds a region's pixels to the sums.
int32_t fh_region_add(const fh_region_pixels *pixels, const fh_region_view *view, const fh_region_question *question,
                      fh_region_sums *sums);

#ifdef __cplusplus
}
#endif
