#include "frontend/corners.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace foothold {

namespace {

/// Shi-Tomasi scores (squared grey levels per pixel) below which a corner is useless, and above which it is good.
constexpr float kWeakestScore = 4;
constexpr float kGoodScore = 8;

/// Smaller eigenvalue of the gradient matrix over a 7×7 window (Shi & Tomasi, "Good Features to Track", 1994).
float shi_tomasi(const ImageView &image, int x, int y) {
    int xx = 0, xy = 0, yy = 0;
    for (int row = -3; row <= 3; ++row) {
        const uint8_t *p = image.data + (y + row) * image.stride + x;
        for (int column = -3; column <= 3; ++column) {
            const int gx = p[column + 1] - p[column - 1];
            const int gy = p[column + image.stride] - p[column - image.stride];
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
        }
    }
    const float a = static_cast<float>(xx), b = static_cast<float>(xy), c = static_cast<float>(yy);
    return 0.5f * (a + c - std::sqrt((a - c) * (a - c) + 4 * b * b)) / (4 * 49);
}

}  // namespace

const std::vector<Eigen::Vector2d> &CornerDetector::detect(const ImageView &image,
                                                           const std::vector<Eigen::Vector2d> &taken, int wanted,
                                                           double spacing, int margin) {
    result_.clear();
    const cv::Mat picture(image.height, image.width, CV_8UC1, const_cast<uint8_t *>(image.data), image.stride);
    cv::FAST(picture, keypoints_, 6, true, cv::FastFeatureDetector::TYPE_9_16);
    scored_.clear();
    constexpr int kColumns = 8, kRows = 6;
    bool cells[kRows][kColumns] = {};
    for (const cv::KeyPoint &keypoint : keypoints_) {
        const int x = static_cast<int>(keypoint.pt.x), y = static_cast<int>(keypoint.pt.y);
        if (x < margin || y < margin || x >= image.width - margin || y >= image.height - margin) continue;
        const float score = shi_tomasi(image, x, y);
        if (score < kWeakestScore) continue;
        if (score >= kGoodScore) cells[y * kRows / image.height][x * kColumns / image.width] = true;
        scored_.push_back({score, x, y});
    }
    int filled = 0;
    for (const auto &row : cells) filled += static_cast<int>(std::count(std::begin(row), std::end(row), true));
    texture_share_ = static_cast<double>(filled) / (kColumns * kRows);
    // Ties are broken by place, so that the order never depends on the sort.
    std::sort(scored_.begin(), scored_.end(), [](const Scored &a, const Scored &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.y != b.y ? a.y < b.y : a.x < b.x;
    });
    // First well spread; where the picture offers too little for that, nearer together.
    for (const double share : {1.0, 0.55}) {
        if (static_cast<int>(result_.size()) >= wanted) break;
        const int radius = static_cast<int>(std::lround(spacing * share));
        occupied_.create(image.height, image.width, CV_8UC1);
        occupied_.setTo(0);
        const auto occupy = [&](const Eigen::Vector2d &pixel) {
            cv::circle(occupied_, cv::Point(static_cast<int>(pixel.x()), static_cast<int>(pixel.y())), radius, 1, -1);
        };
        for (const Eigen::Vector2d &pixel : taken) occupy(pixel);
        for (const Eigen::Vector2d &pixel : result_) occupy(pixel);
        for (const Scored &corner : scored_) {
            if (static_cast<int>(result_.size()) >= wanted) break;
            if (occupied_.at<uint8_t>(corner.y, corner.x) != 0) continue;
            result_.emplace_back(corner.x, corner.y);
            occupy(result_.back());
        }
    }
    return result_;
}

}  // namespace foothold
