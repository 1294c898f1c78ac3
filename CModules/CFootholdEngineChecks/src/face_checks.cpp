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

constexpr double wall_z = -2, half_width = 0.25;
/// Of the board and its legs, metres.
constexpr double thickness = 0.02, leg = 0.02;
/// Grey levels of what is plain.
constexpr double front_luma = 105, side_luma = 85, top_luma = 170, wall_luma = 150;
/// That a tracker follows: of each that doesn't hang a byte is saved.
constexpr size_t most_surfaces = 64;

/// A box, a board on legs or a cabinet, askew on a textured floor before a textured wall. World +Y up.
class RoomWithTop {
public:
    RoomWithTop(uint64_t seed, fh_check_body body)
        : floor_(seed, 0.02, 3, 40),
          wall_(seed + 7, 0.02, 3, 30),
          top_(seed + 11, 0.015, 3, 30),
          label_(seed + 13, 0.015, 2, 70),
          body_(body),
          height_(body >= FH_CHECK_CABINET ? 0.8 : 0.4),
          depth_(body == FH_CHECK_CARTON    ? 0.07
                 : body == FH_CHECK_CABINET ? 0.2
                                            : 0.4) {}

    static Eigen::Vector3d outward() { return {std::sin(10 * degree), 0, std::cos(10 * degree)}; }
    static Eigen::Vector3d along() { return Eigen::Vector3d::UnitY().cross(outward()); }
    double height() const { return height_; }
    /// Of the front's upper edge.
    Eigen::Vector3d middle() const { return {0.05, height_, -0.9}; }

    double brightness(const Eigen::Vector3d &origin, const Eigen::Vector3d &ray) const {
        const double to_wall = (wall_z - origin.z()) / ray.z();
        double nearest = to_wall, luma = 0;
        const Eigen::Vector3d on_wall = origin + to_wall * ray;
        luma = body_ == FH_CHECK_CARTON ? wall_luma : wall_.at(on_wall.x(), on_wall.y()) + 20;
        const auto take = [&](double length, double brightness) {
            if (length <= 0 || length >= nearest) return;
            nearest = length;
            luma = brightness;
        };
        if (ray.y() < 0) {
            const double length = -origin.y() / ray.y();
            const Eigen::Vector3d p = origin + length * ray;
            take(length, floor_.at(p.x(), p.z()) - 20);
            const double to_top = (height_ - origin.y()) / ray.y();
            const Eigen::Vector2d t = local(origin + to_top * ray);
            const bool is_on_top = std::abs(t.x()) < half_width && t.y() > 0 && t.y() < depth_;
            if (is_on_top && body_ != FH_CHECK_SCREEN) take(to_top, on_top(t.x(), t.y()));
        }
        // The front and the right side of the box, or of the board and its legs.
        const double to_front = outward().dot(middle() - origin) / outward().dot(ray);
        const Eigen::Vector3d f = origin + to_front * ray;
        const double side = along().dot(f - middle()), up = f.y();
        const bool is_leg = std::abs(side) > half_width - leg;
        const bool is_there = body_ != FH_CHECK_BOARD || up > height_ - thickness || is_leg;
        if (std::abs(side) < half_width && up > 0 && up < height_ && is_there) take(to_front, on_front(side, up));
        const Eigen::Vector3d corner = middle() + half_width * along();
        const double to_side = along().dot(corner - origin) / along().dot(ray);
        const Eigen::Vector3d s = origin + to_side * ray;
        const double back = -outward().dot(s - middle());
        if (has_sides() && back > 0 && back < depth_ && s.y() > 0 && s.y() < height_) take(to_side, side_luma);
        return luma;
    }

    /// On the floor, the wall, and the front or else the top.
    std::vector<MapPoint> points(uint64_t seed, bool on_its_front) const {
        RandomNumbers random(seed + 31);
        std::vector<MapPoint> points;
        for (int i = 0; i < 600; ++i) {
            const double across = random.uniform(-half_width, half_width), back = random.uniform(0, depth_);
            const Eigen::Vector3d on_floor(random.uniform(-1, 1), 0, random.uniform(-0.85, -0.2));
            const Eigen::Vector3d on_top = middle() + across * along() - back * outward();
            const double down = 0.7 * height_ * back / depth_;
            const Eigen::Vector3d on_front = middle() + across * along() - down * Eigen::Vector3d::UnitY();
            const Eigen::Vector3d on_wall(random.uniform(-1, 1), random.uniform(0.6, 1.8), wall_z);
            const Eigen::Vector3d &on_it = on_its_front ? on_front : on_top;
            add_point(i % 3 == 0 ? on_floor : i % 3 == 1 ? on_it : on_wall, &random, &points);
        }
        return points;
    }

    /// Across the front from its middle, and back from its upper edge.
    Eigen::Vector2d local(const Eigen::Vector3d &p) const {
        return {along().dot(p - middle()), -outward().dot(p - middle())};
    }

    bool is_front(const Surface &surface) const {
        const Eigen::Vector2d place = local(surface.to_world(surface.center));
        return std::abs(surface.normal.y()) < 0.3 && std::abs(place.x()) < half_width && std::abs(place.y()) < 0.3;
    }

    bool is_top(const Surface &surface) const {
        const Eigen::Vector3d at = surface.to_world(surface.center);
        const Eigen::Vector2d place = local(at);
        return surface.normal.y() > 0.9 && at.y() > 0.5 * height_ && std::abs(place.x()) < half_width &&
               place.y() > -0.1 && place.y() < depth_ + 0.3;
    }

private:
    bool has_sides() const { return body_ != FH_CHECK_BOARD && body_ != FH_CHECK_SCREEN; }

    bool is_printed() const { return body_ >= FH_CHECK_CABINET; }

    double on_front(double side, double up) const {
        if (is_printed()) return label_.at(side, up) + 10;
        const bool is_large = body_ == FH_CHECK_BOX, has_label = body_ != FH_CHECK_BOARD;
        const bool is_beside = std::abs(side + 0.05) > (is_large ? 0.15 : 0.06);
        const bool is_label = has_label && !is_beside && std::abs(up - 0.22) < (is_large ? 0.1 : 0.04);
        return is_label ? label_.at(side, up) + 30 : front_luma;
    }

    double on_top(double side, double back) const {
        const bool is_label = std::abs(side + 0.05) < 0.06 && std::abs(back - 0.1) < 0.04;
        return is_printed() && !(body_ == FH_CHECK_CABINET && is_label) ? top_luma : top_.at(side, back) + 20;
    }

    Texture floor_, wall_, top_, label_;
    fh_check_body body_;
    double height_, depth_;
};

/// Nothing before the front, and the floor and the wall behind it.
FaceScene scene_of(const RoomWithTop &room, const Walk &walk) {
    FaceScene scene;
    scene.views = walk.keyframes;
    scene.noise = noise;
    const Eigen::Vector3d camera = walk.keyframes.back().camera_in_world;
    scene.distance = (camera - room.middle()).norm();
    scene.is_hidden = [](const Eigen::Vector3d &, const Eigen::Vector3d &) { return false; };
    scene.behind = [camera](const Eigen::Vector3d &ray) {
        const double to_wall = (wall_z - camera.z()) / ray.z();
        return ray.y() < 0 ? std::min(to_wall, -camera.y() / ray.y()) : to_wall;
    };
    scene.beyond.push_back({Eigen::Vector3d::UnitY(), 0});
    return scene;
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

/// What a tracker tells of the front, from points on the top, or of the top from points on the front.
int32_t tell(uint64_t seed, fh_check_body body, bool is_front, bool is_saved, fh_check_told_face *out_face) {
    *out_face = {};
    const RoomWithTop room(seed, body);
    const Walk walk(room, lens(false), seed, 18, 0, 35);
    const auto is_near = [&](const Surface &surface) {
        return is_front ? room.is_front(surface) : room.is_top(surface);
    };
    const Eigen::Vector3d facing = is_front ? RoomWithTop::outward() : Eigen::Vector3d::UnitY();
    int keyframes = 0;
    bool is_kept = true;
    const auto surfaces = surfaces_of(walk, room.points(seed, !is_front), [&](SurfaceTracker &tracker) {
        ++keyframes;
        const auto told = tracker.surfaces();
        if (out_face->keyframes > 0 || std::none_of(told.begin(), told.end(), is_near)) return;
        out_face->keyframes = keyframes;
        if (is_saved) is_kept = save_and_load(&tracker, &out_face->hangs);
    });
    if (!is_kept) return -2;
    for (const Surface &surface : surfaces) {
        if (!is_near(surface)) continue;
        ++out_face->count;
        out_face->degrees = angle_between(surface.normal, facing) / degree;
        out_face->offset_m = std::abs(surface.normal.dot(room.middle() - surface.origin_in_world));
        out_face->area_m2 = surface.area;
    }
    return 0;
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
    supposed.middle = room.middle();
    supposed.outward = RoomWithTop::outward();
    supposed.length = 2 * half_width;
    supposed.height = room.height();
    const FaceScene scene = scene_of(room, walk);
    const auto found =
        find_face(scene, supposed.moved(supposed_before_m, supposed_turned_degrees * degree), 0.05 * scene.distance);
    if (!found) return 0;
    out_front->speaks_for = found->look.speaks_for() ? 1 : 0;
    out_front->degrees = angle_between(found->face.outward, RoomWithTop::outward()) / degree;
    out_front->offset_m = std::abs(RoomWithTop::outward().dot(found->face.at(0, 0.5) - room.middle()));
    out_front->length_m = found->face.length;
    out_front->height_m = found->face.height;
    out_front->misfit = found->look.misfit;
    out_front->certainty = found->look.certainty();
    return 0;
}

int32_t fh_check_front_is_told(uint64_t seed, fh_check_body body, int32_t is_saved, fh_check_told_face *out_front) {
    return out_front == nullptr ? -1 : tell(seed, body, true, is_saved != 0, out_front);
}

int32_t fh_check_top_is_told(uint64_t seed, fh_check_body body, int32_t is_saved, fh_check_told_face *out_top) {
    return out_top == nullptr ? -1 : tell(seed, body, false, is_saved != 0, out_top);
}
