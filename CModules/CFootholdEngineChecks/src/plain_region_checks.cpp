#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/core.hpp>

#include "surface_checks.h"
#include "surfaces/plain_regions.h"

namespace foothold::checks {
namespace {

enum Kind { table, cable, mat };

constexpr int columns = 160, rows = 120, band = 4;
constexpr double half_length = 45, half_width = 24;
/// Places to either side of an edge that aren't plain.
constexpr double half_edge = 2.5;
/// Where it's told within: along and across, and how far around.
constexpr std::array<std::array<double, 2>, 5> spots = {{{-30, 10}, {-12, -8}, {5, 12}, {18, -10}, {33, 3}}};
constexpr double around_spot = 3;

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_past_edge(int32_t kind, double radians, double *out_within, double *out_beyond) {
    if (out_within == nullptr || out_beyond == nullptr || kind < table || kind > mat) return -1;
    cv::Mat luma(rows, columns, CV_32F), plain(rows, columns, CV_8U), told(rows, columns, CV_8U),
        within(rows, columns, CV_8U);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const double x = column - 0.5 * (columns - 1), y = row - 0.5 * (rows - 1);
            const double along = x * std::cos(radians) + y * std::sin(radians);
            const double across = y * std::cos(radians) - x * std::sin(radians);
            // How far outside of the rectangle, along the axis that says most.
            const double outside = std::max(std::abs(along) - half_length, std::abs(across) - half_width);
            bool is_told = std::abs(outside) < half_edge;
            for (const auto &spot : spots) is_told |= std::hypot(along - spot[0], across - spot[1]) < around_spot;
            const bool is_within = outside < 0;
            // The wall and the table's front, which meet along its middle line.
            const bool is_between = kind == table && !is_within && std::abs(across) < half_edge;
            const float beyond = kind != table ? 160.0F : across > 0 ? 100.0F : 125.0F;
            luma.at<float>(row, column) = !is_within ? beyond : kind == mat ? 100.0F : 160.0F;
            told.at<uint8_t>(row, column) = is_told ? 255 : 0;
            plain.at<uint8_t>(row, column) = is_told || is_between ? 0 : 255;
            within.at<uint8_t>(row, column) = is_within ? 255 : 0;
        }
    }
    const cv::Mat past = PlainRegions(luma, plain).past_edge_of(told, band);
    const auto share_of = [&](const cv::Mat &part) {
        const cv::Mat places = part & plain;
        return static_cast<double>(cv::countNonZero(past & places)) / cv::countNonZero(places);
    };
    *out_within = share_of(within);
    *out_beyond = share_of(~within);
    return 0;
}
