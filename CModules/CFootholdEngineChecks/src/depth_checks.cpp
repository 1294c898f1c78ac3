#include "depth_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "allocation_counter.h"
#include "depth/depth_mapper.h"
#include "median.h"
#include "pictures.h"
#include "random_numbers.h"
#include "session/point_raycast.h"

using namespace foothold;
using namespace foothold::checks;

namespace {

constexpr double kWall = 3, kBox = 2, kFloor = 1;
/// Of the edge that the left third ends at, x/z.
constexpr double kEdge = -0.2;

/// What a ray shows: which thing, and its depth; the camera is the world's origin.
struct Sight {
    int thing = 0;
    double depth = 0;
};

struct Scene {
    bool has_box = false, has_wall = false, has_floor = false;

    Sight look(const Eigen::Vector2d &ray) const {
        Sight sight;
        if (has_wall) sight = {1, kWall};
        if (has_floor && ray.y() > 0.1 && kFloor / ray.y() < 6) sight = {2, kFloor / ray.y()};
        if (has_box && std::abs(ray.x() + 0.05) < 0.2 && ray.y() > -0.15 && ray.y() < kFloor / kBox) sight = {3, kBox};
        return sight;
    }
};

Surface floor_surface() {
    Surface floor;
    floor.normal = -Eigen::Vector3d::UnitY();
    floor.origin_in_world << 0, kFloor, 3;
    floor.world_from_surface_rotation << 1, 0, 0, 0, -1, 0, 0, 0, -1;
    // Counter-clockwise seen from above; it reaches behind the camera.
    floor.boundary = {{-6, 4}, {6, 4}, {6, -3}, {-6, -3}};
    floor.offset_sigma_m = 0.004;
    return floor;
}

}  // namespace

int32_t fh_check_depth(int32_t kind, uint64_t seed, int32_t width, int32_t height, fh_check_depth_report *out_report) {
    if (out_report == nullptr || kind < FH_CHECK_DEPTH_NOTHING || kind > FH_CHECK_DEPTH_FLOOR) return -1;
    *out_report = {};
    Scene scene;
    scene.has_box = kind == FH_CHECK_DEPTH_BOX_BEFORE_WALL || kind == FH_CHECK_DEPTH_BOX_ON_FLOOR ||
                    kind == FH_CHECK_DEPTH_HIDDEN_POINTS;
    scene.has_floor = kind == FH_CHECK_DEPTH_BOX_ON_FLOOR || kind == FH_CHECK_DEPTH_FLOOR;
    scene.has_wall = !scene.has_floor;
    const CameraModel camera = plain_camera(width, height);
    const Texture texture(seed, 0.05, 2, 10);
    Picture picture(width, height);
    picture.paint([&](int x, int y) {
        const Eigen::Vector2d ray = camera.normalise(Eigen::Vector2d(x, y));
        const double base[] = {200, 170, 150, 60};
        const bool is_beyond = kind == FH_CHECK_DEPTH_LEFT_THIRD && ray.x() > kEdge;
        return base[scene.look(ray).thing] + texture.at(ray.x(), ray.y()) - 128 - (is_beyond ? 90 : 0);
    });
    ImagePyramid pyramid;
    pyramid.build(picture.view());
    RandomNumbers random(seed);
    std::vector<DepthPoint> points, old;
    const int wanted = kind == FH_CHECK_DEPTH_NOTHING || kind == FH_CHECK_DEPTH_FLOOR ? 0 : width * height / 64 / 4;
    for (int i = 0; i < wanted; ++i) {
        const Eigen::Vector2d ray =
            camera.normalise(Eigen::Vector2d(random.uniform(1, width - 2), random.uniform(1, height - 2)));
        const Sight sight = scene.look(ray);
        if (sight.thing == 0 || (kind == FH_CHECK_DEPTH_LEFT_THIRD && ray.x() > kEdge - 0.03)) continue;
        DepthPoint point;
        point.relative_sigma = 0.004f;
        point.to_viewers = -ray.homogeneous().normalized().cast<float>();
        point.position_in_world = sight.depth * (1 + 0.004 * random.gaussian()) * ray.homogeneous();
        points.push_back(point);
        if (kind != FH_CHECK_DEPTH_HIDDEN_POINTS || sight.thing != 3) continue;
        point.position_in_world = kWall * ray.homogeneous();
        point.keyframes_unseen = 2;
        old.push_back(point);
    }
    std::vector<Surface> surfaces;
    if (scene.has_floor) surfaces.push_back(floor_surface());
    DepthMapper mapper;
    mapper.map(pyramid, camera, SE3(), surfaces, old, points);
    const int64_t before = allocation_count();
    const DepthMap &map = mapper.map(pyramid, camera, SE3(), surfaces, old, points);
    out_report->allocations = static_cast<int32_t>(allocation_count() - before);
    out_report->width = map.width;
    out_report->height = map.height;
    out_report->cells = static_cast<int32_t>(map.depth.size());
    const auto ray_at = [&](int x, int y) -> Eigen::Vector2d {
        return camera.normalise(Eigen::Vector2d(x, y) * map.cell_pixels);
    };
    std::vector<double> errors;
    uint64_t digest = 0xcbf29ce484222325u;
    for (int y = 0; y < map.height; ++y) {
        for (int x = 0; x < map.width; ++x) {
            const size_t i = static_cast<size_t>(y) * map.width + x;
            for (const float value : {map.depth[i], map.deviation[i]}) {
                uint32_t bits;
                std::memcpy(&bits, &value, sizeof(bits));
                digest = (digest ^ bits) * 0x100000001b3u;
            }
            const bool is_sound = std::isfinite(map.depth[i]) && std::isfinite(map.deviation[i]) && map.depth[i] >= 0 &&
                                  (map.depth[i] > 0) == (map.deviation[i] > 0);
            out_report->malformed += !is_sound;
            if (!(map.depth[i] > 0)) continue;
            ++out_report->known;
            const Eigen::Vector2d ray = ray_at(x, y);
            if (kind == FH_CHECK_DEPTH_LEFT_THIRD && ray.x() > kEdge + 1.5 * map.cell_pixels / camera.fx) {
                ++out_report->known_beyond;
            }
            const Sight sight = scene.look(ray);
            const double error = sight.thing == 0 ? 1 : std::abs(map.depth[i] / sight.depth - 1);
            errors.push_back(error);
            if (error <= 0.05) continue;
            ++out_report->wrong;
            bool is_inside = true;
            for (int k = 0; k < 25; ++k) {
                is_inside &= scene.look(ray_at(x + k % 5 - 2, y + k / 5 - 2)).thing == sight.thing;
            }
            out_report->wrong_inside += is_inside;
        }
    }
    out_report->median_error = errors.empty() ? 0 : median(errors);
    out_report->digest = digest;
    return 0;
}

int32_t fh_check_point_raycast(uint64_t seed, fh_check_raycast_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    RandomNumbers random(seed);
    Scene scene;
    scene.has_box = scene.has_wall = true;
    constexpr double kNoise = 0.005, kSpacing = 0.025;
    std::vector<DepthPoint> points, clutter;
    const auto add = [&](const Eigen::Vector3d &ray, double depth, const Eigen::Vector3d &to_viewers) {
        points.push_back(
            {depth * (1 + kNoise * random.gaussian()) * ray, to_viewers.cast<float>(), static_cast<float>(kNoise), 0});
    };
    for (int row = -20; row <= 20; ++row) {
        for (int column = -28; column <= 28; ++column) {
            const Eigen::Vector3d ray(kSpacing * column, kSpacing * row, 1);
            const Sight sight = scene.look(ray.head<2>());
            add(ray, sight.depth, -ray.normalized());
            if (sight.depth == kBox) add(ray, kWall, Eigen::Vector3d::UnitX());
        }
    }
    for (int i = 0; i < 2000; ++i) {
        const double x = random.uniform(-0.7, 0.7), y = random.uniform(-0.5, 0.5), depth = random.uniform(1, 4);
        const Eigen::Vector3d place(x, y, 1);
        clutter.push_back({depth * place, -place.normalized().cast<float>(), static_cast<float>(kNoise), 0});
    }
    const Map map;
    std::vector<double> distance_errors, turns;
    out_report->lowest_confidence = 1;
    for (int row = -11; row <= 11; ++row) {
        for (int column = -15; column <= 15; ++column) {
            const Eigen::Vector2d ray(0.041 * column, 0.037 * row);
            const Eigen::Vector3d direction = ray.homogeneous().normalized();
            out_report->found_in_clutter += raycast_points(map, clutter, Eigen::Vector3d::Zero(), direction).found;
            out_report->found_nowhere += raycast_points(map, points, Eigen::Vector3d::Zero(), -direction).found;
            const Sight sight = scene.look(ray);
            bool is_inside = true;
            for (const double dx : {-0.06, 0.06}) {
                for (const double dy : {-0.06, 0.06}) {
                    is_inside = is_inside && scene.look(ray + Eigen::Vector2d(dx, dy)).thing == sight.thing;
                }
            }
            if (!is_inside) continue;
            const PointRaycastHit hit = raycast_points(map, points, Eigen::Vector3d::Zero(), direction);
            const bool is_box = sight.depth == kBox;
            ++(is_box ? out_report->box_rays : out_report->wall_rays);
            if (!hit.found) continue;
            ++(is_box ? out_report->box_found : out_report->wall_found);
            const double distance = sight.depth * ray.homogeneous().norm();
            distance_errors.push_back(std::abs(hit.distance - distance) / distance);
            turns.push_back(std::acos(std::clamp(-hit.normal.z(), -1.0, 1.0)) * 180 / std::numbers::pi);
            out_report->lowest_confidence = std::min(out_report->lowest_confidence, hit.confidence);
            out_report->highest_confidence = std::max(out_report->highest_confidence, hit.confidence);
        }
    }
    const auto most = [](std::vector<double> &values) {
        if (values.empty()) return 1e9;
        std::sort(values.begin(), values.end());
        return values[values.size() * 9 / 10];
    };
    out_report->distance_error = most(distance_errors);
    out_report->normal_degrees = most(turns);
    return 0;
}
