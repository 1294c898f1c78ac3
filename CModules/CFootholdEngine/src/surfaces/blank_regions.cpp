#include "surfaces/blank_regions.h"

#include <cmath>

namespace foothold {

BlankRegions::BlankRegions(const CellGrid &cells) : columns_(cells.columns), regions_(cells.cells.size(), -1) {
    std::vector<int> open;
    // By square: the last region that it was found to touch.
    std::vector<int> touched(regions_.size(), -1);
    for (size_t first = 0; first < regions_.size(); ++first) {
        if (!cells.cells[first].is_blank || regions_[first] >= 0) continue;
        const int region = count();
        borders_.emplace_back();
        regions_[first] = region;
        open.push_back(static_cast<int>(first));
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            const float luma = cells.cells[at].mean_luma;
            const int neighbours[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            for (const auto &step : neighbours) {
                const int column = at % columns_ + step[0], row = at / columns_ + step[1];
                if (column < 0 || row < 0 || column >= columns_ || row >= cells.rows) continue;
                const int next = row * columns_ + column;
                const PictureCell &cell = cells.cells[next];
                if (cell.is_blank) {
                    if (regions_[next] >= 0 || std::abs(cell.mean_luma - luma) > same_luma) continue;
                    regions_[next] = region;
                    open.push_back(next);
                } else if (cell.point >= 0 && touched[next] != region) {
                    touched[next] = region;
                    borders_[region].push_back(cell.point);
                }
            }
        }
    }
}

}  // namespace foothold
