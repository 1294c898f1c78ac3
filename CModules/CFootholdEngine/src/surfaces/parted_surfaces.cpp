// Surfaces and dense points follow the keyframes that saw them.
#include <Eigen/Geometry>

#include "surfaces/parted_change.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {

namespace {

/// With fewer points, or points along a line, one keyframe's movement is the better one.
constexpr Eigen::Index kFewestMembers = 12;
constexpr double kLeastRoundness = 0.1;

/// How a surface moves as a whole when each of its points follows its own keyframe.
Similarity change_of(const TrackedSurface &surface, const PartedChange &change) {
    Eigen::Matrix3Xd before(3, surface.members.size()), after(3, surface.members.size());
    Eigen::Index count = 0;
    for (const SurfaceMember &member : surface.members) {
        const Similarity *part = change.of_point(member.point_id);
        if (part == nullptr) continue;
        const Eigen::Vector3d position = surface.shown.to_world(member.local);
        before.col(count) = position;
        after.col(count++) = *part * position;
    }
    const bool is_broad = surface.fit().minor_spread > kLeastRoundness * surface.fit().major_spread;
    if (count < kFewestMembers || !is_broad) return change.near(surface.shown.origin_in_world);
    const Eigen::Matrix4d fitted = Eigen::umeyama(before.leftCols(count), after.leftCols(count), true);
    Similarity result;
    result.scale = fitted.block<3, 1>(0, 0).norm();
    result.rotation = fitted.topLeftCorner<3, 3>() / result.scale;
    result.translation = fitted.topRightCorner<3, 1>();
    return result;
}

}  // namespace

void SurfaceTracker::transform_each(const PartedChange &change) {
    PartedChange with_dense = change;
    for (const DensePoint &point : state_->dense.points()) with_dense.add_point(point.id, point.host_id);
    for (TrackedSurface &surface : state_->tracked) {
        const Similarity moved = change_of(surface, with_dense);
        surface.transform(moved.scale, moved.rotation, moved.translation);
        state_->labelling.transform(surface.shown.id, moved.scale, moved.rotation, moved.translation);
    }
    state_->dense.transform_each(change);
    // They are found again in a keyframe or two.
    state_->supposed_faces.clear();
    state_->show_confirmed();
}

void DenseMap::transform_each(const PartedChange &change) {
    for (DensePoint &point : points_) {
        const Similarity *host = change.of_keyframe(point.host_id);
        point.transform(host != nullptr ? *host : change.near(point.host_in_world));
    }
}

}  // namespace foothold
