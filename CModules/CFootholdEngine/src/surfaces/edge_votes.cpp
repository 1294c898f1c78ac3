#include "surfaces/edge_votes.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

namespace foothold {
namespace {

/// Pieces to either side of an edge where it may lie instead.
constexpr float leeway = 1.75f * pieces_per_cell;
/// Of the way from the edge to the middle of a narrow surface: what lies deeper is surely its own.
constexpr float core = 0.5f;
/// A picture that shows less of a surface doesn't vote.
constexpr double least_shown = 0.6;
/// Of what the picture is smoothed with, pieces.
constexpr double smoothing = 0.8;

/// So many more views on one side are as good as any number; a piece that none voted on counts half a view.
constexpr float enough_views = 3, unvoted = 0.5f;
/// Deviation of the weights with which a piece's neighbours have a say, pieces.
constexpr double neighbourhood = 1.2;

enum Label : int32_t { undecided, inside, outside };

/// The surface as it looks from straight above.
struct Laid {
    cv::Mat luma;
    /// Not zero where the picture shows the piece.
    cv::Mat is_shown;
};

Laid lay(const FineMask &mask, const LocalFrame &camera_from_local, const KeyframeView &view) {
    Laid laid{cv::Mat(mask.inside.size(), CV_8U, cv::Scalar(0)), cv::Mat(mask.inside.size(), CV_8U, cv::Scalar(0))};
    for (int row = 0; row < mask.inside.rows; ++row) {
        for (int column = 0; column < mask.inside.cols; ++column) {
            Eigen::Vector2d pixel;
            if (!view.luma_camera.project(camera_from_local.at(mask.middle_of(column, row)), 2, &pixel)) continue;
            laid.luma.at<uint8_t>(row, column) = static_cast<uint8_t>(std::lround(view.luma_at(pixel)));
            laid.is_shown.at<uint8_t>(row, column) = 255;
        }
    }
    return laid;
}

}  // namespace

EdgeZone::EdgeZone(FineMask mask) : extent(std::move(mask)) {
    cv::Mat depth, away;
    cv::distanceTransform(extent.inside, depth, cv::DIST_L2, 3);
    cv::distanceTransform(extent.around(), away, cv::DIST_L2, 3);
    double deepest = 0;
    cv::minMaxLoc(depth, nullptr, &deepest);
    labels = cv::Mat(extent.inside.size(), CV_32S, cv::Scalar(undecided));
    labels.setTo(inside, depth > std::min(leeway, core * static_cast<float>(deepest)));
    labels.setTo(outside, away > leeway);
}

void EdgeVotes::clear() { *this = EdgeVotes(); }

bool EdgeVotes::counts_like(const FineMask &mask) const {
    return views_ > 0 && std::abs(piece_size_ - mask.piece_size) < 1e-6 * mask.piece_size;
}

int EdgeVotes::at(int column, int row) const {
    const int x = column - first_.x(), y = row - first_.y();
    return x >= 0 && y >= 0 && x < width_ && y < height_ ? votes_[static_cast<size_t>(y) * width_ + x] : 0;
}

void EdgeVotes::add(const EdgeZone &zone, const LocalFrame &camera_from_local, const KeyframeView &view) {
    const FineMask &mask = zone.extent;
    const int width = mask.inside.cols, height = mask.inside.rows;
    if (!view.luma || width > largest_side || height > largest_side) return;
    const Laid laid = lay(mask, camera_from_local, view);
    cv::Mat shown;
    cv::bitwise_and(mask.inside, laid.is_shown, shown);
    if (cv::countNonZero(shown) < least_shown * cv::countNonZero(mask.inside)) return;
    cv::Mat smooth, colour;
    cv::GaussianBlur(laid.luma, smooth, cv::Size(), smoothing);
    cv::cvtColor(smooth, colour, cv::COLOR_GRAY2BGR);
    cv::Mat found = zone.labels.clone();
    cv::watershed(colour, found);
    const bool goes_on = counts_like(mask);
    std::vector<int8_t> votes(static_cast<size_t>(width) * height, 0);
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            int vote = goes_on ? at(mask.first.x() + column, mask.first.y() + row) : 0;
            if (zone.labels.at<int32_t>(row, column) == undecided && laid.is_shown.at<uint8_t>(row, column) != 0) {
                const int32_t side = found.at<int32_t>(row, column);
                vote += side == inside ? 1 : side == outside ? -1 : 0;
            }
            votes[static_cast<size_t>(row) * width + column] = static_cast<int8_t>(std::clamp(vote, -limit, limit));
        }
    }
    votes_ = std::move(votes);
    first_ = mask.first;
    piece_size_ = mask.piece_size;
    width_ = width;
    height_ = height;
    views_ = goes_on ? views_ + 1 : 1;
}

FineMask EdgeVotes::apply(const EdgeZone &zone) const {
    FineMask moved = zone.extent;
    if (!counts_like(moved)) return moved;
    cv::Mat sure(zone.labels.size(), CV_32F);
    for (int row = 0; row < sure.rows; ++row) {
        for (int column = 0; column < sure.cols; ++column) {
            const int32_t label = zone.labels.at<int32_t>(row, column);
            const auto vote = static_cast<float>(at(moved.first.x() + column, moved.first.y() + row));
            float &here = sure.at<float>(row, column);
            if (label != undecided) {
                here = label == inside ? enough_views : -enough_views;
            } else if (vote != 0) {
                here = std::clamp(vote, -enough_views, enough_views);
            } else {
                here = moved.inside.at<uint8_t>(row, column) != 0 ? unvoted : -unvoted;
            }
        }
    }
    // Edges are smooth: neighbours outvote single pieces.
    cv::GaussianBlur(sure, sure, cv::Size(), neighbourhood);
    moved.inside = sure > 0;
    return moved;
}

}  // namespace foothold
