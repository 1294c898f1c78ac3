// A polygon cut into rows, for asking of many points whether they lie inside.
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

namespace foothold {

/// Inside is what an odd number of edges lies left of (and as many right of); only the few at the point's height are
/// asked.
class PolygonRows {
public:
    PolygonRows() = default;
    explicit PolygonRows(const std::vector<Eigen::Vector2d> &polygon);

    bool contains(const Eigen::Vector2d &point) const;

private:
    static constexpr int rows = 32;

    int row_of(double y) const;

    double low_ = 0, high_ = 0, rows_per_metre_ = 0;
    /// Row by row; one that spans several is in each.
    std::vector<std::pair<Eigen::Vector2d, Eigen::Vector2d>> edges_;
    /// By row: the place of its first edge.
    std::array<int, rows + 1> first_{};
};

}  // namespace foothold
