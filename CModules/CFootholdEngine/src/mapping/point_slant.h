// The plane around a point of the map, which says how its patch changes with the view.
//
// A plane is a vector here, in a camera's axes: what lies on it has plane · p = 1, so that plane · (x, y, 1) is its
// inverse depth at a place of the normalised picture. One through the camera's centre has none.
#pragma once

#include <Eigen/Core>

#include "geometry/se3.h"
#include "mapping/map.h"

namespace foothold {

/// The plane around a point, in its host's axes.
Eigen::Vector3d plane_around(const HostedPoint &point, const Eigen::Vector3d &host_bearing);

/// The same plane in another camera's axes; not finite where it goes through that one's centre.
Eigen::Vector3d plane_from(const Eigen::Vector3d &plane, const SE3 &camera_from_other);

/// The slant of a point that its host sees at `host_bearing` (z = 1), on a plane of whatever length.
Eigen::Vector2d slant_of(const Eigen::Vector3d &plane, const Eigen::Vector3d &host_bearing);

}  // namespace foothold
