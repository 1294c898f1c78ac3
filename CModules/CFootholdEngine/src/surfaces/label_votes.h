// A surface's extent as labelled pictures show it.
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/outline.h"
#include "surfaces/surface_labeller.h"
#include "surfaces/tracked_surface.h"

namespace foothold {

/// Each picture votes about each piece of the surface and of what is around it: is it the surface that is seen there,
/// or something behind? What hides it says nothing.
class LabelVotes {
public:
    explicit LabelVotes(const TrackedSurface &surface);

    /// Takes over where the surface is now and how far it's known to reach without labels. Votes stay where they are on
    /// it, or are forgotten where that means nothing any more. True where its extent may have changed by this.
    bool follow(const TrackedSurface &surface);
    /// Applies a change of the world's frame: x' = scale · rotation · x + translation.
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);

    /// What the newest keyframe may see of it, which isn't behind `bounds`; false where that's nothing.
    bool candidate_in(const KeyframeView &view, std::span<const Plane> bounds, LabelCandidate *out) const;
    /// From now on it ends where these meet it, but for those that most of it would lie behind.
    void end_at(std::span<const Plane> bounds);
    /// Lets a picture vote in which it's the candidate at a place.
    void add(const KeyframeView &view, const SurfaceLabeller &labels, int place);
    /// The outline as it is counts as a view of it, and of all around it, that faces it.
    void add_outline();
    /// Takes over what was voted earlier of the same surface, where nothing was voted since.
    void fill_gaps(const LabelVotes &earlier);
    /// The extent that most views see; empty where too little of it was voted about.
    FineMask extent() const;

private:
    /// True where the surface's frame is where it was, but for what it moves when it's refined.
    bool is_where_it_was(const TrackedSurface &surface) const;
    /// Makes room for votes between these places (x, z).
    void cover(const Eigen::Vector2d &low, const Eigen::Vector2d &high);
    void make_pieces_larger();
    /// Local (x, z), counted in pieces from the first one's middle.
    Eigen::Vector2d place_of(const Eigen::Vector2d &local) const;
    /// Whether a surface of such an area is one thing, which nothing parts.
    bool is_in_one_piece(double area) const;
    /// Finds its rim; none where what is plain is a part of it whatever lies between, or nothing is behind its edges.
    void note_rim(bool has_rim);
    /// Takes away what lies behind what it ends at.
    void cut_at_ends(cv::Mat &mask) const;
    /// A piece's size over how far beyond its outline it's looked for.
    float piece_in_reach() const;
    /// A fair part of what pictures show of it is plain.
    bool is_plain_itself() const;

    Plane plane_;
    Eigen::Matrix3d axes_;
    Eigen::Vector3d origin_;
    double distance_ = 1;
    /// Relative to that: how far beyond its outline it's looked for.
    double reach_ = 0;
    /// As walls go on over what is plain.
    bool goes_on_ = false;
    bool is_floor_ = false;
    bool is_slope_ = false;
    bool ends_at_edges_ = false;
    /// Places of pictures that showed it well within its outline, and how many of them were plain.
    int64_t shown_ = 0, shown_plain_ = 0;
    FineMask known_;
    /// How far before each of what it ends at a place is: by local (1, x, z).
    std::vector<Eigen::Vector3d> ends_;
    /// By piece (CV_32F): how many pieces it is from the outline; votes for it and against it.
    cv::Mat away_, inside_, outside_;
    /// By piece (CV_8U): within its outline and near its edge. Empty where it has no such rim.
    cv::Mat rim_;
};

}  // namespace foothold
