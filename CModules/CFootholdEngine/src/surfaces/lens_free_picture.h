// A keyframe's picture as a lens without distortion would have shown it.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "map_view.h"

namespace foothold {

/// Without distortion the picture is not copied: what comes back then lives as long as it does.
cv::Mat without_lens(const KeyframeView &view);

/// The same to find pieces in (fh_pieces.h), in rows of its width.
std::vector<uint16_t> pairs_without_lens(const KeyframeView &view);

}  // namespace foothold
