// Outlines as all pictures together show them, after a review.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "map_view.h"
#include "surfaces/label_votes.h"
#include "surfaces/surface_labeller.h"
#include "surfaces/tracked_surface.h"

namespace foothold {

class DenseMap;

class SurfaceLabelling {
public:
    /// Keeps what is known of a keyframe's depth until its picture is labelled.
    void keep(const KeyframeView &keyframe, const DenseMap &dense);
    /// Labels the newest keyframe's picture with the confirmed ones of these surfaces, which must stay as they are
    /// until `trace`. Nothing is seen behind `bounds`. Keyframes whose depth wasn't kept tell nothing.
    void label(const MapView &view, std::span<const TrackedSurface> surfaces, std::span<const Plane> bounds);
    bool empty() const { return votes_.empty(); }
    /// Gives surfaces the extents that were seen, and forgets everything.
    void trace(std::span<TrackedSurface> surfaces);

private:
    std::unordered_map<int64_t, KeptDepth> depths_;
    /// By surface.
    std::unordered_map<int32_t, LabelVotes> votes_;
    SurfaceLabeller labeller_;
};

}  // namespace foothold
