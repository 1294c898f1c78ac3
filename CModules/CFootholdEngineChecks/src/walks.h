// Walks through painted rooms, and what a tracker tells of them.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "painted_room.h"
#include "surfaces/surface_tracker.h"

namespace foothold::checks {

/// A corner near a place, as well known as after eight views from where the walk leads.
inline void add_point(const Eigen::Vector3d &place, RandomNumbers *random, std::vector<MapPoint> *points) {
    MapPoint point;
    point.id = static_cast<int64_t>(points->size());
    point.position_in_world = place + 0.002 * random->vector();
    point.sigma_m = 0.004;
    point.observation_count = 8;
    point.mean_view_direction = (Eigen::Vector3d(0, 1.3, 0.5) - point.position_in_world).normalized();
    points->push_back(point);
}

/// Keyframes of a walk to and fro, looking forwards, a little down and so far to the left.
struct Walk {
    std::vector<Picture> pictures;
    std::vector<KeyframeView> keyframes;

    template <typename Room>
    Walk(const Room &room, const CameraModel &camera, uint64_t seed, int count, double degrees_left = 14,
         double degrees_down = 8) {
        RandomNumbers random(seed);
        pictures.reserve(static_cast<size_t>(count));
        for (int k = 0; k < count; ++k) {
            const double phase = 2 * std::numbers::pi * k / 16;
            KeyframeView view;
            view.id = k;
            view.timestamp_ns = 250'000'000LL * k;
            view.camera_in_world = {0.35 * std::sin(phase), 1.3 + 0.1 * std::cos(phase), 0.5};
            view.world_from_camera_rotation = (Eigen::AngleAxisd(degrees_left * degree, Eigen::Vector3d::UnitY()) *
                                               Eigen::AngleAxisd(-degrees_down * degree, Eigen::Vector3d::UnitX()) *
                                               Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX()))
                                                  .toRotationMatrix();
            view.luma_camera = camera;
            Picture &picture = pictures.emplace_back(camera.width, camera.height);
            picture.paint([&](int u, int v) {
                const Eigen::Vector3d ray =
                    view.world_from_camera_rotation * camera.normalise(Eigen::Vector2d(u, v)).homogeneous().eval();
                return room.brightness(view.camera_in_world, ray) + noise * random.gaussian();
            });
            view.luma = picture.luma.data();
            view.stride = camera.width;
            keyframes.push_back(view);
        }
    }
};

/// What a tracker tells of after all keyframes of a walk, to which these points are known. After each the tracker is
/// `visit`'s, to look at or to put another one in its place.
template <typename Visit>
std::vector<Surface> surfaces_of(const Walk &walk, const std::vector<MapPoint> &points, Visit visit) {
    std::vector<std::vector<Observation>> observations(walk.keyframes.size());
    std::vector<KeyframeView> keyframes = walk.keyframes;
    for (size_t k = 0; k < keyframes.size(); ++k) {
        for (const MapPoint &point : points) {
            const Eigen::Vector3d p = keyframes[k].world_from_camera_rotation.transpose() *
                                      (point.position_in_world - keyframes[k].camera_in_world);
            Eigen::Vector2d pixel;
            if (keyframes[k].luma_camera.project(p, 2, &pixel))
                observations[k].push_back({point.id, (p.head<2>() / p.z()).cast<float>()});
        }
        keyframes[k].observations = observations[k];
    }
    SurfaceTracker tracker;
    for (size_t k = 1; k <= keyframes.size(); ++k) {
        MapView view;
        view.points = points;
        view.keyframes = std::span(keyframes).first(k);
        view.newest_timestamp_ns = keyframes[k - 1].timestamp_ns;
        view.up_sigma_rad = 0.01;
        view.metre = 1;
        tracker.update(view);
        visit(tracker);
    }
    return {tracker.surfaces().begin(), tracker.surfaces().end()};
}

inline std::vector<Surface> surfaces_of(const Walk &walk, const std::vector<MapPoint> &points) {
    return surfaces_of(walk, points, [](SurfaceTracker &) {});
}

}  // namespace foothold::checks
