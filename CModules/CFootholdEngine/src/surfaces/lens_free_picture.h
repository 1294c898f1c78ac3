// A keyframe's picture as a lens without distortion would have shown it.
#pragma once

#include <opencv2/core.hpp>

#include "map_view.h"

namespace foothold {

/// Without distortion the picture is not copied: what comes back then lives as long as it does.
cv::Mat without_lens(const KeyframeView &view);

}  // namespace foothold
