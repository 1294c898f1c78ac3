#pragma once

#include <algorithm>
#include <vector>

namespace foothold::checks {

/// The upper one of an even number of values; 0 of none.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

}  // namespace foothold::checks
