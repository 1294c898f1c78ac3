// The state machine of a session: gathering first views, tracking, lost.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "depth/depth_mapper.h"
#include "frontend/image_pyramid.h"
#include "frontend/noise_filter.h"
#include "frontend/picture_statistics.h"
#include "frontend/rotation_alignment.h"
#include "geometry/camera_model.h"
#include "geometry/se3.h"
#include "geometry/similarity.h"
#include "gravity/inertial_reading.h"
#include "initialisation/initialiser.h"
#include "mapping/look_back.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "persistence/world_file.h"
#include "relocalisation/loop_detector.h"
#include "relocalisation/relocaliser.h"
#include "session/earlier_world.h"
#include "session/frame_log.h"
#include "session/point_raycast.h"
#include "session/pose_easing.h"
#include "session/surface_worker.h"
#include "surfaces/parted_change.h"
#include "tracking/still_camera.h"
#include "tracking/tracker.h"

namespace foothold {

enum class TrackingState { not_available, limited, normal };

enum class LimitedReason {
    none,
    initializing,
    relocalizing,
    excessive_motion,
    insufficient_features,
    insufficient_light,
    no_translation,
};

/// Whether the session goes on in a world that was saved.
enum class KnownWorld {
    none,
    /// Loaded, and not recognised yet.
    sought,
    found,
};

struct StageTimes {
    double pyramid_ms = 0, tracking_ms = 0, mapping_ms = 0, surfaces_ms = 0;
};

struct FrameOutput {
    TrackingState state = TrackingState::not_available;
    LimitedReason reason = LimitedReason::none;
    bool has_pose = false;
    SE3 world_from_camera;
    bool is_keyframe = false;
    bool did_reset = false;
    KnownWorld known_world = KnownWorld::none;
    /// The world that the pose lies in; each new one has a larger number.
    int32_t world_id = 0;
    /// This frame went back to an earlier world, as it was left.
    bool did_return = false;
    /// The world that was found to be part of the present one in this frame, and how it lies there; 0 for none.
    int32_t absorbed_world_id = 0;
    Similarity world_from_absorbed;
    PictureStatistics picture;
    double texture_share = 0;
    int tracked = 0;
    int inliers = 0;
    /// Median movement of points since the last frame in pixels, and in picture widths per second.
    double flow_pixels = 0;
    double flow = 0;
    double parallax_pixels = 0;
    double rms_pixels = 0;
    /// How far the camera turned since the last frame, and radians per second.
    double turn_radians = 0;
    double angular_speed = 0;
    StageTimes times;
};

struct SessionOptions {
    CameraModel camera;
    /// The focal length is only a guess: ask for parallax that a wrong one can't feign.
    bool focal_is_guess = false;
    int wanted_tracks = 320;
    int window = 8;
    /// Surfaces are looked for on a second thread; the results are the same.
    bool has_two_threads = false;
    /// Frames after which no path is kept for refining; 0 for never.
    int64_t path_frames = 0;
};

class SessionCore {
public:
    explicit SessionCore(const SessionOptions &options);

    FrameOutput process(const ImageView &luma, int64_t timestamp_ns);
    void add_inertial(const InertialReading &reading) { inertial_.push_back(reading); }
    /// Forgets the world and starts over.
    void reset();
    /// After the last frame: looks for surfaces in the next of the keyframes once more, with all that is known by now;
    /// how many are left. After the last of them `surfaces` and `surface_events` tell what came of it.
    int review_surfaces();
    /// Leaves out the keyframes that are still to be looked at once more.
    void end_review();
    /// Refines everything that was seen and returns the poses of all tracked frames of the present world.
    std::vector<LoggedPose> finish();

    bool has_world() const { return phase_ == Phase::tracking || phase_ == Phase::lost; }
    /// The present world, with what the caller wants kept beside it.
    std::vector<uint8_t> save_world(std::span<const uint8_t> attachment);
    /// Before the first frame: the session begins lost in this world. Nothing changes unless it is sound and fits.
    WorldFileStatus load_world(std::span<const uint8_t> bytes);
    bool has_begun() const { return frame_index_ >= 0; }

    const Map &map() const { return map_; }
    /// How the parts of the world moved in the last frame where that closed a loop; null elsewhere.
    const PartedChange *correction() const { return correction_ ? &*correction_ : nullptr; }
    const CameraModel &camera() const { return camera_; }
    /// The camera that was given was found not to fit what is seen.
    bool is_camera_doubted() const { return mapper_.has_doubted(); }
    std::span<const Surface> surfaces() const { return surface_worker_.surfaces(); }
    /// What the last frame changed.
    std::span<const SurfaceEvent> surface_events() const { return surface_worker_.events(); }
    /// Metres that the world's unit is long, as inertial readings tell it; 0 where they don't.
    double metres_per_unit() const { return surface_worker_.metres_per_unit(); }
    const std::vector<Track> &tracks() const { return tracker_.tracks; }
    /// Where a ray meets something that may be no surface yet. `direction` has length one.
    PointRaycastHit raycast_points(const Eigen::Vector3d &origin, const Eigen::Vector3d &direction) const {
        return foothold::raycast_points(map_, surface_worker_.depth_points(), origin, direction);
    }
    /// What lies how deep in the last frame's picture; null where that frame has no pose. Valid until the next call.
    const DepthMap *depth_map();

private:
    enum class Phase { empty, initialising, tracking, lost };

    /// Mean luma below which it is too dark, 0…1.
    static constexpr double kDark = 0.12;

    /// Everything is empty again; earlier worlds are kept.
    void begin_world();
    /// Gives the world up, and keeps it if it is worth going back to.
    void leave_world();
    /// Now and then: does the picture show a world that was left?
    void look_for_earlier_worlds(int64_t timestamp_ns, FrameOutput *out);
    /// Whether a world's calibration was found not to fit since it was left.
    bool is_disproved(const Mapper::Knowledge &knowledge) const {
        return mapper_.has_doubted() && knowledge.prior_focal == 0;
    }
    void go_back(std::unique_ptr<EarlierWorld> world, const Recognition &found, int64_t timestamp_ns, FrameOutput *out);
    void join(std::unique_ptr<EarlierWorld> world, const Similarity &earlier_from_now, int64_t timestamp_ns,
              FrameOutput *out);
    /// After a keyframe was added: does it show a part of the map that what was mapped since has drifted away from?
    void look_for_loops(int64_t timestamp_ns);
    void close_loop(const Loop &loop, int64_t timestamp_ns);
    /// Looks for the older part's points wherever they are seen since, and drops what was mapped a second time.
    void fuse(const Loop &loop);
    /// `before` is where the keyframes were, and `changes` how each of them moved.
    void take_surfaces_along(const std::vector<SE3> &before, const std::vector<Similarity> &changes);
    /// Holds the pose that is told while the camera stands still.
    void steady(FrameOutput *out);
    /// After the camera was lost: tracking goes on here.
    void go_on_from(const SE3 &pose, const TrackingOutcome &outcome, int64_t timestamp_ns, FrameOutput *out);
    void start_initialising(int64_t timestamp_ns);
    /// Goes on with what is known of another world in place of this one's; where the camera is isn't known yet.
    void take_up(Map map, const CameraModel &camera, const Mapper::Knowledge &knowledge, GravityEstimator gravity,
                 SurfaceTracker surfaces);
    /// The first frame after a world was loaded.
    void begin_lost(int64_t timestamp_ns);
    /// A world that wasn't recognised may be of another camera.
    void forget_known_camera();
    void process_initialising(int64_t timestamp_ns, FrameOutput *out);
    void adopt(const InitialisationResult &result, int64_t timestamp_ns, FrameOutput *out);
    void process_tracking(int64_t timestamp_ns, FrameOutput *out);
    bool try_relocalise(int64_t timestamp_ns, FrameOutput *out);
    bool needs_keyframe(const SE3 &pose, const TrackingOutcome &outcome) const;
    /// After an adjustment: what this frame and those before saw, through the lens as it is known now.
    void follow_lens(const CameraModel &before);
    /// Turns the new map so that up is +Y.
    void level_world();
    void insert_keyframe(int64_t timestamp_ns, FrameOutput *out);
    void insert_keyframe_and_adjust(int64_t timestamp_ns, FrameOutput *out);
    void judge(const TrackingOutcome &outcome, FrameOutput *out) const;
    /// True where points have lain far from where they should ever since the map began, and do so while the camera is
    /// calm.
    bool never_fits(const TrackingOutcome &outcome);
    /// Why nothing can be found again: what is wrong with the picture, or that it is still as blurred or moved as when
    /// it was lost; relocalizing where nothing stands in the way. Turned since the last frame, radians.
    LimitedReason reason_while_lost(const PictureStatistics &picture, double turned) const;
    SE3 predict(int64_t timestamp_ns) const;
    /// What comes after the last frame needs memory of its own.
    void free_memory_of_frames();

    /// A keyframe that is looked at once more: for surfaces, or then for where those that are known end.
    struct ReviewStep {
        int keyframe = 0;
        bool is_for_outlines = false;
    };

    SessionOptions options_;
    CameraModel camera_;
    Map map_;
    Mapper mapper_;
    LookBack look_back_;
    Tracker tracker_;
    Initialiser initialiser_;
    Relocaliser relocaliser_;
    LoopDetector loop_detector_;
    StillCamera still_camera_;
    PoseEasing easing_;
    std::optional<PartedChange> correction_;
    NoiseFilter noise_filter_;
    PictureAnalyser analyser_;
    FrameLog log_;
    /// Those that no frame has come after yet.
    std::deque<InertialReading> inertial_;
    SurfaceWorker surface_worker_;
    /// What is still to be looked at once more, the next one last; nothing where no review is under way.
    std::optional<std::vector<ReviewStep>> review_left_;

    DepthMapper depth_mapper_;
    std::vector<DepthPoint> map_depth_points_;
    std::vector<uint8_t> is_point_seen_;
    /// Where the last frame's picture was told to be taken.
    std::optional<SE3> told_pose_;

    ImagePyramid pyramid_;
    Thumbnail thumbnail_, last_thumbnail_;

    Phase phase_ = Phase::empty;
    int32_t world_id_ = 1, newest_world_id_ = 1;
    KnownWorld known_world_ = KnownWorld::none;
    std::vector<std::unique_ptr<EarlierWorld>> earlier_;
    size_t next_sought_ = 0;
    /// Before any frame.
    Mapper::Knowledge initial_knowledge_;
    int64_t frame_index_ = -1;
    // Initialising
    InitialTracks initial_;
    std::vector<int> initial_points_;
    std::vector<int64_t> initial_times_;
    Eigen::Matrix3d current_from_host_ = Eigen::Matrix3d::Identity();
    // Tracking
    SE3 last_pose_, before_last_pose_;
    int64_t last_time_ns_ = 0, before_last_time_ns_ = 0;
    int64_t last_frame_ns_ = INT64_MIN;
    Twist twist_;
    int start_level_ = 2;
    /// More than the usual window of keyframes was adjusted in it.
    bool is_frame_costly_ = false;
    int frames_since_keyframe_ = 0;
    int inliers_at_keyframe_ = 0;
    /// In a row until now, those that fit and those that sway, and whether the map ever fitted what is seen.
    int fitting_frames_ = 0, swaying_frames_ = 0;
    bool has_fitted_ = false;
    bool has_velocity_ = false;
    bool was_lost_moving_ = false;
    int64_t lost_since_ns_ = 0;
    double last_flow_pixels_ = 0;
    /// Of the pictures while they were followed.
    double usual_sharpness_ = 0;
    int64_t tracked_since_ns_ = 0;
};

}  // namespace foothold
