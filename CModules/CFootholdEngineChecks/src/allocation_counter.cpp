// The C library's allocation functions, counted: everything that takes heap memory in the tests' process ends here,
// `new`, Eigen and OpenCV alike. They hand on to the GNU C library's own, which exports them for such purposes.
#include "allocation_counter.h"

#include <cerrno>
#include <cstddef>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace {

thread_local int64_t count = 0;

}  // namespace

extern "C" {

void *malloc(size_t size) noexcept {
    ++count;
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) noexcept {
    ++count;
    return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) noexcept {
    ++count;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) noexcept {
    ++count;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) noexcept {
    ++count;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) noexcept {
    ++count;
    *out = __libc_memalign(alignment, size);
    return *out == nullptr ? ENOMEM : 0;
}
}

namespace foothold::checks {

int64_t allocation_count() { return count; }

}  // namespace foothold::checks
