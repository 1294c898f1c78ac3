// The program's allocators come before the C library's, count, and pass on to glibc's own names for them.
#include <errno.h>
#include <stddef.h>

#include "CAllocationCounter.h"

static _Thread_local int64_t count;

int64_t allocation_count(void) { return count; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef HAS_ADDRESS_SANITIZER

// The sanitizer has allocators of its own, which tell whoever defines this.
void __sanitizer_malloc_hook(const volatile void *memory, size_t size) {
    (void)memory;
    (void)size;
    ++count;
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    ++count;
    return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
    ++count;
    return __libc_calloc(elements, size);
}

void *realloc(void *memory, size_t size) {
    ++count;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    ++count;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    ++count;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    ++count;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

#endif
