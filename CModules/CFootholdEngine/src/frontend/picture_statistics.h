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
    /// Share of the picture's cells in which there is more to see than noise, whether or not anything is followed
    /// there.
    double detail_share = 0;
    /// How much the picture repeats itself, 0…1; looked at in every fourth frame.
    double repetition = 0;
};

class PictureAnalyser {
public:
    PictureStatistics analyse(const ImagePyramid &pyramid);

private:
    std::vector<uint8_t> last_;
    int64_t frame_ = 0;
    double repetition_ = 0;
};

}  // namespace foothold
