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
    /// `smoothed_noise`: of level 1, where the picture was smoothed, or 0.
    void build(const ImageView &luma, double smoothed_noise = 0);

    const ImageView &level(int index) const { return pyramid_.levels[index]; }
    int level_count() const { return pyramid_.level_count; }
    /// Standard deviation of the smoothed noise in level 1, grey levels; 0 where nothing was smoothed.
    double smoothed_noise() const { return smoothed_noise_; }
    /// For the kernels.
    const fh_pyramid &kernel_view() const { return pyramid_; }

private:
    fh_pyramid pyramid_{};
    std::vector<uint8_t> memory_;
    double smoothed_noise_ = 0;
};

}  // namespace foothold
