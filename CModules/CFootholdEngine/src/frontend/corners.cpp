#include "frontend/corners.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace foothold {

namespace {

/// A corner's Shi-Tomasi score from which its cell counts as textured.
constexpr float kGoodScore = 8;
/// Corners that are put into order at first; then twice as many again, and so on.
constexpr size_t kSortedAtFirst = 256;

}  // namespace

int CornerDetector::find_corners(const ImageView &image) {
    scratch_.resize(fh_fast_scratch_size(image.width));
    int32_t found = 0;
    while (true) {
        const auto capacity = static_cast<int32_t>(corners_.size());
        fh_fast_corners(&image, nullptr, thresholds_.fast, 1, corners_.data(), capacity, &found, scratch_.data(),
                        scratch_.size());
        if (found <= capacity) break;
        corners_.resize(static_cast<size_t>(found) * 5 / 4);
    }
    shi_tomasi_.resize(corners_.size());
    fh_shi_tomasi(&image, corners_.data(), found, shi_tomasi_.data());
    return found;
}

const std::vector<Eigen::Vector2d> &CornerDetector::detect(const ImageView &image,
                                                           const std::vector<Eigen::Vector2d> &taken, int wanted,
                                                           double spacing, int margin) {
    result_.clear();
    const int found = find_corners(image);
    scored_.clear();
    constexpr int kColumns = 8, kRows = 6;
    bool cells[kRows][kColumns] = {};
    for (int i = 0; i < found; ++i) {
        const int x = corners_[i].x, y = corners_[i].y;
        if (x < margin || y < margin || x >= image.width - margin || y >= image.height - margin) continue;
        const float score = shi_tomasi_[i];
        if (score < thresholds_.weakest_score) continue;
        if (score >= kGoodScore) cells[y * kRows / image.height][x * kColumns / image.width] = true;
        scored_.push_back({score, x, y});
    }
    int filled = 0;
    for (const auto &row : cells) filled += static_cast<int>(std::count(std::begin(row), std::end(row), true));
    texture_share_ = static_cast<double>(filled) / (kColumns * kRows);
    // Ties are broken by place, so that the order never depends on the sort.
    const auto is_better = [](const Scored &a, const Scored &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.y != b.y ? a.y < b.y : a.x < b.x;
    };
    // Of thousands a few hundred are asked for.
    size_t sorted = 0;
    const auto sort_more = [&] {
        const auto first = scored_.begin() + static_cast<ptrdiff_t>(sorted);
        sorted = std::min(2 * sorted + kSortedAtFirst, scored_.size());
        const auto end = scored_.begin() + static_cast<ptrdiff_t>(sorted);
        std::nth_element(first, end, scored_.end(), is_better);
        std::sort(first, end, is_better);
    };
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
        for (size_t i = 0; i < scored_.size() && static_cast<int>(result_.size()) < wanted; ++i) {
            if (i == sorted) sort_more();
            const Scored &corner = scored_[i];
            if (occupied_.at<uint8_t>(corner.y, corner.x) != 0) continue;
            result_.emplace_back(corner.x, corner.y);
            occupy(result_.back());
        }
    }
    return result_;
}

}  // namespace foothold
