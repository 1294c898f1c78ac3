#include "session/surface_worker.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "session/stopwatch.h"

namespace foothold {

namespace {

/// Frames from a keyframe to the one that gets its surfaces; the next search may begin then. At first all is new, and
/// people wait: while there are no more keyframes than this, it takes fewer.
constexpr int64_t kDelayFrames = 8, kDelayAtFirst = 6;
constexpr size_t kFirstKeyframes = 16;
/// Keyframes on either side of one that is looked at once more.
constexpr int kReviewReach = SurfaceStage::window / 2;

}  // namespace

SurfaceWorker::SurfaceWorker(bool has_thread) {
    if (has_thread) thread_.emplace();
}

template <typename Piece>
void SurfaceWorker::watched(Piece piece) {
    double ms = 0;
    try {
        Stopwatch watch(&ms);
        piece();
    } catch (...) {
        failure_ = std::current_exception();
        has_parts_left_ = false;
    }
    {
        const std::lock_guard lock(mutex_);
        piece_ms_.push_back(ms);
        is_over_ = !has_parts_left_;
    }
    changed_.notify_all();
}

void SurfaceWorker::begin_search() {
    has_parts_left_ = true;
    watched([this] { stage_.begin(snapshot_); });
}

void SurfaceWorker::do_next_part() {
    watched([this] {
        has_parts_left_ = stage_.advance();
        if (!has_parts_left_) stage_.copy_depth_points(&next_depth_points_);
    });
}

void SurfaceWorker::reach(size_t pieces) {
    if (!thread_) {
        while (has_parts_left_ && piece_ms_.size() < pieces) do_next_part();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_over_ || piece_ms_.size() >= pieces; });
    for (; pieces_counted_ < std::min(pieces, piece_ms_.size()); ++pieces_counted_) {
        spent_ms_ += piece_ms_[pieces_counted_];
    }
}

void SurfaceWorker::finish() { reach(std::numeric_limits<size_t>::max()); }

Eigen::Vector3d SurfaceWorker::initial_up(const Map &map, const CameraModel &camera, double noise_pixels) {
    std::vector<int> all(map.keyframes.size());
    std::iota(all.begin(), all.end(), 0);
    take_snapshot(map, camera, noise_pixels, all, &snapshot_);
    return stage_.initial_up(snapshot_);
}

void SurfaceWorker::add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel) {
    if (is_under_way_) {
        readings_.push_back({timestamp_ns, gyro, accel});
    } else {
        stage_.add_inertial(timestamp_ns, gyro, accel);
    }
}

void SurfaceWorker::add_pose(int64_t timestamp_ns, const SE3 &world_from_camera) {
    if (is_under_way_) {
        poses_.push_back({timestamp_ns, world_from_camera});
    } else {
        stage_.add_pose(timestamp_ns, world_from_camera);
    }
}

void SurfaceWorker::begin(int64_t frame_index, const Map &map, const CameraModel &camera, double noise_pixels) {
    const int count = static_cast<int>(map.keyframes.size());
    std::vector<int> recent(std::min(count, SurfaceStage::window));
    std::iota(recent.begin(), recent.end(), count - static_cast<int>(recent.size()));
    take_snapshot(map, camera, noise_pixels, recent, &snapshot_);
    is_under_way_ = true;
    due_frame_ = frame_index + (map.keyframes.size() <= kFirstKeyframes ? kDelayAtFirst : kDelayFrames);
    parts_due_ = pieces_counted_ = 0;
    piece_ms_.clear();
    is_over_ = false;
    if (!thread_) {
        begin_search();
        return;
    }
    thread_->begin([this] {
        begin_search();
        while (has_parts_left_) do_next_part();
    });
}

bool SurfaceWorker::advance(int64_t frame_index) {
    events_.clear();
    if (!is_under_way_ || frame_index < due_frame_) return false;
    take_over();
    return true;
}

void SurfaceWorker::work(int64_t frame_index, double time) {
    if (!is_under_way_) return;
    // The thread had the time from one frame to the next for them.
    if (thread_) reach(1 + parts_due_);
    // As much as falls on each of the frames that are left, but for halves of parts.
    const double done = stage_.share_of_first(parts_due_);
    const double share = time * (1 - done) / static_cast<double>(std::max<int64_t>(due_frame_ - frame_index, 1));
    const auto middle = [&](size_t part) {
        return 0.5 * (stage_.share_of_first(part) + stage_.share_of_first(part + 1));
    };
    if (parts_due_ < SurfaceStage::part_count) ++parts_due_;
    while (parts_due_ < SurfaceStage::part_count && middle(parts_due_) <= done + share) ++parts_due_;
    if (!thread_) reach(1 + parts_due_);
}

void SurfaceWorker::take_over() {
    finish();
    is_under_way_ = false;
    hand_over_readings();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    take_shown();
    events_.assign(stage_.events().begin(), stage_.events().end());
    SurfaceChanges::settle_mergers(surfaces_, &events_);
    std::swap(depth_points_, next_depth_points_);
}

void SurfaceWorker::take_shown() {
    surfaces_.assign(stage_.surfaces().begin(), stage_.surfaces().end());
    metres_per_unit_ = stage_.metres_per_unit();
}

void SurfaceWorker::forget_shown() {
    surfaces_.clear();
    metres_per_unit_ = 0;
    events_.clear();
    depth_points_.clear();
}

void SurfaceWorker::begin_review() {
    changes_.emplace(surfaces_);
    has_reviewed_ = false;
    if (!is_under_way_) return;
    take_over();
    changes_->note(events_);
}

void SurfaceWorker::take_review(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe) {
    const int first = std::max(0, keyframe - kReviewReach);
    const int last = std::min(static_cast<int>(map.keyframes.size()) - 1, keyframe + kReviewReach);
    std::vector<int> chosen;
    for (int k = first; k <= last; ++k) {
        if (k != keyframe) chosen.push_back(k);
    }
    chosen.push_back(keyframe);
    take_snapshot(map, camera, noise_pixels, chosen, &snapshot_);
    snapshot_.is_review = true;
    snapshot_.second_thread = thread_ ? &*thread_ : nullptr;
}

void SurfaceWorker::review(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe) {
    has_reviewed_ = true;
    take_review(map, camera, noise_pixels, keyframe);
    stage_.begin(snapshot_);
    while (stage_.advance()) continue;
    changes_->note(stage_.events());
}

void SurfaceWorker::label(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe) {
    take_review(map, camera, noise_pixels, keyframe);
    stage_.label(snapshot_);
}

void SurfaceWorker::end_review() {
    if (has_reviewed_) {
        stage_.trace_labels();
        changes_->note(stage_.events());
        take_shown();
        stage_.copy_depth_points(&depth_points_);
    }
    events_ = changes_->until(surfaces_);
    changes_.reset();
}

void SurfaceWorker::drop_search() {
    finish();
    is_under_way_ = false;
    failure_ = nullptr;
    poses_.clear();
    hand_over_readings();
}

void SurfaceWorker::leave(GravityEstimator *gravity, SurfaceTracker *tracker) {
    drop_search();
    forget_shown();
    stage_.leave(gravity, tracker);
}

void SurfaceWorker::join(const Similarity &change, const GravityEstimator *gravity, SurfaceTracker tracker) {
    if (is_under_way_) take_over();
    stage_.join(change, gravity, std::move(tracker));
    tell_all();
}

void SurfaceWorker::transform_each(const PartedChange &change) {
    if (is_under_way_) take_over();
    stage_.transform_each(change);
    tell_all();
}

void SurfaceWorker::tell_known(int64_t timestamp_ns) {
    stage_.date(timestamp_ns);
    tell_all();
}

void SurfaceWorker::tell_all() {
    std::unordered_set<int32_t> known, told;
    for (const Surface &surface : surfaces_) known.insert(surface.id);
    for (const SurfaceEvent &event : events_) told.insert(event.id);
    take_shown();
    stage_.copy_depth_points(&depth_points_);
    for (const Surface &surface : surfaces_) {
        if (told.contains(surface.id)) continue;
        const bool is_known = known.contains(surface.id);
        events_.push_back({is_known ? SurfaceEventKind::updated : SurfaceEventKind::added, surface.id, -1});
    }
}

void SurfaceWorker::hand_over_readings() {
    auto pose = poses_.begin();
    const auto add_poses_before = [&](int64_t timestamp_ns) {
        for (; pose != poses_.end() && pose->timestamp_ns < timestamp_ns; ++pose) {
            stage_.add_pose(pose->timestamp_ns, pose->world_from_camera);
        }
    };
    for (const InertialReading &reading : readings_) {
        add_poses_before(reading.timestamp_ns);
        stage_.add_inertial(reading.timestamp_ns, reading.gyro, reading.accel);
    }
    add_poses_before(INT64_MAX);
    readings_.clear();
    poses_.clear();
}

void SurfaceWorker::reset() {
    drop_search();
    forget_shown();
    stage_.reset();
}

}  // namespace foothold
