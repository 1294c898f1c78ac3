#include "face_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "painted_room.h"
#include "persistence/archive.h"
#include "surfaces/face_search.h"
#include "walks.h"

namespace foothold::checks {
namespace {

constexpr double wall_z = -2, half_width = 0.25, height = 0.4, depth = 0.4;
/// Of the board and its legs, metres.
constexpr double thickness = 0.02, leg = 0.02;
/// Grey levels of what is plain.
constexpr double front_luma = 105, side_luma = 85;
/// That a tracker follows: of each that doesn't hang a byte is saved.
constexpr size_t most_surfaces = 64;

/// A box, or a board on legs, askew on a textured floor before a textured wall. World +Y up.
class RoomWithTop {
public:
    RoomWithTop(uint64_t seed, fh_check_body body)
        : floor_(seed, 0.02, 3, 40),
          wall_(seed + 7, 0.02, 3, 30),
          top_(seed + 11, 0.015, 3, 30),
          label_(seed + 13, 0.015, 2, 70),
          body_(body) {}

    static Eigen::Vector3d outward() { return {std::sin(10 * degree), 0, std::cos(10 * degree)}; }
    static Eigen::Vector3d along() { return Eigen::Vector3d::UnitY().cross(outward()); }
    /// Of the front's upper edge.
    static Eigen::Vector3d middle() { return {0.05, height, -0.9}; }

    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const double to_wall = (wall_z - origin.z()) / ray.z();
        double nearest = to_wall, luma = 0;
        const Eigen::Vector3d on_wall = origin + to_wall * ray;
        luma = wall_.at(on_wall.x(), on_wall.y()) + 20;
        const auto take = [&](double length, double brightness) {
            if (length <= 0 || length >= nearest) return;
            nearest = length;
            luma = brightness;
        };
        if (ray.y() < 0) {
            const double length = -origin.y() / ray.y();
            const Eigen::Vector3d p = origin + length * ray;
            take(length, floor_.at(p.x(), p.z()) - 20);
            const double to_top = (height - origin.y()) / ray.y();
            const Eigen::Vector2d t = local(origin + to_top * ray);
            if (std::abs(t.x()) < half_width && t.y() > 0 && t.y() < depth) take(to_top, top_.at(t.x(), t.y()) + 20);
        }
        // The front and the right side of the box, or of the board and its legs.
        const double to_front = outward().dot(middle() - origin) / outward().dot(ray);
        const Eigen::Vector3d f = origin + to_front * ray;
        const double side = along().dot(f - middle()), up = f.y();
        const bool is_leg = std::abs(side) > half_width - leg;
        const bool is_there = body_ != FH_CHECK_BOARD || up > height - thickness || is_leg;
        if (std::abs(side) < half_width && up > 0 && up < height && is_there) take(to_front, on_front(side, up));
        const Eigen::Vector3d corner = middle() + half_width * along();
        const double to_side = along().dot(corner - origin) / along().dot(ray);
        const Eigen::Vector3d s = origin + to_side * ray;
        const double back = -outward().dot(s - middle());
        if (body_ != FH_CHECK_BOARD && back > 0 && back < depth && s.y() > 0 && s.y() < height)
            take(to_side, side_luma);
        return luma;
    }

    std::vector<MapPoint> points(uint64_t seed) const {
        RandomNumbers random(seed + 31);
        std::vector<MapPoint> points;
        for (int i = 0; i < 600; ++i) {
            const double across = random.uniform(-half_width, half_width), back = random.uniform(0, depth);
            const Eigen::Vector3d on_floor(random.uniform(-1, 1), 0, random.uniform(-0.85, -0.2));
            const Eigen::Vector3d on_top = middle() + across * along() - back * outward();
            const Eigen::Vector3d on_wall(random.uniform(-1, 1), random.uniform(0.6, 1.8), wall_z);
            add_point(i % 3 == 0 ? on_floor : i % 3 == 1 ? on_top : on_wall, &random, &points);
        }
        return points;
    }

    /// Across the front from its middle, and back from its upper edge.
    static Eigen::Vector2d local(const Eigen::Vector3d &p) {
        return {along().dot(p - middle()), -outward().dot(p - middle())};
    }

private:
    double on_front(double side, double up) const {
        const bool is_large = body_ == FH_CHECK_BOX, has_label = body_ != FH_CHECK_BOARD;
        const bool is_beside = std::abs(side + 0.05) > (is_large ? 0.15 : 0.06);
        const bool is_label = has_label && !is_beside && std::abs(up - 0.22) < (is_large ? 0.1 : 0.04);
        return is_label ? label_.at(side, up) + 30 : front_luma;
    }

    Texture floor_, wall_, top_, label_;
    fh_check_body body_;
};

/// Nothing before the front, and the floor and the wall behind it.
FaceScene scene_of(const Walk &walk) {
    FaceScene scene;
    scene.views = walk.keyframes;
    scene.noise = noise;
    const Eigen::Vector3d camera = walk.keyframes.back().camera_in_world;
    scene.distance = (camera - RoomWithTop::middle()).norm();
    scene.is_hidden = [](const Eigen::Vector3d &, const Eigen::Vector3d &) { return false; };
    scene.behind = [camera](const Eigen::Vector3d &ray) {
        const double to_wall = (wall_z - camera.z()) / ray.z();
        return ray.y() < 0 ? std::min(to_wall, -camera.y() / ray.y()) : to_wall;
    };
    scene.below.push_back({Eigen::Vector3d::UnitY(), 0});
    return scene;
}

bool is_near_front(const Surface &surface) {
    const Eigen::Vector2d place = RoomWithTop::local(surface.to_world(surface.center));
    return surface.normal.dot(RoomWithTop::outward()) > 0.7 && std::abs(place.x()) < half_width &&
           std::abs(place.y()) < 0.3;
}

/// Puts what was saved of a tracker in its place. Whether all surfaces are as they were; `out_hangs`: whether one
/// hangs.
bool save_and_load(SurfaceTracker *tracker, int32_t *out_hangs) {
    ArchiveWriter kept, edges, hanging;
    tracker->save(kept);
    tracker->save_edges(edges);
    tracker->save_hanging(hanging);
    SurfaceTracker again;
    ArchiveReader from_kept(kept.bytes()), from_edges(edges.bytes()), from_hanging(hanging.bytes());
    again.load(from_kept);
    again.load_edges(from_edges);
    again.load_hanging(from_hanging);
    const auto before = tracker->surfaces_by_evidence(), after = again.surfaces_by_evidence();
    const bool is_same =
        std::equal(before.begin(), before.end(), after.begin(), after.end(), [](const Surface &a, const Surface &b) {
            return a.id == b.id && (a.normal - b.normal).norm() < 1e-6 && std::abs(a.area - b.area) < 1e-6;
        });
    *out_hangs = hanging.bytes().size() > most_surfaces ? 1 : 0;
    const bool is_whole = from_hanging.is_sound() && from_hanging.is_at_end();
    *tracker = std::move(again);
    return is_same && is_whole;
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_front_below_edge(uint64_t seed, fh_check_body body, double supposed_before_m,
                                  double supposed_turned_degrees, fh_check_front *out_front) {
    if (out_front == nullptr) return -1;
    *out_front = {};
    const RoomWithTop room(seed, body);
    const Walk walk(room, lens(false), seed, 7, 0, 35);
    HangingFace supposed;
    supposed.middle = RoomWithTop::middle();
    supposed.outward = RoomWithTop::outward();
    supposed.length = 2 * half_width;
    supposed.height = height;
    const FaceScene scene = scene_of(walk);
    const auto found =
        find_face(scene, supposed.moved(supposed_before_m, supposed_turned_degrees * degree), 0.05 * scene.distance);
    if (!found) return 0;
    out_front->speaks_for = found->look.speaks_for() ? 1 : 0;
    out_front->degrees = angle_between(found->face.outward, RoomWithTop::outward()) / degree;
    out_front->offset_m = std::abs(RoomWithTop::outward().dot(found->face.at(0, 0.5) - RoomWithTop::middle()));
    out_front->length_m = found->face.length;
    out_front->height_m = found->face.height;
    out_front->misfit = found->look.misfit;
    out_front->certainty = found->look.certainty();
    return 0;
}

int32_t fh_check_front_is_told(uint64_t seed, fh_check_body body, int32_t is_saved, fh_check_told_front *out_front) {
    if (out_front == nullptr) return -1;
    *out_front = {};
    const RoomWithTop room(seed, body);
    const Walk walk(room, lens(false), seed, 18, 0, 35);
    int keyframes = 0;
    bool is_kept = true;
    const auto surfaces = surfaces_of(walk, room.points(seed), [&](SurfaceTracker &tracker) {
        ++keyframes;
        const auto told = tracker.surfaces();
        if (out_front->keyframes > 0 || std::none_of(told.begin(), told.end(), is_near_front)) return;
        out_front->keyframes = keyframes;
        if (is_saved) is_kept = save_and_load(&tracker, &out_front->hangs);
    });
    if (!is_kept) return -2;
    for (const Surface &surface : surfaces) {
        if (!is_near_front(surface)) continue;
        ++out_front->count;
        out_front->degrees = angle_between(surface.normal, RoomWithTop::outward()) / degree;
        out_front->offset_m = std::abs(surface.normal.dot(RoomWithTop::middle() - surface.origin_in_world));
        out_front->area_m2 = surface.area;
    }
    return 0;
}
