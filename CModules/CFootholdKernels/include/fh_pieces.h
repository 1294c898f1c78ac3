// How like a small piece of one picture is to what another one shows, seen at any turn, size and shear. Samples count
// by weight: those that may be of something else than the piece's middle, little (adaptive support weights: Yoon and
// Kweon, "Adaptive Support-Weight Approach for Correspondence Search", 2006).
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Samples of a piece in a row and in a column; rows of them have room for eight.
#define FH_PIECE_SIDE 7
#define FH_PIECE_STRIDE 8

/// What a piece looks like, by rows; what is after the seventh number of a row is 0.
typedef struct fh_piece {
    /// What a sample counts, 1 in all.
    float weights[FH_PIECE_SIDE * FH_PIECE_STRIDE];
    /// Its level, less the weighted mean of all, times its weight.
    float centred[FH_PIECE_SIDE * FH_PIECE_STRIDE];
    /// Weighted standard deviation of the levels, above 0.
    float deviation;
} fh_piece;

/// A picture to find pieces in: numbers are a pixel's level and, times 256, that of the pixel below it, which in the
/// last row is its own. Rows are `stride` numbers apart; at least 2 × 2 pixels.
typedef struct fh_piece_picture {
    const uint16_t *pairs;
    int32_t width, height, stride;
} fh_piece_picture;

/// The numbers of a picture to find pieces in, in rows of its width.
int32_t fh_piece_pairs(const fh_image *image, uint16_t *out_pairs);

/// Weighted correlation of a piece with a picture, -1 … 1: its sample at column i and row j lies in the picture at
/// `center` + step · (i - 3, j - 3), bilinearly; `step` is a 2×2 matrix by rows. -1 where the picture has no contrast,
/// NaN where the piece isn't wholly inside.
int32_t fh_piece_correlate(const fh_piece *piece, const fh_piece_picture *picture, fh_point center, const float step[4],
                           float *out_correlation);

#ifdef __cplusplus
}
#endif
