#include "surfaces/point_clusters.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "surfaces/plane_search.h"

namespace foothold {
namespace {

constexpr int most_cells_a_side = 512;

}  // namespace

void plane_axes(const Eigen::Vector3d &normal, Eigen::Vector3d *x, Eigen::Vector3d *z) {
    const Eigen::Vector3d helper = std::abs(normal.x()) < 0.7 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
    *x = (helper - normal * normal.dot(helper)).normalized();
    *z = x->cross(normal);
}

PlaneCells::PlaneCells(std::span<const SurfacePoint> points, std::span<const int> indices,
                       const Eigen::Vector3d &normal, double cell_size, int margin)
    : cell_size_(cell_size) {
    plane_axes(normal, &x_, &z_);
    Eigen::Vector2d low = Eigen::Vector2d::Constant(1e300), high = -low;
    for (int index : indices) {
        const Eigen::Vector2d p(x_.dot(points[index].position), z_.dot(points[index].position));
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double widest = (high - low).maxCoeff();
    cell_size_ = std::max(cell_size_, widest / (most_cells_a_side - 2 * margin - 1));
    origin_ = x_ * (low.x() - margin * cell_size_) + z_ * (low.y() - margin * cell_size_);
    columns_ = static_cast<int>((high.x() - low.x()) / cell_size_) + 1 + 2 * margin;
    rows_ = static_cast<int>((high.y() - low.y()) / cell_size_) + 1 + 2 * margin;
}

std::vector<int> connected_cluster(std::span<const SurfacePoint> points, std::span<const int> indices,
                                   const Eigen::Vector3d &normal, double link_share, int seed) {
    if (indices.empty()) return {};
    double distance = 0;
    for (int index : indices) distance += points[index].distance;
    // Neighbouring cells hang together: points of them are 1.3 link distances apart at most, 0.65 on average.
    const double link = link_share * link_distance(distance / static_cast<double>(indices.size()));
    const PlaneCells cells(points, indices, normal, 0.65 * link, 2);
    std::vector<int> points_in(cells.count(), 0), label(cells.count(), -1), place(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) {
        place[i] = cells.index_of(points[indices[i]].position);
        ++points_in[place[i]];
    }
    int largest = -1, largest_size = 0;
    const int wanted = seed >= 0 ? cells.index_of(points[seed].position) : -1;
    std::vector<int> open;
    for (int start : place) {
        if (label[start] >= 0) continue;
        int size = 0;
        open.assign(1, start);
        label[start] = start;
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            size += points_in[at];
            // The empty margin all round keeps neighbours inside.
            for (int dz = -1; dz <= 1; ++dz) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const int next = at + dz * cells.columns() + dx;
                    if (points_in[next] == 0 || label[next] >= 0) continue;
                    label[next] = start;
                    open.push_back(next);
                }
            }
        }
        if (size > largest_size) {
            largest = start;
            largest_size = size;
        }
    }
    if (wanted >= 0 && label[wanted] >= 0) largest = label[wanted];
    std::vector<int> cluster;
    cluster.reserve(largest_size);
    for (size_t i = 0; i < indices.size(); ++i) {
        if (label[place[i]] == largest) cluster.push_back(indices[i]);
    }
    return cluster;
}

RegionMask::RegionMask(std::span<const SurfacePoint> points, std::span<const int> indices, const PlaneFit &fit,
                       double cell_size)
    : cells_(points, indices, fit.plane.normal, cell_size, 3), covered_(cells_.count(), 0) {
    for (int index : indices) {
        const int at = cells_.index_of(points[index].position);
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dx = -1; dx <= 1; ++dx) covered_[at + dz * cells_.columns() + dx] = 1;
        }
    }
}

}  // namespace foothold
