// Surfaces beside tracking: each keyframe's search takes place on a second thread, or a part at each of the frames that
// follow, and what it found is taken over a fixed number of frames later, so that the results are the same either way.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/similarity.h"
#include "gravity/inertial_reading.h"
#include "second_thread.h"
#include "session/surface_changes.h"
#include "session/surface_snapshot.h"
#include "session/surface_stage.h"

namespace foothold {

class SurfaceWorker {
public:
    explicit SurfaceWorker(bool has_thread);
    SurfaceWorker(const SurfaceWorker &) = delete;
    SurfaceWorker &operator=(const SurfaceWorker &) = delete;

    /// Up in a new world. Nothing may be under way.
    Eigen::Vector3d initial_up(const Map &map, const CameraModel &camera, double noise_pixels);
    void rotate_world(const Eigen::Matrix3d &rotation) { stage_.rotate_world(rotation); }
    /// As the stage's; kept until the search under way is over.
    void add_inertial(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel);
    void add_pose(int64_t timestamp_ns, const SE3 &world_from_camera);

    bool is_under_way() const { return is_under_way_; }
    /// Begins to look at the map as it is now. Nothing may be under way.
    void begin(int64_t frame_index, const Map &map, const CameraModel &camera, double noise_pixels);
    /// At the start of a frame: takes over what the search found into `surfaces` and `events` when that is due, waiting
    /// where it isn't ready. What the search threw is thrown then. Returns whether it was due.
    bool advance(int64_t frame_index);
    /// At the end of a frame that has time for it, from 0 to 1: its share of the search. Where there's a thread for it,
    /// waits instead for the shares of the frames before, so that no frame waits for all that was left.
    void work(int64_t frame_index, double time);
    /// Begins to look at keyframes once more; takes over what a search under way finds, now.
    void begin_review();
    /// Looks at a keyframe of the map once more, beside others that were seen before and after it; at once, on this
    /// thread and, where there is one, that for searches. Nothing is told of it before `end_review`.
    void review(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe);
    /// After all were reviewed: looks at a keyframe for where surfaces end.
    void label(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe);
    /// Tells of what became of the surfaces since `begin_review`.
    void end_review();
    /// Milliseconds that the search's shares of the frames took for which this wasn't asked yet, on whichever thread.
    double take_spent_ms() { return std::exchange(spent_ms_, 0.0); }
    void reset();

    /// The stage, for keeping what it knows; waits for a search that is under way.
    const SurfaceStage &settled_stage() {
        finish();
        return stage_;
    }
    /// As the stage's. Nothing may be under way. No surface is told of until `tell_known`.
    void restore(GravityEstimator gravity, SurfaceTracker tracker, int64_t newest_id) {
        stage_.restore(std::move(gravity), std::move(tracker), newest_id);
    }
    /// As the stage's; drops a search that is under way. No surface is told of afterwards.
    void leave(GravityEstimator *gravity, SurfaceTracker *tracker);
    /// A restored world was recognised: tells of all its surfaces as if they were new.
    void tell_known(int64_t timestamp_ns);
    /// As the stage's; takes over what a search under way finds, now. Tells of every surface.
    void join(const Similarity &change, const GravityEstimator *gravity, SurfaceTracker tracker);

    /// As the stage's; takes over what a search under way finds, now. Tells of every surface.
    void transform_each(const PartedChange &change);

    std::span<const Surface> surfaces() const { return surfaces_; }
    std::span<const SurfaceEvent> events() const { return events_; }
    /// As of the search that was taken over last: metres that the world's unit is long; 0 where that isn't known.
    double metres_per_unit() const { return metres_per_unit_; }
    /// As the stage's, of the search that was taken over last.
    std::span<const DepthPoint> depth_points() const { return depth_points_; }

private:
    void begin_search();
    /// A keyframe of the map beside those before and after it.
    void take_review(const Map &map, const CameraModel &camera, double noise_pixels, int keyframe);
    void do_next_part();
    /// Does a piece of the search, keeping the time that it takes and what it throws.
    template <typename Piece>
    void watched(Piece piece);
    /// Until so many pieces of the search are done, or all there are; their time is this frame's.
    void reach(size_t pieces);
    /// The inertial readings and poses that came in during the search, in their order.
    void hand_over_readings();
    /// Until nothing is left of the search.
    void finish();
    /// Shows the stage's surfaces as they are, and says which of them are new.
    void tell_all();
    void take_over();
    /// What is told of the stage as it is, but for what happened.
    void take_shown();
    void forget_shown();
    /// What a search under way finds belongs to a world that is gone.
    void drop_search();

    SurfaceStage stage_;
    SurfaceSnapshot snapshot_;
    std::vector<Surface> surfaces_;
    std::vector<SurfaceEvent> events_;
    /// What was taken over, and what the search under way leaves.
    std::vector<DepthPoint> depth_points_, next_depth_points_;
    double metres_per_unit_ = 0;
    std::vector<InertialReading> readings_;
    std::vector<TimedPose> poses_;
    bool is_under_way_ = false;
    int64_t due_frame_ = 0;
    std::optional<SurfaceChanges> changes_;
    /// Whether the review has looked at any keyframe.
    bool has_reviewed_ = false;
    /// Parts of the search that fell on the frames so far.
    size_t parts_due_ = 0;
    /// Of the search under way, those that `spent_ms_` holds; and milliseconds that are still to be told of.
    size_t pieces_counted_ = 0;
    double spent_ms_ = 0;

    // Of the search under way, whichever thread it is on.
    bool has_parts_left_ = false;
    std::exception_ptr failure_;

    // Shared with the thread.
    std::mutex mutex_;
    std::condition_variable changed_;
    /// Nothing is left of the search.
    bool is_over_ = true;
    /// What each piece took: the beginning, and the parts that are done.
    std::vector<double> piece_ms_;
    /// Last, so that it goes first. A review, in which there's no search, has it take its shares.
    std::optional<SecondThread> thread_;
};

}  // namespace foothold
