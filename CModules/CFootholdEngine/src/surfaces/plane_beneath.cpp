#include "surfaces/plane_beneath.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "surfaces/id_index.h"
#include "surfaces/square_key.h"

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
    /// Which of the places it's in.
    int place;
};

}  // namespace

Plane plane_beneath(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &start,
                    double distance) {
    const Eigen::Vector3d u = start.normal.unitOrthogonal(), v = start.normal.cross(u);
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (int index : indices) middle += points[index].position / static_cast<double>(indices.size());
    std::vector<Row> rows;
    std::vector<int> points_in;  // by place
    IdIndex place_of;
    for (int index : indices) {
        const double height = start.distance(points[index].position);
        if (std::abs(height) > farthest * distance) continue;
        const Eigen::Vector3d p = points[index].position - middle;
        const Eigen::Vector3d at(u.dot(p), v.dot(p), 1);
        int &place = place_of.at(square_key(at.head<2>(), place_side * distance));
        if (place < 0) {
            place = static_cast<int>(points_in.size());
            points_in.push_back(0);
        }
        ++points_in[static_cast<size_t>(place)];
        rows.push_back({at, height, place});
    }
    if (rows.size() < least_points) return start;
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    for (int round = 0; round < rounds; ++round) {
        Eigen::Matrix3d moments = 1e-9 * Eigen::Matrix3d::Identity();
        Eigen::Vector3d sums = Eigen::Vector3d::Zero();
        for (const Row &row : rows) {
            const double above = row.height - slope.dot(row.at);
            if (std::abs(above) > farthest * distance) continue;
            const double alone = 1.0 / points_in[static_cast<size_t>(row.place)];
            const double weight =
                alone * (above > 0 ? share_below : 1 - share_below) / std::max(std::abs(above), on_it * distance);
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
