// Corners worth tracking, well spread over the picture.
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <vector>

#include "fh_corners.h"
#include "frontend/image_pyramid.h"

namespace foothold {

/// Finds the best corner of every cell that holds none yet.
class CornerDetector {
public:
    /// FAST's threshold in grey levels, and the Shi-Tomasi score (squared grey levels per pixel) below which a corner
    /// is useless.
    struct Thresholds {
        int fast = 6;
        float weakest_score = 4;
    };
    CornerDetector() = default;
    explicit CornerDetector(const Thresholds &thresholds) : thresholds_(thresholds) {}

    /// `taken` are level-0 pixels that already have a point. Returns at most `wanted` new corners, best first, none
    /// nearer than `spacing` pixels to another or to a taken one, none within `margin` of the picture's edge.
    const std::vector<Eigen::Vector2d> &detect(const ImageView &image, const std::vector<Eigen::Vector2d> &taken,
                                               int wanted, double spacing, int margin);

    /// Share of the picture's cells (8 × 6) that held a corner when last looked at.
    double texture_share() const { return texture_share_; }

private:
    struct Scored {
        float score;
        int x, y;
    };
    /// FAST corners into `corners_` and their Shi-Tomasi scores beside them; returns how many.
    int find_corners(const ImageView &image);

    Thresholds thresholds_;
    std::vector<fh_corner> corners_ = std::vector<fh_corner>(4096);
    std::vector<float> shi_tomasi_;
    std::vector<uint8_t> scratch_;
    std::vector<Scored> scored_;
    std::vector<Eigen::Vector2d> result_;
    cv::Mat occupied_;
    double texture_share_ = 0;
};

}  // namespace foothold
