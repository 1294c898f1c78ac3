#include "frontend/image_pyramid.h"

namespace foothold {

void ImagePyramid::build(const ImageView &luma, double smoothed_noise) {
    smoothed_noise_ = smoothed_noise;
    memory_.resize(fh_pyramid_memory_size(luma.width, luma.height, kLevels));
    fh_pyramid_build(luma.data, luma.width, luma.height, luma.stride, kLevels, memory_.data(), memory_.size(),
                     &pyramid_);
}

}  // namespace foothold
