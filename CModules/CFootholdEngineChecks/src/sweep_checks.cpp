#include "sweep_checks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "median.h"
#include "pictures.h"
#include "random_numbers.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/plane_refiner.h"

namespace foothold::checks {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A floor and a wall behind it (z = -1.5). World +Y up.
struct PaintedRoom {
    Texture floor, wall;

    PaintedRoom(uint64_t seed, double finest, double contrast)
        : floor(seed, finest, 3, contrast), wall(seed + 7, finest, 3, contrast) {}

    static bool shows_wall(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
        return ray.y() >= 0 || origin.z() - ray.z() * origin.y() / ray.y() < -1.5;
    }
    /// Lengths of the ray to what it meets.
    static double distance(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
        return shows_wall(origin, ray) ? (-1.5 - origin.z()) / ray.z() : -origin.y() / ray.y();
    }
    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const Eigen::Vector3d p = origin + distance(origin, ray) * ray;
        return shows_wall(origin, ray) ? wall.at(p.x(), p.y()) + 25 : floor.at(p.x(), p.z()) - 25;
    }
};

/// Keyframes of a sideways movement, the newest first.
struct Shots {
    std::vector<Picture> pictures;
    std::vector<KeyframeView> keyframes;

    Shots(const PaintedRoom &room, const CameraModel &camera, uint64_t seed, double noise,
          std::span<const double> places) {
        RandomNumbers random(seed);
        pictures.reserve(places.size());
        for (const double x : places) {
            SE3 pose;
            pose.translation << x, 1.2 + 0.2 * x, 0.5;
            // The camera's z points forwards and down, its y down.
            pose.rotation = (Eigen::AngleAxisd(-0.6, Eigen::Vector3d::UnitX()) *
                             Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX()))
                                .toRotationMatrix();
            const double exposure = 1 + 0.4 * x;
            Picture &picture = pictures.emplace_back(camera.width, camera.height);
            picture.paint([&](int u, int v) {
                const Eigen::Vector3d ray =
                    pose.rotation * camera.normalise(Eigen::Vector2d(u, v)).homogeneous().eval();
                return exposure * room.brightness(pose.translation, ray) + noise * random.gaussian();
            });
            KeyframeView view;
            view.world_from_camera_rotation = pose.rotation;
            view.camera_in_world = pose.translation;
            view.luma_camera = camera;
            view.luma = picture.luma.data();
            view.stride = camera.width;
            keyframes.push_back(view);
        }
    }
};

constexpr double noise = 0.8;
/// Metres to the right; the newest first, then those that a sweep compares it with.
constexpr std::array<double, 7> places = {0.0, -0.18, 0.15, 0.08, -0.1, 0.22, -0.26};

CameraModel lens(bool is_bent) {
    CameraModel camera = plain_camera(320, 240);
    if (is_bent) {
        camera.distortion = Distortion::radial_tangential;
        camera.k[0] = -0.2;
        camera.k[1] = 0.05;
    }
    return camera;
}

std::vector<ViewPair> pairs_of(const Shots &shots, size_t count) {
    std::vector<ViewPair> pairs;
    for (size_t i = 1; i <= count; ++i) pairs.emplace_back(shots.keyframes[0], shots.keyframes[i]);
    return pairs;
}

void compare_with_truth(const DepthSweep &sweep, const KeyframeView &newest, fh_check_sweep_report *report) {
    const CameraModel &camera = newest.luma_camera;
    double squares = 0;
    std::vector<double> angles;
    for (int y = 6; y < camera.height - 6; y += 6) {
        for (int x = 6; x < camera.width - 6; x += 6) {
            ++report->places;
            const Eigen::Vector3d ray = camera.normalise(Eigen::Vector2d(x, y)).homogeneous();
            double inverse_depth = 0, sigma = 0;
            Eigen::Vector3d facing;
            if (!sweep.measure(ray, &inverse_depth, &sigma, &facing)) continue;
            ++report->told;
            const Eigen::Vector3d ray_in_world = newest.world_from_camera_rotation * ray;
            const double truth = 1 / PaintedRoom::distance(newest.camera_in_world, ray_in_world);
            const double off = inverse_depth / truth - 1;
            report->right += std::abs(off) < 0.02;
            report->wrong += std::abs(off) > 0.05;
            if (std::abs(off) <= 0.05) squares += std::pow((inverse_depth - truth) / sigma, 2);
            if (facing.isZero(0)) continue;
            ++report->facing;
            const Eigen::Vector3d normal = PaintedRoom::shows_wall(newest.camera_in_world, ray_in_world)
                                               ? Eigen::Vector3d::UnitZ()
                                               : Eigen::Vector3d::UnitY();
            const double cosine = (newest.world_from_camera_rotation * facing).dot(normal);
            report->facing_right += cosine > std::cos(20 * degree);
            angles.push_back(std::acos(std::min(cosine, 1.0)) / degree);
        }
    }
    report->normalised_error = squares / std::max(1, report->told - report->wrong);
    report->facing_error_degrees = median(angles);
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.03, contrast);
    const Shots shots(room, lens(is_bent != 0), seed, noise, std::span(places).first(3));
    DepthSweep sweep;
    sweep.compare(pairs_of(shots, 2), 0.95, 0.3, noise);
    sweep.decide();
    compare_with_truth(sweep, shots.keyframes[0], out_report);
    return 0;
}

int32_t fh_check_refined_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.03, contrast);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places);
    const KeyframeView &newest = shots.keyframes[0];
    DepthSweep sweep;
    sweep.compare(pairs_of(shots, 2), 0.95, 0.3, noise);
    sweep.decide();
    // A normal that nothing in the room has mustn't mislead.
    const std::vector<Eigen::Vector3d> unlike = {newest.world_from_camera_rotation.transpose() *
                                                 Eigen::Vector3d(0.5, 1, 0.5)};
    PlaneRefiner refiner;
    refiner.refine(pairs_of(shots, 6), noise, unlike, sweep.cells());
    compare_with_truth(sweep, newest, out_report);
    return 0;
}
