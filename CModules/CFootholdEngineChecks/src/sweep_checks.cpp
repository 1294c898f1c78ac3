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

/// A floor and a wall behind it (z = -1.5); where asked for, a board before the wall that stands askew and is some 16
/// half-size pixels wide. World +Y up.
struct PaintedRoom {
    Texture floor, wall, board;
    bool has_board = false;

    PaintedRoom(uint64_t seed, double finest, double contrast, bool has_board = false)
        : floor(seed, finest, 3, contrast),
          wall(seed + 7, finest, 3, contrast),
          board(seed + 11, finest, 3, contrast),
          has_board(has_board) {}

    static Eigen::Vector3d board_normal() { return {std::sin(40 * degree), 0, std::cos(40 * degree)}; }
    /// Its middle's place on the floor.
    static Eigen::Vector3d board_foot() { return {0.05, 0, -0.7}; }

    static bool shows_wall(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
        return ray.y() >= 0 || origin.z() - ray.z() * origin.y() / ray.y() < -1.5;
    }
    bool shows_board(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const double length = length_to_board(origin, ray);
        const Eigen::Vector3d p = origin + length * ray;
        return has_board && length > 0 && p.y() > 0 && p.y() < 0.9 && std::abs(along_board(p)) < 0.055;
    }
    /// Lengths of the ray to what it meets.
    double distance(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        if (shows_board(origin, ray)) return length_to_board(origin, ray);
        return shows_wall(origin, ray) ? (-1.5 - origin.z()) / ray.z() : -origin.y() / ray.y();
    }
    /// Of what the ray meets.
    Eigen::Vector3d normal(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        if (shows_board(origin, ray)) return board_normal();
        return shows_wall(origin, ray) ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
    }
    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const Eigen::Vector3d p = origin + distance(origin, ray) * ray;
        if (shows_board(origin, ray)) return board.at(along_board(p), p.y());
        return shows_wall(origin, ray) ? wall.at(p.x(), p.y()) + 25 : floor.at(p.x(), p.z()) - 25;
    }

private:
    static double length_to_board(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
        return board_normal().dot(board_foot() - origin) / board_normal().dot(ray);
    }
    static double along_board(const Eigen::Vector3d &p) {
        return (p - board_foot()).dot(Eigen::Vector3d::UnitY().cross(board_normal()));
    }
};

enum class Sizes { half, half_and_full };

/// Keyframes of a sideways movement, the newest first.
struct Shots {
    std::vector<Picture> pictures, full_pictures;
    std::vector<KeyframeView> keyframes;

    Shots(const PaintedRoom &room, const CameraModel &camera, uint64_t seed, double noise,
          std::span<const double> places, Sizes sizes = Sizes::half) {
        RandomNumbers random(seed);
        pictures.reserve(places.size());
        full_pictures.reserve(places.size());
        for (const double x : places) {
            SE3 pose;
            pose.translation << x, 1.2 + 0.2 * x, 0.5;
            // The camera's z points forwards and down, its y down.
            pose.rotation = (Eigen::AngleAxisd(-0.6, Eigen::Vector3d::UnitX()) *
                             Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX()))
                                .toRotationMatrix();
            const double exposure = 1 + 0.4 * x;
            const auto paint = [&](double scale, Picture *picture) {
                picture->paint([&](int u, int v) {
                    const Eigen::Vector2d pixel = Eigen::Vector2d(u, v) / scale;
                    const Eigen::Vector3d ray = pose.rotation * camera.normalise(pixel).homogeneous().eval();
                    return exposure * room.brightness(pose.translation, ray) + noise * random.gaussian();
                });
            };
            Picture &picture = pictures.emplace_back(camera.width, camera.height);
            paint(1, &picture);
            KeyframeView view;
            view.world_from_camera_rotation = pose.rotation;
            view.camera_in_world = pose.translation;
            view.luma_camera = camera;
            view.luma = picture.luma.data();
            view.stride = camera.width;
            if (sizes == Sizes::half_and_full) {
                // The smallest that this is half of: the last column and row lack their twins.
                view.full_width = 2 * camera.width - 1;
                view.full_height = 2 * camera.height - 1;
                Picture &full = full_pictures.emplace_back(view.full_width, view.full_height);
                paint(2, &full);
                view.full_luma = full.luma.data();
            }
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

std::vector<ViewPair> pairs_of(const std::vector<KeyframeView> &keyframes, size_t count) {
    std::vector<ViewPair> pairs;
    for (size_t i = 1; i <= count; ++i) pairs.emplace_back(keyframes[0], keyframes[i]);
    return pairs;
}

/// Where the board is, if the room has one, and everywhere otherwise.
void compare_with_truth(const PaintedRoom &room, const DepthSweep &sweep, const KeyframeView &newest,
                        fh_check_sweep_report *report) {
    const CameraModel &camera = newest.luma_camera;
    double squares = 0;
    std::vector<double> angles;
    const int step = room.has_board ? 3 : 6;
    for (int y = 6; y < camera.height - 6; y += step) {
        for (int x = 6; x < camera.width - 6; x += step) {
            const Eigen::Vector3d ray = camera.normalise(Eigen::Vector2d(x, y)).homogeneous();
            const Eigen::Vector3d ray_in_world = newest.world_from_camera_rotation * ray;
            if (room.has_board && !room.shows_board(newest.camera_in_world, ray_in_world)) continue;
            ++report->places;
            double inverse_depth = 0, sigma = 0;
            Eigen::Vector3d facing;
            if (!sweep.measure(ray, &inverse_depth, &sigma, &facing)) continue;
            ++report->told;
            const double truth = 1 / room.distance(newest.camera_in_world, ray_in_world);
            const double off = inverse_depth / truth - 1;
            report->right += std::abs(off) < 0.02;
            report->wrong += std::abs(off) > 0.05;
            if (std::abs(off) <= 0.05) squares += std::pow((inverse_depth - truth) / sigma, 2);
            if (facing.isZero(0)) continue;
            ++report->facing;
            const Eigen::Vector3d normal = room.normal(newest.camera_in_world, ray_in_world);
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
    sweep.compare(pairs_of(shots.keyframes, 2), 0.95, 0.3, noise);
    sweep.decide();
    compare_with_truth(room, sweep, shots.keyframes[0], out_report);
    return 0;
}

int32_t fh_check_refined_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.03, contrast);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places);
    const KeyframeView &newest = shots.keyframes[0];
    DepthSweep sweep;
    sweep.compare(pairs_of(shots.keyframes, 2), 0.95, 0.3, noise);
    sweep.decide();
    // A normal that nothing in the room has mustn't mislead.
    const std::vector<Eigen::Vector3d> unlike = {newest.world_from_camera_rotation.transpose() *
                                                 Eigen::Vector3d(0.5, 1, 0.5)};
    PlaneRefiner refiner;
    refiner.refine(pairs_of(shots.keyframes, 6), noise, unlike, sweep.columns(), sweep.cells());
    compare_with_truth(room, sweep, newest, out_report);
    return 0;
}

int32_t fh_check_refined_board(uint64_t seed, int32_t is_bent, int32_t with_quarters,
                               fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.012, 40, true);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places, Sizes::half_and_full);
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes, 6);
    DepthSweep sweep;
    sweep.compare(pairs_of(shots.keyframes, 2), 1.2, 0.3, noise);
    sweep.decide();
    PlaneRefiner refiner;
    refiner.refine(pairs, noise, {}, sweep.columns(), sweep.cells());
    if (with_quarters != 0) {
        const std::vector<uint8_t> nothing_settled(sweep.cells().size(), 0);
        std::vector<KeyframeView> full;
        for (const KeyframeView &keyframe : shots.keyframes) full.push_back(keyframe.full_size());
        refiner.refine_quarters(pairs_of(full, 6), noise, {}, sweep.columns(), sweep.cells(), nothing_settled,
                                sweep.make_quarters());
    }
    compare_with_truth(room, sweep, shots.keyframes[0], out_report);
    return 0;
}
