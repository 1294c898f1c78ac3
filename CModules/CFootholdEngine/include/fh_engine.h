// The engine's C boundary. Nothing is thrown, printed or aborted across it.
//
// Axes: the world is right-handed with +Y up; cameras are x right, y down, z forward. Pixels: the centre of the
// top-left pixel is (0, 0). Lengths are in the session's metres (see fh_scale_source). One handle is used by one thread
// at a time; different handles are independent.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fh_status {
    FH_OK = 0,
    FH_INVALID_ARGUMENT = 1,
    FH_OUT_OF_MEMORY = 2,
    FH_INTERNAL_ERROR = 3,
    FH_NO_WORLD = 4,
    FH_NOT_A_WORLD_FILE = 5,
    FH_DAMAGED_WORLD_FILE = 6,
    FH_NEWER_WORLD_FILE = 7,
    FH_OTHER_CAMERA = 8,
} fh_status;

/// One short sentence in English for a status; never null.
const char *fh_status_text(int32_t status);

typedef enum fh_distortion {
    FH_DISTORTION_NONE = 0,
    /// k1 k2 p1 p2 k3
    FH_DISTORTION_RADIAL_TANGENTIAL = 1,
    /// k1 k2 k3 k4
    FH_DISTORTION_FISHEYE = 2,
} fh_distortion;

typedef struct fh_camera {
    int32_t width, height;
    double fx, fy, cx, cy;
    int32_t distortion;
    int32_t reserved;
    double coefficients[5];
} fh_camera;

typedef struct fh_session fh_session;

typedef struct fh_session_config {
    /// sizeof(fh_session_config) as the caller knows it.
    uint32_t struct_size;
    /// Not zero: the focal length is only a guess, and tracking starts only with parallax that a wrong one can't feign.
    uint32_t focal_is_guess;
    fh_camera camera;
    /// Not zero: surfaces are looked for on a thread of the session's own. The results are the same, byte for byte.
    uint32_t has_two_threads;
    /// After so many frames no path is kept any more, and fh_session_finish refines none: for sessions that run for
    /// days. 0 keeps everything.
    uint32_t path_frames;
} fh_session_config;

int32_t fh_session_create(const fh_session_config *config, fh_session **out_session);
/// Null is allowed.
void fh_session_destroy(fh_session *session);
/// Forgets the world and starts over; surface ids go on counting.
int32_t fh_session_reset(fh_session *session);

typedef struct fh_imu_sample {
    int64_t timestamp_ns;
    /// rad/s and m/s² (specific force), in the camera's axes.
    double gyro[3];
    double accel[3];
} fh_imu_sample;

/// Samples in time order, on the frames' clock, handed over before the frames that they precede. Copied, or refused
/// as a whole where one is more than 146 years from zero.
int32_t fh_session_add_imu(fh_session *session, const fh_imu_sample *samples, size_t count);

typedef enum fh_tracking_state {
    FH_TRACKING_NOT_AVAILABLE = 0,
    FH_TRACKING_LIMITED = 1,
    FH_TRACKING_NORMAL = 2,
} fh_tracking_state;

typedef enum fh_limited_reason {
    FH_REASON_NONE = 0,
    FH_REASON_INITIALIZING = 1,
    FH_REASON_RELOCALIZING = 2,
    FH_REASON_EXCESSIVE_MOTION = 3,
    FH_REASON_INSUFFICIENT_FEATURES = 4,
    FH_REASON_INSUFFICIENT_LIGHT = 5,
    FH_REASON_NO_TRANSLATION = 6,
} fh_limited_reason;

typedef enum fh_scale_source {
    FH_SCALE_ASSUMED = 0,
    FH_SCALE_INERTIAL = 1,
    FH_SCALE_STATED = 2,
} fh_scale_source;

/// Whether the session goes on in a world that was loaded.
typedef enum fh_known_world {
    FH_KNOWN_WORLD_NONE = 0,
    /// Not recognised yet; after some seconds it gives way to a new world, and the frame says did_reset.
    FH_KNOWN_WORLD_SOUGHT = 1,
    FH_KNOWN_WORLD_FOUND = 2,
} fh_known_world;

/// world_from_camera: rotation as unit quaternion (x, y, z, w), position in metres.
typedef struct fh_pose {
    double quaternion[4];
    double position[3];
} fh_pose;

typedef struct fh_frame_result {
    int32_t tracking_state;
    int32_t limited_reason;
    int32_t has_pose;
    int32_t is_keyframe;
    int32_t did_reset;
    int32_t scale_source;
    double scale_confidence;
    /// Metres that the world's unit is long, as inertial readings tell it; 0 where they don't.
    double metres_per_unit;
    fh_pose world_from_camera;
    /// The camera as known now; the distortion as in `fh_camera`.
    double fx, fy, cx, cy;
    int32_t distortion;
    /// Not zero: it was given without distortion, and as anything but a guess, but doesn't fit what is seen, so that it
    /// is found as if it had been a guess.
    int32_t is_camera_doubted;
    double coefficients[5];
    /// 0…1: mean luma, shares of nearly black and nearly white pixels, sharpness, share of cells with corners,
    /// mean change to the last frame.
    double brightness, dark_share, bright_share, sharpness, texture_share, change;
    /// 0…1: share of cells with more to see than noise, and how much the picture repeats itself.
    double detail_share, repetition;
    int32_t tracked_count, inlier_count;
    /// Median movement of points, in picture widths per second, and turning of the camera, in radians per second.
    double flow;
    double angular_speed;
    /// While starting: median movement that turning alone doesn't explain, in input pixels.
    double parallax_pixels;
    double reprojection_error_pixels;
    /// Milliseconds that this frame spent in each stage.
    double pyramid_ms, tracking_ms, mapping_ms, surfaces_ms;
    /// Surface events that fh_session_surface_events now gives.
    int32_t surface_event_count;
    int32_t known_world;
    /// The world that poses and surfaces lie in; each new one has a larger number. What was left long enough ago to be
    /// given up is kept: `did_return` says that this frame recognised an earlier world and went back to it.
    int32_t world_id;
    int32_t did_return;
    /// When this frame found that two worlds are one: the one that is no more, and how it lies in the present one,
    /// x' = absorbed_scale · rotation · x + position; 0 in other frames. Usually that is the newer one, and poses and
    /// surfaces have changed their frame with it.
    int32_t absorbed_world_id;
    double absorbed_scale;
    fh_pose world_from_absorbed;
} fh_frame_result;

/// What hung on one keyframe when the world was corrected: x' = scale · rotation · x + position of `change`.
typedef struct fh_corrected_part {
    /// Where the keyframe was before.
    double position[3];
    double scale;
    fh_pose change;
} fh_corrected_part;

/// Takes one picture: 8-bit luma, `stride` bytes a row, borrowed for the call. Timestamps must increase, and lie
/// within 146 years of zero.
int32_t fh_session_process(fh_session *session, const uint8_t *luma, int32_t width, int32_t height, int32_t stride,
                           int64_t timestamp_ns, fh_frame_result *out_result);

/// How the parts of the world moved when the last frame found that the camera had come round to where it was before
/// and had drifted: one for each keyframe, and none in other frames. Surfaces have moved along already; the pose that
/// is told follows within a second.
int32_t fh_session_correction(const fh_session *session, fh_corrected_part *out_parts, size_t capacity,
                              size_t *out_count);

typedef enum fh_surface_event_kind {
    FH_SURFACE_ADDED = 0,
    FH_SURFACE_UPDATED = 1,
    FH_SURFACE_MERGED = 2,
    FH_SURFACE_REMOVED = 3,
} fh_surface_event_kind;

typedef struct fh_surface_event {
    int32_t kind;
    int32_t id;
    /// Merged only: the surface that it became part of.
    int32_t into;
} fh_surface_event;

/// Events of the last processed frame, in order. Writes at most `capacity`; `out_count` is how many there are.
int32_t fh_session_surface_events(const fh_session *session, fh_surface_event *out_events, size_t capacity,
                                  size_t *out_count);

typedef enum fh_alignment {
    FH_ALIGNMENT_HORIZONTAL_UP = 0,
    FH_ALIGNMENT_HORIZONTAL_DOWN = 1,
    FH_ALIGNMENT_VERTICAL = 2,
    FH_ALIGNMENT_OTHER = 3,
} fh_alignment;

typedef enum fh_classification {
    FH_CLASS_FLOOR = 0,
    FH_CLASS_WALL = 1,
    FH_CLASS_CEILING = 2,
    FH_CLASS_TABLE = 3,
    FH_CLASS_SEAT = 4,
    FH_CLASS_UNKNOWN = 5,
} fh_classification;

typedef struct fh_surface {
    int32_t id;
    int32_t alignment;
    int32_t classification;
    int32_t boundary_count;
    /// world_from_surface: Y is the normal towards the side that was seen; the origin stays put as the outline grows.
    fh_pose world_from_surface;
    /// Middle of the outline and its size along x and z, in the surface's frame.
    double center_x, center_z;
    double extent_x, extent_z;
    double confidence;
    int64_t first_seen_ns, last_updated_ns;
    /// Pairs (x, z) in the surface's frame, counter-clockwise seen from the normal's side. Valid until the next call
    /// that takes the session as not const.
    const double *boundary;
} fh_surface;

/// All surfaces known now, by id. Writes at most `capacity`; `out_count` is how many there are.
int32_t fh_session_surfaces(const fh_session *session, fh_surface *out_surfaces, size_t capacity, size_t *out_count);

typedef struct fh_feature {
    double x, y;
    int32_t has_position;
    int32_t reserved;
    double position[3];
} fh_feature;

/// Points found in the last frame, for drawing. Writes at most `capacity`; `out_count` is how many there are.
int32_t fh_session_features(const fh_session *session, fh_feature *out_features, size_t capacity, size_t *out_count);

typedef struct fh_ray_hit {
    int32_t found;
    int32_t reserved;
    double distance;
    double position[3];
    double normal[3];
    double confidence;
} fh_ray_hit;

/// A plane through the points near a ray, those of the map and those of the last search for surfaces, where no surface
/// is known yet. `direction` has length one.
int32_t fh_session_raycast_points(const fh_session *session, const double origin[3], const double direction[3],
                                  fh_ray_hit *out_hit);

/// What lies how deep in the picture, in square cells. The memory is the session's, and valid until the next call of a
/// function that takes it as not const.
typedef struct fh_depth_map {
    /// sizeof(fh_depth_map) as the caller knows it; to be set before the call.
    uint32_t struct_size;
    int32_t width, height;
    /// Side of a cell in input pixels: cell (x, y) is centred on pixel (x, y) · cell_pixels.
    int32_t cell_pixels;
    /// Row by row, along the camera's z axis, in the session's metres; 0 where nothing can be said.
    const float *depth;
    /// Standard deviation of the depth, likewise.
    const float *deviation;
    /// Brightness of the picture in each cell.
    const uint8_t *luma;
} fh_depth_map;

/// The depth of the last processed frame, as seen from its pose. Nothing is made unless it is asked for, and asking
/// changes nothing but the next map, which keeps to this one where it is a close thing. FH_NO_WORLD when that frame has
/// no pose.
int32_t fh_session_depth_map(fh_session *session, fh_depth_map *out_map);

typedef struct fh_trajectory_entry {
    int64_t frame_index;
    int64_t timestamp_ns;
    fh_pose world_from_camera;
} fh_trajectory_entry;

/// After the last frame: looks for surfaces in one of the keyframes once more, with all that is known by now, since
/// what was seen before and after it tells more than what was seen before alone. The newest 96 keyframes are looked at
/// twice, for surfaces and then for where these end, one a call; `out_left` is how many calls are left, and when that
/// is 0, fh_session_surfaces and fh_session_surface_events tell what came of all of them, in the same world as before.
/// Poses stay as they are. Should come before fh_session_save_world and fh_session_finish.
int32_t fh_session_review_surfaces(fh_session *session, int32_t *out_left);
/// Ends that before its last call: fh_session_surfaces and fh_session_surface_events tell what came of the keyframes
/// that were looked at. Does nothing when none is left.
int32_t fh_session_end_review(fh_session *session);

/// Refines everything that was seen; call it once, after the last frame. Then fh_session_trajectory gives the poses.
int32_t fh_session_finish(fh_session *session);
/// Refined poses of the frames of the present world, in time order. Writes at most `capacity`.
int32_t fh_session_trajectory(const fh_session *session, fh_trajectory_entry *out_entries, size_t capacity,
                              size_t *out_count);

/// The present world as bytes to keep: map, camera, surfaces with their ids, and an `attachment` of the caller's own
/// (for objects). They are the session's, and valid until the next call of this function or fh_session_destroy. The
/// same world gives the same bytes. FH_NO_WORLD before the first pose. It should come before fh_session_finish, which
/// moves the map under the surfaces.
int32_t fh_session_save_world(fh_session *session, const uint8_t *attachment, size_t attachment_size,
                              const uint8_t **out_bytes, size_t *out_size);
/// Goes on in a world that was saved; only before the first frame. The session begins as one that has lost its way, and
/// poses, surfaces and ids are those of the saved world from the frame that recognises it. Anything wrong with the
/// bytes, or a camera of another shape, is a status of its own, and the session is as it was.
int32_t fh_session_load_world(fh_session *session, const uint8_t *bytes, size_t size);
/// What the caller attached to a saved world; a view into `bytes`.
int32_t fh_world_attachment(const uint8_t *bytes, size_t size, const uint8_t **out_attachment, size_t *out_size);

#ifdef __cplusplus
}
#endif
