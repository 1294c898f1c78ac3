// The picture at halving sizes. Level l's pixel (x, y) is level 0's (x·2^l, y·2^l).
#pragma once

#include <cstdint>
#include <vector>

#include "fh_pyramid.h"

namespace foothold {

using ImageView = fh_image;

class ImagePyramid {
public:
    static constexpr int kLevels = 5;

    /// Copies `luma` and makes the levels above it. Memory is kept for the next picture of the same size.
    void build(const ImageView &luma);

    const ImageView &level(int index) const { return pyramid_.levels[index]; }
    int level_count() const { return pyramid_.level_count; }
    /// For the kernels.
    const fh_pyramid &kernel_view() const { return pyramid_; }

private:
    fh_pyramid pyramid_{};
    std::vector<uint8_t> memory_;
};

}  // namespace foothold
