// What the tracker keeps, and the steps of an update.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "surfaces/dense_map.h"
#include "surfaces/face_search.h"
#include "surfaces/id_index.h"
#include "surfaces/plane_search.h"
#include "surfaces/seeded_random.h"
#include "surfaces/surface_labelling.h"
#include "surfaces/surface_tracker.h"
#include "surfaces/tracked_surface.h"

namespace foothold {

constexpr size_t most_surfaces = 32;
constexpr int highest_standing = 12;
/// Of what pictures tell, not points: how likely it is at first, and how much of the way to a new fit it goes.
constexpr double belief_in_told = 1.5, gain_of_told = 0.35;
constexpr int32_t unexplained = -1;
/// The owner of points that are no support for anything, yet no evidence of something new either.
constexpr int32_t set_aside = 0;
/// Natural logarithm of the number of false alarms below which a plane is worth a first look.
constexpr double meaningful = -7;
/// Relative to distance: two surfaces seen at the same place this close together are one, seen twice with errors.
constexpr double hardly_distinct = 0.02;

/// A point lies before or behind a plane, and not just by as much as is uncertain.
inline bool surely_off(const SurfacePoint &point, const Plane &plane, double noise_scale) {
    const double least = 0.01 * point.distance, off = std::abs(plane.distance(point.position));
    // The cheap bound first.
    return off >= least && off >= 2 * inlier_tolerance(point, plane.normal, noise_scale) + least;
}

/// A point lies behind a plane, and not just by as much as is uncertain.
inline bool surely_behind(const SurfacePoint &point, const Plane &plane, double noise_scale) {
    // Most points lie before most planes.
    return plane.distance(point.position) < 0 && surely_off(point, plane, noise_scale);
}

class BlankRegions;
class SurfaceSight;

struct SurfaceTracker::State {
    std::vector<TrackedSurface> tracked;
    std::vector<Surface> shown;
    std::vector<SurfaceEvent> events;
    int32_t next_id = 1;
    SeededRandom random{0x5EED};
    double noise_scale = 1;
    size_t next_reconsidered = 0, next_edge_of_top = 0, next_edge_of_front = 0;
    int64_t probings = 0, updates = 0;
    DenseMap dense;
    /// What the pictures tell of outlines.
    SurfaceLabelling labelling;
    /// What they tell in a review; nothing until it gets so far.
    std::optional<SurfaceLabelling> reviewed_labelling;
    std::vector<Plane> reviewed_bounds;
    /// By keyframe: its depth as a review leaves it, until its picture is labelled once more.
    std::unordered_map<int64_t, KeptDepth> reviewed_depths;

    /// What pictures may show below the edge of a top, how many looks spoke for it, and how many said nothing.
    struct SupposedFace {
        HangingFace face;
        int standing = 0, unclear = 0;
    };
    std::vector<SupposedFace> supposed_faces;

    // Of the update under way.
    const MapView *view = nullptr;
    /// The newest picture is labelled.
    bool has_labels = false;
    /// The place of the next part; past the last when nothing is left.
    size_t next_part = parts.size();
    /// Directions that upright things are likely to face.
    std::vector<Eigen::Vector3d> uprights;
    /// The map's points, then the dense ones.
    std::vector<SurfacePoint> points;
    IdIndex index_of_id;
    /// By place in `dense.points()`: the index of each, or -1 where it's known too badly.
    std::vector<int> index_of_dense;

    /// Indices of all points by their owners, ascending.
    using Owned = std::unordered_map<int32_t, std::vector<int>>;
    Owned points_by_owner() const;
    /// Of those that one of these owns.
    std::vector<int> points_of(std::initializer_list<int32_t> owners) const;
    int index_of(int64_t id) const { return index_of_id.find(id); }

    // The parts of an update.
    struct Part {
        void (State::*step)();
        /// What it costs beside the others, as measured on recordings; and where no picture is labelled.
        int cost, cost_without_labels;
    };
    static const std::array<Part, 16> parts;
    /// The costs of those from one on to before another, added up.
    int cost_of_first(size_t count) const;

    void look();
    void compare() { dense.compare(); }
    void measure() { dense.measure(); }
    void refine();
    void revisit() { dense.revisit(view->keyframes.back()); }
    void find_pieces();
    void explain();
    void search() { search_new(*view); }
    void observe();
    void spread();
    void hang_faces();
    void trace();
    void settle();
    void begin_labels();
    void label();
    void show() { publish(*view); }

    void take_points(const MapView &view);
    /// Directions that upright things are likely to face.
    std::vector<Eigen::Vector3d> likely_uprights(const Eigen::Vector3d &up) const;
    void assign_points();
    /// Indices of the points that this keyframe sees.
    std::vector<int> seen_in(const KeyframeView &newest) const;
    void note_left_behind(const KeyframeView &newest, const Owned &all);
    void refit_surfaces(const MapView &view);
    /// Which way what faces up lies under what stands on it.
    void note_rests(const MapView &view);
    void deposit_evidence(const KeyframeView &newest);
    /// One a tracked surface.
    std::vector<SurfaceSight> sights_from(const KeyframeView &view) const;
    void note_seen_through(const KeyframeView &newest);
    void note_cells(const KeyframeView &newest);
    /// By place that outlines are probed at: the nearest point that is seen there, or -1.
    std::vector<int> nearest_seen(const KeyframeView &newest) const;
    void probe_outlines(const KeyframeView &newest);
    /// It's large, or told by its crease, and nearly all that is known lies before it.
    bool bounds_place(const TrackedSurface &surface) const;
    /// Those that do, by their places among the tracked.
    std::vector<int> bounds_of_place() const;
    std::vector<Plane> planes_of_bounds() const;
    /// How many points lie clearly behind a plane.
    int count_behind(const Plane &plane) const;
    void spread_over_blank(const KeyframeView &newest, const BlankRegions &regions);
    /// What is known along a plain region's border, by indices of dense points, tells that it's no part of a surface.
    bool is_denied_by(std::span<const int> border, const TrackedSurface &surface) const;
    /// Asks the newest picture where others meet the walls that bound the place.
    void note_creases(const KeyframeView &newest);
    /// Of what is known no more than this share lies behind the plane.
    bool ends_at(const Plane &plane, double most_behind) const;
    /// Points tell a level surface below which hardly anything is known.
    bool knows_floor() const;
    /// Walls, ceilings and floors that nothing but their creases tell: plain, and with nothing behind them.
    void add_walls_at_creases(const MapView &view, const BlankRegions &regions);
    /// What meets a known wall there, where that many views see the crease.
    void add_wall_at(const MapView &view, const Plane &plane, const Eigen::Vector3d &at, const TrackedSurface &wall,
                     double views, const BlankRegions &regions);
    /// The wall that it met isn't there any more, or views of that see no crease.
    bool lacks_crease(const TrackedSurface &surface) const;
    /// Through what only a crease tells a wall with points is seen that faces the same way, close behind: a shadow's
    /// edge was taken for the crease.
    bool stands_before_a_truer(const TrackedSurface &surface) const;
    /// What the place ends at beside a surface that its crease tells, seen from their front.
    std::vector<const TrackedSurface *> bounds_beside(const TrackedSurface &surface,
                                                      const Eigen::Vector3d &camera) const;
    /// The height below which hardly anything is known.
    double lowest_known() const;
    /// Evidence for a surface that its crease tells: squares of the newest picture that show it. Returns how many.
    int show_squares(const KeyframeView &newest, const BlankRegions &regions, TrackedSurface *surface);
    /// At the upright faces below the edges of tops that were found before.
    void look_at_hanging();
    /// From the edge of a surface that reaches so deep behind it.
    void hang_face(const HangingFace &supposed, double depth);
    /// From a top's edge down to what it stands on; 0 where nothing is known below it.
    double height_over_support(const TrackedSurface &top, const HangingFace &face) const;
    /// How far what goes back from an edge of a front, which is so wide, reaches: to the wall behind it, or as deep as
    /// such things are.
    double depth_behind(const TrackedSurface &front, double width, const HangingFace &face) const;
    FaceScene scene_of_face(const HangingFace &face) const;
    bool knows_face(const HangingFace &face, double distance) const;
    /// It has been seen often enough.
    void tell_of(SupposedFace &supposed, const FoundFace &found);
    void note_places(const FoundFace &found, TrackedSurface *surface);
    void judge_hanging(const MapView &view, TrackedSurface *surface);
    /// How little chance explains that points lie on a plane among these and those that nothing explains.
    double log_false_alarms_of(std::span<const int> owned, std::span<const int> open, const PlaneFit &fit) const;
    /// The points on a surface that its crease tells would tell it by themselves.
    bool has_points_of_its_own(std::span<const int> owned, std::span<const int> open, const TrackedSurface &surface,
                               const MapView &view) const;
    /// Whether what its crease tells is still believed.
    void judge_by_crease(const MapView &view, TrackedSurface *surface);
    void search_new(const MapView &view);
    /// Most of these lie beyond a surface that is known and isn't the one with this id, as the camera sees them.
    bool is_behind_known(std::span<const int> indices, int32_t id, const Eigen::Vector3d &camera) const;
    /// Some way behind each upright surface that the camera stands before and hardly anything that is known lies
    /// behind: what is seen there is a reflection, or so little of the next room that it can wait.
    std::vector<Plane> ends_of_place(const Eigen::Vector3d &camera) const;
    /// Most of these points lie behind one of them.
    bool is_beyond(std::span<const Plane> ends, std::span<const int> indices) const;
    /// A surface with more points than these, other than the one with this id, is hardly turned against their plane,
    /// and within its outline some of them lie before it and others behind; or it's turned a little more, and most of
    /// them lie on it.
    bool crosses_stronger(std::span<const int> indices, const Eigen::Vector3d &normal, int32_t id) const;
    void adopt(const PlaneCandidate &candidate, TrackedSurface &surface);
    void absorb(TrackedSurface &keeper, TrackedSurface &other);
    void merge_coplanar();
    /// A large surface and another on its plane, through whose gap nothing behind it is seen, or upright ones one on
    /// the other.
    bool are_pieces_of_one(const TrackedSurface &a, const TrackedSurface &b) const;
    void reconsider(const MapView &view);
    /// Parts surfaces that two planes explain clearly better: they keep the larger side.
    void split_at_steps(const MapView &view);
    void learn_noise();
    /// Takes in what of these points the camera sees at a surface's place: whether it looks like a slice through a
    /// cloud, and what else lies among its own.
    void note_clutter(std::span<const int> indices, const Eigen::Vector3d &camera, TrackedSurface *surface) const;
    /// An upright plane that touches a can or a bin: the points beside its own lie on a curve.
    bool is_side_of_round(const TrackedSurface &surface) const;
    /// What a metre is in the world's units as far as can be said: exactly, at most, or 0 where nothing is known.
    double estimated_metre(const MapView &view) const;
    /// Smaller things aren't told of.
    double least_area(const TrackedSurface &surface, const MapView &view) const;
    /// The same of what is so far away, and proven by many points or not.
    double least_area_at(double distance, bool is_proven, const MapView &view) const;
    /// It lies in the plane of a surface that is known, which it will most likely grow together with.
    bool may_be_part(const TrackedSurface &surface) const;
    /// A slope that two planes, level or upright, explain as well: the front of a table top and the rail below it.
    bool is_step(const TrackedSurface &surface, const MapView &view) const;
    bool is_convincing(const TrackedSurface &surface, const MapView &view) const;
    bool is_expected(const TrackedSurface &surface, const KeyframeView &view) const;
    void judge(const MapView &view);
    void publish(const MapView &view);
    /// What a review that nobody finished has left.
    void forget_review();
    /// Shows the confirmed surfaces as they are, by id.
    void show_confirmed();
    /// Those, as far as evidence alone reaches.
    std::vector<Surface> confirmed() const;
};

}  // namespace foothold
