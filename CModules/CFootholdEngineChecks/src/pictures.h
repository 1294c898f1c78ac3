// Pictures whose brightness is a known, smooth function of place, so that they can be sampled anywhere exactly.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "frontend/image_pyramid.h"
#include "geometry/camera_model.h"
#include "geometry/se3.h"

namespace foothold::checks {

/// Brightness 128 ± `reach` with detail at several scales, the finest `finest` long.
class Texture {
public:
    Texture(uint64_t seed, double finest, int octaves, double reach = 120)
        : seed_(seed), finest_(finest), octaves_(octaves), amplitude_(reach / octaves) {}
    double at(double x, double y) const;

private:
    uint64_t seed_;
    double finest_;
    int octaves_;
    double amplitude_;
};

/// Owns an 8-bit picture.
struct Picture {
    Picture(int picture_width, int picture_height)
        : width(picture_width), height(picture_height), luma(static_cast<size_t>(width) * height) {}

    template <typename Brightness>
    void paint(Brightness brightness) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) luma[static_cast<size_t>(y) * width + x] = to_byte(brightness(x, y));
        }
    }
    ImageView view() const { return {luma.data(), width, height, width}; }

    int width, height;
    std::vector<uint8_t> luma;

private:
    static uint8_t to_byte(double value) {
        return static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
    }
};

/// The corner of a room: a floor and two walls, seen from a camera. World +Y up; the floor is y = 0.
class RoomCorner {
public:
    explicit RoomCorner(uint64_t seed) : floor_(seed, 0.02, 4), left_(seed + 1, 0.02, 4), back_(seed + 2, 0.02, 4) {}
    void paint(const SE3 &world_from_camera, const CameraModel &camera, Picture *picture) const;
    /// Depth along the camera's z axis of what it sees at (x/z, y/z); from kNowhere on there is nothing.
    double depth(const SE3 &world_from_camera, const Eigen::Vector2d &normalised) const;
    static constexpr double kNowhere = 1e9;

private:
    enum class Side { floor, left, back };
    struct Hit {
        Side side;
        /// In lengths of the ray.
        double distance;
    };
    static Hit cast(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray);

    Texture floor_, left_, back_;
};

/// Axes (right, down, forward; columns) of a camera that looks along a unit vector and isn't rolled; up is +Y.
Eigen::Matrix3d level_camera(const Eigen::Vector3d &forward);

/// A camera without lens distortion, about 62° across.
CameraModel plain_camera(int width, int height);

}  // namespace foothold::checks
