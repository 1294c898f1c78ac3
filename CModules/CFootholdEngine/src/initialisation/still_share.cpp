#include "initialisation/still_share.h"

#include <algorithm>
#include <vector>

namespace foothold {

double still_share(std::span<const Eigen::Vector2d> host, std::span<const Eigen::Vector2d> target, double side_pixels,
                   double still_pixels) {
    constexpr int kCells = 12;
    std::vector<std::vector<double>> lengths(kCells * kCells);
    for (size_t i = 0; i < host.size(); ++i) {
        const Eigen::Array2d place = (host[i].array() / side_pixels + 0.5) * kCells;
        const int x = std::clamp(static_cast<int>(place.x()), 0, kCells - 1);
        const int y = std::clamp(static_cast<int>(place.y()), 0, kCells - 1);
        lengths[y * kCells + x].push_back((target[i] - host[i]).norm());
    }
    int occupied = 0, still = 0;
    for (std::vector<double> &cell : lengths) {
        if (cell.empty()) continue;
        std::nth_element(cell.begin(), cell.begin() + cell.size() / 2, cell.end());
        ++occupied;
        still += cell[cell.size() / 2] < still_pixels;
    }
    return occupied > 0 ? static_cast<double>(still) / occupied : 0;
}

}  // namespace foothold
