// A disk that fills up, for tests: preloaded, it takes so many bytes of the files whose path holds some text, and then
// has no space left. FOOTHOLD_FULL_DISK says which, as BYTES:TEXT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic long taken;

static int is_on_it(int descriptor, const char *text) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, text) != NULL;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    static ssize_t (*real_write)(int, const void *, size_t);
    if (!real_write) real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *setting = getenv("FOOTHOLD_FULL_DISK");
    char *text = NULL;
    const long size = setting ? strtol(setting, &text, 10) : 0;
    if (setting && *text == ':' && is_on_it(descriptor, text + 1) &&
        atomic_fetch_add(&taken, (long)count) + (long)count > size) {
        errno = ENOSPC;
        return -1;
    }
    return real_write(descriptor, bytes, count);
}
