// A whole map adjusted: where it comes to lie, and what is learnt of the lens that it was seen through.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/radial_lens.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "pictures.h"
#include "random_numbers.h"
#include "tracking_checks.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

constexpr int kKeyframes = 14, kPoints = 250;

CameraModel true_camera(bool is_bent) {
    CameraModel camera = checks::plain_camera(640, 480);
    if (is_bent) {
        set_bend({-0.08, 0}, &camera);
        set_center({3, -4}, &camera);
    }
    return camera;
}

/// Keyframes on an arc around points, as `camera` takes what `truth` shows; the first one's pose is off.
void see(const CameraModel &truth, const CameraModel &camera, RandomNumbers &random, std::vector<SE3> *poses,
         Map *map) {
    for (int i = 0; i < kKeyframes; ++i) {
        const double azimuth = (i - 0.5 * kKeyframes) * 0.06;
        const Eigen::Vector3d position(2 * std::sin(azimuth), 0.15 * random.gaussian(), -2 * std::cos(azimuth));
        poses->push_back(SE3{so3_exp(-azimuth * Eigen::Vector3d::UnitY()) * random.rotation(0.05), position});
        Keyframe keyframe;
        keyframe.id = i;
        keyframe.world_from_camera = poses->back();
        map->keyframes.push_back(std::move(keyframe));
    }
    const LensChange lens(truth, camera);
    for (int p = 0; p < kPoints; ++p) {
        const Eigen::Vector3d position(random.uniform(-1.1, 1.1), random.uniform(-0.9, 0.9), random.uniform(-0.8, 0.8));
        const auto seen_from = [&](int k) -> Eigen::Vector2d {
            const Eigen::Vector3d at = (*poses)[k].inverse() * position;
            return lens(truth.focal() * at.hnormalized());
        };
        const int index = map->add_point();
        HostedPoint &point = map->points[index];
        point.state = PointState::mature;
        point.host = random.chance(0.4) ? 0 : static_cast<int>(random.uniform(0, kKeyframes));
        point.host_pixel = seen_from(point.host);
        point.inverse_depth = 1 / ((*poses)[point.host].inverse() * position).z();
        for (int k = 0; k < kKeyframes; ++k) {
            if (k == point.host || random.chance(0.2)) continue;
            map->keyframes[k].observations.push_back({index, seen_from(k)});
            ++point.observation_count;
        }
    }
    SE3 &first = map->keyframes.front().world_from_camera;
    first.rotation = first.rotation * random.rotation(0.02);
    first.translation += 0.03 * random.vector();
}

std::vector<SE3> poses_of(const Map &map) {
    std::vector<SE3> poses;
    for (const Keyframe &keyframe : map.keyframes) poses.push_back(keyframe.world_from_camera);
    return poses;
}

}  // namespace

void fh_check_adjusted_map(uint64_t seed, int32_t lens_is_unknown, fh_check_adjusted_map_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    const CameraModel truth = true_camera(lens_is_unknown != 0);
    CameraModel camera = truth;
    if (lens_is_unknown != 0) {
        camera.fx = camera.fy = 1.06 * truth.fx;
        set_bend(Bend::Zero(), &camera);
        set_center(Eigen::Vector2d::Zero(), &camera);
    }
    Map map;
    map.focal = camera.focal();
    map.height_pixels = camera.height;
    std::vector<SE3> poses;
    see(truth, camera, random, &poses, &map);
    Mapper mapper(map, camera);
    if (lens_is_unknown != 0) mapper.free_focal(map.focal, 0.13);
    const std::vector<SE3> before = poses_of(map);
    for (int i = 0; i < 4; ++i) mapper.adjust_all(50);
    Eigen::Vector3d shift = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
    const std::vector<SE3> after = poses_of(map);
    for (int k = 0; k < kKeyframes; ++k) {
        shift += (after[k].translation - before[k].translation) / kKeyframes;
        turn += so3_log(after[k].rotation * before[k].rotation.transpose()) / kKeyframes;
    }
    out_report->mean_shift_m = shift.norm();
    out_report->mean_turn_rad = turn.norm();
    // How the keyframes lie to each other, whatever the map's size.
    const auto apart = [&](const std::vector<SE3> &all, int a, int b) {
        return all[a].rotation.transpose() * (all[b].translation - all[a].translation);
    };
    const double size = apart(after, 0, kKeyframes - 1).norm() / apart(poses, 0, kKeyframes - 1).norm();
    out_report->scale_error = std::abs(size - 1);
    for (int k = 1; k < kKeyframes; ++k) {
        out_report->worst_relative_error_m =
            std::max(out_report->worst_relative_error_m, (apart(after, 0, k) / size - apart(poses, 0, k)).norm());
    }
    out_report->focal_error = std::abs(camera.fx / truth.fx - 1);
    out_report->center_error_pixels = (center_of(camera) - center_of(truth)).norm();
    out_report->bend_error = (bend_of(camera) - bend_of(truth)).norm();
    for (const Keyframe &keyframe : map.keyframes) {
        for (const Sighting &o : keyframe.observations) {
            const Eigen::Vector3d at =
                keyframe.world_from_camera.inverse() * map.position_in_world(map.points[o.point]);
            out_report->worst_residual_pixels =
                std::max(out_report->worst_residual_pixels, (map.focal * at.hnormalized() - o.pixel).norm());
        }
    }
}
