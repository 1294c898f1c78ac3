// The square markers of ArUco (Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial
// markers under occlusion", 2014): which marker is which, and finding them in a picture.
#pragma once
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace foothold {

/// How many markers of each dictionary are known.
constexpr int kMarkerCount = 50;

/// A marker's inner bits, row by row, the first one highest; 1 is white. `bits` along a side: 4, 5 or 6.
uint64_t MarkerPattern(int bits, int id);

struct FoundMarker {
    int id;
    /// From its own top-left corner clockwise, at the edge of its black border.
    cv::Point2f corners[4];
};

/// Finds the markers with ids below `count` in a grey picture.
std::vector<FoundMarker> FindMarkers(const cv::Mat &picture, int bits, int count);

}  // namespace foothold
