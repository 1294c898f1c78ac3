// A camera behind a Video4Linux device node. Nothing here prints, aborts or waits except `fh_v4l2_wait`.
//
// Functions return 0 or a negative errno (-ENODEV: unplugged, -EBUSY: in use, -EACCES: not allowed, -EINVAL, …); those
// that say so return something above 0 too. One thread uses a handle at a time, with one exception: `fh_v4l2_queue` may
// be called from any thread while another one waits or takes frames.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_v4l2_device fh_v4l2_device;

/// A pixel format's four letters, as the kernel's headers put them into a number.
#define FH_V4L2_FOURCC(a, b, c, d) \
    ((uint32_t)(a) | ((uint32_t)(b) << 8) | ((uint32_t)(c) << 16) | ((uint32_t)(d) << 24))

typedef struct fh_v4l2_info {
    char driver[16];
    /// The camera's name for people.
    char card[32];
    /// Where it is plugged in: `usb-0000:00:14.0-1`.
    char bus[32];
} fh_v4l2_info;

/// A picture size, or a range of them where `step_width` or `step_height` is above 0.
typedef struct fh_v4l2_size {
    int32_t width, height;
    int32_t max_width, max_height;
    int32_t step_width, step_height;
} fh_v4l2_size;

/// The time between two frames in seconds, as fractions; a range where `is_range` is 1.
typedef struct fh_v4l2_interval {
    uint32_t numerator, denominator;
    uint32_t max_numerator, max_denominator;
    int32_t is_range;
} fh_v4l2_interval;

typedef struct fh_v4l2_mode {
    uint32_t fourcc;
    int32_t width, height;
    /// Of the first plane; as the driver says it, which may be 0.
    int32_t bytes_per_row;
    uint32_t image_bytes;
    /// Seconds between two frames; 0/0 where the driver doesn't tell or can't be told.
    uint32_t interval_numerator, interval_denominator;
    /// 1 when luma spans 0…255, 0 when it spans 16…235.
    int32_t is_full_range;
} fh_v4l2_mode;

/// One filled buffer; its bytes stay valid and untouched until it is given back with `fh_v4l2_queue`.
typedef struct fh_v4l2_frame {
    int32_t index;
    const uint8_t *bytes;
    uint32_t bytes_used;
    uint32_t capacity;
    uint32_t sequence;
    /// CLOCK_MONOTONIC; 0 where the driver's clock is another one.
    int64_t timestamp_nanoseconds;
    /// The driver says that the picture is damaged.
    int32_t is_damaged;
} fh_v4l2_frame;

typedef struct fh_v4l2_control {
    int64_t value;
    int64_t minimum, maximum;
    /// 1 when it cannot be set now (because something else governs it).
    int32_t is_inactive;
} fh_v4l2_control;

/// Opens a node without starting anything. -ENOTTY when it is no camera that streams into mapped buffers, -EOPNOTSUPP
/// when it is one that does so with the multi-planar interface only.
int32_t fh_v4l2_open(const char *path, fh_v4l2_device **out_device);

/// Stops, unmaps and closes. Frames not yet given back become invalid. NULL is allowed.
void fh_v4l2_close(fh_v4l2_device *device);

int32_t fh_v4l2_describe(const fh_v4l2_device *device, fh_v4l2_info *out_info);

/// What can be chosen from, by a number counted from 0; -EINVAL past the last, -ENOTTY where the driver doesn't tell.
int32_t fh_v4l2_format_at(const fh_v4l2_device *device, uint32_t number, uint32_t *out_fourcc);
int32_t fh_v4l2_size_at(const fh_v4l2_device *device, uint32_t number, uint32_t fourcc, fh_v4l2_size *out_size);
int32_t fh_v4l2_interval_at(const fh_v4l2_device *device, uint32_t number, uint32_t fourcc, int32_t width,
                            int32_t height, fh_v4l2_interval *out_interval);

/// What is set now.
int32_t fh_v4l2_current_mode(const fh_v4l2_device *device, fh_v4l2_mode *out_mode);

/// Asks for a mode and says what the driver made of it, which may be another one. An interval of 0/0 leaves the rate
/// as it is.
int32_t fh_v4l2_set_mode(fh_v4l2_device *device, const fh_v4l2_mode *mode, fh_v4l2_mode *out_mode);

/// Maps about `buffer_count` buffers, hands them to the driver and starts. Returns how many it has become.
int32_t fh_v4l2_start(fh_v4l2_device *device, int32_t buffer_count);

/// Stops and unmaps; frames not yet given back become invalid.
void fh_v4l2_stop(fh_v4l2_device *device);

/// Waits for a frame: 1 when there is one (or trouble that `fh_v4l2_dequeue` tells), 0 when none came in time.
int32_t fh_v4l2_wait(const fh_v4l2_device *device, int32_t timeout_milliseconds);

/// The next frame; -EAGAIN when there is none now.
int32_t fh_v4l2_dequeue(fh_v4l2_device *device, fh_v4l2_frame *out_frame);

/// Gives a frame's buffer back to the driver.
int32_t fh_v4l2_queue(fh_v4l2_device *device, int32_t index);

/// What can be held still.
enum {
    FH_V4L2_EXPOSURE_AUTO = 0,
    FH_V4L2_EXPOSURE = 1,
    FH_V4L2_GAIN_AUTO = 2,
    FH_V4L2_GAIN = 3,
    FH_V4L2_WHITE_BALANCE_AUTO = 4,
    FH_V4L2_FOCUS_AUTO = 5,
    FH_V4L2_FOCUS = 6,
};
/// The value of FH_V4L2_EXPOSURE_AUTO that holds it still; all other switches are 0 or 1.
#define FH_V4L2_EXPOSURE_MANUAL 1

/// -EINVAL or -ENOTTY where the camera has no such control.
int32_t fh_v4l2_get_control(const fh_v4l2_device *device, int32_t control, fh_v4l2_control *out_control);
int32_t fh_v4l2_set_control(fh_v4l2_device *device, int32_t control, int64_t value);

/// Copies one plane of packed 4:2:2 into planar 4:2:0: luma as it is, chroma of every other row. `luma_first` is 1 for
/// YUYV and 0 for UYVY. Width and height are even or the last column or row has the chroma of its neighbour.
void fh_v4l2_unpack(const uint8_t *packed, int32_t packed_stride, int32_t width, int32_t height, int32_t luma_first,
                    uint8_t *y, int32_t y_stride, uint8_t *u, uint8_t *v, int32_t chroma_stride);

/// A figure of a luma plane for telling whether it changes (`out_hash`, of every byte of every fourth row), and its
/// mean and the level that all but one in a thousand of the looked-at pixels stay below.
void fh_v4l2_look(const uint8_t *luma, int32_t stride, int32_t width, int32_t height, uint64_t *out_hash,
                  double *out_mean, int32_t *out_brightest);

#ifdef __cplusplus
}
#endif
