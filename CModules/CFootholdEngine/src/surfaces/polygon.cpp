#include "surfaces/polygon.h"

#include <cmath>
#include <utility>

namespace foothold {
namespace {

double cross(const Eigen::Vector2d &a, const Eigen::Vector2d &b) { return a.x() * b.y() - a.y() * b.x(); }

/// On which side of the line from a to b.
double side_of(const Eigen::Vector2d &a, const Eigen::Vector2d &b, const Eigen::Vector2d &p) {
    return cross(b - a, p - a);
}

/// Of a point on the edge's line: whether it lies on the edge.
bool is_within(const Eigen::Vector2d &a, const Eigen::Vector2d &b, const Eigen::Vector2d &p) {
    return (p - a.cwiseMin(b)).minCoeff() >= 0 && (a.cwiseMax(b) - p).minCoeff() >= 0;
}

/// Where two edges cross or touch.
bool meet(const Eigen::Vector2d &a, const Eigen::Vector2d &b, const Eigen::Vector2d &c, const Eigen::Vector2d &d,
          Eigen::Vector2d *out_place) {
    if ((a.cwiseMax(b) - c.cwiseMin(d)).minCoeff() < 0 || (c.cwiseMax(d) - a.cwiseMin(b)).minCoeff() < 0) return false;
    const double of_c = side_of(a, b, c), of_d = side_of(a, b, d), of_a = side_of(c, d, a), of_b = side_of(c, d, b);
    const auto touches = [&](double side, const Eigen::Vector2d &p, const Eigen::Vector2d &q,
                             const Eigen::Vector2d &r) {
        if (side != 0 || !is_within(q, r, p)) return false;
        *out_place = p;
        return true;
    };
    if (touches(of_c, c, a, b) || touches(of_d, d, a, b) || touches(of_a, a, c, d) || touches(of_b, b, c, d))
        return true;
    if ((of_c > 0) == (of_d > 0) || (of_a > 0) == (of_b > 0)) return false;
    *out_place = a + (b - a) * (of_a / (of_a - of_b));
    return true;
}

/// Takes out corners that lie on another one beside them, and those at which the polygon turns back on itself.
void drop_spikes(std::vector<Eigen::Vector2d> *polygon) {
    for (size_t i = 0; i < polygon->size() && polygon->size() >= 3;) {
        const size_t n = polygon->size();
        const Eigen::Vector2d before = (*polygon)[i] - (*polygon)[(i + n - 1) % n];
        const Eigen::Vector2d after = (*polygon)[(i + 1) % n] - (*polygon)[i];
        const bool turns_back = cross(before, after) == 0 && before.dot(after) <= 0;
        if (turns_back) {
            polygon->erase(polygon->begin() + static_cast<ptrdiff_t>(i));
            i = i < 2 ? 0 : i - 2;
        } else {
            ++i;
        }
    }
}

}  // namespace

double signed_area(const std::vector<Eigen::Vector2d> &polygon) {
    double twice = 0;
    for (size_t i = 0; i < polygon.size(); ++i) twice += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
    return twice / 2;
}

std::vector<Eigen::Vector2d> widened(const std::vector<Eigen::Vector2d> &polygon, double by) {
    const size_t n = polygon.size();
    const double turn = signed_area(polygon) > 0 ? 1 : -1;
    const auto outwards_of = [&](size_t first, size_t second) {
        const Eigen::Vector2d along = (polygon[second] - polygon[first]).normalized();
        return Eigen::Vector2d(turn * along.y(), -turn * along.x());
    };
    std::vector<Eigen::Vector2d> moved;
    moved.reserve(n);
    for (size_t i = 0; i < n; ++i) {
        const Eigen::Vector2d before = outwards_of((i + n - 1) % n, i), after = outwards_of(i, (i + 1) % n);
        moved.push_back(polygon[i] + by / std::max(0.5, 1 + before.dot(after)) * (before + after));
    }
    return moved;
}

bool find_meeting(const std::vector<Eigen::Vector2d> &polygon, size_t *out_first, size_t *out_second,
                  Eigen::Vector2d *out_place) {
    const size_t n = polygon.size();
    for (size_t i = 0; i + 2 < n; ++i) {
        for (size_t j = i + 2; j < n; ++j) {
            if (i == 0 && j == n - 1) continue;
            if (!meet(polygon[i], polygon[i + 1], polygon[j], polygon[(j + 1) % n], out_place)) continue;
            *out_first = i;
            *out_second = j;
            return true;
        }
    }
    return false;
}

std::vector<Eigen::Vector2d> simple_polygon(std::vector<Eigen::Vector2d> polygon) {
    size_t first = 0, second = 0;
    Eigen::Vector2d place;
    drop_spikes(&polygon);
    // Either loop has fewer corners than the polygon.
    while (find_meeting(polygon, &first, &second, &place)) {
        const auto after_first = polygon.begin() + static_cast<ptrdiff_t>(first) + 1;
        const auto after_second = polygon.begin() + static_cast<ptrdiff_t>(second) + 1;
        std::vector<Eigen::Vector2d> inner(after_first, after_second), outer(polygon.begin(), after_first);
        inner.push_back(place);
        outer.push_back(place);
        outer.insert(outer.end(), after_second, polygon.end());
        polygon = std::abs(signed_area(inner)) > std::abs(signed_area(outer)) ? std::move(inner) : std::move(outer);
        drop_spikes(&polygon);
    }
    if (polygon.size() < 3) polygon.clear();
    return polygon;
}

}  // namespace foothold
