// How the surface around a point changes what is seen of it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frontend/corners.h"
#include "mapping/point_slant.h"
#include "median.h"
#include "pictures.h"
#include "random_numbers.h"
#include "session/surface_slants.h"
#include "tracking/point_finder.h"
#include "tracking_checks.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

/// A plane 1–3 m before a camera, turned away from it by up to 60°.
Eigen::Vector3d random_plane(RandomNumbers &random) {
    const Eigen::Vector3d normal =
        so3_exp(random.uniform(-1, 1) *
                Eigen::Vector3d(random.vector2().normalized().homogeneous() - Eigen::Vector3d::UnitZ())) *
        Eigen::Vector3d::UnitZ();
    return normal / (normal.z() * random.uniform(1, 3));
}

SE3 random_step(RandomNumbers &random) { return {random.rotation(0.3), 0.2 * random.vector()}; }

}  // namespace

double fh_check_slanted_warp(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const CameraModel camera = checks::plain_camera(640, 480);
        const Eigen::Vector3d plane = random_plane(random);
        const SE3 current_from_host = random_step(random);
        HostedPoint point;
        point.host_raw_pixel = {random.uniform(200, 440), random.uniform(150, 330)};
        const Eigen::Vector3d bearing = camera.normalise(point.host_raw_pixel).homogeneous();
        point.inverse_depth = plane.dot(bearing);
        point.slant = slant_of(random.uniform(0.1, 10) * plane, bearing);
        // Where the plane's own places are seen.
        const auto seen_at = [&](const Eigen::Vector2d &host_pixel) {
            const Eigen::Vector3d ray = camera.normalise(host_pixel).homogeneous();
            const Eigen::Vector3d p = current_from_host * (ray / plane.dot(ray));
            return p.z() > 0.1 ? camera.pixel(p.hnormalized()) : Eigen::Vector2d::Constant(NAN);
        };
        const Eigen::Vector2d place = seen_at(point.host_raw_pixel);
        Eigen::Matrix2d expected, warp;
        for (int axis = 0; axis < 2; ++axis) {
            expected.col(axis) = (seen_at(point.host_raw_pixel + 4 * Eigen::Vector2d::Unit(axis)) - place) / 4;
        }
        if (!expected.allFinite() || !place.allFinite()) continue;
        Eigen::Vector2d pixel;
        if (!affine_warp(point, bearing, point.inverse_depth, current_from_host, camera, &warp, &pixel)) {
            return std::numeric_limits<double>::infinity();
        }
        worst = std::max({worst, (warp - expected).cwiseAbs().maxCoeff(), (pixel - place).norm()});
    }
    return worst;
}

double fh_check_planes_around_points(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Eigen::Vector3d plane = random_plane(random);
        const Eigen::Vector3d bearing(random.uniform(-0.4, 0.4), random.uniform(-0.3, 0.3), 1);
        HostedPoint point;
        point.inverse_depth = plane.dot(bearing);
        point.slant = slant_of(plane, bearing);
        worst = std::max(worst, (plane_around(point, bearing) - plane).norm());
        const SE3 host_from_other = random_step(random);
        const Eigen::Vector3d from_other = plane_from(plane, host_from_other);
        for (int i = 0; i < 5; ++i) {
            const Eigen::Vector3d ray(random.uniform(-0.4, 0.4), random.uniform(-0.3, 0.3), 1);
            const Eigen::Vector3d on_plane = ray / plane.dot(ray);
            worst = std::max(worst, std::abs(from_other.dot(host_from_other.inverse() * on_plane) - 1));
        }
    }
    return worst;
}

void fh_check_slanted_patches(uint64_t seed, double *out_facing_pixels, double *out_slanted_pixels) {
    constexpr int width = 480, height = 360;
    const CameraModel camera = checks::plain_camera(width, height);
    const checks::RoomCorner room(seed);
    RandomNumbers random(seed);
    const auto pose_at = [&](const Eigen::Vector3d &position) {
        const Eigen::Vector3d forward = (Eigen::Vector3d(-0.5, 0.2, -1.2) - position).normalized();
        return SE3{checks::level_camera(forward) * random.rotation(0.01), position};
    };
    const SE3 host = pose_at({0.4, 1.3, 0.6}), current = pose_at({0.2, 0.8, 0.4});
    ImagePyramid before, now;
    for (const auto &[pose, pyramid] : {std::pair(&host, &before), std::pair(&current, &now)}) {
        checks::Picture picture(width, height);
        room.paint(*pose, camera, &picture);
        pyramid->build(picture.view());
    }
    CornerDetector detector;
    std::vector<double> errors[2];
    for (const Eigen::Vector2d &corner : detector.detect(before.level(0), {}, 200, 12, 20)) {
        const Eigen::Vector2d at = camera.normalise(corner);
        const auto inverse_depth = [&](double x, double y) { return 1 / room.depth(host, {at.x() + x, at.y() + y}); };
        HostedPoint point;
        point.host_raw_pixel = corner;
        point.inverse_depth = inverse_depth(0, 0);
        point.patch.extract(before, corner);
        constexpr double step = 1e-3;
        const Eigen::Vector2d slant(inverse_depth(step, 0) - inverse_depth(-step, 0),
                                    inverse_depth(0, step) - inverse_depth(0, -step));
        const SE3 current_from_host = current.inverse() * host;
        const Eigen::Vector3d p = current_from_host * (at.homogeneous() / point.inverse_depth);
        // Found from a pixel beside its place, with or without.
        const Eigen::Vector2d truth = camera.pixel(p.hnormalized()), beside = truth + random.vector2().normalized();
        if (!camera.holds(truth, 16)) continue;
        for (const bool has_slant : {false, true}) {
            if (has_slant) point.slant = slant / (2 * step * point.inverse_depth);
            Eigen::Matrix2d warp;
            Eigen::Vector2d pixel;
            if (!affine_warp(point, at.homogeneous(), point.inverse_depth, current_from_host, camera, &warp, &pixel)) {
                continue;
            }
            TemplateCache cache;
            const FoundPoint found = find_point(0, point, warp, now, beside, 0, 0.5f, &cache);
            // What isn't found at all is worse than any that is.
            errors[has_slant].push_back(found.found ? (found.pixel - truth).norm()
                                                    : std::numeric_limits<double>::infinity());
        }
    }
    *out_facing_pixels = errors[0].size() < 50 ? NAN : checks::median(errors[0]);
    *out_slanted_pixels = errors[1].size() < 50 ? NAN : checks::median(errors[1]);
}

void fh_check_surface_slants(uint64_t seed, double *out_worst_error, int32_t *out_wrongly_slanted) {
    RandomNumbers random(seed);
    Map map;
    map.focal = 500;
    map.height_pixels = 480;
    map.keyframes.resize(1);
    map.keyframes[0].world_from_camera = {random.rotation(1), random.vector()};
    const SE3 &host = map.keyframes[0].world_from_camera;
    // A square of a metre, and what lies on it, beside it, before and behind it.
    Surface surface;
    const Eigen::Vector3d plane = random_plane(random);
    surface.normal = -(host.rotation * plane.normalized());
    surface.origin_in_world = host * (Eigen::Vector3d::UnitZ() / plane.z());
    const Eigen::Vector3d x = surface.normal.cross(random.direction()).normalized();
    surface.world_from_surface_rotation << x, surface.normal, x.cross(surface.normal);
    surface.boundary = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const auto add = [&](const Eigen::Vector3d &local, bool is_settled) {
        const Eigen::Vector3d in_host =
            host.inverse() * (surface.origin_in_world + surface.world_from_surface_rotation * local);
        HostedPoint &point = map.points[map.add_point()];
        point.state = is_settled ? PointState::mature : PointState::immature;
        point.host = 0;
        point.host_pixel = map.focal * in_host.hnormalized();
        point.inverse_depth = 1 / in_host.z();
        point.slant = {0.1, 0.2};
    };
    constexpr int each = 40;
    const auto inside = [&] { return random.uniform(-0.48, 0.48); };
    for (int i = 0; i < each; ++i) add({inside(), random.uniform(-0.003, 0.003), inside()}, true);
    for (int i = 0; i < each; ++i) add({random.uniform(0.52, 0.9), 0, inside()}, true);
    for (int i = 0; i < each; ++i) add({inside(), (i % 2 == 0 ? 1 : -1) * random.uniform(0.08, 0.2), inside()}, true);
    for (int i = 0; i < each; ++i) add({inside(), 0, inside()}, false);
    note_slants({&surface, 1}, &map);
    *out_worst_error = 0;
    *out_wrongly_slanted = 0;
    for (int i = 0; i < 4 * each; ++i) {
        const HostedPoint &point = map.points[i];
        if (i < each) {
            const Eigen::Vector2d expected = slant_of(plane, map.host_bearing(point));
            *out_worst_error = std::max(*out_worst_error, (point.slant - expected).norm());
        } else {
            // One that isn't settled keeps what it was guessed.
            const Eigen::Vector2d expected = i < 3 * each ? Eigen::Vector2d::Zero() : Eigen::Vector2d(0.1, 0.2);
            *out_wrongly_slanted += point.slant != expected;
        }
    }
}
