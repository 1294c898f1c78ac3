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

RoomCorner::Hit RoomCorner::cast(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
    // The walls stand at x = -1 and z = -1.5; the camera is above the floor and before the walls.
    const double to_floor = ray.y() < 0 ? -origin.y() / ray.y() : kNowhere;
    const double to_left = ray.x() < 0 ? (-1 - origin.x()) / ray.x() : kNowhere;
    const double to_back = ray.z() < 0 ? (-1.5 - origin.z()) / ray.z() : kNowhere;
    if (to_floor < to_left && to_floor < to_back) return {Side::floor, to_floor};
    if (to_left < to_back) return {Side::left, to_left};
    return {Side::back, to_back};
}

double RoomCorner::depth(const SE3 &world_from_camera, const Eigen::Vector2d &normalised) const {
    return cast(world_from_camera.translation, world_from_camera.rotation * normalised.homogeneous()).distance;
}

void RoomCorner::paint(const SE3 &world_from_camera, const CameraModel &camera, Picture *picture) const {
    const Eigen::Vector3d &origin = world_from_camera.translation;
    picture->paint([&](int x, int y) {
        const Eigen::Vector2d normalised = camera.normalise(Eigen::Vector2d(x, y));
        const Eigen::Vector3d ray = world_from_camera.rotation * normalised.homogeneous();
        const Hit hit = cast(origin, ray);
        if (hit.distance >= kNowhere) return 128.0;
        const Eigen::Vector3d place = origin + hit.distance * ray;
        if (hit.side == Side::floor) return floor_.at(place.x(), place.z());
        if (hit.side == Side::left) return left_.at(place.y(), place.z());
        return back_.at(place.x(), place.y());
    });
}

Eigen::Matrix3d level_camera(const Eigen::Vector3d &forward) {
    Eigen::Matrix3d axes;
    axes.col(0) = forward.cross(Eigen::Vector3d::UnitY()).normalized();
    axes.col(1) = forward.cross(axes.col(0));
    axes.col(2) = forward;
    return axes;
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
