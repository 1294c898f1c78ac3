// The plain regions of a picture, and what is known along their borders.
#pragma once

#include <span>
#include <vector>

#include "surfaces/dense_map.h"

namespace foothold {

/// Squares of the picture that no edge crosses and that are as bright as their neighbours, put together.
class BlankRegions {
public:
    /// Neighbours that differ by more grey levels lie in two regions.
    static constexpr float same_luma = 5;

    explicit BlankRegions(const CellGrid &cells);

    int count() const { return static_cast<int>(borders_.size()); }
    /// The region that a blank square belongs to.
    int region_at(int column, int row) const { return regions_[static_cast<size_t>(row) * columns_ + column]; }
    /// Indices of the dense points in the squares that touch it.
    std::span<const int> border(int region) const { return borders_[region]; }

private:
    int columns_ = 0;
    /// By square; -1 where it isn't blank.
    std::vector<int> regions_;
    std::vector<std::vector<int>> borders_;
};

}  // namespace foothold
