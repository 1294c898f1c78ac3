// A painted floor, a wall and a board with exact truth, and pictures of them.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "map_view.h"
#include "pictures.h"
#include "random_numbers.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/patch_match.h"

namespace foothold::checks {

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
    /// Of a point of the board's plane.
    static bool is_on_board(const Eigen::Vector3d &p) {
        return p.y() > 0 && p.y() < 0.9 && std::abs(along_board(p)) < 0.055;
    }
    bool shows_board(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const double length = length_to_board(origin, ray);
        return has_board && length > 0 && is_on_board(origin + length * ray);
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
            view.id = static_cast<int64_t>(keyframes.size());
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

inline CameraModel lens(bool is_bent, int width = 320, int height = 240) {
    CameraModel camera = plain_camera(width, height);
    if (is_bent) {
        camera.distortion = Distortion::radial_tangential;
        camera.k[0] = -0.2;
        camera.k[1] = 0.05;
    }
    return camera;
}

/// Of one of the keyframes with all others, in their order.
inline std::vector<ViewPair> pairs_of(const std::vector<KeyframeView> &keyframes, size_t own = 0) {
    std::vector<ViewPair> pairs;
    for (size_t i = 0; i < keyframes.size(); ++i) {
        if (i != own) pairs.emplace_back(keyframes[own], keyframes[i]);
    }
    return pairs;
}

/// With the first two.
inline DepthSweep sweep_of(std::span<const ViewPair> pairs, double nearest) {
    DepthSweep sweep;
    sweep.compare(pairs.first(2), nearest, 0.3, noise);
    sweep.decide();
    return sweep;
}

}  // namespace foothold::checks
