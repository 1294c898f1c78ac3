// Outlines as all pictures together show them, after a review.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
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
    /// The confirmed ones of these surfaces are what pictures are labelled with. They must stay as they are until
    /// `trace`. Nothing is seen behind `bounds`.
    void begin(std::span<const TrackedSurface> surfaces, std::vector<Plane> bounds);
    /// Labels the newest keyframe's picture. Keyframes whose depth wasn't kept tell nothing.
    void label(const MapView &view);
    bool has_begun() const { return has_begun_; }
    /// Surfaces change.
    void forget_votes() {
        votes_.clear();
        has_begun_ = false;
    }
    void clear() { *this = SurfaceLabelling(); }
    /// Gives surfaces the extents that were seen, and forgets everything.
    void trace(std::span<TrackedSurface> surfaces);

private:
    bool has_begun_ = false;
    std::unordered_map<int64_t, KeptDepth> depths_;
    /// By surface.
    std::vector<std::pair<int32_t, LabelVotes>> votes_;
    std::vector<Plane> bounds_;
    SurfaceLabeller labeller_;
};

}  // namespace foothold
