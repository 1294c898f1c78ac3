// A camera that isn't there, for tests: preloaded, it answers for one device node what a driver would, and does what
// drivers do wrong. FOOTHOLD_FAKE_CAMERA says how, as name=value pairs with semicolons between them:
//
//   path, card, bus      the node, the camera's name, its socket
//   format, width, height, rate      what it gives; `real` is the rate that it really has
//   frames       a file of whole pictures one after the other (rows packed), or of JPEG pictures
//   order        loop (default) or swing: forwards and backwards
//   stride       bytes a row; `says` is what the driver says instead
//   buffers      the most that it gives
//   silent       what it answers ENOTTY to: any of the letters p (rate), s (sizes), i (rates), f (formats)
//   wrong        every request is refused with this errno at: open, format, stream (as errno@place)
//   eagain       so many times there is "nothing yet" before each picture
//   short, error, gap        every so-many-th picture is cut off, is flagged, follows a lost one
//   clock        none (no time), wild (nonsense)
//   away, stall, freeze, black, change, fail     when, in seconds since the first start (2-4, or 2 for ever):
//   unplugged,
//                gives nothing, always the same, black, in another format, EIO until it is started again
//   held         when every opening is refused, with the errno `by` (busy unless told)
//   back         the node that it returns as
//   claims       what it calls its format when set (another format), or the size in it (WxH)
//   controls     a file in which each setting of a control is noted
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { most_handles = 16, most_buffers = 16 };

typedef struct handle {
    int descriptor, memory;
    int is_open, is_streaming, buffer_count;
    uint8_t *bytes;
    size_t buffer_bytes;
    // Buffers in the order in which they were handed over, and those that are filled.
    int queued[most_buffers], queued_count;
    struct v4l2_buffer ready[most_buffers];
    int ready_count;
    uint32_t sequence;
    uint64_t ticks;
    double started;
    int patience;
    int64_t opened_generation;
} handle;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static handle handles[most_handles];
static double first_start = -1;
static int is_changed_seen, is_failed_seen;
static uint64_t shown;

static int (*real_open)(const char *, int, ...);
static int (*real_ioctl)(int, unsigned long, ...);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_poll)(struct pollfd *, nfds_t, int);
static int (*real_close)(int);

static const char *setting(const char *name) {
    static _Thread_local char value[512];
    const char *all = getenv("FOOTHOLD_FAKE_CAMERA");
    const size_t length = strlen(name);
    while (all && *all) {
        const char *end = strchrnul(all, ';');
        if (!strncmp(all, name, length) && all[length] == '=') {
            snprintf(value, sizeof value, "%.*s", (int)(end - all - (ptrdiff_t)length - 1), all + length + 1);
            return value;
        }
        all = *end ? end + 1 : end;
    }
    return NULL;
}

static double number(const char *name, double otherwise) {
    const char *text = setting(name);
    return text ? atof(text) : otherwise;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int is_time_of(const char *name) {
    const char *text = setting(name);
    if (!text || first_start < 0) return 0;
    const double since = now() - first_start, from = atof(text);
    const char *dash = strchr(text, '-');
    return since >= from && (!dash || since < atof(dash + 1));
}

/// The device was unplugged after this handle was opened.
static int is_gone(const handle *h) {
    const char *text = setting("away");
    if (!text || first_start < 0) return 0;
    const double since = now() - first_start;
    return since >= atof(text) && h->started >= 0 && h->opened_generation == 0;
}

static const char *path_now(void) {
    const char *text = setting("away");
    if (text && first_start >= 0) {
        const char *dash = strchr(text, '-');
        const double since = now() - first_start;
        if (since >= atof(text)) {
            if (!dash || since < atof(dash + 1)) return NULL;
            const char *back = setting("back");
            if (back) return back;
        }
    }
    const char *path = setting("path");
    return path ? path : "/dev/video9";
}

static int refused(const char *place) {
    const char *text = setting("wrong");
    const char *at = text ? strchr(text, '@') : NULL;
    return at && !strcmp(at + 1, place) ? atoi(text) : 0;
}

/// Other libraries start before this one.
static void find_real(void) {
    if (real_close) return;
    real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    real_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    real_mmap = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    real_poll = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    real_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
}

static handle *find(int descriptor) {
    for (int i = 0; i < most_handles; i++)
        if (handles[i].is_open && handles[i].descriptor == descriptor) return &handles[i];
    return NULL;
}

// What the pictures are.

static uint32_t fourcc(void) {
    const char *name = setting("format");
    if (!name) name = "GREY";
    return v4l2_fourcc(name[0], name[1], name[2], name[3]);
}
static int width(void) { return (int)number("width", 640); }
static int height(void) { return (int)number("height", 480); }
static int is_jpeg(void) { return fourcc() == V4L2_PIX_FMT_MJPEG; }
static int packed_row(void) {
    return fourcc() == V4L2_PIX_FMT_YUYV || fourcc() == V4L2_PIX_FMT_UYVY ? 2 * width() : width();
}
static int stride(void) { return (int)number("stride", packed_row()); }

static size_t picture_bytes(int row) {
    const size_t luma = (size_t)row * (size_t)height();
    switch (fourcc()) {
        case V4L2_PIX_FMT_NV12:
        case V4L2_PIX_FMT_YUV420:
            return luma * 3 / 2;
        case V4L2_PIX_FMT_MJPEG:
            return (size_t)width() * (size_t)height() * 2;
        default:
            return luma;
    }
}

static const uint8_t *pictures;
static size_t pictures_bytes;
static size_t jpeg_starts[4097];
static int picture_count;

static void load(void) {
    if (pictures) return;
    const char *path = setting("frames");
    const int file = path ? real_open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) < 0) {
        fprintf(stderr, "fake camera: no frames\n");
        abort();
    }
    pictures_bytes = (size_t)status.st_size;
    pictures = real_mmap(NULL, pictures_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    real_close(file);
    if (!is_jpeg()) {
        picture_count = (int)(pictures_bytes / picture_bytes(packed_row()));
        return;
    }
    for (size_t i = 0; i + 2 < pictures_bytes && picture_count < 4096; i++)
        if (pictures[i] == 0xff && pictures[i + 1] == 0xd8 && pictures[i + 2] == 0xff) jpeg_starts[picture_count++] = i;
    jpeg_starts[picture_count] = pictures_bytes;
}

static size_t fill(handle *h, uint8_t *out, int *is_short) {
    const int is_frozen = is_time_of("freeze");
    if (!is_frozen) shown++;
    const uint64_t step = shown - 1;
    const char *order = setting("order");
    uint64_t index = step % (uint64_t)picture_count;
    if (order && !strcmp(order, "swing") && picture_count > 1) {
        index = step % (uint64_t)(2 * picture_count - 2);
        if (index >= (uint64_t)picture_count) index = (uint64_t)(2 * picture_count - 2) - index;
    }
    const int every = (int)number("short", 0);
    *is_short = every > 0 && h->sequence % (uint32_t)every == (uint32_t)every - 1;
    if (is_jpeg()) {
        const size_t bytes = jpeg_starts[index + 1] - jpeg_starts[index];
        memcpy(out, pictures + jpeg_starts[index], bytes);
        return *is_short ? bytes / 3 : bytes;
    }
    const size_t bytes = picture_bytes(stride());
    if (is_time_of("black")) {
        memset(out, fourcc() == V4L2_PIX_FMT_GREY ? 3 : 16, bytes);
        // A lens cap doesn't stop a sensor's noise.
        for (size_t i = 0; i < bytes; i += 7) out[i] = (uint8_t)(out[i] + (i * 2654435761u + h->sequence) % 3);
        return bytes;
    }
    const uint8_t *in = pictures + index * picture_bytes(packed_row());
    const int is_planar = fourcc() == V4L2_PIX_FMT_YUV420;
    const int rows = fourcc() == V4L2_PIX_FMT_NV12 ? height() * 3 / 2 : height();
    for (int y = 0; y < rows; y++)
        memcpy(out + (size_t)y * (size_t)stride(), in + (size_t)y * (size_t)packed_row(), (size_t)packed_row());
    for (int y = 0; is_planar && y < height(); y++)
        memcpy(out + (size_t)height() * (size_t)stride() + (size_t)y * (size_t)(stride() / 2),
               in + (size_t)height() * (size_t)width() + (size_t)y * (size_t)(width() / 2), (size_t)(width() / 2));
    return *is_short ? bytes / 2 : bytes;
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
        int is_short = 0;
        buffer.bytesused = (uint32_t)fill(h, h->bytes + (size_t)index * h->buffer_bytes, &is_short);
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
    load();
    h->started = now();
    if (first_start < 0) first_start = h->started;
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

static int answer(handle *h, unsigned long request, void *argument) {
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

// What takes the place of the system's own.

static int open_fake(void) {
    if (refused("open")) {
        errno = refused("open");
        return -1;
    }
    if (is_time_of("held")) {
        errno = (int)number("by", EBUSY);
        return -1;
    }
    for (int i = 0; i < most_handles; i++) {
        handle *h = &handles[i];
        if (h->is_open) continue;
        memset(h, 0, sizeof *h);
        h->descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        h->memory = memfd_create("fake-camera", MFD_CLOEXEC);
        const char *away = setting("away");
        h->opened_generation = away && first_start >= 0 && now() - first_start >= atof(away);
        h->is_open = 1;
        return h->descriptor;
    }
    errno = EMFILE;
    return -1;
}

static int open_any(const char *path, int flags, mode_t mode) {
    find_real();
    if (getenv("FOOTHOLD_FAKE_CAMERA") && !strncmp(path, "/dev/video", 10)) {
        pthread_mutex_lock(&lock);
        const char *there = path_now();
        int result = -1;
        if (there && !strcmp(there, path))
            result = open_fake();
        else
            errno = ENOENT;
        pthread_mutex_unlock(&lock);
        return result;
    }
    return real_open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    find_real();
    pthread_mutex_lock(&lock);
    handle *h = find(descriptor);
    const int status = h ? answer(h, request, argument) : 0;
    pthread_mutex_unlock(&lock);
    if (!h) return real_ioctl(descriptor, request, argument);
    if (status < 0) errno = -status;
    return status < 0 ? -1 : 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    find_real();
    pthread_mutex_lock(&lock);
    const handle *h = descriptor >= 0 ? find(descriptor) : NULL;
    const int memory = h ? h->memory : descriptor;
    pthread_mutex_unlock(&lock);
    return real_mmap(address, length, protection, flags, memory, offset);
}

int poll(struct pollfd *waited, nfds_t count, int timeout) {
    find_real();
    if (count == 1) {
        pthread_mutex_lock(&lock);
        const handle *h = find(waited[0].fd);
        const int is_ready = h && (h->ready_count > 0 || is_gone(h));
        pthread_mutex_unlock(&lock);
        if (is_ready) {
            waited[0].revents = POLLIN;
            return 1;
        }
    }
    return real_poll(waited, count, timeout);
}

int close(int descriptor) {
    find_real();
    pthread_mutex_lock(&lock);
    handle *h = find(descriptor);
    if (h) {
        if (h->bytes) munmap(h->bytes, h->buffer_bytes * most_buffers);
        real_close(h->memory);
        h->is_open = 0;
    }
    pthread_mutex_unlock(&lock);
    return real_close(descriptor);
}
