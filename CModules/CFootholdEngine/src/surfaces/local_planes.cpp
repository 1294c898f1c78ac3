#include "surfaces/local_planes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "geometry/median.h"
#include "surfaces/plane_score.h"
#include "surfaces/plane_search.h"

namespace foothold {
namespace {

/// Side of a neighbourhood's middle, relative to the points' distance; with its neighbours it is as large as a box.
constexpr double cell_per_metre = 0.06;
constexpr size_t most_neighbourhoods = 64;
constexpr size_t most_points = 80;
constexpr int fewest_points = 10;
constexpr int fewest_on_plane = 7;
constexpr int level_tries = 8;
constexpr int upright_tries = 24;
constexpr int slope_tries = 12;

using Cell = std::array<int, 3>;

struct Neighbourhood {
    Cell cell;
    std::vector<int> own;
};

int64_t key_of(const Cell &cell) {
    constexpr int64_t span = 1 << 20;
    return ((cell[0] + span / 2) * span + (cell[1] + span / 2)) * span + (cell[2] + span / 2);
}

/// How unlikely it is that so many of the neighbourhood's points lie in the plane's band.
double surprise_of(std::span<const SurfacePoint> points, std::span<const int> near, const Plane &plane,
                   double noise_scale, double half_height) {
    double expected = 0, on = 0;
    for (int index : near) {
        const SurfacePoint &point = points[index];
        const double tolerance = inlier_tolerance(point, plane.normal, noise_scale);
        expected += std::min(1.0, tolerance / half_height);
        on += std::abs(plane.distance(point.position)) < tolerance && plane.normal.dot(point.view) > 0.05 &&
              point.may_face(plane.normal);
    }
    if (on < fewest_on_plane) return 0;
    const double count = static_cast<double>(near.size());
    const double p = std::clamp(expected / count, 1e-6, 1 - 1e-6);
    const double k = on / count;
    if (k <= p) return 0;
    return count * (k * std::log(k / p) + (k < 1 ? (1 - k) * std::log((1 - k) / (1 - p)) : 0.0));
}

Plane facing(const Eigen::Vector3d &normal, const SurfacePoint &point) {
    const Eigen::Vector3d n = normal.dot(point.view) < 0 ? Eigen::Vector3d(-normal) : normal;
    return {n, n.dot(point.position)};
}

}  // namespace

std::vector<LocalPlane> find_local_planes(std::span<const SurfacePoint> points, std::span<const int> available,
                                          const Eigen::Vector3d &up, double noise_scale, SeededRandom &random) {
    std::vector<LocalPlane> found;
    if (static_cast<int>(available.size()) < fewest_points) return found;
    std::vector<double> distances;
    distances.reserve(available.size());
    for (int index : available) distances.push_back(points[index].distance);
    const double side = cell_per_metre * median(distances);
    std::vector<Neighbourhood> cells;
    std::unordered_map<int64_t, size_t> cell_at;
    for (int index : available) {
        const Eigen::Vector3d &p = points[index].position;
        if (p.cwiseAbs().maxCoeff() > 4e5 * side) continue;
        const Cell cell{static_cast<int>(std::floor(p.x() / side)), static_cast<int>(std::floor(p.y() / side)),
                        static_cast<int>(std::floor(p.z() / side))};
        const auto [entry, is_new] = cell_at.emplace(key_of(cell), cells.size());
        if (is_new) cells.push_back({cell, {}});
        cells[entry->second].own.push_back(index);
    }
    std::vector<size_t> order(cells.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return cells[a].own.size() > cells[b].own.size(); });
    if (order.size() > most_neighbourhoods) order.resize(most_neighbourhoods);
    std::vector<int> near;
    for (size_t chosen : order) {
        near.clear();
        for (int dx = -1; dx <= 1; ++dx) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dz = -1; dz <= 1; ++dz) {
                    const Cell &c = cells[chosen].cell;
                    const auto entry = cell_at.find(key_of({c[0] + dx, c[1] + dy, c[2] + dz}));
                    if (entry == cell_at.end()) continue;
                    const std::vector<int> &own = cells[entry->second].own;
                    near.insert(near.end(), own.begin(), own.end());
                }
            }
        }
        if (static_cast<int>(near.size()) < fewest_points) continue;
        if (near.size() > most_points) {
            const double stride = static_cast<double>(near.size()) / most_points;
            for (size_t i = 0; i < most_points; ++i) near[i] = near[static_cast<size_t>(i * stride)];
            near.resize(most_points);
        }
        const std::vector<int> &own = cells[chosen].own;
        const int count = static_cast<int>(near.size());
        LocalPlane best[3];
        double best_score[3] = {0, 0, 0};
        const PlaneScorer scorer(points, near, noise_scale);
        const auto consider = [&](int kind, GravityConstraint constraint, const Plane &plane, int seed) {
            const double score = scorer.score(plane);
            if (score <= best_score[kind]) return;
            best_score[kind] = score;
            best[kind] = {plane, constraint, seed, 0};
        };
        const auto pick = [&](const std::vector<int> &from) {
            return from[random.below(static_cast<int>(from.size()))];
        };
        for (int i = 0; i < level_tries; ++i) {
            const int seed = pick(own);
            consider(0, GravityConstraint::horizontal, facing(up, points[seed]), seed);
        }
        for (int i = 0; i < upright_tries; ++i) {
            const int seed = pick(own);
            // What it is seen to face, or what another one says.
            const Eigen::Vector3d &facing_way = points[seed].facing;
            const bool knows_itself = i % 2 == 0 && !facing_way.isZero(0);
            const Eigen::Vector3d normal =
                knows_itself
                    ? Eigen::Vector3d(facing_way - up.dot(facing_way) * up)
                    : Eigen::Vector3d(up.cross(points[near[random.below(count)]].position - points[seed].position));
            if (normal.norm() < (knows_itself ? 0.5 : 0.5 * side)) continue;
            consider(1, GravityConstraint::vertical, facing(normal.normalized(), points[seed]), seed);
        }
        for (int i = 0; i < slope_tries; ++i) {
            const int seed = pick(own);
            const Eigen::Vector3d a = points[near[random.below(count)]].position - points[seed].position;
            const Eigen::Vector3d b = points[near[random.below(count)]].position - points[seed].position;
            const Eigen::Vector3d normal = a.cross(b);
            if (normal.norm() < 0.4 * side * side) continue;
            consider(2, GravityConstraint::none, facing(normal.normalized(), points[seed]), seed);
        }
        for (int kind = 0; kind < 3; ++kind) {
            if (best_score[kind] <= 0) continue;
            best[kind].surprise = surprise_of(points, near, best[kind].plane, noise_scale, 1.5 * side);
            if (best[kind].surprise > 0) found.push_back(best[kind]);
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const LocalPlane &a, const LocalPlane &b) { return a.surprise > b.surprise; });
    std::vector<LocalPlane> distinct;
    for (const LocalPlane &plane : found) {
        const bool repeated = std::any_of(distinct.begin(), distinct.end(), [&](const LocalPlane &other) {
            const Eigen::Vector3d &p = points[plane.seed].position;
            return plane.plane.normal.dot(other.plane.normal) > 0.96 &&
                   std::abs(other.plane.distance(p)) < 0.2 * side &&
                   (points[other.seed].position - p).norm() < 3 * side;
        });
        if (!repeated) distinct.push_back(plane);
    }
    return distinct;
}

}  // namespace foothold
