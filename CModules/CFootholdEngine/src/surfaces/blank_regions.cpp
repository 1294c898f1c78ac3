#include "surfaces/blank_regions.h"

#include <algorithm>

namespace foothold {
namespace {

template <typename Value, typename Of>
cv::Mat by_square(const CellGrid &cells, Of of) {
    cv::Mat_<Value> values(cells.rows, cells.columns);
    std::transform(cells.cells.begin(), cells.cells.end(), values.begin(), of);
    return values;
}

}  // namespace

BlankRegions::BlankRegions(const CellGrid &cells)
    : regions_(by_square<float>(cells, [](const PictureCell &cell) { return cell.mean_luma; }),
               by_square<uint8_t>(cells, [](const PictureCell &cell) { return cell.is_blank ? 255 : 0; })),
      borders_(static_cast<size_t>(regions_.count())) {
    for (int row = 0; row < cells.rows; ++row) {
        for (int column = 0; column < cells.columns; ++column) {
            const PictureCell &cell = cells.at(column, row);
            if (cell.is_blank || cell.point < 0) continue;
            const int beside[4][2] = {{column + 1, row}, {column - 1, row}, {column, row + 1}, {column, row - 1}};
            for (const auto &place : beside) {
                const int region = region_at(place[0], place[1]);
                if (region < 0) continue;
                std::vector<int> &border = borders_[static_cast<size_t>(region)];
                // Where it touches the region twice it was the last.
                if (border.empty() || border.back() != cell.point) border.push_back(cell.point);
            }
        }
    }
}

}  // namespace foothold
