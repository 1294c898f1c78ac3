#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "frontend/corners.h"
#include "mapping/look_back.h"
#include "median.h"
#include "pictures.h"
#include "random_numbers.h"
#include "tracking_checks.h"

using namespace foothold;
using foothold::checks::median;
using foothold::checks::Picture;
using foothold::checks::RandomNumbers;
using foothold::checks::RoomCorner;

namespace {

constexpr int kWidth = 480, kHeight = 360;
constexpr int kKeyframes = 4;
/// Every sixth corner is a point that the map has known before.
constexpr int kKnownEvery = 6;
constexpr double kReadout = 0.02;

/// Looks at the corner of the room from the height of a person's hand, further to the right each time.
SE3 pose_of(int keyframe, RandomNumbers &random) {
    const Eigen::Vector3d position(0.3 + 0.05 * keyframe, 1.2 + 0.01 * keyframe, 0.5);
    const Eigen::Vector3d forward = (Eigen::Vector3d(-0.5, 0.3, -1.2) - position).normalized();
    SE3 pose;
    pose.rotation = checks::level_camera(forward) * random.rotation(0.01);
    pose.translation = position;
    return pose;
}

struct Scene {
    CameraModel camera = checks::plain_camera(kWidth, kHeight);
    RoomCorner room;
    Map map;
    ImagePyramid newest;
    std::vector<Track> tracks;
    std::vector<double> true_inverse_depth;

    Scene(uint64_t seed, bool rolls, bool knows_slants) : room(seed) {
        RandomNumbers random(seed);
        map.focal = camera.focal();
        map.height_pixels = kHeight;
        if (rolls) map.readout = kReadout;
        for (int k = 0; k < kKeyframes; ++k) add_keyframe(pose_of(k, random), rolls);
        host_points();
        for (HostedPoint &point : map.points) {
            if (knows_slants && point.state == PointState::mature) point.slant = true_slant(point);
        }
    }

    /// By central differences over what the point's host sees around it.
    Eigen::Vector2d true_slant(const HostedPoint &point) const {
        constexpr double step = 1e-3;
        const SE3 &host = map.keyframes[point.host].world_from_camera;
        const Eigen::Vector2d at = map.host_bearing(point).head<2>();
        const auto slope = [&](const Eigen::Vector2d &way) {
            return (1 / room.depth(host, at + step * way) - 1 / room.depth(host, at - step * way)) / (2 * step);
        };
        return room.depth(host, at) * Eigen::Vector2d(slope(Eigen::Vector2d::UnitX()), slope(Eigen::Vector2d::UnitY()));
    }

    /// Where a keyframe sees a place of the room: level-0 pixel.
    Eigen::Vector2d pixel_in(int keyframe, const Eigen::Vector3d &place) const {
        const Keyframe &seen_by = map.keyframes[keyframe];
        const Eigen::Vector3d p = seen_by.world_from_camera.inverse() * place;
        const Eigen::Vector2d rolled = map.readout * map.row_rate(p, seen_by.twist);
        return camera.pixel((map.focal * p.head<2>() / p.z() + rolled) / map.focal);
    }

private:
    void add_keyframe(const SE3 &pose, bool rolls) {
        Keyframe keyframe;
        keyframe.world_from_camera = pose;
        if (rolls) keyframe.twist.angular = Eigen::Vector3d(0, 0.5, 0);
        Picture picture(kWidth, kHeight);
        if (!rolls) {
            room.paint(pose, camera, &picture);
        } else {
            // Row by row, each from where the camera is when it is exposed.
            for (int row = 0; row < kHeight; ++row) {
                const double seconds = kReadout * (row - camera.cy) / kHeight;
                const SE3 turned{pose.rotation * so3_exp(seconds * keyframe.twist.angular), pose.translation};
                CameraModel line = camera;
                line.cy -= row;
                Picture one(kWidth, 1);
                room.paint(turned, line, &one);
                std::copy(one.luma.begin(), one.luma.end(), picture.luma.begin() + row * kWidth);
            }
        }
        newest.build(picture.view());
        auto kept = std::make_shared<KeyframePicture>();
        kept->width = kWidth;
        kept->height = kHeight;
        kept->luma = picture.luma;
        keyframe.picture = std::move(kept);
        map.keyframes.push_back(std::move(keyframe));
    }

    void host_points() {
        const int last = kKeyframes - 1;
        CornerDetector detector;
        const std::vector<Eigen::Vector2d> corners = detector.detect(newest.level(0), {}, 200, 12, 20);
        for (size_t i = 0; i < corners.size(); ++i) {
            const bool is_known = i % kKnownEvery == 0;
            HostedPoint &point = map.points[map.add_point()];
            point.host = is_known ? 0 : last;
            const SE3 &newest_pose = map.keyframes[last].world_from_camera;
            const Eigen::Vector2d centred = map.focal * camera.normalise(corners[i]);
            // The room where this pixel's row sees it.
            const double seconds = map.readout * centred.y() / map.height_pixels;
            const SE3 pose{newest_pose.rotation * so3_exp(seconds * map.keyframes[last].twist.angular),
                           newest_pose.translation};
            const Eigen::Vector3d place =
                pose * (room.depth(pose, centred / map.focal) * (centred / map.focal).homogeneous());
            point.host_raw_pixel = is_known ? pixel_in(0, place) : corners[i];
            point.host_pixel = map.focal * camera.normalise(point.host_raw_pixel);
            const SE3 host_from_world = map.keyframes[point.host].world_from_camera.inverse();
            const Eigen::Vector3d in_host = host_from_world * place;
            point.host_row_rate = map.row_rate(in_host, map.keyframes[point.host].twist);
            true_inverse_depth.push_back(1 / in_host.z());
            point.inverse_depth = is_known ? true_inverse_depth.back() : 1;
            point.inverse_depth_variance = is_known ? 1e-6 : 1;
            if (is_known) point.state = PointState::mature;
            if (!is_known) point.patch.extract(newest, corners[i]);
            Track track;
            track.point = static_cast<int>(i);
            track.pixel = corners[i];
            track.found = true;
            track.is_inlier = is_known;
            tracks.push_back(track);
            // So that the keyframes are known to show the same place.
            if (!is_known) continue;
            for (int k = 1; k < kKeyframes; ++k) {
                map.keyframes[k].observations.push_back(
                    {track.point, map.focal * camera.normalise(pixel_in(k, place))});
                ++point.observation_count;
            }
        }
    }
};

}  // namespace

int32_t fh_check_look_back(uint64_t seed, int32_t rolls, int32_t knows_slants, fh_check_look_back_report *out_report) {
    *out_report = {};
    Scene scene(seed, rolls != 0, knows_slants != 0);
    const int last = kKeyframes - 1;
    LookBack look_back(scene.map, scene.camera);
    out_report->sightings = look_back.look(last, scene.tracks, 0.5);
    std::vector<double> pixel_errors, depth_errors, normalised, slant_errors;
    int wrong = 0;
    for (size_t i = 0; i < scene.map.points.size(); ++i) {
        const HostedPoint &point = scene.map.points[i];
        if (point.host != last) continue;
        ++out_report->hosted;
        if (!point.slant.isZero(0)) slant_errors.push_back((point.slant - scene.true_slant(point)).norm());
        HostedPoint exact = point;
        exact.inverse_depth = scene.true_inverse_depth[i];
        const Eigen::Vector3d place = scene.map.position_in_world(exact);
        bool is_inside = false;
        for (int k = 0; k < last; ++k) {
            const Eigen::Vector2d truth = scene.pixel_in(k, place);
            is_inside |= truth.x() > 12 && truth.y() > 12 && truth.x() < kWidth - 12 && truth.y() < kHeight - 12;
            for (const Sighting &o : scene.map.keyframes[k].observations) {
                if (o.point != static_cast<int>(i)) continue;
                pixel_errors.push_back((scene.camera.pixel(o.pixel / scene.map.focal) - truth).norm());
            }
        }
        out_report->expected += is_inside;
        if (point.observation_count == 0) continue;
        ++out_report->points_seen;
        const double difference = point.inverse_depth - exact.inverse_depth;
        depth_errors.push_back(std::abs(difference / exact.inverse_depth));
        wrong += depth_errors.back() > 0.2;
        normalised.push_back(difference * difference / point.inverse_depth_variance);
    }
    out_report->slanted = static_cast<int32_t>(slant_errors.size());
    if (!slant_errors.empty()) out_report->median_slant_error = median(slant_errors);
    if (pixel_errors.empty()) return -1;
    out_report->median_error_pixels = median(pixel_errors);
    const auto beyond = std::count_if(pixel_errors.begin(), pixel_errors.end(), [](double e) { return e > 2; });
    out_report->share_beyond_2_pixels = static_cast<double>(beyond) / static_cast<double>(pixel_errors.size());
    out_report->median_depth_error = median(depth_errors);
    out_report->share_of_wrong_depths = wrong / static_cast<double>(depth_errors.size());
    std::sort(normalised.begin(), normalised.end());
    normalised.resize(std::max<size_t>(1, normalised.size() * 9 / 10));
    for (const double value : normalised) out_report->variance_ratio += value / static_cast<double>(normalised.size());
    return 0;
}
