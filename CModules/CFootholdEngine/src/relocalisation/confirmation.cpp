#include "relocalisation/confirmation.h"

#include <algorithm>

namespace foothold {

namespace {

/// Points looked for from a proposed pose, and how many more once it is known.
constexpr int kTracks = 250;
constexpr int kMoreTracks = 200;
/// Patches that were seen long ago from elsewhere are found less exactly than those of the last frame.
constexpr double kNoisePixels = 0.5;
/// Of the points found, those that have to agree for a second look, and in the end; and their least share.
constexpr int kFewInliers = 15;
constexpr int kEnoughInliers = 25;
constexpr double kLeastShare = 0.5;
/// Where nothing else speaks for the place.
constexpr int kInliersForPlace = 40;
constexpr double kShareForPlace = 0.6;

}  // namespace

bool confirm_pose(const SE3 &proposed, const ImagePyramid &pyramid, double noise_pixels, Tracker *tracker,
                  SE3 *out_pose, TrackingOutcome *out_outcome) {
    tracker->noise_pixels = std::max(kNoisePixels, noise_pixels);
    tracker->follow_visible(proposed, kTracks);
    TrackingOutcome &outcome = *out_outcome;
    outcome = tracker->track(pyramid, proposed, Twist(), 3, out_pose);
    if (outcome.succeeded && outcome.inliers >= kFewInliers) {
        outcome = tracker->track(pyramid, *out_pose, Twist(), 1, out_pose);
    }
    if (!outcome.succeeded || outcome.inliers < kEnoughInliers ||
        outcome.inliers < kLeastShare * outcome.mature_found) {
        return false;
    }
    tracker->refind(pyramid, *out_pose, kMoreTracks);
    tracker->drop_lost();
    return true;
}

bool confirm_place(const SE3 &proposed, const ImagePyramid &pyramid, double noise_pixels, Tracker *tracker,
                   SE3 *out_pose, TrackingOutcome *out_outcome) {
    return confirm_pose(proposed, pyramid, noise_pixels, tracker, out_pose, out_outcome) &&
           out_outcome->inliers >= kInliersForPlace &&
           out_outcome->inliers >= kShareForPlace * out_outcome->mature_found;
}

}  // namespace foothold
