#include <algorithm>
#include <vector>

#include "session/surface_changes.h"
#include "surface_checks.h"

using namespace foothold;

namespace {

std::vector<Surface> with_ids(const int32_t *ids, size_t count) {
    std::vector<Surface> surfaces(count);
    for (size_t i = 0; i < count; ++i) surfaces[i].id = ids[i];
    return surfaces;
}

}  // namespace

size_t fh_check_surface_changes(const int32_t *before, size_t before_count, const int32_t *merges, size_t merge_count,
                                const int32_t *now, size_t now_count, int32_t *out_events, size_t capacity) {
    SurfaceChanges changes(with_ids(before, before_count));
    for (size_t i = 0; i < merge_count; ++i) {
        // Each in a search of its own, amid what else may happen there.
        const std::vector<SurfaceEvent> events = {{SurfaceEventKind::updated, merges[2 * i + 1], -1},
                                                  {SurfaceEventKind::merged, merges[2 * i], merges[2 * i + 1]}};
        changes.note(events);
    }
    const std::vector<SurfaceEvent> events = changes.until(with_ids(now, now_count));
    for (size_t i = 0; i < std::min(capacity, events.size()); ++i) {
        out_events[3 * i] = static_cast<int32_t>(events[i].kind);
        out_events[3 * i + 1] = events[i].id;
        out_events[3 * i + 2] = events[i].into;
    }
    return events.size();
}
