// Numbers about the outlines of surfaces.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Random masks of `width` × `height` cells, grown, shrunk, closed and opened by discs of one to nine cells: how many
/// cells differ from what OpenCV makes of them.
int32_t fh_check_cell_mask(uint64_t seed, int32_t width, int32_t height);

/// A disc of `radius` cells was seen: the outline's area relative to the disc's, and how far its corners lie from the
/// circle at most, cells. 0, or -1 when there is no outline.
int32_t fh_check_outline_of_disc(double radius, double *out_area, double *out_farthest);

#ifdef __cplusplus
}
#endif
