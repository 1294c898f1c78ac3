// What a picture says about itself, for coaching.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/image_pyramid.h"

namespace foothold {

struct PictureStatistics {
    /// Mean luma, and the shares of pixels below 16 and above 240; all 0…1.
    double brightness = 0;
    double dark_share = 0;
    double bright_share = 0;
    /// Mean gradient length at the finest level over that one level up: about 0.6 for a sharp picture, falling with
    /// blur, whatever the contrast.
    double sharpness = 0;
    /// Mean absolute difference to the last picture, 0…1.
    double change = 0;
};

class PictureAnalyser {
public:
    PictureStatistics analyse(const ImagePyramid &pyramid);

private:
    std::vector<uint8_t> last_;
};

}  // namespace foothold
