// A surface's extent as labelled pictures show it.
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <span>

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

    /// What the newest keyframe may see of it, which isn't behind `bounds`; false where that's nothing.
    bool candidate_in(const KeyframeView &view, std::span<const Plane> bounds, LabelCandidate *out) const;
    /// Lets a picture vote in which it's the candidate at a place.
    void add(const KeyframeView &view, const SurfaceLabeller &labels, int place);
    /// The extent that most views see; empty where too little of it was voted about.
    FineMask extent() const;

private:
    /// Local (x, z), counted in pieces from the first one's middle.
    Eigen::Vector2d place_of(const Eigen::Vector2d &local) const;

    Plane plane_;
    Eigen::Matrix3d axes_;
    Eigen::Vector3d origin_;
    double distance_ = 1;
    FineMask known_;
    /// By piece (CV_32F): how far it is from the outline, relative to the distance; votes for it and against it.
    cv::Mat away_, inside_, outside_;
};

}  // namespace foothold
