#include "surfaces/surface_labelling.h"

#include <utility>

#include "surfaces/dense_map.h"

namespace foothold {
namespace {

/// Baselines over distance of the pictures that are compared, and how many there are.
constexpr ParallaxRange labelled_parallax = {.least = 0.03, .best = 0.09, .most = 0.25};
constexpr size_t most_pairs = 4;

}  // namespace

void SurfaceLabelling::keep(const KeyframeView &keyframe, const DenseMap &dense) {
    KeptDepth depth = dense.depth();
    if (!depth.pieces.empty()) depths_[keyframe.id] = std::move(depth);
}

void SurfaceLabelling::begin(std::span<const TrackedSurface> surfaces, std::vector<Plane> bounds) {
    forget_votes();
    has_begun_ = true;
    bounds_ = std::move(bounds);
    for (const TrackedSurface &surface : surfaces) {
        if (surface.is_confirmed && surface.shown.boundary.size() >= 3) votes_.emplace_back(surface.shown.id, surface);
    }
}

void SurfaceLabelling::label(const MapView &view) {
    const KeyframeView &newest = view.keyframes.back();
    const auto kept = depths_.find(newest.id);
    if (kept == depths_.end() || !newest.luma) return;
    std::vector<LabelCandidate> candidates;
    std::vector<LabelVotes *> voted;
    for (auto &[id, votes] : votes_) {
        LabelCandidate candidate;
        if (!votes.candidate_in(newest, bounds_, &candidate)) continue;
        candidates.push_back(std::move(candidate));
        voted.push_back(&votes);
    }
    const std::vector<ViewPair> pairs =
        nearest_pairs(view, kept->second.typical_distance, labelled_parallax, most_pairs);
    if (!labeller_.label(pairs, kept->second, candidates)) return;
    for (size_t i = 0; i < voted.size(); ++i) voted[i]->add(newest, labeller_, static_cast<int>(i));
}

void SurfaceLabelling::trace(std::span<TrackedSurface> surfaces) {
    for (TrackedSurface &surface : surfaces) {
        for (const auto &[id, votes] : votes_) {
            if (id == surface.shown.id) surface.take_extent(votes.extent());
        }
    }
    clear();
}

}  // namespace foothold
