#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "real.h"
#include "sensor.h"
#include "settings.h"

static int is_changed_seen, is_failed_seen;

int is_gone(const handle *h) {
    const char *text = setting("away");
    return text && since_start() >= 0 && since_start() >= atof(text) && !h->is_of_return;
}

/// Lets the sensor go on to the present moment.
static void advance(handle *h) {
    const double period = 1 / number("real", number("rate", 30));
    const uint64_t due = (uint64_t)((now() - h->started) / period);
    while (h->ticks < due) {
        h->ticks++;
        if (is_time_of("stall")) continue;
        const int every = (int)number("gap", 0);
        if (every > 0 && h->ticks % (uint64_t)every == 0) {
            h->sequence++;
            continue;
        }
        if (h->queued_count == 0) {
            h->sequence++;
            continue;
        }
        const int index = h->queued[0];
        memmove(h->queued, h->queued + 1, sizeof(int) * (size_t)--h->queued_count);
        struct v4l2_buffer buffer = {.index = (uint32_t)index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
        buffer.bytesused = (uint32_t)next_picture(h->bytes + (size_t)index * h->buffer_bytes, h->sequence);
        buffer.length = (uint32_t)h->buffer_bytes;
        buffer.memory = V4L2_MEMORY_MMAP;
        buffer.sequence = h->sequence;
        const char *clock = setting("clock");
        const double time = h->started + (double)h->ticks * period;
        if (!clock) buffer.flags |= V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
        if (clock && !strcmp(clock, "wild")) {
            buffer.flags |= V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
            buffer.timestamp.tv_sec = 5;
        } else if (!clock) {
            buffer.timestamp.tv_sec = (time_t)time;
            buffer.timestamp.tv_usec = (suseconds_t)((time - (double)(time_t)time) * 1e6);
        }
        const int wrong = (int)number("error", 0);
        if (wrong > 0 && h->sequence % (uint32_t)wrong == 0) buffer.flags |= V4L2_BUF_FLAG_ERROR;
        h->ready[h->ready_count++] = buffer;
        h->sequence++;
    }
}

static int start(handle *h) {
    if (refused("stream")) return -refused("stream");
    if (is_time_of("lack")) return -ENOSPC;
    load_pictures();
    h->started = now();
    note_start();
    h->ticks = 0;
    h->sequence = 0;
    h->is_streaming = 1;
    h->ready_count = 0;
    const double period = 1 / number("real", number("rate", 30));
    struct itimerspec timer = {.it_interval = {(time_t)period, (long)((period - (double)(time_t)period) * 1e9)}};
    timer.it_value = timer.it_interval;
    timerfd_settime(h->descriptor, 0, &timer, NULL);
    if (is_time_of("fail")) is_failed_seen = 1;
    return 0;
}

static int take(handle *h, struct v4l2_buffer *out) {
    if (!h->is_streaming) return -EINVAL;
    if (is_time_of("fail") && !is_failed_seen) return -EIO;
    uint64_t expired;
    if (read(h->descriptor, &expired, sizeof expired) < 0 && errno != EAGAIN) return -EIO;
    advance(h);
    if (h->ready_count == 0) return -EAGAIN;
    if (h->patience < (int)number("eagain", 0)) {
        h->patience++;
        return -EAGAIN;
    }
    h->patience = 0;
    *out = h->ready[0];
    memmove(h->ready, h->ready + 1, sizeof *h->ready * (size_t)--h->ready_count);
    return 0;
}

static void describe_format(struct v4l2_pix_format *format) {
    memset(format, 0, sizeof *format);
    format->width = (uint32_t)width();
    format->height = (uint32_t)height();
    format->pixelformat = fourcc();
    format->bytesperline = (uint32_t)number("says", is_jpeg() ? 0 : stride());
    format->sizeimage = (uint32_t)picture_bytes(stride());
    format->colorspace = V4L2_COLORSPACE_SRGB;
    const char *claims = setting("claims");
    if (claims && strchr(claims, 'x')) {
        format->width = (uint32_t)atoi(claims);
        format->height = (uint32_t)atoi(strchr(claims, 'x') + 1);
        format->bytesperline = format->width;
    } else if (claims && strlen(claims) == 4) {
        format->pixelformat = v4l2_fourcc(claims[0], claims[1], claims[2], claims[3]);
    }
}

static int note_control(const struct v4l2_control *control) {
    const char *path = setting("controls");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return -EINVAL;
    fprintf(file, "%x=%d\n", control->id, control->value);
    fclose(file);
    return 0;
}

static int is_silent(char about) {
    const char *silent = setting("silent");
    return silent && strchr(silent, about);
}

int answer(handle *h, unsigned long request, void *argument) {
    if (is_gone(h)) return -ENODEV;
    switch (request) {
        case VIDIOC_QUERYCAP: {
            struct v4l2_capability *capability = argument;
            memset(capability, 0, sizeof *capability);
            const char *bus = setting("bus");
            strcpy((char *)capability->driver, "fake");
            snprintf((char *)capability->bus_info, 32, "%s", bus ? bus : "usb-fake-1");
            const char *card = setting("card");
            snprintf((char *)capability->card, 32, "%s", card ? card : "Fake camera");
            capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
            capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
            return 0;
        }
        case VIDIOC_ENUM_FMT: {
            struct v4l2_fmtdesc *description = argument;
            if (is_silent('f')) return -ENOTTY;
            if (description->index > 0) return -EINVAL;
            description->pixelformat = fourcc();
            return 0;
        }
        case VIDIOC_ENUM_FRAMESIZES: {
            struct v4l2_frmsizeenum *size = argument;
            if (is_silent('s')) return -ENOTTY;
            if (size->index > 0) return -EINVAL;
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete.width = (uint32_t)width();
            size->discrete.height = (uint32_t)height();
            return 0;
        }
        case VIDIOC_ENUM_FRAMEINTERVALS: {
            struct v4l2_frmivalenum *interval = argument;
            if (is_silent('i')) return -ENOTTY;
            if (interval->index > 0) return -EINVAL;
            interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
            interval->discrete.numerator = 1000;
            interval->discrete.denominator = (uint32_t)(number("rate", 30) * 1000);
            return 0;
        }
        case VIDIOC_G_FMT: {
            struct v4l2_format *format = argument;
            describe_format(&format->fmt.pix);
            if (is_time_of("change") && !is_changed_seen) {
                format->fmt.pix.width = 176;
                format->fmt.pix.height = 144;
            }
            return 0;
        }
        case VIDIOC_S_FMT: {
            struct v4l2_format *format = argument;
            if (refused("format")) return -refused("format");
            if (is_time_of("change")) is_changed_seen = 1;
            describe_format(&format->fmt.pix);
            return 0;
        }
        case VIDIOC_G_PARM:
        case VIDIOC_S_PARM: {
            struct v4l2_streamparm *parameters = argument;
            if (is_silent('p')) return -ENOTTY;
            parameters->parm.capture.timeperframe.numerator = 1000;
            parameters->parm.capture.timeperframe.denominator = (uint32_t)(number("rate", 30) * 1000);
            return 0;
        }
        case VIDIOC_REQBUFS: {
            struct v4l2_requestbuffers *buffers = argument;
            const uint32_t most = (uint32_t)number("buffers", 8);
            if (buffers->count > most) buffers->count = most;
            h->buffer_count = (int)buffers->count;
            h->queued_count = h->ready_count = 0;
            if (h->bytes) munmap(h->bytes, h->buffer_bytes * most_buffers);
            h->bytes = NULL;
            if (buffers->count == 0) return 0;
            h->buffer_bytes = (picture_bytes(stride()) + 4095) / 4096 * 4096;
            if (ftruncate(h->memory, (off_t)(h->buffer_bytes * most_buffers)) < 0) return -ENOMEM;
            h->bytes =
                real_mmap(NULL, h->buffer_bytes * most_buffers, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0);
            return h->bytes == MAP_FAILED ? -ENOMEM : 0;
        }
        case VIDIOC_QUERYBUF: {
            struct v4l2_buffer *buffer = argument;
            if (buffer->index >= (uint32_t)h->buffer_count) return -EINVAL;
            buffer->length = (uint32_t)h->buffer_bytes;
            buffer->m.offset = buffer->index * (uint32_t)h->buffer_bytes;
            return 0;
        }
        case VIDIOC_QBUF: {
            const struct v4l2_buffer *buffer = argument;
            if (buffer->index >= (uint32_t)h->buffer_count || h->queued_count >= h->buffer_count) return -EINVAL;
            if (h->is_streaming) advance(h);
            h->queued[h->queued_count++] = (int)buffer->index;
            return 0;
        }
        case VIDIOC_DQBUF:
            return take(h, argument);
        case VIDIOC_STREAMON:
            return start(h);
        case VIDIOC_STREAMOFF:
            h->is_streaming = 0;
            return 0;
        case VIDIOC_QUERYCTRL: {
            struct v4l2_queryctrl *query = argument;
            if (!setting("controls")) return -EINVAL;
            query->flags = 0;
            query->minimum = 0;
            query->maximum = 1000;
            return 0;
        }
        case VIDIOC_G_CTRL: {
            struct v4l2_control *control = argument;
            if (!setting("controls")) return -EINVAL;
            control->value = control->id == V4L2_CID_EXPOSURE_AUTO       ? 3
                             : control->id == V4L2_CID_EXPOSURE_ABSOLUTE ? 157
                             : control->id == V4L2_CID_FOCUS_ABSOLUTE    ? 40
                                                                         : 1;
            return 0;
        }
        case VIDIOC_S_CTRL:
            return note_control(argument);
        default:
            return -ENOTTY;
    }
}
