// Cuts a picture into regions whose borders follow its edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
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
    /// -1 outside of the picture.
    int32_t find(int x, int y) const { return x < 0 || y < 0 || x >= width || y >= height ? -1 : at(x, y); }
};

/// Graph-based segmentation (Felzenszwalb and Huttenlocher, IJCV 2004): neighbours grow together unless they differ by
/// more than what lies within each region, and by more than its size excuses.
/// `smooth` is a `SmoothView`'s picture: grey levels, CV_32F. `noise` is the deviation of the noise before it was
/// smoothed, grey levels.
void find_regions(const cv::Mat &smooth, double noise, PictureRegions *out);

}  // namespace foothold
