// The picture at halving sizes. Level l's pixel (x, y) is level 0's (x·2^l, y·2^l).
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace foothold {

struct ImageView {
    const uint8_t *data = nullptr;
    int width = 0;
    int height = 0;
    int stride = 0;
};

class ImagePyramid {
public:
    static constexpr int kLevels = 5;

    /// Builds all levels; level 0 borrows `luma` (which must stay valid while it is used). Buffers are reused.
    void build(const ImageView &luma);

    const ImageView &level(int index) const { return levels_[index]; }
    int level_count() const { return level_count_; }

private:
    ImageView levels_[kLevels];
    cv::Mat buffers_[kLevels];
    int level_count_ = 0;
};

}  // namespace foothold
