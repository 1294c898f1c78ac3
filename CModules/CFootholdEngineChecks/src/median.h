#pragma once

#include <vector>

#include "geometry/median.h"

namespace foothold::checks {

/// The upper one of an even number of values; 0 of none.
inline double median(std::vector<double> values) { return foothold::median(values); }

}  // namespace foothold::checks
