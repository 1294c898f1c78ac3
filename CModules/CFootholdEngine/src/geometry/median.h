// The median that estimates here are made robust with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace foothold {

/// The upper one of an even number of values; 0 of none. Leaves them in another order.
inline double median(std::span<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace foothold
