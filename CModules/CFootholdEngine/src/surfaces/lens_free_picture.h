// A keyframe's picture as a lens without distortion would have shown it.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>

#include "map_view.h"

namespace foothold {

/// `luma` is the keyframe's picture, `scale` times as large as the half-size one. Without distortion it's not copied:
/// what comes back then lives as long as it does.
cv::Mat without_lens(const KeyframeView &view, const uint8_t *luma, int width, int height, int stride, double scale);

}  // namespace foothold
