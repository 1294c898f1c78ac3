#include "surfaces/plane_beneath.h"

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "surfaces/id_index.h"

namespace foothold {
namespace {

constexpr double share_below = 0.3;
/// Relative to distance: the side of a place, how far points are looked at, and what counts as on the plane.
constexpr double place_side = 0.06, farthest = 0.08, on_it = 0.003;
constexpr size_t least_points = 20;
constexpr int rounds = 15;

struct Row {
    /// Along both axes of `start`, and 1.
    Eigen::Vector3d at;
    double height;
    double weight;
};

}  // namespace

Plane plane_beneath(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &start,
                    double distance) {
    const Eigen::Vector3d u = start.normal.unitOrthogonal(), v = start.normal.cross(u);
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (int index : indices) middle += points[index].position / static_cast<double>(indices.size());
    std::vector<Row> rows;
    std::vector<int> places;
    std::vector<int> counts;
    IdIndex place_of;
    for (int index : indices) {
        const double height = start.distance(points[index].position);
        if (std::abs(height) > farthest * distance) continue;
        const Eigen::Vector3d p = points[index].position - middle;
        rows.push_back({{u.dot(p), v.dot(p), 1}, height, 1});
        const auto step = [&](double along) {
            return static_cast<int64_t>(std::floor(along / (place_side * distance)));
        };
        int &place = place_of.at(step(rows.back().at.x()) * 1'000'003 + step(rows.back().at.y()));
        if (place < 0) {
            place = static_cast<int>(counts.size());
            counts.push_back(0);
        }
        places.push_back(place);
        ++counts[static_cast<size_t>(place)];
    }
    if (rows.size() < least_points) return start;
    for (size_t i = 0; i < rows.size(); ++i) rows[i].weight = 1.0 / counts[static_cast<size_t>(places[i])];
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    for (int round = 0; round < rounds; ++round) {
        Eigen::Matrix3d moments = 1e-9 * Eigen::Matrix3d::Identity();
        Eigen::Vector3d sums = Eigen::Vector3d::Zero();
        for (const Row &row : rows) {
            const double above = row.height - slope.dot(row.at);
            if (std::abs(above) > farthest * distance) continue;
            const double weight =
                row.weight * (above > 0 ? share_below : 1 - share_below) / std::max(std::abs(above), on_it * distance);
            moments += weight * row.at * row.at.transpose();
            sums += weight * row.height * row.at;
        }
        slope = moments.ldlt().solve(sums);
    }
    if (!slope.allFinite()) return start;
    const Eigen::Vector3d normal = (start.normal - slope.x() * u - slope.y() * v).normalized();
    const Eigen::Vector3d on_plane = middle + (slope.z() - start.distance(middle)) * start.normal;
    return {normal, normal.dot(on_plane)};
}

}  // namespace foothold
