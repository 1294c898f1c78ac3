// Worlds that were left behind when the camera had lost its way for long: how they are kept, found again, and joined to
// the one that was begun since.
#include <algorithm>
#include <utility>

#include "session/session_core.h"

namespace foothold {

namespace {

/// Below this a world isn't worth going back to.
constexpr size_t kFewestKeyframes = 5;
constexpr size_t kFewestPoints = 80;
/// Kept at once; the one with the fewest keyframes makes room.
constexpr size_t kMostEarlier = 3;
/// Frames from one look for an earlier world to the next.
constexpr int64_t kLookEvery = 6;
constexpr int64_t kLookEveryWhileTracking = 12;

}  // namespace

void SessionCore::leave_world() {
    tracker_.tracks.clear();
    mapper_.cull(tracker_.tracks);
    const auto points = static_cast<size_t>(std::count_if(
        map_.points.begin(), map_.points.end(), [](const HostedPoint &p) { return p.state == PointState::mature; }));
    if (map_.keyframes.size() >= kFewestKeyframes && points >= kFewestPoints) {
        auto world = std::make_unique<EarlierWorld>(world_id_);
        world->was_loaded = known_world_ != KnownWorld::none;
        world->camera = camera_;
        world->knowledge = mapper_.knowledge();
        world->tracker.typical_inverse_depth = tracker_.typical_inverse_depth;
        world->map = map_.leave();
        for (Keyframe &keyframe : world->map.keyframes) keyframe.picture.reset();
        world->log = std::exchange(log_, FrameLog());
        surface_worker_.leave(&world->gravity, &world->surfaces);
        earlier_.push_back(std::move(world));
        if (earlier_.size() > kMostEarlier) {
            earlier_.erase(std::min_element(earlier_.begin(), earlier_.end(), [](const auto &a, const auto &b) {
                return a->map.keyframes.size() < b->map.keyframes.size();
            }));
        }
    }
    begin_world();
}

void SessionCore::look_for_earlier_worlds(int64_t timestamp_ns, FrameOutput *out) {
    if (earlier_.empty() || out->is_keyframe) return;
    if (frame_index_ % (phase_ == Phase::tracking ? kLookEveryWhileTracking : kLookEvery) != 0) return;
    const size_t index = next_sought_++ % earlier_.size();
    const std::optional<Recognition> found = earlier_[index]->recognise(pyramid_, &relocaliser_);
    if (!found) return;
    std::optional<Similarity> earlier_from_now;
    if (phase_ == Phase::tracking) {
        earlier_from_now = earlier_[index]->from_other(*found, map_, last_pose_, tracker_.tracks);
        if (!earlier_from_now) return;
    }
    std::unique_ptr<EarlierWorld> world = std::move(earlier_[index]);
    earlier_.erase(earlier_.begin() + static_cast<ptrdiff_t>(index));
    if (earlier_from_now) {
        join(std::move(world), *earlier_from_now, timestamp_ns, out);
    } else {
        go_back(std::move(world), *found, timestamp_ns, out);
    }
}

void SessionCore::go_back(std::unique_ptr<EarlierWorld> world, const Recognition &found, int64_t timestamp_ns,
                          FrameOutput *out) {
    if (phase_ == Phase::lost) leave_world();
    if (is_disproved(world->knowledge)) {
        world->change_camera(camera_);
        Mapper::Knowledge knowledge = mapper_.knowledge();
        knowledge.noise_pixels = world->knowledge.noise_pixels;
        knowledge.adjusted_count = world->knowledge.adjusted_count;
        world->knowledge = knowledge;
    }
    take_up(std::move(world->map), world->camera, world->knowledge, std::move(world->gravity),
            std::move(world->surfaces));
    log_ = std::move(world->log);
    world_id_ = world->id;
    out->did_return = true;
    tracker_.tracks = std::move(world->tracker.tracks);
    known_world_ = world->was_loaded ? KnownWorld::found : KnownWorld::none;
    go_on_from(found.world_from_camera, found.outcome, timestamp_ns, out);
    surface_worker_.tell_known(timestamp_ns);
}

void SessionCore::join(std::unique_ptr<EarlierWorld> world, const Similarity &earlier_from_now, int64_t timestamp_ns,
                       FrameOutput *out) {
    // The world that was there first keeps its frame, since more may stand in it.
    const bool is_base = world->id < world_id_;
    Similarity change;
    if (is_base) {
        change = earlier_from_now;
        map_.transform(change);
        log_.rescale(change.scale);
        last_pose_ = change * last_pose_;
        before_last_pose_ = change * before_last_pose_;
        twist_.linear *= change.scale;
        out->absorbed_world_id = std::exchange(world_id_, world->id);
        out->world_from_absorbed = earlier_from_now;
    } else {
        out->absorbed_world_id = world->id;
        out->world_from_absorbed = earlier_from_now.inverse();
        world->transform(out->world_from_absorbed);
    }
    if (world->was_loaded) known_world_ = KnownWorld::found;
    if (!is_disproved(world->knowledge) && world->knowledge.log_focal_sigma < mapper_.log_focal_sigma()) {
        const CameraModel known_before = std::exchange(camera_, world->camera);
        map_.focal = world->map.focal;
        mapper_.restore(world->knowledge);
        map_.change_lens({known_before, camera_});
        follow_lens(known_before);
    } else {
        world->change_camera(camera_);
    }
    depth_mapper_.forget();
    loop_detector_.forget();
    surface_worker_.join(change, is_base ? &world->gravity : nullptr, std::move(world->surfaces));
    const int keyframes = static_cast<int>(world->map.keyframes.size());
    const int first_point = map_.take_in(std::move(world->map));
    log_.take_in(std::move(world->log), keyframes);
    // What both see holds them together from now on.
    for (Track track : world->tracker.tracks) {
        if (!track.found || !track.is_inlier) continue;
        track.point += first_point;
        track.centred = map_.centred(camera_, track.pixel);
        tracker_.tracks.push_back(track);
    }
    insert_keyframe(timestamp_ns, out);
    out->world_from_camera = last_pose_;
}

}  // namespace foothold
