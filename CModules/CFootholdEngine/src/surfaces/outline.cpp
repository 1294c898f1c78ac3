#include "surfaces/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "geometry/nearest_pair.h"
#include "surfaces/cell_mask.h"
#include "surfaces/polygon.h"

namespace foothold {
namespace {

/// Cells across a bridge.
constexpr int bridge_cells = 2;
/// Cells around what is known, for what is to be said of its edge.
constexpr int room = 4;
/// Of a surface, so much must look plain for it to go on beyond what is known of it.
constexpr double plain_share = 0.3;

/// Of a region's cells and another's, the two that are nearest to each other.
std::pair<cv::Point, cv::Point> nearest_cells(const cv::Mat &labels, int first, int second) {
    std::vector<std::vector<cv::Point>> outlines[2];
    for (int i = 0; i < 2; ++i) {
        const cv::Mat mask = labels == (i == 0 ? first : second);
        cv::findContours(mask, outlines[i], cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    }
    return nearest_pair(outlines[0][0], outlines[1][0],
                        [](const cv::Point &p, const cv::Point &q) { return (p - q).ddot(p - q); });
}

cv::Mat picture_of(const CellMask &mask) {
    cv::Mat picture = cv::Mat::zeros(mask.height(), mask.width(), CV_8U);
    for (int row = 0; row < mask.height(); ++row) {
        for (int column = 0; column < mask.width(); ++column) {
            if (mask.at(column, row)) picture.at<uint8_t>(row, column) = 255;
        }
    }
    return picture;
}

/// Cells to either side that a smoothed one is made of.
constexpr int smoothing_reach = 3;
/// By place within a cell: what each of the cells around gives, all its fine parts together.
using SmoothingWeights = std::array<std::array<float, 2 * smoothing_reach + 1>, pieces_per_cell>;

SmoothingWeights smoothing_weights() {
    constexpr double sigma = 0.8;
    SmoothingWeights weights{};
    for (int place = 0; place < pieces_per_cell; ++place) {
        std::array<double, pieces_per_cell *(2 * smoothing_reach + 1)> parts;
        double sum = 0;
        for (size_t part = 0; part < parts.size(); ++part) {
            const double away =
                (static_cast<double>(part) - pieces_per_cell * smoothing_reach - place) / pieces_per_cell;
            sum += parts[part] = std::exp(-0.5 * away * away / (sigma * sigma));
        }
        for (size_t part = 0; part < parts.size(); ++part) {
            weights[place][part / pieces_per_cell] += static_cast<float>(parts[part] / sum);
        }
    }
    return weights;
}

/// The mask on a grid `pieces_per_cell` times as fine, smoothed by a Gaussian of 0.8 cells and cut at a half. What lies
/// outside counts as empty.
cv::Mat enlarged(const cv::Mat &mask) {
    static const SmoothingWeights weights = smoothing_weights();
    constexpr int reach = smoothing_reach, taps = 2 * reach + 1;
    const int columns = mask.cols, rows = mask.rows, width = columns + 2 * reach;
    // Rows first, each cell into its places one below the other; then columns.
    std::vector<float> tall(static_cast<size_t>(pieces_per_cell) * rows * width, 0.0f);
    for (int row = 0; row < rows; ++row) {
        for (int tap = 0; tap < taps; ++tap) {
            const int from = row + tap - reach;
            if (from < 0 || from >= rows) continue;
            const uint8_t *cells = mask.ptr<uint8_t>(from);
            for (int place = 0; place < pieces_per_cell; ++place) {
                const float weight = weights[place][tap] / 255;
                float *out = tall.data() + static_cast<size_t>(pieces_per_cell * row + place) * width + reach;
                for (int column = 0; column < columns; ++column) out[column] += weight * cells[column];
            }
        }
    }
    cv::Mat fine(pieces_per_cell * rows, pieces_per_cell * columns, CV_8U);
    std::vector<float> sums(columns);
    for (int row = 0; row < pieces_per_cell * rows; ++row) {
        const float *cells = tall.data() + static_cast<size_t>(row) * width;
        uint8_t *out = fine.ptr<uint8_t>(row);
        for (int place = 0; place < pieces_per_cell; ++place) {
            std::fill(sums.begin(), sums.end(), 0.0f);
            for (int tap = 0; tap < taps; ++tap) {
                for (int column = 0; column < columns; ++column)
                    sums[column] += weights[place][tap] * cells[column + tap];
            }
            for (int column = 0; column < columns; ++column)
                out[pieces_per_cell * column + place] = sums[column] >= 0.5f ? 255 : 0;
        }
    }
    return fine;
}

/// The convex hull of the mask without its small 8-connected regions, filled.
CellMask hull_of_large(const CellMask &mask) {
    constexpr double least_share = 0.05;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(picture_of(mask), contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    double largest = 0;
    for (const auto &contour : contours) largest = std::max(largest, cv::contourArea(contour));
    std::vector<cv::Point> cells, corners;
    for (const auto &contour : contours) {
        if (cv::contourArea(contour) >= least_share * largest)
            cells.insert(cells.end(), contour.begin(), contour.end());
    }
    CellMask hull(mask.width(), mask.height());
    if (cells.empty()) return hull;
    cv::convexHull(cells, corners);
    cv::Mat filled = cv::Mat::zeros(mask.height(), mask.width(), CV_8U);
    cv::fillConvexPoly(filled, corners, cv::Scalar(255));
    for (int row = 0; row < mask.height(); ++row) {
        for (int column = 0; column < mask.width(); ++column) {
            if (filled.at<uint8_t>(row, column)) hull.set(column, row);
        }
    }
    return hull;
}

/// Keeps the 8-connected region with the largest product of cells and carried cells (of cells alone, if none are
/// given): what no point carries any more may be what this was once taken for. Others that are no splinters are each
/// joined to it by a bridge of this width where hardly anything blocked (if given) lies between: what stands before a
/// wall parts it into such pieces.
void keep_largest_regions(const cv::Mat &blocked, const CellMask &carried, int bridge_width, cv::Mat &mask) {
    constexpr double least_share = 0.05;
    // A real gap is blocked as far as it reaches; single cells are errors, and pieces that come and go tear outlines.
    constexpr double most_blocked = 0.2;
    cv::Mat labels, stats, centroids;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
    std::vector<int64_t> carries(count, 1);
    for (int row = 0; row < carried.height(); ++row) {
        for (int column = 0; column < carried.width(); ++column)
            if (carried.at(column, row)) ++carries[labels.at<int>(row, column)];
    }
    int best = 0;
    int64_t best_weight = 0;
    for (int i = 1; i < count; ++i) {
        const int64_t weight = carries[i] * stats.at<int>(i, cv::CC_STAT_AREA);
        if (weight > best_weight) {
            best = i;
            best_weight = weight;
        }
    }
    const int best_area = best == 0 ? 0 : stats.at<int>(best, cv::CC_STAT_AREA);
    mask = best == 0 ? cv::Mat::zeros(mask.size(), CV_8U) : cv::Mat(labels == best);
    for (int i = 1; i < count; ++i) {
        if (i == best || stats.at<int>(i, cv::CC_STAT_AREA) < least_share * best_area) continue;
        const auto [from, to] = nearest_cells(labels, best, i);
        cv::Mat bridge = cv::Mat::zeros(mask.size(), CV_8U);
        cv::line(bridge, from, to, cv::Scalar(255), bridge_width);
        if (!blocked.empty() && cv::countNonZero(bridge & blocked) > most_blocked * cv::countNonZero(bridge)) continue;
        mask |= bridge | (labels == i);
    }
}

}  // namespace

FineMask extent_of(const EvidenceGrid &grid, std::span<const Eigen::Vector2d> points, const OutlineReach &reach,
                   const std::function<bool(const Eigen::Vector2d &)> &is_excluded) {
    FineMask extent;
    if (grid.empty()) return extent;
    const auto cells = [&](double metres) { return static_cast<int>(std::lround(metres / grid.cell_size())); };
    const int radius = std::max(1, cells(reach.bridge / 2));
    const int wide = std::max(radius, cells(reach.blank_bridge / 2));
    const int beyond = cells(reach.blank_reach);
    const int border = std::max(wide, beyond) + 2;
    CellMask known(grid.width() + 2 * border, grid.height() + 2 * border);
    CellMask denied = known, blank = known, carried = known;
    bool any_blank = false;
    for (int row = 0; row < grid.height(); ++row) {
        for (int column = 0; column < grid.width(); ++column) {
            const float value = grid.value(column, row);
            if (value >= EvidenceGrid::supported) known.set(column + border, row + border);
            if (value <= EvidenceGrid::contradicted) denied.set(column + border, row + border);
            if (grid.is_blank(column, row)) {
                blank.set(column + border, row + border);
                any_blank = true;
            }
        }
    }
    // Squares of picture that hang over an edge say "not here" of the last of a small surface; its points know better,
    // and of what lies between them.
    for (const Eigen::Vector2d &point : points) {
        const Eigen::Vector2i cell = grid.cell(point);
        if (grid.is_inside(cell)) carried.set(cell.x() + border, cell.y() + border);
    }
    known |= carried;
    denied -= carried.closed(radius);
    known = known.closed(radius);
    if (any_blank) {
        CellMask filled = known.closed(wide), plain = filled;
        plain &= blank;
        // What has texture would have shown that it goes on.
        const bool is_plain = plain.count() > plain_share * filled.count();
        if (is_plain) filled |= hull_of_large(known);
        filled |= known.dilated(is_plain ? beyond : beyond / 3);
        filled &= blank;
        known |= filled;
        known = known.closed(radius);
    }
    known -= denied;
    for (int row = 0; row < known.height(); ++row) {
        for (int column = 0; column < known.width(); ++column) {
            if (known.at(column, row) && is_excluded(grid.cell_center(column - border, row - border)))
                known.reset(column, row);
        }
    }
    // Hairs and bridges thinner than two cells are noise, not surface.
    cv::Mat mask = picture_of(known.opened(1));
    keep_largest_regions(reach.joins_all ? cv::Mat() : picture_of(denied), carried, bridge_cells, mask);
    const cv::Rect bounds = cv::boundingRect(mask);
    if (bounds.empty()) return extent;
    cv::Mat window(bounds.height + 2 * room, bounds.width + 2 * room, CV_8U, cv::Scalar(0));
    mask(bounds).copyTo(window(cv::Rect(room, room, bounds.width, bounds.height)));
    // Contours run through pixel centres: on a finer, smoothed picture they follow the cells' true outline.
    extent.inside = enlarged(window);
    const int before = room + border;
    extent.first = pieces_per_cell * (grid.first_cell() + Eigen::Vector2i(bounds.x - before, bounds.y - before));
    extent.piece_size = grid.cell_size() / pieces_per_cell;
    return extent;
}

Outline trace_outline(const FineMask &mask, const Tracing &tracing) {
    Outline outline;
    if (mask.inside.empty()) return outline;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(mask.inside, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    if (contours.size() > 1) {
        // Pictures have parted at a bridge what evidence had joined.
        cv::Mat joined = mask.inside.clone();
        keep_largest_regions(cv::Mat(), CellMask(0, 0), bridge_cells * pieces_per_cell, joined);
        cv::findContours(joined, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    }
    if (contours.empty()) return outline;
    const auto largest = std::max_element(contours.begin(), contours.end(), [](const auto &a, const auto &b) {
        return cv::contourArea(a) < cv::contourArea(b);
    });
    std::vector<cv::Point> rough;
    cv::approxPolyDP(*largest, rough, tracing.smoothness, true);
    // With fewer corners, edges may cross that were beside each other.
    std::vector<Eigen::Vector2d> corners;
    corners.reserve(rough.size());
    for (const cv::Point &p : rough) corners.emplace_back(p.x, p.y);
    corners = simple_polygon(std::move(corners));
    if (tracing.widening > 0 && corners.size() >= 3) corners = simple_polygon(widened(corners, tracing.widening));
    for (const Eigen::Vector2d &p : corners) outline.polygon.push_back(mask.middle_of(p));
    if (outline.polygon.size() < 3) return outline;
    const double area = signed_area(outline.polygon);
    // Counter-clockwise from the normal's side is a negative area in (x, z).
    if (area > 0) std::reverse(outline.polygon.begin(), outline.polygon.end());
    outline.area = std::abs(area);
    return outline;
}

void reach_out_to(const Outline &outline, Surface *surface) {
    if (outline.polygon.size() < 3) return;
    surface->boundary = outline.polygon;
    surface->area = outline.area;
    Eigen::Vector2d low = outline.polygon[0], high = outline.polygon[0];
    for (const Eigen::Vector2d &p : outline.polygon) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    surface->center = 0.5 * (low + high);
    surface->extent = high - low;
}

}  // namespace foothold
