// Where a surface's places lie in a camera's axes.
#pragma once

#include <Eigen/Core>

namespace foothold {

/// Where local (x, z) of a surface lies in a camera's axes: origin + x · x axis + z · z axis.
struct LocalFrame {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero(), x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();

    Eigen::Vector3d at(const Eigen::Vector2d &local) const { return origin + local.x() * x + local.y() * z; }
};

}  // namespace foothold
