#pragma once
// Writing pictures: laying a drawing over a camera's picture, H.264 in MP4, and PNG. Every handle is used by one thread
// at a time. Functions return 0 or a negative libav error code, whose words `fh_encode_error_text` gives.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FH_ENCODE_MATRIX_BT601 = 0,
    FH_ENCODE_MATRIX_BT709 = 1,
};

/// What the numbers of a YUV picture mean.
typedef struct fh_encode_color {
    /// FH_ENCODE_MATRIX_…
    int32_t matrix;
    /// 1 when luma spans 0…255, 0 when it spans 16…235.
    int32_t is_full_range;
} fh_encode_color;

/// An 8-bit picture: luma, then chroma at half width and half height (rounded up). `chroma_step` is 1 for separate u
/// and v planes and 2 where they are interleaved in one; u and v are NULL for a picture without colour.
typedef struct fh_encode_source {
    const uint8_t *y;
    const uint8_t *u;
    const uint8_t *v;
    ptrdiff_t y_stride;
    ptrdiff_t chroma_stride;
    int32_t chroma_step;
    fh_encode_color color;
} fh_encode_source;

/// Separate planes: luma, u, v; chroma at half width and half height, rounded up.
typedef struct fh_encode_planes {
    uint8_t *y;
    uint8_t *u;
    uint8_t *v;
    ptrdiff_t y_stride;
    ptrdiff_t chroma_stride;
} fh_encode_planes;

/// Lays `overlay` (RGBA, 8 bits each, colour already multiplied by alpha, rows packed) over the picture. Where alpha is
/// 0 the picture's bytes are copied as they are. `out_opacity` takes the mean alpha, 0…1; it may be NULL.
void fh_overlay_blend(const fh_encode_source *picture, const uint8_t *overlay, int32_t width, int32_t height,
                      const fh_encode_planes *out, double *out_opacity);

/// Converts to RGBA with alpha 255, rows packed.
void fh_planes_to_rgba(const fh_encode_planes *picture, fh_encode_color color, int32_t width, int32_t height,
                       uint8_t *out_rgba);

typedef struct fh_encoder fh_encoder;

typedef struct fh_encoder_config {
    uint32_t struct_size;
    /// Of the pictures that are appended. An odd size is made even by repeating the last column or row.
    int32_t width;
    int32_t height;
    /// Pictures a second, roughly; the time stamps say when each is shown.
    double nominal_frame_rate;
} fh_encoder_config;

/// Creates the file and looks for the encoder.
int32_t fh_encoder_create(const char *path, const fh_encoder_config *config, fh_encoder **out_encoder);

/// Appends one picture; times must rise by at least a microsecond, the resolution that they are kept with. The first
/// picture's colour holds for the whole recording.
int32_t fh_encoder_append(fh_encoder *encoder, const fh_encode_planes *picture, fh_encode_color color,
                          int64_t timestamp_nanoseconds);

/// Writes what is still in the encoder and closes the file. At least one picture must have been appended.
int32_t fh_encoder_finish(fh_encoder *encoder);

/// Frees everything, finished or not. The file stays as it is. NULL is allowed.
void fh_encoder_destroy(fh_encoder *encoder);

/// RGBA, rows packed. Alpha is kept when `has_alpha` is 1, and left out otherwise.
int32_t fh_png_write(const char *path, const uint8_t *rgba, int32_t width, int32_t height, int32_t has_alpha);

/// A short English phrase for a status, without a full stop; always terminated.
void fh_encode_error_text(int32_t status, char *out_text, size_t capacity);

#ifdef __cplusplus
}
#endif
