#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gravity/gravity_estimator.h"
#include "gravity/inertial_up.h"
#include "gravity/line_segments.h"
#include "pictures.h"
#include "session/surface_stage.h"
#include "surface_checks.h"
#include "surfaces/seeded_random.h"

using namespace foothold;

namespace {

constexpr double degree = std::numbers::pi / 180;

struct Noise {
    SeededRandom random;
    double uniform() { return static_cast<double>(random.next() >> 11) * 0x1p-53; }
    double gaussian() {
        return std::sqrt(-2 * std::log(std::max(uniform(), 1e-12))) * std::cos(2 * std::numbers::pi * uniform());
    }
    Eigen::Vector3d vector() { return {gaussian(), gaussian(), gaussian()}; }
};

double error_degrees(const Eigen::Vector3d &up, const Eigen::Vector3d &truth) {
    return std::acos(std::clamp(up.dot(truth), -1.0, 1.0)) / degree;
}

/// A world turned by chance, as a map without gravity is.
Eigen::Matrix3d random_world(Noise &noise) {
    return Eigen::AngleAxisd(noise.uniform() * 3, noise.vector().normalized()).toRotationMatrix();
}

/// Camera axes (right, down, forward) of a camera held with some pitch (positive: looking down) and roll.
Eigen::Matrix3d held_camera(double yaw, double pitch, double roll) {
    const Eigen::Vector3d forward(std::sin(yaw) * std::cos(pitch), -std::sin(pitch), -std::cos(yaw) * std::cos(pitch));
    return checks::level_camera(forward) * Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

Surface level_ground(const Eigen::Matrix3d &world_from_true, Noise &noise) {
    Surface ground;
    ground.free_normal = world_from_true * (Eigen::Vector3d::UnitY() + 0.005 * noise.vector()).normalized();
    ground.free_normal_sigma_rad = 0.006;
    ground.confidence = 0.95;
    ground.area = 6;
    return ground;
}

}  // namespace

int32_t fh_check_gravity_from_pictures(uint64_t seed, int32_t posts, int32_t beams, int32_t has_ground,
                                       double *out_error_degrees, double *out_sigma_degrees) {
    if (out_error_degrees == nullptr || out_sigma_degrees == nullptr) return -1;
    Noise noise{SeededRandom(seed)};
    const Eigen::Matrix3d world_from_true = random_world(noise);
    const Eigen::Vector3d truth = world_from_true * Eigen::Vector3d::UnitY();
    // Dark posts between bright walls, and a few beams lying at all angles.
    struct Bar {
        Eigen::Vector3d start, end;
        double half_width;
    };
    std::vector<Bar> bars;
    for (int i = 0; i < posts; ++i) {
        const Eigen::Vector3d foot(3 * noise.uniform() - 1.5, -0.6, -1.5 - 1.5 * noise.uniform());
        bars.push_back({foot, foot + Eigen::Vector3d(0, 1.6, 0), 0.03});
    }
    for (int i = 0; i < beams; ++i) {
        const Eigen::Vector3d a(3 * noise.uniform() - 1.5, noise.uniform() - 0.5, -2);
        bars.push_back({a, a + 0.6 * noise.vector().normalized(), 0.02});
    }
    GravityEstimator estimator;
    for (int k = 0; k < 6; ++k) {
        const Eigen::Matrix3d true_from_camera =
            held_camera(0.1 * k - 0.3, (15 + 10 * noise.uniform()) * degree, 6 * degree * noise.gaussian());
        const Eigen::Vector3d position(0.08 * k, 0.2, 0.3);
        KeyframeView view;
        view.luma_camera.width = 320;
        view.luma_camera.height = 240;
        view.luma_camera.fx = view.luma_camera.fy = 262;
        view.luma_camera.cx = 159.5;
        view.luma_camera.cy = 119.5;
        view.stride = 320;
        view.world_from_camera_rotation = world_from_true * true_from_camera;
        std::vector<float> picture(320 * 240, 190);
        for (const Bar &bar : bars) {
            const Eigen::Vector3d a = true_from_camera.transpose() * (bar.start - position);
            const Eigen::Vector3d b = true_from_camera.transpose() * (bar.end - position);
            if (a.z() < 0.2 || b.z() < 0.2) continue;
            const Eigen::Vector2d p = view.luma_camera.pixel(a.head<2>() / a.z());
            const Eigen::Vector2d q = view.luma_camera.pixel(b.head<2>() / b.z());
            const double half_width = bar.half_width * 262 / std::min(a.z(), b.z());
            const Eigen::Vector2d edge = q - p;
            for (int y = 0; y < 240; ++y) {
                for (int x = 0; x < 320; ++x) {
                    const Eigen::Vector2d r = Eigen::Vector2d(x, y) - p;
                    const double t = r.dot(edge) / edge.squaredNorm();
                    if (t < 0 || t > 1) continue;
                    // Soft over a pixel, as a lens makes it.
                    const double inside = half_width - std::abs(r.x() * edge.y() - r.y() * edge.x()) / edge.norm();
                    const double dark = std::clamp(inside + 0.5, 0.0, 1.0);
                    float &value = picture[static_cast<size_t>(y) * 320 + x];
                    value = std::min(value, static_cast<float>(190 - 130 * dark));
                }
            }
        }
        std::vector<uint8_t> luma(picture.size());
        for (size_t i = 0; i < luma.size(); ++i) {
            luma[i] = static_cast<uint8_t>(std::clamp(picture[i] + 1.5 * noise.gaussian(), 0.0, 255.0));
        }
        view.luma = luma.data();
        estimator.add_keyframe(view);
    }
    if (has_ground != 0) {
        const Surface ground = level_ground(world_from_true, noise);
        estimator.set_surfaces(std::span<const Surface>(&ground, 1));
    }
    const GravityEstimate &estimate = estimator.estimate();
    *out_error_degrees = error_degrees(estimate.up_in_world, truth);
    *out_sigma_degrees = estimate.sigma_rad / degree;
    return 0;
}

int32_t fh_check_gravity_from_inertial(uint64_t seed, int32_t wrong_surfaces, double *out_first_error_degrees,
                                       double *out_error_degrees, double *out_sigma_degrees) {
    if (out_first_error_degrees == nullptr || out_error_degrees == nullptr || out_sigma_degrees == nullptr) return -1;
    Noise noise{SeededRandom(seed)};
    const Eigen::Matrix3d world_from_true = random_world(noise);
    const Eigen::Vector3d truth = world_from_true * Eigen::Vector3d::UnitY();
    const Eigen::Vector3d bias = 0.01 * noise.vector(), force_bias = 0.04 * noise.vector();
    SurfaceStage stage;
    InertialUp inertial;
    Eigen::Matrix3d true_from_camera = held_camera(0, 25 * degree, 5 * degree);
    Eigen::Vector3d rate = Eigen::Vector3d::Zero(), wish = Eigen::Vector3d::Zero(), speed = Eigen::Vector3d::Zero();
    constexpr double dt = 0.005;
    for (int i = 0; i < 800; ++i) {
        // A hand: turning and pushing, alike for about a third of a second.
        const double keep = std::exp(-dt / 0.3), fresh = std::sqrt(1 - keep * keep);
        rate = keep * rate + fresh * 0.3 * noise.vector();
        wish = keep * wish + fresh * 0.25 * noise.vector();
        // A hand can't go on speeding up: its speed follows what it wishes.
        const Eigen::Vector3d push = (wish - speed) / 0.3;
        speed += push * dt;
        const Eigen::Vector3d angle = rate * dt;
        if (angle.norm() > 0) {
            true_from_camera =
                true_from_camera * Eigen::AngleAxisd(angle.norm(), angle.normalized()).toRotationMatrix();
        }
        const Eigen::Vector3d force =
            true_from_camera.transpose() * (Eigen::Vector3d(0, 9.80665, 0) + push) + force_bias + 0.05 * noise.vector();
        const int64_t now = static_cast<int64_t>(i) * 5'000'000;
        const Eigen::Vector3d read_rate = rate + bias + 0.005 * noise.vector();
        inertial.add(now, read_rate, force);
        stage.add_inertial(now, read_rate, force);
        if (i == 100)
            *out_first_error_degrees =
                error_degrees(world_from_true * true_from_camera * inertial.up_in_camera(), truth);
        // Thirty poses a second.
        if (i % 6 == 5) stage.add_pose(now, {world_from_true * true_from_camera, Eigen::Vector3d::Zero()});
    }
    GravityEstimator estimator = stage.gravity();
    std::vector<Surface> wrong(static_cast<size_t>(std::max(wrong_surfaces, 0)));
    for (Surface &surface : wrong) {
        surface.free_normal =
            world_from_true * Eigen::AngleAxisd(20 * degree, Eigen::Vector3d::UnitX()) * Eigen::Vector3d::UnitY();
        surface.free_normal_sigma_rad = 0.01;
        surface.confidence = 0.9;
    }
    estimator.set_surfaces(wrong);
    const GravityEstimate &estimate = estimator.estimate();
    *out_error_degrees = error_degrees(estimate.up_in_world, truth);
    *out_sigma_degrees = estimate.sigma_rad / degree;
    return 0;
}

int32_t fh_check_gravity_from_surfaces(uint64_t seed, double *out_error_degrees, double *out_sigma_degrees) {
    if (out_error_degrees == nullptr || out_sigma_degrees == nullptr) return -1;
    Noise noise{SeededRandom(seed)};
    const Eigen::Matrix3d world_from_true = random_world(noise);
    GravityEstimator estimator;
    for (int k = 0; k < 6; ++k) {
        KeyframeView view;
        view.world_from_camera_rotation =
            world_from_true * held_camera(0.2 * k, (20 + 4 * k) * degree, 6 * degree * noise.gaussian());
        estimator.add_keyframe(view);
    }
    const Eigen::Vector3d normals[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, Eigen::Vector3d(0.3, 0.8, 0.52).normalized()};
    std::vector<Surface> surfaces;
    for (const Eigen::Vector3d &normal : normals) {
        Surface surface;
        surface.free_normal = world_from_true * (normal + 0.008 * noise.vector()).normalized();
        surface.free_normal_sigma_rad = 0.008;
        surface.confidence = 0.9;
        surfaces.push_back(surface);
    }
    estimator.set_surfaces(surfaces);
    const GravityEstimate &estimate = estimator.estimate();
    *out_error_degrees = error_degrees(estimate.up_in_world, world_from_true * Eigen::Vector3d::UnitY());
    *out_sigma_degrees = estimate.sigma_rad / degree;
    return 0;
}

int32_t fh_check_gravity_over_stripes(uint64_t seed, double pitch_degrees, double *out_error_degrees,
                                      double *out_sigma_degrees) {
    if (out_error_degrees == nullptr || out_sigma_degrees == nullptr) return -1;
    constexpr int width = 320, height = 240;
    constexpr double stripe = 0.15;
    Noise noise{SeededRandom(seed)};
    const Eigen::Matrix3d world_from_true = random_world(noise);
    GravityEstimator estimator;
    std::vector<uint8_t> luma(width * height);
    for (int k = 0; k < 10; ++k) {
        const Eigen::Matrix3d rotation =
            held_camera(0.05 * k, (pitch_degrees + k) * degree, 3 * degree * noise.gaussian());
        const Eigen::Vector3d eye(0.1 * k, 1.3, 0);
        KeyframeView view;
        view.luma_camera.width = width;
        view.luma_camera.height = height;
        view.luma_camera.fx = view.luma_camera.fy = 265;
        view.luma_camera.cx = 159.5;
        view.luma_camera.cy = 119.5;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const Eigen::Vector3d ray = rotation * Eigen::Vector3d((x - 159.5) / 265, (y - 119.5) / 265, 1);
                double value = 120;
                if (ray.y() < -0.05) {
                    const double across = eye.x() - eye.y() * ray.x() / ray.y();
                    value = static_cast<int>(std::floor(across / stripe)) % 2 == 0 ? 80 : 170;
                }
                luma[static_cast<size_t>(y) * width + x] =
                    static_cast<uint8_t>(std::clamp(value + 2 * noise.gaussian(), 0.0, 255.0));
            }
        }
        view.world_from_camera_rotation = world_from_true * rotation;
        view.camera_in_world = world_from_true * eye;
        view.luma = luma.data();
        view.stride = width;
        estimator.add_keyframe(view);
    }
    const Surface ground = level_ground(world_from_true, noise);
    estimator.set_surfaces(std::span<const Surface>(&ground, 1));
    const GravityEstimate &estimate = estimator.estimate();
    *out_error_degrees = error_degrees(estimate.up_in_world, world_from_true * Eigen::Vector3d::UnitY());
    *out_sigma_degrees = estimate.sigma_rad / degree;
    return 0;
}

int32_t fh_check_line_segment(double angle_degrees, double noise_level, double *out_angle_error_degrees,
                              double *out_distance_pixels) {
    if (out_angle_error_degrees == nullptr || out_distance_pixels == nullptr) return -1;
    constexpr int width = 160, height = 120;
    Noise noise{SeededRandom(11)};
    const Eigen::Vector2d direction(std::cos(angle_degrees * degree), std::sin(angle_degrees * degree));
    const Eigen::Vector2d across(-direction.y(), direction.x());
    const Eigen::Vector2d middle(79.3, 60.4);
    std::vector<uint8_t> luma(width * height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double side = across.dot(Eigen::Vector2d(x, y) - middle);
            const double value = 60 + 120 * std::clamp(side + 0.5, 0.0, 1.0) + noise_level * noise.gaussian();
            luma[static_cast<size_t>(y) * width + x] = static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
        }
    }
    LineSegmentDetector detector;
    const LineSegment *longest = nullptr;
    for (const LineSegment &segment : detector.detect(luma.data(), width, height, width, 30)) {
        if (!longest || segment.length() > longest->length()) longest = &segment;
    }
    if (!longest) return -1;
    const Eigen::Vector2d found = (longest->end - longest->start).normalized();
    *out_angle_error_degrees = std::asin(std::min(1.0, std::abs(found.dot(across)))) / degree;
    *out_distance_pixels = std::abs(across.dot(0.5 * (longest->start + longest->end) - middle));
    return 0;
}
