#define _GNU_SOURCE
#include "sensor.h"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "real.h"
#include "settings.h"

static uint64_t shown;

uint32_t fourcc(void) {
    const char *name = setting("format");
    if (!name) name = "GREY";
    return v4l2_fourcc(name[0], name[1], name[2], name[3]);
}

/// Width or height as it is now: a camera may come back with another size.
static int side(const char *name, const char *later, int otherwise) {
    return (int)number(is_over("away") && setting(later) ? later : name, otherwise);
}
int width(void) { return side("width", "width2", 640); }
int height(void) { return side("height", "height2", 480); }
int is_jpeg(void) { return fourcc() == V4L2_PIX_FMT_MJPEG; }
static int packed_row(void) {
    return fourcc() == V4L2_PIX_FMT_YUYV || fourcc() == V4L2_PIX_FMT_UYVY ? 2 * width() : width();
}
int stride(void) { return (int)number("stride", packed_row()); }

size_t picture_bytes(int row) {
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

void load_pictures(void) {
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

size_t next_picture(uint8_t *out, uint32_t sequence) {
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
    const int is_short = every > 0 && sequence % (uint32_t)every == (uint32_t)every - 1;
    if (is_jpeg()) {
        const size_t bytes = jpeg_starts[index + 1] - jpeg_starts[index];
        memcpy(out, pictures + jpeg_starts[index], bytes);
        return is_short ? bytes / 3 : bytes;
    }
    const size_t bytes = picture_bytes(stride());
    if (is_time_of("black")) {
        memset(out, fourcc() == V4L2_PIX_FMT_GREY ? 3 : 16, bytes);
        // A lens cap doesn't stop a sensor's noise.
        for (size_t i = 0; i < bytes; i += 7) out[i] = (uint8_t)(out[i] + (i * 2654435761u + sequence) % 3);
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
    return is_short ? bytes / 2 : bytes;
}
