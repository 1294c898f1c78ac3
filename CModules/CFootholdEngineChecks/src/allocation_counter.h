// Counts what a thread takes from the heap.
#pragma once

#include <cstdint>

namespace foothold::checks {

/// Heap allocations of the calling thread since it started, however they were asked for.
int64_t allocation_count();

}  // namespace foothold::checks
