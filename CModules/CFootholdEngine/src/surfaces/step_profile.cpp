#include "surfaces/step_profile.h"

#include <algorithm>
#include <vector>

#include "surfaces/plane_search.h"

namespace foothold {
namespace {

/// Of either direction, evenly among the points' places.
constexpr size_t places = 16;

}  // namespace

double explained_by_steps(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &slope,
                          const Eigen::Vector3d &up, double noise_scale) {
    const double whole = explained(points, indices, slope, noise_scale);
    if (whole <= 0) return 0;
    const Eigen::Vector3d outward = slope.normal - up * up.dot(slope.normal);
    std::vector<std::vector<double>> scores;
    for (const Eigen::Vector3d &normal : {up, Eigen::Vector3d(outward.normalized())}) {
        std::vector<double> sorted;
        for (int index : indices) sorted.push_back(normal.dot(points[index].position));
        std::sort(sorted.begin(), sorted.end());
        for (size_t k = 0; k < places; ++k) {
            const double place = sorted[(2 * k + 1) * sorted.size() / (2 * places)];
            std::vector<double> &score = scores.emplace_back();
            for (int index : indices) {
                const SurfacePoint &point = points[index];
                const double r = (normal.dot(point.position) - place) / inlier_tolerance(point, normal, noise_scale);
                score.push_back(std::max(0.0, 1 - r * r));
            }
        }
    }
    double best = 0;
    for (size_t a = 0; a < scores.size(); ++a) {
        for (size_t b = 0; b < a; ++b) {
            double sum = 0;
            for (size_t i = 0; i < indices.size(); ++i) sum += std::max(scores[a][i], scores[b][i]);
            best = std::max(best, sum);
        }
    }
    return best / whole;
}

}  // namespace foothold
