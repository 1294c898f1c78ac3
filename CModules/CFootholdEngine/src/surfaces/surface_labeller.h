// Which of the known surfaces each place of a keyframe's picture shows.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "fh_sweep.h"
#include "map_view.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/patch_match.h"

namespace foothold {

/// A surface that a picture may show.
struct LabelCandidate {
    /// Inverse depth (z) of its plane along the ray of pixel (u, v): x + y · u + z · v. Half-size pixels without the
    /// lens.
    Eigen::Vector3d inverse_depth = Eigen::Vector3d::Zero();
    /// By site (CV_32F): how far its plane is from its outline there, 1 where it's looked for at most; negative beyond.
    cv::Mat away;
    /// The sites where it may be.
    cv::Rect sites;
    /// What is plain beyond its outline is a part of it whatever edges lie between, as with walls.
    bool goes_on = false;
    /// Neither level nor upright.
    bool is_slope = false;
    /// What is plain and looks otherwise past its edge is none of it.
    bool ends_at_edges = false;
    /// By site (CV_8U): within its outline, but so near to its edge that it may end there already where it's plain.
    /// None when empty.
    cv::Mat rim;
};

/// Compares the picture with others as each surface's plane says, and as what was known of its depth says; where it's
/// plain they all agree, and what is beside it decides, up to an edge of the picture. A Potts model on every second
/// pixel each way, solved along four paths (semi-global matching: Hirschmüller, "Stereo processing by semiglobal
/// matching and mutual information", 2008; labels instead of distances as in Sinha, Steedly and Szeliski, "Piecewise
/// planar stereo for image-based rendering", ICCV 2009).
class SurfaceLabeller {
public:
    static constexpr int site_step = 2;
    /// Pictures that one is compared with at most.
    static constexpr size_t most_pairs = 4;
    /// The label of what is none of the candidates.
    static constexpr int nothing = -1;

    static int columns(const CameraModel &camera) { return camera.width / site_step; }
    static int rows(const CameraModel &camera) { return camera.height / site_step; }

    /// Compares the first picture of `pairs`, which they share, with the others as its depth says. False where they
    /// tell nothing: two to four do.
    bool begin(std::span<const ViewPair> pairs, const KeptDepth &depth);
    /// Then labels it with what each of its places shows. There are candidates.
    void label(std::span<const LabelCandidate> candidates);
    /// The place among the candidates of what a site shows, or `nothing`.
    int label_at(int column, int row) const { return labels_.at<int16_t>(row, column); }
    /// Of what a site shows; 0 where that isn't known.
    float inverse_depth_at(int column, int row) const { return shown_.at<float>(row, column); }
    /// Nothing but what lies beside it tells what a site shows.
    bool is_plain_at(int column, int row) const { return plain_.at<uint8_t>(row, column) != 0; }
    /// So is it for every surface that may be there: what lies beside it has decided, up to an edge of the picture.
    bool is_open_at(int column, int row) const { return open_.at<uint8_t>(row, column) != 0; }
    /// It's plain, and lies past an edge of the candidate at this place.
    bool is_past_edge_at(int place, int column, int row) const {
        const cv::Mat &past = past_[static_cast<size_t>(place)];
        return !past.empty() && past.at<uint8_t>(row, column) != 0;
    }

private:
    /// Inverse depths of a row's pixels, from `begin` on; 0 where nothing is to be compared.
    using RowOfDepths = std::function<void(int row, int begin, std::span<float> inverse_depths)>;

    void prepare(std::span<const ViewPair> pairs, const KeptDepth &depth);
    /// The inverse depth of a row's first pixels as the quarter so many columns and rows beside its own tells.
    void layer(const KeptDepth &depth, int across, int down, int row, std::span<float> out) const;
    /// By site: how much the pictures differ where that is the inverse depth (CV_32F; 0: none), in deviations of their
    /// noise; negative where it can't be told. Only these sites are asked for.
    cv::Mat compare(const RowOfDepths &depths, const cv::Rect &sites) const;
    /// Finds the cheapest of what is known of each site's depth, which becomes what it shows.
    void compare_known(const KeptDepth &depth);
    void note_offset(const KeptDepth &depth, fh_sweep_other *other) const;
    /// Where it's plain, and where that's open.
    void note_plain(std::span<const LabelCandidate> candidates);
    /// What lies past each candidate's edges; by candidate and site, `compared` is how much the pictures differ as its
    /// plane says.
    void note_ends(std::span<const LabelCandidate> candidates, std::span<const cv::Mat> compared);
    void choose(size_t count);

    cv::Mat own_;
    /// The pictures it's compared with, without the lens, and what they are to it.
    std::vector<cv::Mat> pairs_;
    std::vector<fh_sweep_other> others_;
    double noise_ = 1;
    /// By site and label, those of the candidates before that of nothing.
    std::vector<float> costs_, sums_;
    cv::Mat labels_, shown_;
    /// By site (CV_32F): how much the pictures differ as what is known of its depth says, or as a surface does; a high
    /// price where nothing is known.
    cv::Mat least_;
    /// By site (CV_8U): it's plain; it's plain, and beyond all outlines of what may be there or in their rims.
    cv::Mat plain_, open_;
    /// By candidate and site (CV_8U); empty where nothing ends it.
    std::vector<cv::Mat> past_;
};

}  // namespace foothold
