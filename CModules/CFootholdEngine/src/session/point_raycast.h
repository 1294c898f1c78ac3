// Where a ray meets something real when no surface is known there: a plane through the map's points around the ray.
#pragma once

#include <Eigen/Core>

#include "mapping/map.h"

namespace foothold {

struct PointRaycastHit {
    bool found = false;
    double distance = 0;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    /// Towards the ray's origin.
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    /// 0…1.
    double confidence = 0;
};

/// `direction` has length one. Not found where the points around the ray are few or don't lie in a plane.
PointRaycastHit raycast_points(const Map &map, const Eigen::Vector3d &origin, const Eigen::Vector3d &direction);

}  // namespace foothold
