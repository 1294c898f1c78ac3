#include "surfaces/plain_regions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace foothold {
namespace {

/// Grey levels: what lies on either side of an edge differs by more.
constexpr float other_luma = 1.5f * PlainRegions::same_luma;
/// Of the places beside a region that tell a surface: so many lie at an edge where the surface ends.
constexpr double mostly_edges = 0.6;
/// Of these again: so many are the outermost that tell it. On a plain table most lie around what stands on it.
constexpr double mostly_outermost = 0.8;
/// Of a region's places: so many lie between those that tell a surface if it goes on there.
constexpr double least_between = 0.3;
/// Directions from the middle of what tells a surface, and how many of them there are at most on one side of it.
constexpr int directions = 12, most_of_one_side = 7;

const std::array<cv::Point, 4> around = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

bool holds(const cv::Mat &picture, const cv::Point &place) {
    return place.x >= 0 && place.y >= 0 && place.x < picture.cols && place.y < picture.rows;
}

/// What a region has to do with a surface.
struct Contact {
    /// Places beside it that tell the surface, and those of them that are outermost.
    int told = 0, outermost = 0;
    /// Of these, those whose other side is in the picture, and those where it differs.
    int crossed = 0, edges = 0;
    /// By direction from the surface's middle: whether there are such places.
    unsigned seen_from = 0;
    /// The region's places, and those between what tells the surface.
    int places = 0, between = 0;

    bool is_past_edge(size_t all_told, int band) const {
        return told > 2 * band && 2 * static_cast<size_t>(told) < all_told && crossed > 0 &&
               edges >= mostly_edges * crossed && outermost >= mostly_outermost * told &&
               between < least_between * places && std::popcount(seen_from) <= most_of_one_side;
    }
};

}  // namespace

PlainRegions::PlainRegions(const cv::Mat &luma, const cv::Mat &plain)
    : luma_(luma), regions_(plain.size(), CV_32S, cv::Scalar(-1)) {
    std::vector<cv::Point> open;
    for (int row = 0; row < plain.rows; ++row) {
        for (int column = 0; column < plain.cols; ++column) {
            if (!plain.at<uint8_t>(row, column) || at(column, row) >= 0) continue;
            const int region = count_++;
            regions_.at<int>(row, column) = region;
            open.emplace_back(column, row);
            while (!open.empty()) {
                const cv::Point from = open.back();
                open.pop_back();
                for (const cv::Point &step : around) {
                    const cv::Point next = from + step;
                    if (!holds(plain, next) || !plain.at<uint8_t>(next) || regions_.at<int>(next) >= 0 ||
                        std::abs(luma_.at<float>(next) - luma_.at<float>(from)) > same_luma)
                        continue;
                    regions_.at<int>(next) = region;
                    open.push_back(next);
                }
            }
        }
    }
}

cv::Mat PlainRegions::past_edge_of(const cv::Mat &told, int band) const {
    cv::Mat past(regions_.size(), CV_8U, cv::Scalar(0));
    std::vector<cv::Point> places;
    cv::findNonZero(told, places);
    if (places.size() < 3) return past;
    cv::Point2d middle(0, 0);
    for (const cv::Point &place : places) middle += cv::Point2d(place);
    middle /= static_cast<double>(places.size());
    std::vector<cv::Point> hull;
    cv::convexHull(places, hull);
    cv::Mat between(regions_.size(), CV_8U, cv::Scalar(0));
    cv::fillConvexPoly(between, hull, cv::Scalar(255));

    const auto for_each_place = [&](auto &&use) {
        for (int row = 0; row < regions_.rows; ++row) {
            for (int column = 0; column < regions_.cols; ++column) {
                if (const int region = at(column, row); region >= 0) use(column, row, static_cast<size_t>(region));
            }
        }
    };
    std::vector<Contact> contacts(static_cast<size_t>(count_));
    for_each_place([&](int column, int row, size_t region) {
        ++contacts[region].places;
        contacts[region].between += between.at<uint8_t>(row, column) != 0;
    });
    for (const cv::Point &place : places) {
        // What is plain itself is told of within its region, not at its border.
        if (regions_.at<int>(place) >= 0) continue;
        const double turn = std::atan2(place.y - middle.y, place.x - middle.x) / (2 * std::numbers::pi) + 0.5;
        const bool is_outermost = cv::pointPolygonTest(hull, place, true) <= 2 * band;
        const int direction = std::min(static_cast<int>(directions * turn), directions - 1);
        std::array<int, around.size()> beside;
        std::transform(around.begin(), around.end(), beside.begin(),
                       [&](const cv::Point &step) { return at(place.x + step.x, place.y + step.y); });
        for (size_t first = 0; first < around.size(); ++first) {
            const int region = beside[first];
            if (region < 0 || std::find(beside.begin(), beside.begin() + first, region) != beside.begin() + first)
                continue;
            Contact &contact = contacts[static_cast<size_t>(region)];
            ++contact.told;
            contact.outermost += is_outermost;
            contact.seen_from |= 1U << direction;
            // An edge that runs aslant is crossed by one of the ways from its places.
            bool is_crossed = false, is_edge = false;
            for (size_t way = first; way < around.size(); ++way) {
                const cv::Point opposite = place - band * around[way];
                if (beside[way] != region || !holds(regions_, opposite)) continue;
                is_crossed = true;
                is_edge |= std::abs(luma_.at<float>(opposite) - luma_.at<float>(place + around[way])) > other_luma;
            }
            contact.crossed += is_crossed;
            contact.edges += is_edge;
        }
    }
    std::vector<uint8_t> is_past(contacts.size());
    std::transform(contacts.begin(), contacts.end(), is_past.begin(),
                   [&](const Contact &contact) { return contact.is_past_edge(places.size(), band); });
    for_each_place([&](int column, int row, size_t region) {
        if (is_past[region]) past.at<uint8_t>(row, column) = 255;
    });
    return past;
}

}  // namespace foothold
