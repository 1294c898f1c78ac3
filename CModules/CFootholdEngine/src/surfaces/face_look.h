// Faces that go on from the edges of known surfaces at right angles, and what pictures say of them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/plane_fit.h"

namespace foothold {

/// A rectangle that hangs from an edge: a side below a top's, or what goes back from a front's, its top or a side.
struct HangingFace {
    /// Of that edge.
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    /// Unit vectors: the way it faces, and the way to the edge, which is up, or where the front faces.
    Eigen::Vector3d outward = Eigen::Vector3d::UnitZ(), up = Eigen::Vector3d::UnitY();
    double length = 0, height = 0;
    /// The surface whose edge it hangs from.
    int32_t of = 0;

    /// Else it goes back. What hangs down may be turned about the way up, so that it isn't where the edge seems to be.
    bool hangs_down(const Eigen::Vector3d &up_in_world) const { return up.dot(up_in_world) > 0.7; }

    /// Unit vector along the edge, to the right of who looks at the face.
    Eigen::Vector3d along() const;
    Plane plane() const { return {outward, outward.dot(middle)}; }
    /// `side` −0.5…0.5 along the edge, `down` 0…1 from the edge to the lower end.
    Eigen::Vector3d at(double side, double down) const;
    /// The one that lies so far outwards and is turned by this much about its edge's middle.
    HangingFace moved(double outwards, double radians) const;
    /// Applies a change of the world's frame: x' = scale · rotation · x + translation.
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);
};

/// What faces are looked for in.
struct FaceScene {
    /// At the same scale; the last is the one that is asked, the others are compared with it.
    std::span<const KeyframeView> views;
    /// Of the pictures, grey levels.
    double noise = 1;
    /// From the last view, metres.
    double distance = 1;
    Eigen::Vector3d up_in_world = Eigen::Vector3d::UnitY();
    /// Whether something that is known hides a place from a camera.
    std::function<bool(const Eigen::Vector3d &camera, const Eigen::Vector3d &place)> is_hidden;
    /// How far the nearest that is known lies behind a place of a face, along a ray (times its length) from the last
    /// view; 0 for nothing.
    std::function<double(const Eigen::Vector3d &ray)> behind;
    /// What is level and lies below the edge, or upright and behind what goes back from it, wherever that ends: under a
    /// table the floor is seen.
    std::vector<Plane> beyond;
};

/// How well pictures agree where a face is supposed to be.
struct FaceLook {
    static constexpr double endless = std::numeric_limits<double>::infinity();

    struct Place {
        double side = 0, down = 0;
        /// As below, of this place alone; negative where no other view shows it.
        double misfit = -1;
    };

    /// Mean squared difference of the pictures, in variances of what noise explains (outliers counting 6): 1 where the
    /// face is there.
    double misfit = 0;
    /// By how much more they differ, in the mean, if what is seen is something else: what the edge is of going on, what
    /// lies behind or below, or the same face before, behind or turned; the least of these.
    double lead = 0;
    /// The same of the part of the face, a sixth of its length, that says least against what lies behind or below:
    /// between the legs of a table the floor is seen.
    double least_of_parts = 0;
    /// The same as `lead`, without what the edge is of, of each third of what goes back, from its edge on. Of what
    /// hangs down, which ends at what it stands on, infinite.
    std::array<double, 3> leads_of_thirds = {endless, endless, endless};
    /// Pairs of pixels that were compared.
    int samples = 0;
    /// Of the last view: what isn't hidden there.
    std::vector<Place> places;

    double certainty() const;
    /// How much of its depth pictures tell: before a plain wall the wall looks like a top that goes on.
    double share_told() const;
    /// Pictures agree there, and clearly less about everything else.
    bool speaks_for() const;
    /// They don't agree, or something else explains them clearly better.
    bool speaks_against() const;
};

/// Sine: who sees a face under a flatter angle says nothing of it.
constexpr double flattest_face = 0.12;

/// Sees the face from its front.
bool is_seen_from(const KeyframeView &view, const HangingFace &face);

/// How far a view lies from the last one, relative to distance.
inline double parallax(const KeyframeView &view, const FaceScene &scene) {
    return (view.camera_in_world - scene.views.back().camera_in_world).norm() / scene.distance;
}

/// Views other than the last, evenly from all that see the face and tell something.
std::vector<const KeyframeView *> others_of(const FaceScene &scene, const HangingFace &face);

/// Nothing where too little of it is seen.
std::optional<FaceLook> look_at(const FaceScene &scene, const HangingFace &face);

/// The same without what else it might be: its lead is 0.
std::optional<FaceLook> misfit_at(const FaceScene &scene, const HangingFace &face);

}  // namespace foothold
