// What calls and frames take from the heap once their buffers have grown.
#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "allocation_counter.h"
#include "fh_engine.h"
#include "frontend/patch.h"
#include "frontend/rotation_alignment.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "optimisation/pose_optimiser.h"
#include "pictures.h"
#include "random_numbers.h"
#include "tracking/point_finder.h"
#include "tracking/tracker.h"
#include "tracking_checks.h"

using namespace foothold;
using foothold::checks::Picture;
using foothold::checks::RandomNumbers;
using foothold::checks::RoomCorner;

namespace {

constexpr int kWidth = 320, kHeight = 240;

/// A camera that looks into the corner, moving sideways.
SE3 camera_at(double metres) {
    const Eigen::Vector3d position(0.1 + metres, 1.1, 0.3 + 0.2 * metres);
    const Eigen::Vector3d forward = (Eigen::Vector3d(-0.4, 0.35, -1.2) - position).normalized();
    SE3 pose;
    pose.rotation = checks::level_camera(forward);
    pose.translation = position;
    return pose;
}

/// The allocations of a call once it has been made before.
template <typename Call>
int32_t steady_allocations(Call call) {
    call();
    const int64_t before = allocation_count();
    call();
    return static_cast<int32_t>(allocation_count() - before);
}

}  // namespace

int32_t fh_check_call_allocations(int32_t call) {
    CameraModel camera = checks::plain_camera(kWidth, kHeight);
    const RoomCorner room(3);
    Picture picture(kWidth, kHeight);
    room.paint(camera_at(0), camera, &picture);
    ImagePyramid pyramid;
    pyramid.build(picture.view());
    Map map;
    map.focal = camera.focal();
    Mapper mapper(map, camera);
    Tracker tracker(map, camera);
    mapper.add_keyframe(0, SE3(), Twist(), pyramid, Thumbnail(), {});
    mapper.host_points(0, pyramid, 200, 0.7, &tracker.tracks);
    if (tracker.tracks.size() < 100) return -1;
    for (HostedPoint &point : map.points) {
        point.state = PointState::mature;
        point.inverse_depth_variance = 1e-6;
    }
    const HostedPoint &point = map.points[tracker.tracks.front().point];
    fh_template patch;
    if (!sample_template(point.patch, Eigen::Matrix2d::Identity(), 0, &patch)) return -1;
    switch (call) {
        case FH_CHECK_CALL_ALIGN:
            return steady_allocations([&] {
                Eigen::Vector2f pixel = point.host_raw_pixel.cast<float>() + Eigen::Vector2f(0.7f, -0.4f);
                align(patch, pyramid, 0, 12, 0.01f, 10, &pixel);
            });
        case FH_CHECK_CALL_FIND_POINT:
            return steady_allocations([&, cache = TemplateCache()]() mutable {
                find_point(0, point, Eigen::Matrix2d::Identity(), pyramid, point.host_raw_pixel + Eigen::Vector2d(2, 1),
                           3, 0.75f, &cache);
            });
        case FH_CHECK_CALL_OPTIMISE_POSE: {
            RandomNumbers random(1);
            std::vector<PoseObservation> observations(150);
            for (PoseObservation &o : observations) {
                o.point_in_world = Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(1, 4));
                o.pixel = map.focal / o.point_in_world.z() * o.point_in_world.head<2>() + 0.3 * random.vector2();
            }
            return steady_allocations([&] {
                SE3 pose{random.rotation(0.02), Eigen::Vector3d(0.02, 0, 0)};
                optimise_pose(observations, map.focal, 0.5, 4, &pose);
            });
        }
        case FH_CHECK_CALL_AFFINE_WARP:
            return steady_allocations([&] {
                Eigen::Matrix2d warp;
                Eigen::Vector2d pixel;
                affine_warp(point, map.host_bearing(point), 0.7, SE3(), camera, &warp, &pixel);
            });
        case FH_CHECK_CALL_PYRAMID:
            return steady_allocations([&] { pyramid.build(picture.view()); });
        case FH_CHECK_CALL_ALIGN_ROTATION: {
            Thumbnail thumbnail;
            thumbnail.build(pyramid);
            return steady_allocations(
                [&] { align_rotation(thumbnail, thumbnail, camera, Eigen::Matrix3d::Identity()); });
        }
        case FH_CHECK_CALL_TRACK:
            return steady_allocations([&] {
                SE3 pose;
                tracker.track(pyramid, SE3(), Twist(), 2, &pose);
                tracker.update_depths(pose);
            });
        default:
            return -1;
    }
}

int32_t fh_check_session_allocations(uint64_t seed, fh_check_frame_allocations *out_report) {
    *out_report = {};
    const CameraModel camera = checks::plain_camera(kWidth, kHeight);
    fh_session_config config = {};
    config.struct_size = sizeof(config);
    config.camera = {kWidth, kHeight, camera.fx, camera.fy, camera.cx, camera.cy, FH_DISTORTION_NONE, 0, {}};
    fh_session *session = nullptr;
    const int32_t status = fh_session_create(&config, &session);
    if (status != FH_OK) return status;
    const RoomCorner room(seed);
    Picture picture(kWidth, kHeight);
    constexpr int kFrames = 120, kWarmUp = 40;
    int64_t sum = 0;
    int32_t last = FH_OK;
    for (int frame = 0; frame < kFrames && last == FH_OK; ++frame) {
        room.paint(camera_at(0.007 * frame), camera, &picture);
        fh_frame_result result;
        const int64_t before = allocation_count();
        last = fh_session_process(session, picture.luma.data(), kWidth, kHeight, kWidth, frame * 33'333'333ll, &result);
        const auto taken = static_cast<int32_t>(allocation_count() - before);
        ++out_report->frames;
        out_report->tracked_frames += result.has_pose;
        out_report->keyframes += result.is_keyframe;
        const bool searches = result.is_keyframe != 0 || result.surfaces_ms > 0;
        if (frame < kWarmUp || result.has_pose == 0 || searches) continue;
        out_report->fewest_of_ordinary =
            out_report->ordinary_frames == 0 ? taken : std::min(out_report->fewest_of_ordinary, taken);
        out_report->most_of_ordinary = std::max(out_report->most_of_ordinary, taken);
        ++out_report->ordinary_frames;
        sum += taken;
    }
    if (out_report->ordinary_frames > 0) {
        out_report->mean_of_ordinary = static_cast<double>(sum) / out_report->ordinary_frames;
    }
    fh_session_destroy(session);
    return last;
}
