#include "session/surface_changes.h"

namespace foothold {

void SurfaceChanges::note(std::span<const SurfaceEvent> events) {
    for (const SurfaceEvent &event : events) {
        if (event.kind == SurfaceEventKind::merged) taken_in_[event.id] = event.into;
    }
}

std::vector<SurfaceEvent> SurfaceChanges::until(std::span<const Surface> now) const {
    const std::unordered_set<int32_t> known(before_.begin(), before_.end());
    std::unordered_set<int32_t> present;
    std::vector<SurfaceEvent> events;
    for (const Surface &surface : now) {
        present.insert(surface.id);
        const bool is_known = known.contains(surface.id);
        events.push_back({is_known ? SurfaceEventKind::updated : SurfaceEventKind::added, surface.id, -1});
    }
    for (const int32_t id : before_) {
        if (!present.contains(id)) events.push_back(end_of(id, present));
    }
    return events;
}

SurfaceEvent SurfaceChanges::end_of(int32_t id, const std::unordered_set<int32_t> &present) const {
    int32_t into = id;
    for (auto step = taken_in_.find(into); step != taken_in_.end(); step = taken_in_.find(into)) into = step->second;
    if (present.contains(into)) return {SurfaceEventKind::merged, id, into};
    return {SurfaceEventKind::removed, id, -1};
}

void SurfaceChanges::settle_mergers(std::span<const Surface> now, std::vector<SurfaceEvent> *events) {
    SurfaceChanges changes({});
    changes.note(*events);
    if (changes.taken_in_.empty()) return;
    std::unordered_set<int32_t> present;
    for (const Surface &surface : now) present.insert(surface.id);
    for (SurfaceEvent &event : *events) {
        if (event.kind == SurfaceEventKind::merged) event = changes.end_of(event.id, present);
    }
}

}  // namespace foothold
