// A surface with everything that keeps it alive: its plane, its evidence, the points that carry it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surfaces/crease_votes.h"
#include "surfaces/edge_votes.h"
#include "surfaces/evidence_grid.h"
#include "surfaces/face_look.h"
#include "surfaces/local_frame.h"
#include "surfaces/plane_fit.h"
#include "surfaces/polygon_rows.h"
#include "surfaces/surface.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// A point that lies on the surface, and where it lay in the local frame at the last update.
struct SurfaceMember {
    int64_t point_id = 0;
    Eigen::Vector2d local = Eigen::Vector2d::Zero();
};

/// Along one axis.
struct Span {
    double low = 0, high = 0;

    double middle() const { return 0.5 * (low + high); }
    double length() const { return high - low; }
};

class TrackedSurface {
public:
    /// The local x axis is the camera's right side laid onto the plane (horizontal for upright planes).
    TrackedSurface(const PlaneFit &fit, const PlaneFit &free_fit, GravityConstraint constraint,
                   const Eigen::Vector3d &camera_right, const Eigen::Vector3d &up, double distance);

    const Plane &plane() const { return fit_.plane; }
    const PlaneFit &fit() const { return fit_; }
    const PlaneFit &free_fit() const { return free_fit_; }
    GravityConstraint constraint() const { return constraint_; }

    Eigen::Vector2d to_local(const Eigen::Vector3d &point) const { return shown.to_local(point); }

    LocalFrame frame_in(const KeyframeView &view) const;

    /// True when the local point lies in the outline.
    bool holds(const Eigen::Vector2d &local) const { return rows_.contains(local); }
    /// True when the local point lies in the outline or within `margin` of it.
    bool is_near_outline(const Eigen::Vector2d &local, double margin) const;

    void sort_members();
    /// Where its members, of which there must be some, lie along local x (0) or z (1), but for this share of them at
    /// either end.
    Span span_of_members(int axis, double left_out) const;
    /// How far it may go on over what is plain: beyond an upright strip, as a table's apron is, no farther than that is
    /// wide, since what shows below it is mostly the floor; infinite for others.
    double most_reach() const;
    bool has_member(int64_t point_id) const;

    /// Moves the frame with the members that are still in the map (bundle adjustment moves whole regions a little).
    /// `index_of(id)` gives a point's index or -1.
    template <typename IndexOf>
    void follow_members(std::span<const SurfacePoint> points, IndexOf index_of) {
        std::vector<Eigen::Vector2d> before, after;
        for (const SurfaceMember &member : members) {
            const int index = index_of(member.point_id);
            if (index < 0) continue;
            before.push_back(member.local);
            after.push_back(to_local(points[index].position));
        }
        slide_frame(before, after);
    }

    /// Takes a new fit; `gain` 0…1 says how much of the way to go.
    void move_to(const PlaneFit &fit, const PlaneFit &free_fit, GravityConstraint constraint, double gain);

    /// Turns the axes of an upright surface to where x is level by what is known of `up` now (its deviation in
    /// radians): creases are looked for along them, and legs are as wide as they say.
    void level_axes(const Eigen::Vector3d &up, double up_sigma);

    /// Traces the outline again. It ends where it meets one of `others` (which may hold this surface too) that is
    /// confirmed and reaches across. A picture, if given, says where the edges of small surfaces run.
    void update_outline(std::span<const TrackedSurface> others, const KeyframeView *view = nullptr);

    /// Relative to distance²: what is smaller errors don't bend.
    static constexpr double hardly_bent = 0.08;
    /// Relative to distance: what is shallower behind a frame is the inside of a shelf.
    static constexpr double deeper_than_shelves = 0.25;
    /// What lies so far behind an upright surface and is seen at that place of it is seen in a mirror or through a
    /// window: these have wall on both sides and below, which is where its z axis points; a door has none below.
    bool frames(const Eigen::Vector2d &place, double behind) const;

    /// So small that errors that its points share don't bend it.
    bool is_hardly_bent() const { return shown.area < hardly_bent * distance * distance; }

    /// Nothing but its crease with another surface tells where it is: it has no points that would.
    bool is_told_by_crease() const { return is_told_by_pictures() && !hanging; }

    /// Nothing but the edge that it hangs from, and pictures that agree there, tell where it is.
    bool hangs() const { return is_told_by_pictures() && hanging; }

    /// Either of these: no points tell its plane.
    bool is_told_by_pictures() const { return most_fitted == 0; }

    /// Reaches as far as this says, where it has corners, until its outline is traced again.
    void take_outline(const Outline &outline);

    /// Takes in how the surface looks at this update. `noise_scale` is what residuals of surfaces that are known have.
    void update_belief(double noise_scale);
    /// 0…1: how likely it is a real surface, after how often it was seen.
    double confidence() const;
    /// Log-odds of its being real, up to a constant, by what each of its points tells beyond chance, how it looks and
    /// how little else lies among them: a slice through a plant has many points that tell little.
    double say() const;

    /// Applies a change of the world's frame: x' = scale · rotation · x + translation.
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);

    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

    Surface shown;
    EvidenceGrid grid;
    EdgeVotes edges;
    /// Of a wall: where others meet it to either side, by local x, and the ceiling and the floor, by local z.
    CreaseVotes creases, level_creases;
    /// Where the surface was when these were asked for first.
    Plane crease_plane;
    /// Sorted by point id.
    std::vector<SurfaceMember> members;
    bool is_confirmed = false;
    /// Evidence for the surface's existence, in steps of one per update that saw it.
    int standing = 0;
    double log_false_alarms = 0;
    /// Typical distance of its points from the cameras.
    double distance = 1;
    int updates = 0;
    /// How many views see that crease now, and whose surface's it is.
    double crease_views = 0;
    int32_t crease_with = 0;
    /// The rectangle below a top's edge that it was found as.
    std::optional<HangingFace> hanging;
    /// It's large, or told by its crease, and hardly anything that is known lies behind it: others end there.
    bool bounds_place = false;
    /// How many points its plane was fitted to at most, since it was found or found anew.
    int most_fitted = 0;
    /// Few of these are left and hardly any of them in view: what isn't seen for some keyframes is forgotten, and the
    /// rest would tell the plane worse.
    bool is_left_behind = false;
    /// It touches something round: it's told of no more, but keeps its points, or others would touch the same thing.
    bool is_round = false;
    /// Of what is seen at its supported places, the share that lies behind it: a real surface hides that. Smoothed.
    double contradiction = 0;
    /// How often it looks like a slice through a cloud of points; smoothed, 0…1.
    double cloudiness = 0;
    /// How many other points are seen among its own, for each of these; smoothed, below 0 as long as nobody looked.
    double disorder = -1;
    /// Log-odds of its being a real surface, by how it looks; smoothed.
    double belief = 0;

private:
    /// Of the cells where it was seen; without what is only filled in.
    double supported_area() const;
    /// Of its supported cells, those more than `margin` before a plane.
    double share_before(const Plane &plane, double margin) const;
    void slide_frame(const std::vector<Eigen::Vector2d> &before, const std::vector<Eigen::Vector2d> &after);
    void align_frame();
    /// Whether it's time for a picture to say where the edges run, and it can.
    bool can_see_edges(const KeyframeView &view) const;
    /// The extent of a small surface with its edges where pictures show them.
    FineMask at_edges(FineMask extent, const KeyframeView *view);

    /// Of the outline.
    PolygonRows rows_;
    PlaneFit fit_;
    PlaneFit free_fit_;
    GravityConstraint constraint_ = GravityConstraint::none;
};

}  // namespace foothold
