#include "surfaces/plane_score.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "surfaces/plane_search.h"

namespace foothold {

PlaneScorer::PlaneScorer(std::span<const SurfacePoint> points, std::span<const int> indices, double noise_scale)
    : points_(points), indices_(indices), noise_scale_(noise_scale) {
    // Single precision is good to a millionth of what lies that far from the origin.
    constexpr double rounding = 1e-5;
    if (!indices.empty()) origin_ = points[indices[0]].position;
    for (std::vector<float> *row : {&x_, &y_, &z_, &reach_}) row->reserve(indices.size());
    for (int index : indices) {
        const SurfacePoint &point = points[index];
        const Eigen::Vector3d p = point.position - origin_;
        // No deviation is larger than the sum of its parts.
        const double sum = 2.5 * noise_scale * (point.sigma_along + point.sigma_across + 1e-3 * point.distance);
        const double reach = std::min(largest_tolerance * point.distance, sum);
        x_.push_back(static_cast<float>(p.x()));
        y_.push_back(static_cast<float>(p.y()));
        z_.push_back(static_cast<float>(p.z()));
        reach_.push_back(static_cast<float>(reach + rounding * (p.cwiseAbs().sum() + point.distance)));
    }
}

double PlaneScorer::score(const Plane &plane) const {
    const float nx = static_cast<float>(plane.normal.x()), ny = static_cast<float>(plane.normal.y()),
                nz = static_cast<float>(plane.normal.z()), height = static_cast<float>(plane.distance(origin_));
    constexpr size_t together = 64;
    uint8_t is_near[together];
    double score = 0;
    for (size_t first = 0; first < x_.size(); first += together) {
        const size_t count = std::min(together, x_.size() - first);
        for (size_t i = 0; i < count; ++i) {
            const size_t k = first + i;
            is_near[i] = std::abs(nx * x_[k] + ny * y_[k] + nz * z_[k] + height) < reach_[k];
        }
        for (size_t i = 0; i < count; ++i) {
            if (!is_near[i]) continue;
            const SurfacePoint &point = points_[indices_[first + i]];
            if (plane.normal.dot(point.view) < 0.05 || !point.may_face(plane.normal)) continue;
            const double r = plane.distance(point.position) / inlier_tolerance(point, plane.normal, noise_scale_);
            if (std::abs(r) < 1) score += 1 - r * r;
        }
    }
    return score;
}

}  // namespace foothold
