// The plain regions of the newest keyframe's squares, and what is known along their borders.
#pragma once

#include <span>
#include <vector>

#include "surfaces/dense_map.h"
#include "surfaces/plain_regions.h"

namespace foothold {

/// Squares of the picture that no edge crosses and that are as bright as their neighbours, put together.
class BlankRegions {
public:
    explicit BlankRegions(const CellGrid &cells);

    int count() const { return regions_.count(); }
    /// The region that a blank square belongs to; -1 where it isn't blank, and outside of the picture.
    int region_at(int column, int row) const { return regions_.at(column, row); }
    /// Indices of the dense points in the squares that touch it.
    std::span<const int> border(int region) const { return borders_[region]; }

private:
    PlainRegions regions_;
    std::vector<std::vector<int>> borders_;
};

}  // namespace foothold
