#include "session/point_raycast.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace foothold {

namespace {

// Sines of angles around the ray: no point further away is asked, and where points are dense only the nearest.
constexpr double kWidest = 0.14, kNarrow = 0.02;
constexpr size_t kFewest = 6, kEnough = 14, kMost = 40;
/// What was seen from this far round shows another side (cosine).
constexpr double kSameSide = 0.2;
/// Of its distance: what counts as of one depth, what lies on a plane, and how thick a plane may be.
constexpr double kSameDepth = 0.06, kOnPlane = 0.012, kThickest = 0.02;
constexpr double kFlattest = 0.12;
/// Of the points near the ray, those that must lie on it: among leaves some always do.
constexpr double kLeastShare = 0.45;
constexpr int kRounds = 3;

struct Near {
    double sine, along, weight;
    Eigen::Vector3d position;
};

/// The distance that most of the points near the ray agree on, the nearer to it the more they say.
double agreed_distance(const std::vector<Near> &near) {
    double best = 0, best_votes = 0;
    for (const Near &at : near) {
        double votes = 0;
        for (const Near &other : near) {
            const double apart = std::abs(other.along - at.along) / (kSameDepth * at.along);
            votes += other.weight * std::max(0.0, 1 - apart * apart);
        }
        if (votes <= best_votes) continue;
        best_votes = votes;
        best = at.along;
    }
    return best;
}

struct WeightedPlane {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    /// Towards where rays come from.
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
    double thickness = 0, width = 0;
};

WeightedPlane fit(const std::vector<Near> &points, const Eigen::Vector3d &direction) {
    WeightedPlane plane;
    double weights = 0;
    for (const Near &point : points) {
        plane.mean += point.weight * point.position;
        weights += point.weight;
    }
    plane.mean /= weights;
    Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
    for (const Near &point : points) {
        const Eigen::Vector3d offset = point.position - plane.mean;
        scatter += point.weight / weights * offset * offset.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scatter);
    plane.thickness = std::sqrt(std::max(0.0, eigen.eigenvalues()[0]));
    plane.width = std::sqrt(std::max(0.0, eigen.eigenvalues()[1]));
    plane.normal = eigen.eigenvectors().col(0);
    if (plane.normal.dot(direction) > 0) plane.normal = -plane.normal;
    return plane;
}

}  // namespace

PointRaycastHit raycast_points(const Map &map, std::span<const DepthPoint> dense, const Eigen::Vector3d &origin,
                               const Eigen::Vector3d &direction) {
    PointRaycastHit hit;
    std::vector<Near> near;
    const auto take_if_near = [&](const Eigen::Vector3d &position) {
        const Eigen::Vector3d offset = position - origin;
        const double along = offset.dot(direction), squared = offset.squaredNorm();
        if (along <= 0 || squared - along * along > kWidest * kWidest * squared) return false;
        near.push_back({std::sqrt(std::max(0.0, 1 - along * along / squared)), along, 0, position});
        return true;
    };
    for (const HostedPoint &point : map.points) {
        if (point.state == PointState::mature) take_if_near(map.position_in_world(point));
    }
    for (const DepthPoint &point : dense) {
        if (!take_if_near(point.position_in_world)) continue;
        if (point.to_viewers.cast<double>().dot(direction) > -kSameSide) near.pop_back();
    }
    if (near.size() < kFewest) return hit;
    const size_t kept = std::min(near.size(), kMost);
    std::partial_sort(near.begin(), near.begin() + static_cast<ptrdiff_t>(kept), near.end(),
                      [](const Near &a, const Near &b) { return a.sine < b.sine; });
    near.resize(kept);
    const double radius = std::max(kNarrow, 1.5 * near[std::min(kept, kEnough) - 1].sine);
    std::erase_if(near, [&](const Near &point) { return point.sine > radius; });
    for (Near &point : near) {
        const double share = point.sine / radius;
        point.weight = std::exp(-2 * share * share);
    }
    // At an edge there are two: which of them the ray meets is told by what lies nearest to it.
    const double typical = agreed_distance(near);
    std::vector<Near> on;
    for (const Near &point : near) {
        if (std::abs(point.along - typical) < kSameDepth * typical) on.push_back(point);
    }
    WeightedPlane plane;
    for (int round = 0; round < kRounds; ++round) {
        if (on.size() < kFewest) return hit;
        plane = fit(on, direction);
        if (round + 1 == kRounds) break;
        on.clear();
        for (const Near &point : near) {
            if (std::abs(plane.normal.dot(point.position - plane.mean)) < kOnPlane * typical) on.push_back(point);
        }
    }
    if (plane.width < 1e-6 || plane.thickness > 0.35 * plane.width || plane.thickness > kThickest * typical) return hit;
    const double slope = plane.normal.dot(direction);
    const double share = static_cast<double>(on.size()) / static_cast<double>(near.size());
    if (slope > -kFlattest || share < kLeastShare) return hit;
    const double distance = (plane.mean - origin).dot(plane.normal) / slope;
    if (!(distance > 0.7 * typical && distance < 1.4 * typical)) return hit;
    hit.found = true;
    hit.distance = distance;
    hit.position = origin + distance * direction;
    hit.normal = plane.normal;
    hit.confidence = std::clamp(
        std::min(1.0, static_cast<double>(on.size()) / kEnough) * share * (1 - plane.thickness / (0.35 * plane.width)),
        0.05, 0.9);
    return hit;
}

}  // namespace foothold
