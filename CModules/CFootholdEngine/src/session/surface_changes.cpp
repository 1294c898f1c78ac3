#include "session/surface_changes.h"

#include <unordered_set>

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
        if (present.contains(id)) continue;
        int32_t into = id;
        for (auto step = taken_in_.find(into); step != taken_in_.end(); step = taken_in_.find(into))
            into = step->second;
        if (present.contains(into)) {
            events.push_back({SurfaceEventKind::merged, id, into});
        } else {
            events.push_back({SurfaceEventKind::removed, id, -1});
        }
    }
    return events;
}

}  // namespace foothold
