#pragma once
// Turning what a decoder gives into what is delivered: upright, square pixels, 8 bits, one of three formats. Where
// that is so already, nothing is copied.
#include <libavutil/buffer.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>

#include "media_decode.h"

struct fh_media_frame {
    AVFrame *frame;
    const uint8_t *decoder_luma;
    int64_t time_nanoseconds;
    int32_t is_full_range;
};

/// Where a stored pixel is shown: x' = a·x + c·y, y' = b·x + d·y (up to a shift), each −1, 0 or 1.
typedef struct fh_orientation {
    int a, b, c, d;
} fh_orientation;

/// From libav's display matrix; as stored where it is NULL or no multiple of a quarter turn.
fh_orientation fh_orientation_from_matrix(const int32_t *matrix);
int fh_orientation_is_identity(fh_orientation orientation);
/// Clockwise, after a swap of left and right where mirrored.
int fh_orientation_degrees(fh_orientation orientation);
int fh_orientation_is_mirrored(fh_orientation orientation);

/// Copies a plane of bytes so that it is shown upright. `width` and `height` are the source's.
void fh_orient_plane(fh_orientation orientation, const uint8_t *source, ptrdiff_t source_stride, int width, int height,
                     uint8_t *destination, ptrdiff_t destination_stride);

/// What a scaler was made for.
typedef struct fh_conversion {
    int width, height, format, is_full_range, matrix;
} fh_conversion;

/// What pictures span that don't say it themselves.
typedef enum fh_unstated_range {
    /// 16…235.
    FH_UNSTATED_IS_LIMITED,
    /// 0…255 where they are grey.
    FH_UNSTATED_GRAY_IS_FULL,
    /// 0…255.
    FH_UNSTATED_IS_FULL,
} fh_unstated_range;

typedef struct fh_upright {
    fh_orientation orientation;
    /// Size before turning, after making pixels square; 0 until the first frame.
    int width;
    int height;
    /// The first frame's size as stored.
    int stored_width;
    int stored_height;
    fh_unstated_range unstated_range;
    struct SwsContext *scaler;
    fh_conversion conversion;
    AVBufferPool *pool;
    size_t pool_size;
    int64_t resized;
    int64_t copied;
} fh_upright;

void fh_upright_init(fh_upright *upright, fh_orientation orientation, fh_unstated_range unstated_range);
void fh_upright_clear(fh_upright *upright);

/// Consumes `decoded` (also on failure; left unreferenced and reusable). `aspect` is the shape of a stored pixel
/// (0/1 unknown); it counts for the first frame only.
int32_t fh_upright_deliver(fh_upright *upright, AVFrame *decoded, AVRational aspect, fh_media_frame **out_frame);
