// Cuts a picture into regions whose borders follow its edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foothold {

/// Which region each pixel belongs to, row by row.
struct PictureRegions {
    int width = 0;
    int height = 0;
    std::vector<int32_t> labels;
    /// Pixels of each region.
    std::vector<int32_t> sizes;

    int32_t at(int x, int y) const { return labels[static_cast<size_t>(y) * width + x]; }
};

/// Graph-based segmentation (Felzenszwalb and Huttenlocher, IJCV 2004): neighbours grow together unless they differ by
/// more than what lies within each region, and by more than its size excuses.
/// `noise` is the deviation of the picture's noise, grey levels.
void find_regions(const uint8_t *luma, int width, int height, int stride, double noise, PictureRegions *out);

}  // namespace foothold
