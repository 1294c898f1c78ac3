#include "region_checks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "pictures.h"
#include "random_numbers.h"
#include "surfaces/planar_regions.h"

namespace foothold::checks {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A floor and a wall behind it (z = -1.5), or one of them alone. World +Y up.
struct PaintedRoom {
    enum class Part { floor, wall, both };
    Part part = Part::both;
    Texture floor, wall;

    PaintedRoom(uint64_t seed, double finest, double contrast, Part part_)
        : part(part_), floor(seed, finest, 3, contrast), wall(seed + 7, finest, 3, contrast) {}

    bool shows_wall(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        if (part != Part::both) return part == Part::wall;
        return ray.y() >= 0 || origin.z() - ray.z() * origin.y() / ray.y() < -1.5;
    }
    /// Lengths of the ray to what it meets.
    double distance(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        return shows_wall(origin, ray) ? (-1.5 - origin.z()) / ray.z() : -origin.y() / ray.y();
    }
    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const Eigen::Vector3d p = origin + distance(origin, ray) * ray;
        return shows_wall(origin, ray) ? wall.at(p.x(), p.y()) + 25 : floor.at(p.x(), p.z()) - 25;
    }
};

/// Keyframes of a sideways movement, the newest first, in two sizes.
struct Shots {
    std::vector<Picture> pictures, small_pictures;
    std::vector<KeyframeView> keyframes, small_keyframes;
    std::vector<SmoothView> views, small_views;

    Shots(const PaintedRoom &room, const CameraModel &camera, uint64_t seed, double noise) {
        RandomNumbers random(seed);
        CameraModel small = camera;
        small.width /= 2;
        small.height /= 2;
        small.fx /= 2;
        small.fy /= 2;
        small.cx = 0.5 * (camera.cx - 0.5);
        small.cy = 0.5 * (camera.cy - 0.5);
        pictures.reserve(3);
        small_pictures.reserve(3);
        for (const double x : {0.0, -0.18, 0.15}) {
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
            Picture &half = small_pictures.emplace_back(small.width, small.height);
            half.paint([&](int u, int v) {
                const uint8_t *above = picture.luma.data() + static_cast<size_t>(2 * v) * picture.width + 2 * u;
                const uint8_t *below = above + picture.width;
                return 0.25 * (above[0] + above[1] + below[0] + below[1]);
            });
            KeyframeView view;
            view.world_from_camera_rotation = pose.rotation;
            view.camera_in_world = pose.translation;
            view.luma_camera = camera;
            view.luma = picture.luma.data();
            view.stride = camera.width;
            keyframes.push_back(view);
            view.luma_camera = small;
            view.luma = half.luma.data();
            view.stride = small.width;
            small_keyframes.push_back(view);
        }
        for (const KeyframeView &view : keyframes) views.emplace_back(view);
        for (const KeyframeView &view : small_keyframes) small_views.emplace_back(view);
    }
};

/// m · X = 1 for the plane normal · x = offset of the world.
Eigen::Vector3d inverse_of(const SmoothView &view, const Eigen::Vector3d &normal, double offset) {
    return view.world_from_camera_rotation.transpose() * normal / (offset - normal.dot(view.camera_in_world));
}

RegionPixels square_of(const SmoothView &view, int left, int top, int side) {
    RegionPixels pixels;
    for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) {
            pixels.add(view.camera.normalise({x, y}).homogeneous().cast<float>(), view.picture.at<float>(y, x));
        }
    }
    return pixels;
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_picture_regions(uint64_t seed, double noise, double *out_covered, double *out_astray) {
    if (out_covered == nullptr || out_astray == nullptr) return -1;
    RandomNumbers random(seed);
    Picture picture(160, 120);
    picture.paint([&](int x, int) { return (x < 70 ? 100 : 130) + noise * random.gaussian(); });
    PictureRegions regions;
    KeyframeView view;
    view.luma_camera = plain_camera(picture.width, picture.height);
    view.luma = picture.luma.data();
    view.stride = picture.width;
    find_regions(SmoothView(view).picture, noise, &regions);
    std::vector<int> on_the_left(regions.sizes.size(), 0);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < 70; ++x) ++on_the_left[regions.at(x, y)];
    }
    int covered = 0, astray = 0;
    for (size_t i = 0; i < regions.sizes.size(); ++i) {
        if (regions.sizes[i] < 40) continue;
        covered += regions.sizes[i];
        astray += std::min(on_the_left[i], regions.sizes[i] - on_the_left[i]);
    }
    *out_covered = static_cast<double>(covered) / (picture.width * picture.height);
    *out_astray = static_cast<double>(astray) / covered;
    return 0;
}

double fh_check_region_derivatives(uint64_t seed, int32_t is_bent) {
    CameraModel camera = plain_camera(320, 240);
    if (is_bent != 0) {
        camera.distortion = Distortion::radial_tangential;
        camera.k[0] = -0.2;
        camera.k[1] = 0.05;
    }
    // So coarse a texture that differences over two pixels are derivatives.
    const PaintedRoom room(seed, 0.5, 100, PaintedRoom::Part::floor);
    const Shots shots(room, camera, seed, 0);
    const RegionPixels pixels = square_of(shots.views[0], 120, 120, 60);
    const RegionAligner aligner(shots.views, pixels, 1);
    const Eigen::Vector3d inverse = 1.03 * inverse_of(shots.views[0], Eigen::Vector3d::UnitY(), 0);
    const auto half_squares = [&](const Eigen::Vector3d &m) {
        return 0.5 * aligner.compare(shots.views[1], m, false, nullptr).products(0, 0);
    };
    const RegionComparison::Products sums = aligner.compare(shots.views[1], inverse, true, nullptr).products;
    const Eigen::Vector3d told = sums.block<3, 1>(1, 0);
    Eigen::Vector3d measured;
    const double step = 2e-3 * inverse.norm();
    for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d change = step * Eigen::Vector3d::Unit(i);
        measured[i] = (half_squares(inverse + change) - half_squares(inverse - change)) / (2 * step);
    }
    // Relative to the largest that they could be; pictures have whole grey levels.
    const Eigen::Vector3d largest = (sums(0, 0) * sums.diagonal().segment<3>(1)).cwiseSqrt();
    return (told - measured).cwiseQuotient(largest).cwiseAbs().maxCoeff();
}

int32_t fh_check_region_plane(uint64_t seed, int32_t is_upright, double contrast, double noise,
                              fh_check_region_plane_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const CameraModel camera = plain_camera(320, 240);
    const PaintedRoom room(seed, 0.03, contrast, is_upright ? PaintedRoom::Part::wall : PaintedRoom::Part::floor);
    const Shots shots(room, camera, seed, noise);
    const RegionPixels pixels = square_of(shots.views[0], 140, 90, 36);
    const RegionAligner aligner(shots.views, pixels, SmoothView::noise_share * std::max(noise, 0.3));
    const Eigen::Vector3d normal = is_upright ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
    const Eigen::Vector3d truth = inverse_of(shots.views[0], normal, is_upright ? -1.5 : 0);
    const Eigen::Vector3d middle = camera.normalise({157.5, 107.5}).homogeneous();
    RandomNumbers random(seed + 1);
    // Turned about the middle, so that its depth is the start's 3 %.
    Eigen::Vector3d start = so3_exp(10 * degree * random.direction()) * truth;
    start *= 1.03 * truth.dot(middle) / start.dot(middle);
    const auto plane = aligner.refine(start, 8, std::span(shots.views).subspan(1), Eigen::Matrix3d::Identity());
    if (!plane) return -1;
    const double error = (plane->inverse - truth).dot(middle);
    out_report->depth_error = std::abs(error) / truth.dot(middle);
    out_report->normal_error_degrees =
        std::acos(std::clamp(plane->inverse.normalized().dot(truth.normalized()), -1.0, 1.0)) / degree;
    out_report->normalised_error = error * error / middle.dot(plane->covariance * middle);
    out_report->correlation = plane->correlation;
    return 0;
}

int32_t fh_check_planar_regions(uint64_t seed, double contrast, fh_check_planar_regions_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const CameraModel camera = plain_camera(320, 240);
    constexpr double noise = 0.8;
    const PaintedRoom room(seed, 0.03, contrast, PaintedRoom::Part::both);
    const Shots shots(room, camera, seed, noise);
    const SmoothView &newest = shots.views[0];
    const auto look = [&](const Eigen::Vector2d &pixel) -> Eigen::Vector3d {
        return newest.world_from_camera_rotation * camera.normalise(pixel).homogeneous();
    };
    RandomNumbers random(seed + 2);
    std::vector<RegionSeed> seeds;
    for (int y = 15; y < camera.height; y += 30) {
        for (int x = 15; x < camera.width; x += 30) {
            const double distance = room.distance(newest.camera_in_world, look({x, y}));
            seeds.push_back({{x, y}, (1 + 0.01 * random.gaussian()) / distance});
        }
    }
    const Eigen::Matrix3d camera_from_world = newest.world_from_camera_rotation.transpose();
    std::vector<Eigen::Vector3d> uprights;
    for (const double turn : {-0.5, 0.1, 0.7}) {
        uprights.push_back(camera_from_world *
                           (Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitY()) * Eigen::Vector3d::UnitZ()));
    }
    RegionQuestion question;
    question.views = shots.views;
    question.small_views = shots.small_views;
    question.seeds = seeds;
    question.up = camera_from_world * Eigen::Vector3d::UnitY();
    question.uprights = uprights;
    question.noise = noise;
    PlanarRegions regions;
    regions.update(question, {}, 0);
    for (int y = 6; y < camera.height - 6; y += 6) {
        for (int x = 6; x < camera.width - 6; x += 6) {
            ++out_report->places;
            const RegionPlane *plane = regions.at({x, y});
            if (plane == nullptr) continue;
            ++out_report->told;
            const Eigen::Vector3d ray = look({x, y});
            const double off = plane->inverse.dot(camera.normalise({x, y}).homogeneous()) *
                                   room.distance(newest.camera_in_world, ray) -
                               1;
            const Eigen::Vector3d normal =
                room.shows_wall(newest.camera_in_world, ray) ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
            const Eigen::Vector3d told = -(newest.world_from_camera_rotation * plane->inverse.normalized());
            out_report->right += std::abs(off) < 0.01 && told.dot(normal) > std::cos(5 * degree);
            out_report->wrong += std::abs(off) > 0.03;
        }
    }
    return 0;
}
