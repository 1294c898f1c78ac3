#include "session/point_raycast.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/median.h"

namespace foothold {

PointRaycastHit raycast_points(const Map &map, const Eigen::Vector3d &origin, const Eigen::Vector3d &direction) {
    constexpr double kWidestSine = 0.14;  // 8° around the ray
    constexpr size_t kFewest = 6, kMost = 24;
    PointRaycastHit hit;
    struct Near {
        double sine, along;
        Eigen::Vector3d position;
    };
    std::vector<Near> near;
    for (const HostedPoint &point : map.points) {
        if (point.state != PointState::mature) continue;
        const Eigen::Vector3d position = map.position_in_world(point);
        const Eigen::Vector3d offset = position - origin;
        const double along = offset.dot(direction);
        if (along <= 0) continue;
        const double sine = (offset - along * direction).norm() / offset.norm();
        if (sine < kWidestSine) near.push_back({sine, along, position});
    }
    if (near.size() < kFewest) return hit;
    std::sort(near.begin(), near.end(), [](const Near &a, const Near &b) { return a.sine < b.sine; });
    if (near.size() > kMost) near.resize(kMost);
    // What stands in front hides what is behind: keep the depth that most of the nearest points agree on.
    std::vector<double> depths;
    for (const Near &n : near) depths.push_back(n.along);
    const double typical = median(depths);
    std::erase_if(near, [&](const Near &n) { return std::abs(n.along - typical) > 0.25 * typical; });
    if (near.size() < kFewest) return hit;
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const Near &n : near) mean += n.position;
    mean /= static_cast<double>(near.size());
    Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
    for (const Near &n : near) scatter += (n.position - mean) * (n.position - mean).transpose();
    scatter /= static_cast<double>(near.size());
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scatter);
    const double thickness = std::sqrt(std::max(0.0, eigen.eigenvalues()[0]));
    const double width = std::sqrt(std::max(0.0, eigen.eigenvalues()[1]));
    if (width < 1e-6 || thickness > 0.35 * width || thickness > 0.03 * typical) return hit;
    Eigen::Vector3d normal = eigen.eigenvectors().col(0);
    if (normal.dot(direction) > 0) normal = -normal;
    const double slope = normal.dot(direction);
    if (slope > -0.12) return hit;
    const double distance = (mean - origin).dot(normal) / slope;
    if (!(distance > 0.5 * typical && distance < 2 * typical)) return hit;
    hit.found = true;
    hit.distance = distance;
    hit.position = origin + distance * direction;
    hit.normal = normal;
    hit.confidence = std::clamp(static_cast<double>(near.size()) / kMost * (1 - thickness / (0.35 * width)), 0.05, 0.9);
    return hit;
}

}  // namespace foothold
