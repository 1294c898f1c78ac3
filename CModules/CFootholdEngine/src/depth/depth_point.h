// A point whose place is known, as the depth picture takes it.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace foothold {

struct DepthPoint {
    Eigen::Vector3d position_in_world = Eigen::Vector3d::Zero();
    /// Unit vector to where it was seen from.
    Eigen::Vector3f to_viewers = Eigen::Vector3f::UnitZ();
    /// Standard deviation of its distance, as a share of it.
    float relative_sigma = 0;
    /// Keyframes since it was last seen; 0 is as good as seen now.
    int32_t keyframes_unseen = 0;
};

}  // namespace foothold
