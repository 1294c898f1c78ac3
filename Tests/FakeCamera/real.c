#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>
#include <stddef.h>

int (*real_open)(const char *, int, ...);
int (*real_ioctl)(int, unsigned long, ...);
void *(*real_mmap)(void *, size_t, int, int, int, off_t);
int (*real_poll)(struct pollfd *, nfds_t, int);
int (*real_close)(int);

void find_real(void) {
    if (real_close) return;
    real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    real_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    real_mmap = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    real_poll = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    real_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
}
