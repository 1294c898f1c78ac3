// Finding a board's inner corners in a picture.
#pragma once
#include <opencv2/core.hpp>
#include <vector>

#include "fh_calibration.h"

namespace foothold {

/// Corners that were seen, with where they are on the board (metres, z = 0).
struct Sighting {
    std::vector<cv::Point2f> pixels;
    std::vector<cv::Point3f> places;
    /// Which corner each is, row by row.
    std::vector<int> ids;
};

/// Empty where the board is not (well enough) in the picture.
Sighting FindBoard(const fh_board &board, const cv::Mat &picture);

/// How many markers a ChArUco board has.
int MarkersOn(const fh_board &board);

/// Whether a square is black; the one at the top left is.
bool IsBlack(int column, int row);

}  // namespace foothold
