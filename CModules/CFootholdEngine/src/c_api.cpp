// The C boundary: argument checks, conversions, and no exception past this line.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "fh_engine.h"
#include "persistence/saved_world.h"
#include "session/session_core.h"

using namespace foothold;

namespace {

/// Pictures wider or higher than this are tracked at half (a quarter, …) of their size.
constexpr int kLargestTracked = 1100;

int reduction_for(int width, int height) {
    int halvings = 0;
    while ((std::max(width, height) >> halvings) > kLargestTracked) ++halvings;
    return halvings;
}

SessionOptions options_from(const fh_session_config &config, int halvings) {
    SessionOptions options;
    const double factor = std::ldexp(1.0, -halvings);
    CameraModel &camera = options.camera;
    // A halved picture keeps every second pixel's centre, so coordinates simply halve.
    camera.width = config.camera.width;
    camera.height = config.camera.height;
    for (int i = 0; i < halvings; ++i) {
        camera.width = (camera.width + 1) / 2;
        camera.height = (camera.height + 1) / 2;
    }
    camera.fx = config.camera.fx * factor;
    camera.fy = config.camera.fy * factor;
    camera.cx = config.camera.cx * factor;
    camera.cy = config.camera.cy * factor;
    camera.distortion = static_cast<Distortion>(config.camera.distortion);
    std::copy_n(config.camera.coefficients, 5, camera.k);
    options.focal_is_guess = config.focal_is_guess != 0;
    options.has_two_threads = config.has_two_threads != 0;
    options.path_frames = config.path_frames;
    return options;
}

bool is_sane(const fh_camera &camera) {
    const double values[] = {camera.fx, camera.fy, camera.cx, camera.cy};
    if (!std::all_of(std::begin(values), std::end(values), [](double v) { return std::isfinite(v); })) return false;
    if (!std::all_of(std::begin(camera.coefficients), std::end(camera.coefficients),
                     [](double v) { return std::isfinite(v); })) {
        return false;
    }
    return camera.width >= 64 && camera.height >= 64 && camera.width <= 16384 && camera.height <= 16384 &&
           camera.fx > 0 && camera.fy > 0 && camera.distortion >= FH_DISTORTION_NONE &&
           camera.distortion <= FH_DISTORTION_FISHEYE;
}

/// Times of which any two can be told apart by a number of nanoseconds.
bool is_time(int64_t timestamp_ns) { return timestamp_ns > INT64_MIN / 2 && timestamp_ns < INT64_MAX / 2; }

fh_pose to_c(const SE3 &pose) {
    fh_pose out;
    const Eigen::Quaterniond q(pose.rotation);
    out.quaternion[0] = q.x();
    out.quaternion[1] = q.y();
    out.quaternion[2] = q.z();
    out.quaternion[3] = q.w();
    std::copy_n(pose.translation.data(), 3, out.position);
    return out;
}

int32_t to_c(WorldFileStatus status) {
    switch (status) {
        case WorldFileStatus::sound:
            return FH_OK;
        case WorldFileStatus::not_a_world:
            return FH_NOT_A_WORLD_FILE;
        case WorldFileStatus::damaged:
            return FH_DAMAGED_WORLD_FILE;
        case WorldFileStatus::too_new:
            return FH_NEWER_WORLD_FILE;
        case WorldFileStatus::other_camera:
            return FH_OTHER_CAMERA;
    }
    return FH_INTERNAL_ERROR;
}

/// The engine's own stages are what runs in parallel; OpenCV's threads would only make times unsteady. Said before any
/// thread begins, since OpenCV can't be told while another thread works with it.
[[maybe_unused]] const bool opencv_is_single_threaded = [] {
    cv::setNumThreads(1);
    return true;
}();

template <typename Body>
int32_t guarded(Body body) {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return FH_OUT_OF_MEMORY;
    } catch (...) {
        return FH_INTERNAL_ERROR;
    }
}

}  // namespace

struct fh_session {
    explicit fh_session(const fh_session_config &session_config)
        : config(session_config),
          halvings(reduction_for(session_config.camera.width, session_config.camera.height)),
          core(options_from(session_config, halvings)) {}

    fh_session_config config;
    int halvings;
    SessionCore core;
    cv::Mat reduced[2];
    int64_t last_timestamp_ns = INT64_MIN;
    /// Since the last frame; the next one's result says so.
    bool was_reset = false;
    std::vector<LoggedPose> trajectory;
    std::vector<uint8_t> saved_world;
};

const char *fh_status_text(int32_t status) {
    switch (status) {
        case FH_OK:
            return "all is well";
        case FH_INVALID_ARGUMENT:
            return "an argument is out of range";
        case FH_OUT_OF_MEMORY:
            return "there is not enough memory";
        case FH_NO_WORLD:
            return "nothing of the room is known yet";
        case FH_NOT_A_WORLD_FILE:
            return "this is not a saved world";
        case FH_DAMAGED_WORLD_FILE:
            return "the saved world is damaged";
        case FH_NEWER_WORLD_FILE:
            return "the saved world is from a newer version of this program";
        case FH_OTHER_CAMERA:
            return "the saved world was made with another camera or picture size";
        default:
            return "something inside failed";
    }
}

int32_t fh_session_create(const fh_session_config *config, fh_session **out_session) {
    if (config == nullptr || out_session == nullptr || config->struct_size != sizeof(fh_session_config) ||
        !is_sane(config->camera)) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        *out_session = new fh_session(*config);
        return FH_OK;
    });
}

void fh_session_destroy(fh_session *session) { delete session; }

int32_t fh_session_reset(fh_session *session) {
    if (session == nullptr) return FH_INVALID_ARGUMENT;
    return guarded([&] {
        session->core.reset();
        session->was_reset = true;
        session->trajectory.clear();
        return FH_OK;
    });
}

int32_t fh_session_add_imu(fh_session *session, const fh_imu_sample *samples, size_t count) {
    if (session == nullptr || (samples == nullptr && count > 0) ||
        !std::all_of(samples, samples + count, [](const auto &sample) { return is_time(sample.timestamp_ns); })) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        for (size_t i = 0; i < count; ++i) {
            session->core.add_inertial(
                {samples[i].timestamp_ns, Eigen::Vector3d(samples[i].gyro), Eigen::Vector3d(samples[i].accel)});
        }
        return FH_OK;
    });
}

int32_t fh_session_process(fh_session *session, const uint8_t *luma, int32_t width, int32_t height, int32_t stride,
                           int64_t timestamp_ns, fh_frame_result *out_result) {
    if (session == nullptr || luma == nullptr || out_result == nullptr || width != session->config.camera.width ||
        height != session->config.camera.height || stride < width || !is_time(timestamp_ns) ||
        timestamp_ns <= session->last_timestamp_ns) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        session->last_timestamp_ns = timestamp_ns;
        ImageView view{luma, width, height, stride};
        for (int i = 0; i < session->halvings; ++i) {
            const cv::Mat source(view.height, view.width, CV_8UC1, const_cast<uint8_t *>(view.data), view.stride);
            cv::Mat &target = session->reduced[i & 1];
            cv::pyrDown(source, target);
            view = {target.data, target.cols, target.rows, static_cast<int>(target.step)};
        }
        const FrameOutput frame = session->core.process(view, timestamp_ns);
        const double factor = std::ldexp(1.0, session->halvings);
        fh_frame_result &out = *out_result;
        out = {};
        out.tracking_state = static_cast<int32_t>(frame.state);
        out.limited_reason = static_cast<int32_t>(frame.reason);
        out.has_pose = frame.has_pose;
        out.is_keyframe = frame.is_keyframe;
        out.did_reset = std::exchange(session->was_reset, false) || frame.did_reset;
        out.scale_source = FH_SCALE_ASSUMED;
        out.scale_confidence = 0;
        out.metres_per_unit = session->core.metres_per_unit();
        out.world_from_camera = to_c(frame.world_from_camera);
        const CameraModel &camera = session->core.camera();
        out.fx = camera.fx * factor;
        out.fy = camera.fy * factor;
        out.cx = camera.cx * factor;
        out.cy = camera.cy * factor;
        out.distortion = static_cast<int32_t>(camera.distortion);
        out.is_camera_doubted = session->core.is_camera_doubted();
        std::copy_n(camera.k, 5, out.coefficients);
        out.brightness = frame.picture.brightness;
        out.dark_share = frame.picture.dark_share;
        out.bright_share = frame.picture.bright_share;
        out.sharpness = frame.picture.sharpness;
        out.texture_share = frame.texture_share;
        out.change = frame.picture.change;
        out.detail_share = frame.picture.detail_share;
        out.repetition = frame.picture.repetition;
        out.tracked_count = frame.tracked;
        out.inlier_count = frame.inliers;
        out.flow = frame.flow;
        out.angular_speed = frame.angular_speed;
        out.parallax_pixels = frame.parallax_pixels * factor;
        out.reprojection_error_pixels = frame.rms_pixels * factor;
        out.pyramid_ms = frame.times.pyramid_ms;
        out.tracking_ms = frame.times.tracking_ms;
        out.mapping_ms = frame.times.mapping_ms;
        out.surfaces_ms = frame.times.surfaces_ms;
        out.known_world = static_cast<int32_t>(frame.known_world);
        out.world_id = frame.world_id;
        out.did_return = frame.did_return;
        out.absorbed_world_id = frame.absorbed_world_id;
        const Similarity &absorbed = frame.world_from_absorbed;
        out.absorbed_scale = absorbed.scale;
        out.world_from_absorbed = to_c(SE3{absorbed.rotation, absorbed.translation});
        out.surface_event_count = static_cast<int32_t>(session->core.surface_events().size());
        return FH_OK;
    });
}

int32_t fh_session_correction(const fh_session *session, fh_corrected_part *out_parts, size_t capacity,
                              size_t *out_count) {
    if (session == nullptr || out_count == nullptr || (out_parts == nullptr && capacity > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    const PartedChange *correction = session->core.correction();
    *out_count = correction == nullptr ? 0 : correction->parts().size();
    for (size_t i = 0; i < std::min(capacity, *out_count); ++i) {
        const auto &[position, change] = correction->parts()[i];
        out_parts[i] = {
            {position.x(), position.y(), position.z()}, change.scale, to_c(SE3{change.rotation, change.translation})};
    }
    return FH_OK;
}

int32_t fh_session_surface_events(const fh_session *session, fh_surface_event *out_events, size_t capacity,
                                  size_t *out_count) {
    if (session == nullptr || out_count == nullptr || (out_events == nullptr && capacity > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    const auto events = session->core.surface_events();
    *out_count = events.size();
    for (size_t i = 0; i < std::min(capacity, events.size()); ++i) {
        out_events[i] = {static_cast<int32_t>(events[i].kind), events[i].id, events[i].into};
    }
    return FH_OK;
}

int32_t fh_session_surfaces(const fh_session *session, fh_surface *out_surfaces, size_t capacity, size_t *out_count) {
    if (session == nullptr || out_count == nullptr || (out_surfaces == nullptr && capacity > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    const auto surfaces = session->core.surfaces();
    *out_count = surfaces.size();
    for (size_t i = 0; i < std::min(capacity, surfaces.size()); ++i) {
        const Surface &surface = surfaces[i];
        fh_surface &out = out_surfaces[i];
        out = {};
        out.id = surface.id;
        out.alignment = static_cast<int32_t>(surface.alignment);
        out.classification = static_cast<int32_t>(surface.classification);
        out.boundary_count = static_cast<int32_t>(surface.boundary.size());
        out.world_from_surface = to_c(SE3{surface.world_from_surface_rotation, surface.origin_in_world});
        out.center_x = surface.center.x();
        out.center_z = surface.center.y();
        out.extent_x = surface.extent.x();
        out.extent_z = surface.extent.y();
        out.confidence = surface.confidence;
        out.first_seen_ns = surface.first_seen_ns;
        out.last_updated_ns = surface.last_updated_ns;
        static_assert(sizeof(Eigen::Vector2d) == 2 * sizeof(double));
        out.boundary = surface.boundary.empty() ? nullptr : surface.boundary.front().data();
    }
    return FH_OK;
}

int32_t fh_session_features(const fh_session *session, fh_feature *out_features, size_t capacity, size_t *out_count) {
    if (session == nullptr || out_count == nullptr || (out_features == nullptr && capacity > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    const Map &map = session->core.map();
    const double factor = std::ldexp(1.0, session->halvings);
    size_t count = 0;
    for (const Track &track : session->core.tracks()) {
        if (!track.found) continue;
        if (count < capacity) {
            const HostedPoint &point = map.points[track.point];
            fh_feature &out = out_features[count];
            out = {};
            out.x = track.pixel.x() * factor;
            out.y = track.pixel.y() * factor;
            out.has_position = point.state == PointState::mature;
            if (out.has_position) {
                const Eigen::Vector3d position = map.position_in_world(point);
                std::copy_n(position.data(), 3, out.position);
            }
        }
        ++count;
    }
    *out_count = count;
    return FH_OK;
}

int32_t fh_session_raycast_points(const fh_session *session, const double origin[3], const double direction[3],
                                  fh_ray_hit *out_hit) {
    if (session == nullptr || origin == nullptr || direction == nullptr || out_hit == nullptr) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        *out_hit = {};
        const PointRaycastHit hit = session->core.raycast_points(Eigen::Vector3d(origin), Eigen::Vector3d(direction));
        if (!hit.found) return FH_OK;
        out_hit->found = 1;
        out_hit->distance = hit.distance;
        std::copy_n(hit.position.data(), 3, out_hit->position);
        std::copy_n(hit.normal.data(), 3, out_hit->normal);
        out_hit->confidence = hit.confidence;
        return FH_OK;
    });
}

int32_t fh_session_depth_map(fh_session *session, fh_depth_map *out_map) {
    if (session == nullptr || out_map == nullptr || out_map->struct_size != sizeof(fh_depth_map)) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const DepthMap *map = session->core.depth_map();
        if (map == nullptr) return static_cast<int32_t>(FH_NO_WORLD);
        out_map->width = map->width;
        out_map->height = map->height;
        out_map->cell_pixels = map->cell_pixels << session->halvings;
        out_map->depth = map->depth.data();
        out_map->deviation = map->deviation.data();
        out_map->luma = map->luma.data();
        return static_cast<int32_t>(FH_OK);
    });
}

int32_t fh_session_review_surfaces(fh_session *session, int32_t *out_left) {
    if (session == nullptr || out_left == nullptr) return FH_INVALID_ARGUMENT;
    return guarded([&] {
        *out_left = session->core.review_surfaces();
        return FH_OK;
    });
}

int32_t fh_session_end_review(fh_session *session) {
    if (session == nullptr) return FH_INVALID_ARGUMENT;
    return guarded([&] {
        session->core.end_review();
        return FH_OK;
    });
}

int32_t fh_session_finish(fh_session *session) {
    if (session == nullptr) return FH_INVALID_ARGUMENT;
    return guarded([&] {
        session->trajectory = session->core.finish();
        return FH_OK;
    });
}

int32_t fh_session_trajectory(const fh_session *session, fh_trajectory_entry *out_entries, size_t capacity,
                              size_t *out_count) {
    if (session == nullptr || out_count == nullptr || (out_entries == nullptr && capacity > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    *out_count = session->trajectory.size();
    for (size_t i = 0; i < std::min(capacity, session->trajectory.size()); ++i) {
        const LoggedPose &pose = session->trajectory[i];
        out_entries[i] = {pose.frame_index, pose.timestamp_ns, to_c(pose.world_from_camera)};
    }
    return FH_OK;
}

int32_t fh_session_save_world(fh_session *session, const uint8_t *attachment, size_t attachment_size,
                              const uint8_t **out_bytes, size_t *out_size) {
    if (session == nullptr || out_bytes == nullptr || out_size == nullptr ||
        (attachment == nullptr && attachment_size > 0)) {
        return FH_INVALID_ARGUMENT;
    }
    return guarded([&] {
        if (!session->core.has_world()) return static_cast<int32_t>(FH_NO_WORLD);
        session->saved_world = session->core.save_world({attachment, attachment_size});
        // What can't be read again must not take the place of what can.
        if (SavedWorld().read(session->saved_world) != WorldFileStatus::sound) {
            return static_cast<int32_t>(FH_INTERNAL_ERROR);
        }
        *out_bytes = session->saved_world.data();
        *out_size = session->saved_world.size();
        return static_cast<int32_t>(FH_OK);
    });
}

int32_t fh_session_load_world(fh_session *session, const uint8_t *bytes, size_t size) {
    if (session == nullptr || (bytes == nullptr && size > 0) || session->core.has_begun()) return FH_INVALID_ARGUMENT;
    return guarded([&] { return to_c(session->core.load_world({bytes, size})); });
}

int32_t fh_world_attachment(const uint8_t *bytes, size_t size, const uint8_t **out_attachment, size_t *out_size) {
    if ((bytes == nullptr && size > 0) || out_attachment == nullptr || out_size == nullptr) {
        return FH_INVALID_ARGUMENT;
    }
    WorldFile file;
    const WorldFileStatus status = file.open({bytes, size});
    if (status != WorldFileStatus::sound) return to_c(status);
    *out_attachment = file[WorldSection::attachment].data();
    *out_size = file[WorldSection::attachment].size();
    return FH_OK;
}
