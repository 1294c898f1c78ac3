#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fh_v4l2.h"

enum { most_buffers = 32 };

struct fh_v4l2_device {
    int descriptor;
    struct v4l2_capability capability;
    int buffer_count;
    int is_streaming;
    struct {
        void *bytes;
        size_t capacity;
    } buffers[most_buffers];
};

/// An ioctl that a signal doesn't break off: 0 or a negative errno.
static int32_t request(const fh_v4l2_device *device, unsigned long number, void *argument) {
    int result;
    do result = ioctl(device->descriptor, number, argument);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int32_t fh_v4l2_open(const char *path, fh_v4l2_device **out_device) {
    if (!path || !out_device) return -EINVAL;
    *out_device = NULL;
    // Whatever else it is isn't opened: that may do something.
    struct stat status_of_node;
    if (stat(path, &status_of_node) == 0 && !S_ISCHR(status_of_node.st_mode)) return -ENOTTY;
    fh_v4l2_device *device = calloc(1, sizeof *device);
    if (!device) return -ENOMEM;
    do device->descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    while (device->descriptor < 0 && errno == EINTR);
    if (device->descriptor < 0) {
        const int32_t status = -errno;
        free(device);
        return status;
    }
    int32_t status = request(device, VIDIOC_QUERYCAP, &device->capability);
    if (status == -EINVAL) status = -ENOTTY;
    if (status == 0) {
        const uint32_t all = device->capability.capabilities;
        const uint32_t own = all & V4L2_CAP_DEVICE_CAPS ? device->capability.device_caps : all;
        if (!(own & V4L2_CAP_VIDEO_CAPTURE))
            status = own & V4L2_CAP_VIDEO_CAPTURE_MPLANE ? -EOPNOTSUPP : -ENOTTY;
        else if (!(own & V4L2_CAP_STREAMING))
            status = -ENOTTY;
    }
    if (status < 0) {
        fh_v4l2_close(device);
        return status;
    }
    *out_device = device;
    return 0;
}

void fh_v4l2_close(fh_v4l2_device *device) {
    if (!device) return;
    fh_v4l2_stop(device);
    close(device->descriptor);
    free(device);
}

int32_t fh_v4l2_describe(const fh_v4l2_device *device, fh_v4l2_info *out_info) {
    if (!device || !out_info) return -EINVAL;
    memset(out_info, 0, sizeof *out_info);
    memcpy(out_info->driver, device->capability.driver, sizeof out_info->driver - 1);
    memcpy(out_info->card, device->capability.card, sizeof out_info->card - 1);
    memcpy(out_info->bus, device->capability.bus_info, sizeof out_info->bus - 1);
    return 0;
}

int32_t fh_v4l2_format_at(const fh_v4l2_device *device, uint32_t number, uint32_t *out_fourcc) {
    if (!device || !out_fourcc) return -EINVAL;
    struct v4l2_fmtdesc description = {.index = number, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    const int32_t status = request(device, VIDIOC_ENUM_FMT, &description);
    *out_fourcc = description.pixelformat;
    return status;
}

int32_t fh_v4l2_size_at(const fh_v4l2_device *device, uint32_t number, uint32_t fourcc, fh_v4l2_size *out_size) {
    if (!device || !out_size) return -EINVAL;
    struct v4l2_frmsizeenum size = {.index = number, .pixel_format = fourcc};
    const int32_t status = request(device, VIDIOC_ENUM_FRAMESIZES, &size);
    if (status < 0) return status;
    memset(out_size, 0, sizeof *out_size);
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        out_size->width = out_size->max_width = (int32_t)size.discrete.width;
        out_size->height = out_size->max_height = (int32_t)size.discrete.height;
        return 0;
    }
    out_size->width = (int32_t)size.stepwise.min_width;
    out_size->height = (int32_t)size.stepwise.min_height;
    out_size->max_width = (int32_t)size.stepwise.max_width;
    out_size->max_height = (int32_t)size.stepwise.max_height;
    out_size->step_width = size.stepwise.step_width > 0 ? (int32_t)size.stepwise.step_width : 1;
    out_size->step_height = size.stepwise.step_height > 0 ? (int32_t)size.stepwise.step_height : 1;
    return 0;
}

int32_t fh_v4l2_interval_at(const fh_v4l2_device *device, uint32_t number, uint32_t fourcc, int32_t width,
                            int32_t height, fh_v4l2_interval *out_interval) {
    if (!device || !out_interval) return -EINVAL;
    struct v4l2_frmivalenum interval = {
        .index = number, .pixel_format = fourcc, .width = (uint32_t)width, .height = (uint32_t)height};
    const int32_t status = request(device, VIDIOC_ENUM_FRAMEINTERVALS, &interval);
    if (status < 0) return status;
    if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
        *out_interval = (fh_v4l2_interval){interval.discrete.numerator, interval.discrete.denominator,
                                           interval.discrete.numerator, interval.discrete.denominator, 0};
        return 0;
    }
    *out_interval = (fh_v4l2_interval){interval.stepwise.min.numerator, interval.stepwise.min.denominator,
                                       interval.stepwise.max.numerator, interval.stepwise.max.denominator, 1};
    return 0;
}

static int is_full_range(const struct v4l2_pix_format *format) {
    if (format->quantization == V4L2_QUANTIZATION_FULL_RANGE) return 1;
    if (format->quantization == V4L2_QUANTIZATION_LIM_RANGE) return 0;
    return format->colorspace == V4L2_COLORSPACE_JPEG || format->pixelformat == V4L2_PIX_FMT_MJPEG ||
           format->pixelformat == V4L2_PIX_FMT_JPEG || format->pixelformat == V4L2_PIX_FMT_GREY;
}

static void read_interval(const fh_v4l2_device *device, fh_v4l2_mode *mode) {
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    mode->interval_numerator = mode->interval_denominator = 0;
    if (request(device, VIDIOC_G_PARM, &parameters) < 0) return;
    const struct v4l2_fract interval = parameters.parm.capture.timeperframe;
    if (interval.numerator == 0 || interval.denominator == 0) return;
    mode->interval_numerator = interval.numerator;
    mode->interval_denominator = interval.denominator;
}

static int32_t mode_of(const fh_v4l2_device *device, const struct v4l2_pix_format *format, fh_v4l2_mode *out_mode) {
    if (format->width > INT32_MAX || format->height > INT32_MAX || format->bytesperline > INT32_MAX) return -ERANGE;
    *out_mode = (fh_v4l2_mode){.fourcc = format->pixelformat,
                               .width = (int32_t)format->width,
                               .height = (int32_t)format->height,
                               .bytes_per_row = (int32_t)format->bytesperline,
                               .image_bytes = format->sizeimage,
                               .is_full_range = is_full_range(format)};
    read_interval(device, out_mode);
    return 0;
}

int32_t fh_v4l2_current_mode(const fh_v4l2_device *device, fh_v4l2_mode *out_mode) {
    if (!device || !out_mode) return -EINVAL;
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    const int32_t status = request(device, VIDIOC_G_FMT, &format);
    return status < 0 ? status : mode_of(device, &format.fmt.pix, out_mode);
}

int32_t fh_v4l2_set_mode(fh_v4l2_device *device, const fh_v4l2_mode *mode, fh_v4l2_mode *out_mode) {
    if (!device || !mode || !out_mode) return -EINVAL;
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = (uint32_t)mode->width;
    format.fmt.pix.height = (uint32_t)mode->height;
    format.fmt.pix.pixelformat = mode->fourcc;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    const int32_t status = request(device, VIDIOC_S_FMT, &format);
    if (status < 0) return status;
    if (mode->interval_numerator > 0 && mode->interval_denominator > 0) {
        struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
        parameters.parm.capture.timeperframe.numerator = mode->interval_numerator;
        parameters.parm.capture.timeperframe.denominator = mode->interval_denominator;
        // Many drivers have no rate to set: frames come as they come, and are dated.
        const int32_t rate_status = request(device, VIDIOC_S_PARM, &parameters);
        if (rate_status == -EBUSY || rate_status == -ENODEV) return rate_status;
    }
    return mode_of(device, &format.fmt.pix, out_mode);
}

static void unmap(fh_v4l2_device *device) {
    for (int i = 0; i < device->buffer_count; i++)
        if (device->buffers[i].bytes) munmap(device->buffers[i].bytes, device->buffers[i].capacity);
    device->buffer_count = 0;
    struct v4l2_requestbuffers none = {.count = 0, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    request(device, VIDIOC_REQBUFS, &none);
}

static int32_t map_one(fh_v4l2_device *device, int index) {
    struct v4l2_buffer buffer = {
        .index = (uint32_t)index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int32_t status = request(device, VIDIOC_QUERYBUF, &buffer);
    if (status < 0) return status;
    void *bytes =
        mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device->descriptor, (off_t)buffer.m.offset);
    // Some drivers give their buffers away for reading only.
    if (bytes == MAP_FAILED)
        bytes = mmap(NULL, buffer.length, PROT_READ, MAP_SHARED, device->descriptor, (off_t)buffer.m.offset);
    if (bytes == MAP_FAILED) return -errno;
    device->buffers[index].bytes = bytes;
    device->buffers[index].capacity = buffer.length;
    return request(device, VIDIOC_QBUF, &buffer);
}

int32_t fh_v4l2_start(fh_v4l2_device *device, int32_t buffer_count) {
    if (!device || buffer_count < 1 || device->is_streaming) return -EINVAL;
    struct v4l2_requestbuffers buffers = {
        .count = (uint32_t)buffer_count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int32_t status = request(device, VIDIOC_REQBUFS, &buffers);
    if (status < 0) return status;
    if (buffers.count < 1) return -ENOMEM;
    const int count = buffers.count < most_buffers ? (int)buffers.count : most_buffers;
    memset(device->buffers, 0, sizeof device->buffers);
    device->buffer_count = count;
    for (int i = 0; i < count && status == 0; i++) status = map_one(device, i);
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (status == 0) status = request(device, VIDIOC_STREAMON, &type);
    if (status < 0) {
        unmap(device);
        return status;
    }
    device->is_streaming = 1;
    return count;
}

void fh_v4l2_stop(fh_v4l2_device *device) {
    if (!device || !device->is_streaming) return;
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request(device, VIDIOC_STREAMOFF, &type);
    unmap(device);
    device->is_streaming = 0;
}

int32_t fh_v4l2_wait(const fh_v4l2_device *device, int32_t timeout_milliseconds) {
    if (!device) return -EINVAL;
    struct pollfd waited = {.fd = device->descriptor, .events = POLLIN};
    const int result = poll(&waited, 1, timeout_milliseconds);
    if (result < 0) return errno == EINTR ? 0 : -errno;
    return result > 0;
}

int32_t fh_v4l2_dequeue(fh_v4l2_device *device, fh_v4l2_frame *out_frame) {
    if (!device || !out_frame) return -EINVAL;
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    const int32_t status = request(device, VIDIOC_DQBUF, &buffer);
    if (status < 0) return status;
    if (buffer.index >= (uint32_t)device->buffer_count) return -EIO;
    *out_frame = (fh_v4l2_frame){.index = (int32_t)buffer.index,
                                 .bytes = device->buffers[buffer.index].bytes,
                                 .bytes_used = buffer.bytesused,
                                 .capacity = (uint32_t)device->buffers[buffer.index].capacity,
                                 .sequence = buffer.sequence,
                                 .is_damaged = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0};
    if ((buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        out_frame->timestamp_nanoseconds =
            (int64_t)buffer.timestamp.tv_sec * 1000000000 + (int64_t)buffer.timestamp.tv_usec * 1000;
    return 0;
}

int32_t fh_v4l2_queue(fh_v4l2_device *device, int32_t index) {
    if (!device || index < 0 || index >= device->buffer_count) return -EINVAL;
    struct v4l2_buffer buffer = {
        .index = (uint32_t)index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return request(device, VIDIOC_QBUF, &buffer);
}

static uint32_t control_id(int32_t control) {
    switch (control) {
        case FH_V4L2_EXPOSURE_AUTO:
            return V4L2_CID_EXPOSURE_AUTO;
        case FH_V4L2_EXPOSURE:
            return V4L2_CID_EXPOSURE_ABSOLUTE;
        case FH_V4L2_GAIN_AUTO:
            return V4L2_CID_AUTOGAIN;
        case FH_V4L2_GAIN:
            return V4L2_CID_GAIN;
        case FH_V4L2_WHITE_BALANCE_AUTO:
            return V4L2_CID_AUTO_WHITE_BALANCE;
        case FH_V4L2_FOCUS_AUTO:
            return V4L2_CID_FOCUS_AUTO;
        case FH_V4L2_FOCUS:
            return V4L2_CID_FOCUS_ABSOLUTE;
        default:
            return 0;
    }
}

int32_t fh_v4l2_get_control(const fh_v4l2_device *device, int32_t control, fh_v4l2_control *out_control) {
    const uint32_t id = control_id(control);
    if (!device || !out_control || !id) return -EINVAL;
    struct v4l2_queryctrl query = {.id = id};
    int32_t status = request(device, VIDIOC_QUERYCTRL, &query);
    if (status < 0) return status;
    if (query.flags & V4L2_CTRL_FLAG_DISABLED) return -EINVAL;
    struct v4l2_control value = {.id = id};
    status = request(device, VIDIOC_G_CTRL, &value);
    if (status < 0) return status;
    *out_control = (fh_v4l2_control){value.value, query.minimum, query.maximum,
                                     (query.flags & (V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_READ_ONLY)) != 0};
    return 0;
}

int32_t fh_v4l2_set_control(fh_v4l2_device *device, int32_t control, int64_t value) {
    const uint32_t id = control_id(control);
    if (!device || !id || value < INT32_MIN || value > INT32_MAX) return -EINVAL;
    struct v4l2_control change = {.id = id, .value = (int32_t)value};
    return request(device, VIDIOC_S_CTRL, &change);
}
