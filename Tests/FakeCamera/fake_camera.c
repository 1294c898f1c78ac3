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
//   lack         when its connection has no bandwidth left
//   width2, height2      its size when it returns
//   back         the node that it returns as
//   claims       what it calls its format when set (another format), or the size in it (WxH)
//   controls     a file in which each setting of a control is noted
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "driver.h"
#include "real.h"
#include "settings.h"

enum { most_handles = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static handle handles[most_handles];

static handle *find(int descriptor) {
    for (int i = 0; i < most_handles; i++)
        if (handles[i].is_open && handles[i].descriptor == descriptor) return &handles[i];
    return NULL;
}

static const char *path_now(void) {
    if (is_time_of("away")) return NULL;
    const char *back = is_over("away") ? setting("back") : NULL;
    const char *path = back ? back : setting("path");
    return path ? path : "/dev/video9";
}

/// Other nodes than cameras are left alone, apart from one that is named.
static int is_ours(const char *path) {
    if (!getenv("FOOTHOLD_FAKE_CAMERA")) return 0;
    const char *named = setting("path");
    return !strncmp(path, "/dev/video", 10) || (named && !strcmp(path, named));
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
        h->is_of_return = is_over("away");
        h->is_open = 1;
        return h->descriptor;
    }
    errno = EMFILE;
    return -1;
}

static int open_any(const char *path, int flags, mode_t mode) {
    find_real();
    if (is_ours(path)) {
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
