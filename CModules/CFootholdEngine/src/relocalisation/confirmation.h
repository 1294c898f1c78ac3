// Whether a pose that was proposed is right: are the map's points where they should be seen from there?
#pragma once

#include "frontend/image_pyramid.h"
#include "geometry/se3.h"
#include "tracking/tracker.h"

namespace foothold {

/// Looks for the points that should be seen from `proposed`, refines the pose and, when enough of them agree, leaves
/// those that were found in `tracker->tracks`. `noise_pixels` is that of the map's adjustments.
bool confirm_pose(const SE3 &proposed, const ImagePyramid &pyramid, double noise_pixels, Tracker *tracker,
                  SE3 *out_pose, TrackingOutcome *out_outcome);

/// The same where nothing else speaks for the place: more points have to agree.
bool confirm_place(const SE3 &proposed, const ImagePyramid &pyramid, double noise_pixels, Tracker *tracker,
                   SE3 *out_pose, TrackingOutcome *out_outcome);

}  // namespace foothold
