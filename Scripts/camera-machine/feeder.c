// What the test machine needs beside the command under test:
//   feeder feed NODE FILE WIDTH HEIGHT RATE LEAD READY   writes the pictures of FILE (YU12) to an output node, one
//   write()
//                                                        each; the first one for LEAD seconds, then makes the file
//                                                        READY and goes through all of them over and over
//   feeder set NODE NAME VALUE                           sets a control by its name, as drivers list them
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int fail(const char *what) {
    fprintf(stderr, "feeder: %s: %s\n", what, strerror(errno));
    return 1;
}

static void wait_until(struct timespec *next, long period) {
    next->tv_nsec += period;
    while (next->tv_nsec >= 1000000000) {
        next->tv_nsec -= 1000000000;
        next->tv_sec++;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) == EINTR) continue;
}

static int feed(char **a) {
    const int node = open(a[0], O_RDWR);
    if (node < 0) return fail(a[0]);
    FILE *file = fopen(a[1], "rb");
    if (!file) return fail(a[1]);
    const int width = atoi(a[2]), height = atoi(a[3]), rate = atoi(a[4]), lead = atoi(a[5]);
    const size_t bytes = (size_t)width * (size_t)height * 3 / 2;
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix.width = (unsigned)width;
    format.fmt.pix.height = (unsigned)height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_YUV420;
    format.fmt.pix.sizeimage = (unsigned)bytes;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    if (ioctl(node, VIDIOC_S_FMT, &format) < 0) return fail("format");
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    parameters.parm.output.timeperframe.numerator = 1;
    parameters.parm.output.timeperframe.denominator = (unsigned)rate;
    ioctl(node, VIDIOC_S_PARM, &parameters);
    unsigned char *picture = malloc(bytes);
    if (!picture || fread(picture, 1, bytes, file) != bytes) return fail("the first picture");
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0;; i++) {
        if (i == lead * rate) {
            FILE *ready = fopen(a[6], "w");
            if (ready) fclose(ready);
        }
        if (i > lead * rate && fread(picture, 1, bytes, file) != bytes) {
            rewind(file);
            if (fread(picture, 1, bytes, file) != bytes) return fail("the pictures");
        }
        if (write(node, picture, bytes) < 0) return fail("write");
        wait_until(&next, 1000000000 / rate);
    }
}

static int set(char **a) {
    const int node = open(a[0], O_RDWR);
    if (node < 0) return fail(a[0]);
    struct v4l2_queryctrl query = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (ioctl(node, VIDIOC_QUERYCTRL, &query) == 0) {
        if (!strcmp((const char *)query.name, a[1])) {
            struct v4l2_control control = {.id = query.id, .value = atoi(a[2])};
            return ioctl(node, VIDIOC_S_CTRL, &control) < 0 ? fail(a[1]) : 0;
        }
        query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    errno = ENOENT;
    return fail(a[1]);
}

int main(int count, char **arguments) {
    if (count == 9 && !strcmp(arguments[1], "feed")) return feed(arguments + 2);
    if (count == 5 && !strcmp(arguments[1], "set")) return set(arguments + 2);
    fprintf(stderr, "feeder feed NODE FILE WIDTH HEIGHT RATE LEAD READY | set NODE NAME VALUE\n");
    return 2;
}
