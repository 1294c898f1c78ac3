#include "pictures.h"

#include <cmath>

namespace foothold::checks {

namespace {

/// Evenly spread −1…1 for a place of the lattice.
double lattice(int64_t x, int64_t y, uint64_t seed) {
    uint64_t z = seed + static_cast<uint64_t>(x) * 0x9E3779B97F4A7C15ull;
    z += static_cast<uint64_t>(y) * 0xC2B2AE3D27D4EB4Full;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

/// Smooth up to the second derivative (6t⁵ − 15t⁴ + 10t³).
double fade(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

double smooth_noise(double x, double y, uint64_t seed) {
    const double left = std::floor(x), top = std::floor(y);
    const auto i = static_cast<int64_t>(left), j = static_cast<int64_t>(top);
    const double u = fade(x - left), v = fade(y - top);
    const double above = (1 - u) * lattice(i, j, seed) + u * lattice(i + 1, j, seed);
    const double below = (1 - u) * lattice(i, j + 1, seed) + u * lattice(i + 1, j + 1, seed);
    return (1 - v) * above + v * below;
}

}  // namespace

double Texture::at(double x, double y) const {
    double value = 128;
    double length = finest_;
    for (int octave = 0; octave < octaves_; ++octave) {
        value += amplitude_ * smooth_noise(x / length, y / length, seed_ * 31 + static_cast<uint64_t>(octave));
        length *= 2.3;
    }
    return value;
}

void RoomCorner::paint(const SE3 &world_from_camera, const CameraModel &camera, Picture *picture) const {
    const Eigen::Vector3d &origin = world_from_camera.translation;
    picture->paint([&](int x, int y) {
        const Eigen::Vector2d normalised = camera.normalise(Eigen::Vector2d(x, y));
        const Eigen::Vector3d ray = world_from_camera.rotation * normalised.homogeneous();
        // The walls stand at x = -1 and z = -1.5; the camera is above the floor and before the walls.
        const double to_floor = ray.y() < 0 ? -origin.y() / ray.y() : 1e9;
        const double to_left = ray.x() < 0 ? (-1 - origin.x()) / ray.x() : 1e9;
        const double to_back = ray.z() < 0 ? (-1.5 - origin.z()) / ray.z() : 1e9;
        if (to_floor < to_left && to_floor < to_back) {
            return floor_.at(origin.x() + to_floor * ray.x(), origin.z() + to_floor * ray.z());
        }
        if (to_left < to_back) return left_.at(origin.y() + to_left * ray.y(), origin.z() + to_left * ray.z());
        if (to_back > 1e8) return 128.0;
        return back_.at(origin.x() + to_back * ray.x(), origin.y() + to_back * ray.y());
    });
}

CameraModel plain_camera(int width, int height) {
    CameraModel camera;
    camera.width = width;
    camera.height = height;
    camera.fx = camera.fy = 0.83 * width;
    camera.cx = 0.5 * (width - 1);
    camera.cy = 0.5 * (height - 1);
    return camera;
}

}  // namespace foothold::checks
