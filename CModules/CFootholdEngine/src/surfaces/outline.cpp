#include "surfaces/outline.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "geometry/nearest_pair.h"

namespace foothold {
namespace {

constexpr int upscale = 3;
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

/// The convex hull of the mask without its small 8-connected regions, filled.
cv::Mat hull_of_large(const cv::Mat &mask) {
    constexpr double least_share = 0.05;
    cv::Mat hull = cv::Mat::zeros(mask.size(), CV_8U);
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    double largest = 0;
    for (const auto &contour : contours) largest = std::max(largest, cv::contourArea(contour));
    std::vector<cv::Point> cells, corners;
    for (const auto &contour : contours) {
        if (cv::contourArea(contour) >= least_share * largest)
            cells.insert(cells.end(), contour.begin(), contour.end());
    }
    if (cells.empty()) return hull;
    cv::convexHull(cells, corners);
    cv::fillConvexPoly(hull, corners, cv::Scalar(255));
    return hull;
}

/// Keeps the largest 8-connected region, and others that are no small share of it, each joined to it by a bridge two
/// cells wide where nothing blocked lies between. What stands before a wall parts it into such pieces.
void keep_largest_regions(const cv::Mat &blocked, cv::Mat &mask) {
    constexpr double least_share = 0.25;
    cv::Mat labels, stats, centroids;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
    int best = 0, best_area = 0;
    for (int i = 1; i < count; ++i) {
        const int area = stats.at<int>(i, cv::CC_STAT_AREA);
        if (area > best_area) {
            best = i;
            best_area = area;
        }
    }
    mask = best == 0 ? cv::Mat::zeros(mask.size(), CV_8U) : cv::Mat(labels == best);
    for (int i = 1; i < count; ++i) {
        if (i == best || stats.at<int>(i, cv::CC_STAT_AREA) < least_share * best_area) continue;
        const auto [from, to] = nearest_cells(labels, best, i);
        cv::Mat bridge = cv::Mat::zeros(mask.size(), CV_8U);
        cv::line(bridge, from, to, cv::Scalar(255), 2);
        if (cv::countNonZero(bridge & blocked) > 0) continue;
        mask |= bridge | (labels == i);
    }
}

}  // namespace

double polygon_area(const std::vector<Eigen::Vector2d> &polygon) {
    double twice = 0;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Eigen::Vector2d &a = polygon[i];
        const Eigen::Vector2d &b = polygon[(i + 1) % polygon.size()];
        twice += a.x() * b.y() - a.y() * b.x();
    }
    return std::abs(twice) / 2;
}

bool polygon_contains(const std::vector<Eigen::Vector2d> &polygon, const Eigen::Vector2d &point) {
    bool inside = false;
    for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Eigen::Vector2d &a = polygon[j];
        const Eigen::Vector2d &b = polygon[i];
        if ((a.y() > point.y()) != (b.y() > point.y()) &&
            point.x() < (b.x() - a.x()) * (point.y() - a.y()) / (b.y() - a.y()) + a.x()) {
            inside = !inside;
        }
    }
    return inside;
}

Outline trace_outline(const EvidenceGrid &grid, std::span<const Eigen::Vector2d> points, const OutlineReach &reach,
                      const std::function<bool(const Eigen::Vector2d &)> &is_excluded) {
    Outline outline;
    if (grid.empty()) return outline;
    const auto disc = [](int radius) {
        return cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(2 * radius + 1, 2 * radius + 1));
    };
    const auto cells = [&](double metres) { return static_cast<int>(std::lround(metres / grid.cell_size())); };
    const int radius = std::max(1, cells(reach.bridge / 2));
    const int wide = std::max(radius, cells(reach.blank_bridge / 2));
    const int beyond = cells(reach.blank_reach);
    const int border = std::max(wide, beyond) + 2;
    cv::Mat mask = cv::Mat::zeros(grid.height() + 2 * border, grid.width() + 2 * border, CV_8U);
    cv::Mat blocked = mask.clone(), blank = mask.clone();
    bool any_blank = false;
    for (int row = 0; row < grid.height(); ++row) {
        for (int column = 0; column < grid.width(); ++column) {
            const float value = grid.value(column, row);
            if (value >= EvidenceGrid::supported) mask.at<uint8_t>(row + border, column + border) = 255;
            if (value <= EvidenceGrid::contradicted) blocked.at<uint8_t>(row + border, column + border) = 255;
            if (grid.is_blank(column, row)) {
                blank.at<uint8_t>(row + border, column + border) = 255;
                any_blank = true;
            }
        }
    }
    // Squares of picture that hang over an edge say "not here" of the last of a small surface; its points know better,
    // and of what lies between them.
    cv::Mat carried = cv::Mat::zeros(mask.size(), CV_8U);
    for (const Eigen::Vector2d &point : points) {
        const Eigen::Vector2i cell = grid.cell(point);
        if (grid.is_inside(cell)) carried.at<uint8_t>(cell.y() + border, cell.x() + border) = 255;
    }
    mask |= carried;
    cv::morphologyEx(carried, carried, cv::MORPH_CLOSE, disc(radius));
    blocked.setTo(0, carried);
    cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, disc(radius));
    if (any_blank) {
        cv::Mat filled;
        cv::morphologyEx(mask, filled, cv::MORPH_CLOSE, disc(wide));
        cv::Mat around;
        // What has texture would have shown that it goes on.
        const bool is_plain = cv::countNonZero(filled & blank) > plain_share * cv::countNonZero(filled);
        cv::dilate(mask, around, disc(is_plain ? beyond : beyond / 3));
        if (is_plain) filled |= hull_of_large(mask);
        mask |= (filled | around) & blank;
        cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, disc(radius));
    }
    mask.setTo(0, blocked);
    for (int row = 0; row < mask.rows; ++row) {
        for (int column = 0; column < mask.cols; ++column) {
            uint8_t &cell = mask.at<uint8_t>(row, column);
            if (cell && is_excluded(grid.cell_center(column - border, row - border))) cell = 0;
        }
    }
    // Hairs and bridges thinner than two cells are noise, not surface.
    cv::morphologyEx(mask, mask, cv::MORPH_OPEN, disc(1));
    keep_largest_regions(blocked, mask);
    const cv::Rect bounds = cv::boundingRect(mask);
    if (bounds.empty()) return outline;
    // Contours run through pixel centres: on a finer, smoothed picture they follow the cells' true outline.
    const cv::Rect window(bounds.x - 2, bounds.y - 2, bounds.width + 4, bounds.height + 4);
    cv::Mat fine;
    cv::resize(mask(window & cv::Rect(0, 0, mask.cols, mask.rows)), fine, cv::Size(), upscale, upscale,
               cv::INTER_NEAREST);
    cv::GaussianBlur(fine, fine, cv::Size(0, 0), 0.8 * upscale);
    fine = fine > 127;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(fine, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    if (contours.empty()) return outline;
    const auto largest = std::max_element(contours.begin(), contours.end(), [](const auto &a, const auto &b) {
        return cv::contourArea(a) < cv::contourArea(b);
    });
    std::vector<cv::Point> simple;
    cv::approxPolyDP(*largest, simple, 0.7 * upscale, true);
    if (simple.size() < 3) return outline;
    const cv::Rect origin = window & cv::Rect(0, 0, mask.cols, mask.rows);
    const Eigen::Vector2d corner = grid.cell_center(0, 0) - Eigen::Vector2d::Constant(0.5 * grid.cell_size());
    for (const cv::Point &p : simple) {
        const double column = (p.x + 0.5) / upscale + origin.x - border;
        const double row = (p.y + 0.5) / upscale + origin.y - border;
        outline.polygon.emplace_back(corner.x() + column * grid.cell_size(), corner.y() + row * grid.cell_size());
    }
    // Counter-clockwise from the normal's side is a negative area in (x, z).
    double twice = 0;
    for (size_t i = 0; i < outline.polygon.size(); ++i) {
        const Eigen::Vector2d &a = outline.polygon[i];
        const Eigen::Vector2d &b = outline.polygon[(i + 1) % outline.polygon.size()];
        twice += a.x() * b.y() - a.y() * b.x();
    }
    if (twice > 0) std::reverse(outline.polygon.begin(), outline.polygon.end());
    outline.area = std::abs(twice) / 2;
    return outline;
}

}  // namespace foothold
