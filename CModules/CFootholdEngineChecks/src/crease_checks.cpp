#include "crease_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "painted_room.h"
#include "surfaces/crease_votes.h"
#include "surfaces/plane_fit.h"
#include "surfaces/polygon_rows.h"
#include "walks.h"

namespace foothold::checks {
namespace {

constexpr double wall_z = -2, end_x = -0.9, post_z = -1.5;
/// How wide the shadow in the corner is.
constexpr double shadow = 0.15;
/// Grey levels.
constexpr double plain = 100, faint_step = 2.8;

/// A textured floor and a textured wall behind it, which ends to the left at `end_x`. World +Y up.
class WallWithEnd {
public:
    WallWithEnd(uint64_t seed, fh_check_wall_end end)
        : floor_(seed, 0.02, 3, 40), wall_(seed + 7, 0.02, 3, 25), end_(end) {}

    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        if (end_ == FH_CHECK_POST_BEFORE && (origin + to_post(origin, ray) * ray).x() < end_x) return plain;
        const double to_wall = (wall_z - origin.z()) / ray.z();
        const double to_floor = ray.y() < 0 ? -origin.y() / ray.y() : to_wall + 1;
        const double to_side = (end_x - origin.x()) / ray.x();
        const bool has_side = end_ != FH_CHECK_POST_BEFORE && end_ != FH_CHECK_WARDROBE && ray.x() < 0;
        if (has_side && to_side < std::min(to_wall, to_floor)) return plain;
        const Eigen::Vector3d p = origin + std::min(to_wall, to_floor) * ray;
        if (to_floor < to_wall) return floor_.at(p.x(), p.z());
        if (end_ == FH_CHECK_FAINT_CREASE) return plain + faint_step;
        const bool is_dark = (end_ == FH_CHECK_WARDROBE && p.x() < end_x) || p.x() < lit_from();
        return is_dark ? plain : wall_.at(p.x(), p.y()) + 20;
    }

    /// Places of corners that the map knows, with which way they face.
    std::vector<MapPoint> points(uint64_t seed) const {
        RandomNumbers random(seed + 31);
        std::vector<MapPoint> points;
        const bool has_shadow = end_ == FH_CHECK_SHADOW;
        const double lit = std::max(end_x, lit_from());
        const double left = end_ == FH_CHECK_PLAIN_WALL || has_shadow ? lit : -2;
        // Where more than one in a hundred lies behind it, no crease is believed.
        const int count = has_shadow ? 9000 : 500, on_side = has_shadow ? 60 : 0;
        for (int i = 0; i < count; ++i) {
            add_point(i % 2 == 0 ? Eigen::Vector3d(random.uniform(left, 1), 0, random.uniform(wall_z, -0.7))
                                 : Eigen::Vector3d(random.uniform(lit, 1), random.uniform(0.3, 1.8), wall_z),
                      &random, &points);
        }
        for (int i = 0; i < on_side; ++i)
            add_point({end_x, random.uniform(0.3, 1.8), random.uniform(wall_z + 0.2, -1)}, &random, &points);
        return points;
    }

private:
    /// Where the shadow in the corner ends.
    double lit_from() const { return end_ == FH_CHECK_SHADOW ? end_x + shadow : -10; }
    static double to_post(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) {
        return (post_z - origin.z()) / ray.z();
    }

    Texture floor_, wall_;
    fh_check_wall_end end_;
};

/// A floor without texture before a textured wall with a skirting board, and a textured post that stands on it.
class RoomWithPlainFloor {
public:
    RoomWithPlainFloor(uint64_t seed, bool is_floor_textured)
        : wall_(seed, 0.02, 3, 25), post_(seed + 7, 0.02, 3, 40), is_floor_textured_(is_floor_textured) {}

    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const Eigen::Vector3d at_post = origin + (post_z - origin.z()) / ray.z() * ray;
        const double to_wall = (wall_z - origin.z()) / ray.z();
        const double to_floor = ray.y() < 0 ? -origin.y() / ray.y() : to_wall + 1;
        if (at_post.y() > 0 && at_post.y() < post_height && std::abs(at_post.x() - post_x) < half_post)
            return post_.at(at_post.x(), at_post.y()) - 40;
        const Eigen::Vector3d p = origin + std::min(to_wall, to_floor) * ray;
        if (to_floor < to_wall) return is_floor_textured_ ? post_.at(p.x(), p.z()) - 30 : plain;
        return p.y() < board_height ? skirting : wall_.at(p.x(), p.y()) + 20;
    }

    std::vector<MapPoint> points(uint64_t seed) const {
        RandomNumbers random(seed + 31);
        std::vector<Eigen::Vector3d> places;
        for (int i = 0; i < 300; ++i) places.emplace_back(random.uniform(-1, 1), random.uniform(0.2, 1.8), wall_z);
        for (int i = 0; i < 60; ++i)
            places.emplace_back(post_x + random.uniform(-half_post, half_post), random.uniform(0, post_height), post_z);
        for (int i = 0; is_floor_textured_ && i < 200; ++i)
            places.emplace_back(random.uniform(-1, 1), 0, random.uniform(wall_z, -0.7));
        std::vector<MapPoint> points;
        for (const Eigen::Vector3d &place : places) add_point(place, &random, &points);
        return points;
    }

private:
    static constexpr double post_x = 0.4, half_post = 0.06, post_height = 0.8, board_height = 0.1, skirting = 150;

    Texture wall_, post_;
    bool is_floor_textured_;
};

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_crease(uint64_t seed, fh_check_wall_end end, int32_t is_bent, double *out_views, double *out_error) {
    if (out_views == nullptr || out_error == nullptr) return -1;
    const WallWithEnd room(seed, end);
    const CameraModel camera = lens(is_bent != 0);
    const Walk walk(room, camera, seed, 8);
    const cv::Mat hidden(camera.height, camera.width, CV_8U, cv::Scalar(0));
    const Eigen::Vector3d origin(0.2, 1, wall_z);
    CreaseVotes votes;
    const CreaseSweep sweep = {true, -2, -0.5, -0.6, 0.6};
    for (const KeyframeView &view : walk.keyframes) {
        const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
        const LocalFrame frame = {camera_from_world * (origin - view.camera_in_world),
                                  camera_from_world * Eigen::Vector3d::UnitX(),
                                  camera_from_world * -Eigen::Vector3d::UnitY()};
        // Who is asked twice answers once.
        for (int i = 0; i < 2; ++i) votes.add(view, frame, {&sweep, 1}, 2.5, noise, hidden);
    }
    const auto crease = votes.strongest(-2, -0.5, 0.7, 3);
    *out_views = crease ? crease->views : 0;
    *out_error = crease ? std::abs(crease->place + origin.x() - end_x) : 0;
    return 0;
}

int32_t fh_check_wall_at_crease(uint64_t seed, fh_check_wall_end end, fh_check_side_wall *out_wall) {
    if (out_wall == nullptr) return -1;
    *out_wall = {};
    const WallWithEnd room(seed, end);
    const Walk walk(room, lens(false), seed, 18);
    for (const Surface &surface : surfaces_of(walk, room.points(seed))) {
        if (std::abs(surface.normal.x()) < 0.7) continue;
        ++out_wall->to_the_side;
        const double offset = std::abs(surface.normal.dot(surface.origin_in_world) - end_x * surface.normal.x());
        if (offset > 0.1) continue;
        out_wall->is_found = 1;
        out_wall->degrees = angle_between(surface.normal, Eigen::Vector3d::UnitX()) / degree;
        out_wall->offset_m = offset;
        out_wall->area_m2 = surface.area;
        constexpr int steps = 40;
        int inside = 0, right = 0;
        const PolygonRows outline(surface.boundary);
        for (int i = 0; i < steps; ++i) {
            for (int j = 0; j < steps; ++j) {
                const Eigen::Vector2d place((i + 0.5) / steps - 0.5, (j + 0.5) / steps - 0.5);
                const Eigen::Vector2d local = surface.center + place.cwiseProduct(surface.extent);
                if (!outline.contains(local)) continue;
                const Eigen::Vector3d p = surface.to_world(local);
                ++inside;
                right += p.y() > -0.02 && p.z() > wall_z - 0.02;
            }
        }
        out_wall->share_inside = inside > 0 ? static_cast<double>(right) / inside : 0;
    }
    return 0;
}

int32_t fh_check_floor_at_crease(uint64_t seed, int32_t is_textured, fh_check_floor *out_floor) {
    if (out_floor == nullptr) return -1;
    *out_floor = {};
    const RoomWithPlainFloor room(seed, is_textured != 0);
    const Walk walk(room, lens(false), seed, 18, 0, 22);
    for (const Surface &surface : surfaces_of(walk, room.points(seed))) {
        if (surface.normal.y() < 0.7) continue;
        ++out_floor->facing_up;
        out_floor->height_m = std::abs(surface.to_world(surface.center).y());
        out_floor->degrees = angle_between(surface.normal, Eigen::Vector3d::UnitY()) / degree;
        out_floor->area_m2 = surface.area;
    }
    return 0;
}
