// Where a ray meets something real when no surface is known there: a plane through the points around the ray.
#pragma once

#include <Eigen/Core>
#include <span>

#include "depth/depth_point.h"
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

/// A plane through the map's points and the `dense` ones near the ray: of the distance that most of them agree on, the
/// nearer to the ray the more they say (least squares over what lies on the plane, three rounds). `direction` has
/// length one. Not found where points are few or don't lie in a plane.
PointRaycastHit raycast_points(const Map &map, std::span<const DepthPoint> dense, const Eigen::Vector3d &origin,
                               const Eigen::Vector3d &direction);

}  // namespace foothold
