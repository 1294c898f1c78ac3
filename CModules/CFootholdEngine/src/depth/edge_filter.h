// Spreads sparse numbers over the cells of a picture, up to its edges.
#pragma once

#include <vector>

#include "frontend/image_pyramid.h"

namespace foothold {

/// The recursive filter of the domain transform (Gastal and Oliveira, "Domain transform for edge-aware image and video
/// processing", 2011): what lies in a cell flows to its neighbours, the less the more the picture changes between them.
/// Nothing is lost or made: where little arrives, little is known.
class EdgeFilter {
public:
    /// Cells that something flows over where the picture is even.
    static constexpr float reach = 4;
    /// Grey levels between two neighbours that are as far as `reach` even cells.
    static constexpr float step = 10;

    /// One cell for each pixel of `coarse`; `fine` is the pyramid's level below it.
    void follow_picture(const ImageView &coarse, const ImageView &fine);
    /// Filters in place: `channels` numbers a cell, row by row.
    template <int channels>
    void spread(std::vector<float> &values) const;

private:
    static constexpr int rounds = 2;
    int width_ = 0;
    int height_ = 0;
    /// What passes from the cell on the left and from the one above, for each round.
    std::vector<float> from_left_[rounds], from_above_[rounds];
};

extern template void EdgeFilter::spread<2>(std::vector<float> &) const;
extern template void EdgeFilter::spread<12>(std::vector<float> &) const;

}  // namespace foothold
