// Which of the known surfaces each place of a keyframe's picture shows.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/patch_match.h"

namespace foothold {

/// A surface that a picture may show.
struct LabelCandidate {
    /// Inverse depth (z) of its plane along the ray of pixel (u, v): x + y · u + z · v. Half-size pixels without the
    /// lens.
    Eigen::Vector3d inverse_depth = Eigen::Vector3d::Zero();
    /// By site (CV_32F): how far its plane is from its outline there, relative to its distance; too far to be it where
    /// negative.
    cv::Mat away;
};

/// Compares the picture with others as each surface's plane says, and as what was known of its depth says; where it's
/// plain they all agree, and what is beside it decides, up to an edge of the picture. A Potts model on every second
/// pixel each way, solved along four paths (semi-global matching: Hirschmüller, "Stereo processing by semiglobal
/// matching and mutual information", 2008; labels instead of distances as in Sinha, Steedly and Szeliski, "Piecewise
/// planar stereo for image-based rendering", ICCV 2009).
class SurfaceLabeller {
public:
    static constexpr int site_step = 2;
    /// The label of what is none of the candidates.
    static constexpr int nothing = -1;
    /// Relative to a surface's distance: how far beyond its outline it's looked for.
    static constexpr double reach = 0.25;

    static int columns(const CameraModel &camera) { return camera.width / site_step; }
    static int rows(const CameraModel &camera) { return camera.height / site_step; }

    /// `pairs` share their first picture, which is labelled. False where they tell nothing.
    bool label(std::span<const ViewPair> pairs, const KeptDepth &depth, std::span<const LabelCandidate> candidates);
    /// The place among the candidates of what a site shows, or `nothing`.
    int label_at(int column, int row) const { return labels_.at<int16_t>(row, column); }
    /// Of what a site shows; 0 where that isn't known.
    float inverse_depth_at(int column, int row) const { return shown_.at<float>(row, column); }

private:
    /// Another picture: (u, v, 1) is seen at matrix · (u, v, 1) + shift · inverse depth.
    struct Other {
        cv::Mat picture;
        Eigen::Matrix3f matrix;
        Eigen::Vector3f shift;
        /// By how much it's brighter.
        float offset = 0;
    };

    void prepare(std::span<const ViewPair> pairs, const KeptDepth &depth);
    /// The inverse depth of each pixel as the quarter so many columns and rows beside its own tells.
    cv::Mat layer(const KeptDepth &depth, int across, int down) const;
    /// By site: how much the pictures differ where that is the inverse depth (CV_32F; 0: none), in deviations of their
    /// noise; negative where it can't be told.
    cv::Mat compare(const cv::Mat &inverse_depth) const;
    cv::Mat differences(const cv::Mat &inverse_depth, const Other &other) const;
    void note_offset(const cv::Mat &inverse_depth, Other *other) const;
    void choose(size_t count);

    cv::Mat own_;
    std::vector<Other> others_;
    double noise_ = 1;
    /// By site and label, those of the candidates before that of nothing.
    std::vector<float> costs_, sums_;
    cv::Mat labels_, shown_;
};

}  // namespace foothold
