// Binary descriptors of places in a picture, for finding a place again from anywhere.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "fh_corners.h"
#include "fh_descriptors.h"
#include "frontend/image_pyramid.h"

namespace foothold {

/// A place is described at this many levels from 0 on, so that it is known from twice as far, too.
inline constexpr int kDescribedLevels = 2;
using PlaceDescriptors = std::array<fh_descriptor, kDescribedLevels>;

struct DescribedCorner {
    /// Level-0 pixel.
    Eigen::Vector2d pixel;
    fh_descriptor descriptor;
};

/// Describes places of one picture at a time. Memory is kept for the next.
class PictureDescriber {
public:
    /// Must come first; the results of the other two are of this picture.
    void look_at(const ImagePyramid &pyramid);
    /// One for each level-0 pixel.
    void describe(const std::vector<Eigen::Vector2d> &pixels, std::vector<PlaceDescriptors> *out_descriptors);
    /// Corners at levels 0, 1 and 2, spread over the picture, each described at its own level.
    const std::vector<DescribedCorner> &corners();

private:
    const ImagePyramid *pyramid_ = nullptr;
    fh_pyramid blurred_{};
    std::vector<uint8_t> memory_, scratch_, levels_;
    std::vector<fh_point> points_;
    std::vector<fh_descriptor> descriptors_;
    std::vector<fh_grid_corner> chosen_;
    std::vector<DescribedCorner> corners_;
};

}  // namespace foothold
