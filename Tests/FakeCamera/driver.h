// A driver's answers to what it is asked.
#pragma once
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { most_buffers = 16 };

/// An opened device. All functions are called under one lock.
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
    /// Opened after the camera had been away.
    int is_of_return;
} handle;

/// The device was unplugged after this handle was opened.
int is_gone(const handle *h);

/// An ioctl: 0 or a negative errno.
int answer(handle *h, unsigned long request, void *argument);

#pragma GCC visibility pop
