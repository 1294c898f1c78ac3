// Counts what a thread takes from the heap.
#pragma once

#include <cstdint>

/// Heap allocations of this thread so far; CAllocationCounter has it. Declared here because that header belongs to a
/// module, which C++20 would want compiled.
extern "C" int64_t allocation_count(void);
