// Numbers about regions of pictures that are matched as a whole, measured on painted planes with exact truth.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A picture of two even halves 30 grey levels apart, with noise, cut into regions: the share of pixels in regions of
/// at least forty, and of these, those on the other side than most of their region.
int32_t fh_check_picture_regions(uint64_t seed, double noise, double *out_covered, double *out_astray);

/// Greatest difference between the aligner's derivatives by the plane's three numbers and central differences, relative
/// to the largest that they could be.
/// `is_bent`: through a lens with distortion.
double fh_check_region_derivatives(uint64_t seed, int32_t is_bent);

typedef struct fh_check_region_plane_report {
    /// Of the inverse depth in the region's middle, relative.
    double depth_error;
    double normal_error_degrees;
    /// Squared error of the inverse depth in the middle over its claimed variance.
    double normalised_error;
    double correlation;
} fh_check_region_plane_report;

/// A square of a faintly textured plane (`contrast` grey levels to either side), level or upright, laid over two other
/// pictures with noise of `noise` grey levels and other exposures, from a start 3 % and 10° off. 0, or -1 when nothing
/// was found.
int32_t fh_check_region_plane(uint64_t seed, int32_t is_upright, double contrast, double noise,
                              fh_check_region_plane_report *out_report);

typedef struct fh_check_planar_regions_report {
    /// Places of the picture where a plane is told, and of these: within 1 % of the true depth and 5° of the true
    /// direction; more than 3 % off.
    int32_t told, right, wrong;
    int32_t places;
} fh_check_planar_regions_report;

/// A faintly textured floor and wall, from points of the border between them and a few others, 1 % off.
int32_t fh_check_planar_regions(uint64_t seed, double contrast, fh_check_planar_regions_report *out_report);

#ifdef __cplusplus
}
#endif
