#include <algorithm>
#include <set>
#include <vector>

#include "mapping/map.h"
#include "pictures.h"
#include "random_numbers.h"
#include "session/surface_changes.h"
#include "session/surface_worker.h"
#include "surface_checks.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

std::vector<Surface> with_ids(const int32_t *ids, size_t count) {
    std::vector<Surface> surfaces(count);
    for (size_t i = 0; i < count; ++i) surfaces[i].id = ids[i];
    return surfaces;
}

/// As kind, id and into.
void write(std::span<const SurfaceEvent> events, int32_t *out) {
    for (const SurfaceEvent &event : events) {
        *out++ = static_cast<int32_t>(event.kind);
        *out++ = event.id;
        *out++ = event.into;
    }
}

/// Points on a floor and a wall, seen from a camera that walks by; of keyframe k on also a table's top.
Map room_after(int keyframes, int first_with_table, uint64_t seed) {
    RandomNumbers random(seed);
    Map map;
    map.focal = 500;
    for (int k = 0; k < keyframes; ++k) {
        Keyframe keyframe;
        keyframe.id = map.next_keyframe_id();
        keyframe.timestamp_ns = 300'000'000LL * k;
        // Looks along -Z, a little down.
        keyframe.world_from_camera =
            SE3{so3_exp(Eigen::Vector3d(-0.35, 0, 0)) * so3_exp(std::numbers::pi * Eigen::Vector3d::UnitX()),
                {0.06 * k, 1.4, 0}};
        map.keyframes.push_back(std::move(keyframe));
    }
    const auto add = [&](const Eigen::Vector3d &place) {
        HostedPoint &point = map.points[map.add_point()];
        const int index = static_cast<int>(&point - map.points.data());
        const Eigen::Vector3d seen = map.keyframes[0].world_from_camera.inverse() * place;
        point.state = PointState::mature;
        point.host = 0;
        point.host_pixel = point.host_raw_pixel = map.focal / seen.z() * seen.head<2>();
        point.inverse_depth = 1 / seen.z();
        point.inverse_depth_variance = 1e-7;
        for (int k = 1; k < keyframes; ++k) {
            const Eigen::Vector3d there = map.keyframes[k].world_from_camera.inverse() * place;
            map.keyframes[k].observations.push_back({index, map.focal / there.z() * there.head<2>()});
            ++point.observation_count;
        }
    };
    for (int i = 0; i < 400; ++i) {
        add({random.uniform(-1.2, 1.2), 0, random.uniform(-3, -1.8)});
        add({random.uniform(-1.2, 1.2), random.uniform(0, 1.5), -3});
        const Eigen::Vector3d on_table{random.uniform(-0.3, 0.5), 0.7, random.uniform(-2.4, -1.7)};
        if (keyframes > first_with_table) add(on_table);
    }
    return map;
}

/// What events come to.
class Told {
public:
    /// False where an event is none that can be.
    bool follow(std::span<const SurfaceEvent> events) {
        bool is_right = true;
        for (const SurfaceEvent &event : events) {
            switch (event.kind) {
                case SurfaceEventKind::added:
                    is_right = ids_.insert(event.id).second && is_right;
                    break;
                case SurfaceEventKind::updated:
                    is_right = ids_.contains(event.id) && is_right;
                    break;
                case SurfaceEventKind::merged:
                case SurfaceEventKind::removed:
                    is_right = ids_.erase(event.id) > 0 && is_right;
                    break;
            }
        }
        return is_right;
    }
    bool is(std::span<const Surface> surfaces) const {
        std::set<int32_t> ids;
        for (const Surface &surface : surfaces) ids.insert(surface.id);
        return ids == ids_;
    }

private:
    std::set<int32_t> ids_;
};

}  // namespace

int32_t fh_check_events_of_meeting(uint64_t seed, int32_t is_due) {
    constexpr int kFirstWithTable = 12, kLast = 24;
    const CameraModel camera = checks::plain_camera(640, 480);
    SurfaceWorker worker(false);
    Told told;
    int64_t frame = 0;
    bool has_met = false;
    for (int count = 3; count <= kLast; ++count) {
        worker.begin(frame, room_after(count, kFirstWithTable, seed), camera, 0.5);
        for (bool is_over = false; !is_over;) {
            worker.work(frame, 1);
            ++frame;
            is_over = worker.advance(frame);
            const auto events = worker.events();
            const bool is_new = std::any_of(events.begin(), events.end(), [](const SurfaceEvent &event) {
                return event.kind == SurfaceEventKind::added;
            });
            const bool is_after_table = count > kFirstWithTable;
            if (!has_met && is_after_table && (is_due ? is_over && is_new : !is_over)) {
                worker.join({}, nullptr, SurfaceTracker());
                has_met = true;
                is_over = true;
            }
            if (!told.follow(worker.events()) || !told.is(worker.surfaces())) return -1;
        }
    }
    return has_met ? static_cast<int32_t>(worker.surfaces().size()) : -2;
}

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
    write(std::span(events).first(std::min(capacity, events.size())), out_events);
    return events.size();
}

void fh_check_settled_mergers(const int32_t *merges, size_t merge_count, const int32_t *now, size_t now_count,
                              int32_t *out_events) {
    std::vector<SurfaceEvent> events;
    for (size_t i = 0; i < merge_count; ++i)
        events.push_back({SurfaceEventKind::merged, merges[2 * i], merges[2 * i + 1]});
    SurfaceChanges::settle_mergers(with_ids(now, now_count), &events);
    write(events, out_events);
}
