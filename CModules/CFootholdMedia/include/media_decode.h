#pragma once
// Reading recordings and pictures. Every handle is used by one thread at a time; frames may be released from any
// thread, also after the decoder that made them is gone.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What functions return: 0 is success, above 0 is a state, below 0 an error.
enum {
    FH_MEDIA_OK = 0,
    FH_MEDIA_END = 1,
    FH_MEDIA_ERROR_ARGUMENT = -1,
    FH_MEDIA_ERROR_MEMORY = -2,
    /// The file could not be opened by the operating system.
    FH_MEDIA_ERROR_OPEN = -3,
    /// No container or picture format that libav knows.
    FH_MEDIA_ERROR_FORMAT = -4,
    /// A recording without moving pictures (sound only, or a cover picture).
    FH_MEDIA_ERROR_NO_VIDEO = -5,
    /// No decoder for the codec, or a pixel format that cannot be converted.
    FH_MEDIA_ERROR_UNSUPPORTED = -6,
    /// The container is fine but not one picture could be decoded.
    FH_MEDIA_ERROR_NO_FRAMES = -7,
};

enum {
    FH_MEDIA_FORMAT_GRAY8 = 0,
    FH_MEDIA_FORMAT_YUV420P = 1,
    FH_MEDIA_FORMAT_NV12 = 2,
};

/// `fh_media_picture.time_nanoseconds` where the recording tells none.
#define FH_MEDIA_TIME_UNKNOWN INT64_MIN

typedef struct fh_media_decoder fh_media_decoder;
typedef struct fh_media_image_decoder fh_media_image_decoder;
typedef struct fh_media_frame fh_media_frame;

typedef struct fh_media_plane {
    const uint8_t *data;
    int32_t width;
    int32_t height;
    int32_t bytes_per_row;
} fh_media_plane;

/// A view of a frame, valid until the frame is released.
typedef struct fh_media_picture {
    int32_t format;
    /// Upright: the recording's rotation is applied.
    int32_t width;
    int32_t height;
    int32_t plane_count;
    fh_media_plane planes[3];
    int32_t is_full_range;
    /// On the recording's own clock, or FH_MEDIA_TIME_UNKNOWN.
    int64_t time_nanoseconds;
    /// Where the decoder itself put the luma: equal to planes[0].data when no pixel was copied.
    const uint8_t *decoder_luma;
} fh_media_picture;

typedef struct fh_media_decoder_config {
    uint32_t struct_size;
    /// Threads that decode; 1 decodes within the caller's thread.
    int32_t thread_count;
} fh_media_decoder_config;

typedef struct fh_media_video_info {
    /// Upright, square pixels: as frames are delivered.
    int32_t width;
    int32_t height;
    /// Clockwise turn that was applied: 0, 90, 180 or 270; `is_mirrored` when left and right were swapped before it.
    int32_t rotation_degrees;
    int32_t is_mirrored;
    /// 0 when unknown.
    int64_t frame_count;
    int64_t duration_nanoseconds;
    /// The usual time between two frames; 0 when unknown.
    int64_t frame_interval_nanoseconds;
    /// Every frame has the same distance to the next according to the container.
    int32_t is_constant_rate;
    /// The container's start time, as in `fh_media_picture.time_nanoseconds`.
    int64_t start_nanoseconds;
    /// Focal length for a 36 mm × 24 mm sensor of the same diagonal, in millimetres; 0 when unknown.
    double focal_length_35mm;
} fh_media_video_info;

/// What happened so far.
typedef struct fh_media_counters {
    int64_t delivered;
    /// Frames with damage that was concealed.
    int64_t concealed;
    /// Coded frames that gave no picture.
    int64_t lost;
    /// Frames of another size than the first, resized to it.
    int64_t resized;
    /// Frames whose pixels were converted, turned or resized instead of handed over as decoded.
    int64_t copied;
    /// Reading stopped before the end that the container promised.
    int32_t ends_early;
} fh_media_counters;

/// 1 when there is a decoder for a codec of this libav name (`h264`, `hevc`), 0 otherwise.
int32_t fh_media_can_decode(const char *codec_name);

/// Opens a recording and decodes its first frame (which `next` will give).
///
/// `path` is a file (never a network address). `out_detail` takes a short word for the error (a codec's name), or "";
/// it may be NULL.
int32_t fh_media_decoder_create(const char *path, const fh_media_decoder_config *config, fh_media_decoder **out_decoder,
                                char *out_detail, size_t detail_capacity);

int32_t fh_media_decoder_info(const fh_media_decoder *decoder, fh_media_video_info *out_info);

/// Copies the recording's metadata under a name into `out_value`, always terminated; -1 where there is none, or it is
/// longer than the capacity.
int32_t fh_media_decoder_tag(const fh_media_decoder *decoder, const char *name, char *out_value, size_t capacity);

/// The next frame in order of presentation, to be given back with `fh_media_frame_release`; FH_MEDIA_END at the end.
/// Damaged data is concealed or passed over and counted.
int32_t fh_media_decoder_next(fh_media_decoder *decoder, fh_media_frame **out_frame);

int32_t fh_media_decoder_counters(const fh_media_decoder *decoder, fh_media_counters *out_counters);

/// NULL is allowed.
void fh_media_decoder_destroy(fh_media_decoder *decoder);

/// Decodes single pictures (PNG, JPEG, BMP, TIFF, WebP), one after the other.
int32_t fh_media_image_decoder_create(fh_media_image_decoder **out_decoder);

/// `bytes` is a whole picture file, borrowed for the call. All pictures are delivered in the size and orientation of
/// the first one.
int32_t fh_media_image_decoder_decode(fh_media_image_decoder *decoder, const uint8_t *bytes, size_t size,
                                      fh_media_frame **out_frame);

/// The focal length in the last picture's EXIF data, as in `fh_media_video_info`; 0 when unknown.
double fh_media_image_decoder_focal_length_35mm(const fh_media_image_decoder *decoder);

int32_t fh_media_image_decoder_counters(const fh_media_image_decoder *decoder, fh_media_counters *out_counters);

/// NULL is allowed.
void fh_media_image_decoder_destroy(fh_media_image_decoder *decoder);

int32_t fh_media_frame_picture(const fh_media_frame *frame, fh_media_picture *out_picture);

/// Gives the memory back. NULL is allowed.
void fh_media_frame_release(fh_media_frame *frame);

/// Frames that were delivered and not yet released, in the whole process.
int64_t fh_media_live_frame_count(void);

#ifdef __cplusplus
}
#endif
