// The plain regions of a picture, and which of them lie past a surface's edge.
#pragma once

#include <opencv2/core.hpp>

namespace foothold {

/// Plain places of a picture that are as bright as their neighbours, put together.
class PlainRegions {
public:
    /// Neighbours that differ by more grey levels lie in two regions.
    static constexpr float same_luma = 5;

    /// By place: its brightness (CV_32F), and whether it's plain (CV_8U).
    PlainRegions(const cv::Mat &luma, const cv::Mat &plain);

    int count() const { return count_; }
    /// The region that a plain place belongs to; -1 where it isn't plain, and outside of the picture.
    int at(int column, int row) const {
        const bool is_in_picture = column >= 0 && row >= 0 && column < regions_.cols && row < regions_.rows;
        return is_in_picture ? regions_.at<int>(row, column) : -1;
    }

    /// By place (CV_8U): the regions that lie past an edge of a convex surface that is told of at these places (CV_8U).
    /// It's told of on one side of them only, they don't lie between what tells it, and over the edge, which is `band`
    /// places wide, the picture is brighter or darker: the front of a table, below its top. Around a mat on the table
    /// and beyond a cable it goes on.
    cv::Mat past_edge_of(const cv::Mat &told, int band) const;

private:
    cv::Mat luma_;
    /// By place (CV_32S).
    cv::Mat regions_;
    int count_ = 0;
};

}  // namespace foothold
