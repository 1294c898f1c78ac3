// What Swift imports. C++ sources of other targets include fh_engine.h itself, which belongs to no module: C++20 would
// want a compiled module for a header that is in one.
#pragma once
#include "fh_engine.h"
