// Pieces of pictures, seen at any turn, size and shear.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most columns and rows of a piece.
#define FH_AFFINE_MAX_SIDE 33

/// Samples `rows` × `columns` places of a picture bilinearly, in 1/64 grey level: what lies at offset u from the
/// piece's middle is the source at `center` + step · u. `step` is a 2×2 matrix by rows. Places outside the picture
/// repeat its edge; `out_outside` (NULL to leave it out) gets how many there were. `out` has rows of `out_stride`
/// numbers.
int32_t fh_affine_sample(const fh_image *source, fh_point center, const float *step, int32_t columns, int32_t rows,
                         int16_t *out, int32_t out_stride, int32_t *out_outside);

#ifdef __cplusplus
}
#endif
