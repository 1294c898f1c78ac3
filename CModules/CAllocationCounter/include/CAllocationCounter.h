// Counts the calling thread's heap allocations, for tests that allow none. Linked into test programs only.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How often this thread has called malloc, calloc, realloc or an aligned allocator since it began.
int64_t allocation_count(void);

#ifdef __cplusplus
}
#endif
