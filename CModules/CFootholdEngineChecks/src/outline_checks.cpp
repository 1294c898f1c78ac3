#include "outline_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "random_numbers.h"
#include "surfaces/cell_mask.h"
#include "surfaces/outline.h"

using namespace foothold;

namespace {

int differing_cells(const CellMask &mask, const cv::Mat &picture) {
    int differing = 0;
    for (int row = 0; row < mask.height(); ++row) {
        for (int column = 0; column < mask.width(); ++column) {
            differing += mask.at(column, row) != (picture.at<uint8_t>(row, column) != 0);
        }
    }
    return differing;
}

}  // namespace

int32_t fh_check_cell_mask(uint64_t seed, int32_t width, int32_t height) {
    checks::RandomNumbers random(seed);
    int differing = 0;
    for (int radius = 1; radius <= 9; ++radius) {
        CellMask mask(width, height);
        cv::Mat picture = cv::Mat::zeros(height, width, CV_8U);
        const double share = random.uniform(0.02, 0.98);
        for (int row = 0; row < height; ++row) {
            for (int column = 0; column < width; ++column) {
                if (!random.chance(share)) continue;
                mask.set(column, row);
                picture.at<uint8_t>(row, column) = 255;
            }
        }
        const cv::Mat disc = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(2 * radius + 1, 2 * radius + 1));
        const auto compare = [&](const CellMask &changed, int operation) {
            cv::Mat expected;
            cv::morphologyEx(picture, expected, operation, disc);
            differing += differing_cells(changed, expected) + std::abs(changed.count() - cv::countNonZero(expected));
        };
        compare(mask.dilated(radius), cv::MORPH_DILATE);
        compare(mask.eroded(radius), cv::MORPH_ERODE);
        compare(mask.closed(radius), cv::MORPH_CLOSE);
        compare(mask.opened(radius), cv::MORPH_OPEN);
    }
    return differing;
}

int32_t fh_check_outline_of_disc(double radius, double *out_area, double *out_farthest) {
    constexpr double cell = 0.02;
    EvidenceGrid grid(cell);
    const int reach = static_cast<int>(radius) + 2;
    // Not at the middle of a cell.
    const Eigen::Vector2d middle(0.3 * cell, 0.1 * cell);
    for (int row = -reach; row <= reach; ++row) {
        for (int column = -reach; column <= reach; ++column) {
            const Eigen::Vector2d at = Eigen::Vector2d(column + 0.5, row + 0.5) * cell;
            if ((at - middle).norm() < radius * cell) grid.add(at, 1);
        }
    }
    const Outline outline =
        trace_outline(grid, {}, {2 * cell, 2 * cell, 0}, [](const Eigen::Vector2d &) { return false; });
    if (outline.polygon.size() < 3) return -1;
    *out_area = outline.area / (std::numbers::pi * radius * radius * cell * cell);
    *out_farthest = 0;
    for (const Eigen::Vector2d &corner : outline.polygon) {
        *out_farthest = std::max(*out_farthest, std::abs((corner - middle).norm() / cell - radius));
    }
    return 0;
}
