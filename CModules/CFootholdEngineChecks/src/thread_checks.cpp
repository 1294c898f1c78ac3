#include "thread_checks.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "second_thread.h"

using namespace foothold;

void fh_check_second_thread(int32_t thrower, int32_t *out_failed, int32_t *out_done_after) {
    *out_failed = -1;
    SecondThread second;
    std::atomic<int> begun = 0, done = 0;
    try {
        second.both([&](int share) {
            ++begun;
            while (begun < 2) continue;
            if (thrower == share || thrower == 2) throw share;
        });
    } catch (int share) {
        *out_failed = share;
    }
    second.both([&](int) { ++done; });
    *out_done_after = done;
}

int32_t fh_check_shared_rows(int32_t rows, int32_t has_second_thread) {
    SecondThread second;
    std::vector<int> taken(static_cast<size_t>(rows), 0);
    share_rows(has_second_thread != 0 ? &second : nullptr, rows, [&](int row) { ++taken[static_cast<size_t>(row)]; });
    return static_cast<int32_t>(std::count_if(taken.begin(), taken.end(), [](int count) { return count != 1; }));
}
