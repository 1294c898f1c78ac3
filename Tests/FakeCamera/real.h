// The system's own functions, behind those that take their place.
#pragma once
#include <poll.h>
#include <stddef.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

extern int (*real_open)(const char *, int, ...);
extern int (*real_ioctl)(int, unsigned long, ...);
extern void *(*real_mmap)(void *, size_t, int, int, int, off_t);
extern int (*real_poll)(struct pollfd *, nfds_t, int);
extern int (*real_close)(int);

/// To be called first by whatever may be: other libraries start before this one.
void find_real(void);

#pragma GCC visibility pop
