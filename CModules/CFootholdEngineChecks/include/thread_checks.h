// Checks of work that two threads share.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Shares a piece of work of which one share throws (`thrower`, 0 or 1; 2: both, -1: none) after both have begun, and
/// then another. `out_failed`: the share whose failure arrived, or -1; `out_done_after`: shares of the other piece that
/// were done.
void fh_check_second_thread(int32_t thrower, int32_t *out_failed, int32_t *out_done_after);

/// Rows of `rows` that weren't taken exactly once, on one thread or on two.
int32_t fh_check_shared_rows(int32_t rows, int32_t has_second_thread);

#ifdef __cplusplus
}
#endif
