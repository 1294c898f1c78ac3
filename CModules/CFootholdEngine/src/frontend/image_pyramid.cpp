#include "frontend/image_pyramid.h"

#include <opencv2/imgproc.hpp>

namespace foothold {

void ImagePyramid::build(const ImageView &luma) {
    levels_[0] = luma;
    level_count_ = 1;
    cv::Mat source(luma.height, luma.width, CV_8UC1, const_cast<uint8_t *>(luma.data), luma.stride);
    while (level_count_ < kLevels && std::min(source.cols, source.rows) >= 48) {
        cv::Mat &target = buffers_[level_count_];
        cv::pyrDown(source, target);
        levels_[level_count_] = {target.data, target.cols, target.rows, static_cast<int>(target.step)};
        source = target;
        ++level_count_;
    }
}

}  // namespace foothold
