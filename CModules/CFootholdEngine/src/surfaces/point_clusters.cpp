#include "surfaces/point_clusters.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "surfaces/plane_search.h"

namespace foothold {
namespace {

int64_t pack(int x, int z) { return (static_cast<int64_t>(x) << 32) ^ static_cast<uint32_t>(z); }

int find_root(std::vector<int> &parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

void plane_axes(const Eigen::Vector3d &normal, Eigen::Vector3d *x, Eigen::Vector3d *z) {
    const Eigen::Vector3d helper =
        std::abs(normal.x()) < 0.7 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
    *x = (helper - normal * normal.dot(helper)).normalized();
    *z = x->cross(normal);
}

std::vector<int> largest_cluster(std::span<const SurfacePoint> points, std::span<const int> indices,
                                 const Eigen::Vector3d &normal) {
    const int count = static_cast<int>(indices.size());
    if (count == 0) return {};
    double distance = 0;
    for (int index : indices) distance += points[index].distance;
    const double link = link_distance(distance / count);
    Eigen::Vector3d x, z;
    plane_axes(normal, &x, &z);
    std::vector<Eigen::Vector2d> local(count);
    std::unordered_map<int64_t, std::vector<int>> cells;
    for (int i = 0; i < count; ++i) {
        const Eigen::Vector3d &p = points[indices[i]].position;
        local[i] = {x.dot(p), z.dot(p)};
        cells[pack(static_cast<int>(std::floor(local[i].x() / link)), static_cast<int>(std::floor(local[i].y() / link)))]
            .push_back(i);
    }
    std::vector<int> parent(count);
    std::iota(parent.begin(), parent.end(), 0);
    for (int i = 0; i < count; ++i) {
        const int cx = static_cast<int>(std::floor(local[i].x() / link));
        const int cz = static_cast<int>(std::floor(local[i].y() / link));
        for (int dx = -1; dx <= 1; ++dx) {
            for (int dz = -1; dz <= 1; ++dz) {
                const auto cell = cells.find(pack(cx + dx, cz + dz));
                if (cell == cells.end()) continue;
                for (int j : cell->second) {
                    if (j >= i || (local[i] - local[j]).squaredNorm() > link * link) continue;
                    parent[find_root(parent, i)] = find_root(parent, j);
                }
            }
        }
    }
    std::vector<int> sizes(count, 0);
    for (int i = 0; i < count; ++i) ++sizes[find_root(parent, i)];
    const int largest = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    std::vector<int> cluster;
    cluster.reserve(sizes[largest]);
    for (int i = 0; i < count; ++i) {
        if (find_root(parent, i) == largest) cluster.push_back(indices[i]);
    }
    return cluster;
}

RegionMask::RegionMask(std::span<const SurfacePoint> points, std::span<const int> indices, const PlaneFit &fit,
                       double cell_size)
    : origin_(fit.centroid), cell_size_(cell_size) {
    plane_axes(fit.plane.normal, &x_, &z_);
    for (int index : indices) {
        for (int dx = -1; dx <= 1; ++dx) {
            for (int dz = -1; dz <= 1; ++dz) cells_.insert(key(points[index].position, dx, dz));
        }
    }
}

int64_t RegionMask::key(const Eigen::Vector3d &position, int dx, int dz) const {
    const Eigen::Vector3d p = position - origin_;
    return pack(static_cast<int>(std::floor(x_.dot(p) / cell_size_)) + dx,
                static_cast<int>(std::floor(z_.dot(p) / cell_size_)) + dz);
}

bool RegionMask::contains(const Eigen::Vector3d &position) const { return cells_.contains(key(position, 0, 0)); }

}  // namespace foothold
