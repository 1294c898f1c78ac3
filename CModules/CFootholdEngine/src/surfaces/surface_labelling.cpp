#include "surfaces/surface_labelling.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "surfaces/dense_map.h"

namespace foothold {
namespace {

/// Baselines over distance of the pictures that are compared, and how many there are while frames come.
constexpr ParallaxRange labelled_parallax = {.least = 0.03, .best = 0.09, .most = 0.25};
constexpr size_t pairs_at_once = 3;

/// Votes have sharp corners. Half of the half piece outside of the outermost middles is given back, since what hangs
/// over an edge is worse than what ends before it.
constexpr Tracing close_tracing = {.smoothness = 0.75, .widening = 0.25};

bool is_labelled(const TrackedSurface &surface) { return surface.is_confirmed && surface.shown.boundary.size() >= 3; }

}  // namespace

void SurfaceLabelling::follow(std::span<const TrackedSurface> surfaces) {
    std::vector<Entry> followed;
    for (const TrackedSurface &surface : surfaces) {
        if (!is_labelled(surface)) continue;
        Entry *const known = find(surface.shown.id);
        if (known == nullptr) {
            followed.push_back({surface.shown.id, LabelVotes(surface), {}, false});
        } else {
            followed.push_back(std::move(*known));
            if (followed.back().votes.follow(surface)) followed.back().is_traced = false;
        }
    }
    entries_ = std::move(followed);
}

void SurfaceLabelling::resume(std::span<const TrackedSurface> surfaces) {
    follow(surfaces);
    for (Entry &entry : entries_) entry.votes.add_outline();
}

void SurfaceLabelling::fill_gaps(const SurfaceLabelling &earlier) {
    for (const Entry &before : earlier.entries_) {
        Entry *const entry = find(before.id);
        if (entry == nullptr) continue;
        entry->votes.fill_gaps(before.votes);
        entry->is_traced = false;
    }
}

void SurfaceLabelling::take_in(SurfaceLabelling other) {
    std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
}

void SurfaceLabelling::begin(const MapView &view, const KeptDepth &depth, std::span<const Plane> bounds) {
    const KeyframeView &newest = view.keyframes.back();
    candidates_.clear();
    seen_.clear();
    bounds_.assign(bounds.begin(), bounds.end());
    if (!newest.luma || depth.pieces.empty()) return;
    for (Entry &entry : entries_) {
        LabelCandidate candidate;
        if (!entry.votes.candidate_in(newest, bounds, &candidate)) continue;
        candidates_.push_back(std::move(candidate));
        seen_.push_back(&entry);
    }
    if (candidates_.empty()) return;
    const std::vector<ViewPair> pairs = nearest_pairs(view, depth.typical_distance, labelled_parallax,
                                                      view.is_review ? SurfaceLabeller::most_pairs : pairs_at_once);
    if (!labeller_.begin(pairs, depth)) seen_.clear();
}

void SurfaceLabelling::label(const MapView &view) {
    if (seen_.empty()) return;
    labeller_.label(candidates_);
    for (size_t i = 0; i < seen_.size(); ++i) {
        seen_[i]->votes.end_at(bounds_);
        seen_[i]->votes.add(view.keyframes.back(), labeller_, static_cast<int>(i));
        seen_[i]->is_traced = false;
    }
    seen_.clear();
}

SurfaceLabelling::Entry *SurfaceLabelling::find(int32_t id) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry &e) { return e.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

Outline SurfaceLabelling::outline_of(int32_t id) {
    Entry *const entry = find(id);
    if (entry == nullptr) return {};
    if (!entry->is_traced) entry->outline = trace_outline(entry->votes.extent(), close_tracing);
    entry->is_traced = true;
    return entry->outline;
}

void SurfaceLabelling::transform(int32_t id, double scale, const Eigen::Matrix3d &rotation,
                                 const Eigen::Vector3d &translation) {
    Entry *const entry = find(id);
    if (entry == nullptr) return;
    entry->votes.transform(scale, rotation, translation);
    for (Eigen::Vector2d &corner : entry->outline.polygon) corner *= scale;
    entry->outline.area *= scale * scale;
}

}  // namespace foothold
