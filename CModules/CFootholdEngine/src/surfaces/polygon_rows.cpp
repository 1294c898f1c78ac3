#include "surfaces/polygon_rows.h"

#include <algorithm>

namespace foothold {

PolygonRows::PolygonRows(const std::vector<Eigen::Vector2d> &polygon) {
    if (polygon.empty()) return;
    const auto [lowest, highest] =
        std::minmax_element(polygon.begin(), polygon.end(), [](const auto &a, const auto &b) { return a.y() < b.y(); });
    low_ = lowest->y();
    high_ = highest->y();
    // Lower than any number that a height of nearly nothing would overflow.
    constexpr double most = 1e9;
    rows_per_metre_ = high_ > low_ ? std::min(most, rows / (high_ - low_)) : 0;
    const auto visit_rows = [&](const auto &visit) {
        for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
            const int from = row_of(polygon[j].y()), to = row_of(polygon[i].y());
            for (int row = std::min(from, to); row <= std::max(from, to); ++row) visit(row, polygon[j], polygon[i]);
        }
    };
    visit_rows([&](int row, const auto &, const auto &) { ++first_[row + 1]; });
    for (int row = 0; row < rows; ++row) first_[row + 1] += first_[row];
    edges_.resize(first_[rows]);
    std::array<int, rows + 1> next = first_;
    visit_rows([&](int row, const auto &a, const auto &b) { edges_[next[row]++] = {a, b}; });
}

int PolygonRows::row_of(double y) const { return std::min(rows - 1, static_cast<int>((y - low_) * rows_per_metre_)); }

bool PolygonRows::contains(const Eigen::Vector2d &point) const {
    // What isn't a number lies nowhere.
    if (edges_.empty() || !(point.y() >= low_ && point.y() <= high_)) return false;
    bool inside = false;
    const int row = row_of(point.y());
    for (int e = first_[row]; e < first_[row + 1]; ++e) {
        const auto &[a, b] = edges_[e];
        if ((a.y() > point.y()) != (b.y() > point.y()) &&
            point.x() < (b.x() - a.x()) * (point.y() - a.y()) / (b.y() - a.y()) + a.x()) {
            inside = !inside;
        }
    }
    return inside;
}

}  // namespace foothold
