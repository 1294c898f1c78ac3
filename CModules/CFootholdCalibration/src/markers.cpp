#include "markers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace foothold {
namespace {

// The first fifty markers of the dictionaries that are printed everywhere.
constexpr std::array<uint64_t, kMarkerCount> kFour = {
    0xb532, 0x0f9a, 0x332d, 0x9946, 0x549e, 0x79cd, 0x9e2e, 0xc4f2, 0xfeda, 0xcf56, 0xf991, 0x11a7, 0x0eb7,
    0x2a0f, 0x24b1, 0x263e, 0x4665, 0x6600, 0x6c5e, 0x76af, 0x868b, 0xb02b, 0xccd5, 0xdd82, 0xfe47, 0x9471,
    0xace4, 0xa554, 0x2123, 0x346f, 0x4415, 0x57b2, 0x9ecf, 0xf0cb, 0x08ae, 0x0929, 0x1875, 0x04ff, 0x0df6,
    0x1c5a, 0x1718, 0x2a28, 0x328c, 0x38b2, 0x24e8, 0x2eeb, 0x2d3f, 0x4b64, 0x502e, 0x5013};
constexpr std::array<uint64_t, kMarkerCount> kFive = {
    0x145b2bc, 0x01c06e6, 0x1af0edd, 0x10395f7, 0x1aeb524, 0x1d4082d, 0x0d3d7ec, 0x0e2146b, 0x10d6132, 0x1313fa5,
    0x13cee03, 0x1a2dac0, 0x1e62b11, 0x05e7166, 0x1fcfca8, 0x051e37f, 0x097a758, 0x0bea26f, 0x0f64dc4, 0x1061de8,
    0x12dda75, 0x150e440, 0x16b0ca1, 0x0ba12de, 0x19cd023, 0x1a59972, 0x1c3ce8b, 0x0224246, 0x03b9672, 0x024223b,
    0x027376e, 0x0368873, 0x040d0ce, 0x04aaac8, 0x04643ba, 0x07a6fea, 0x0998aac, 0x082d101, 0x09aad1d, 0x0863c72,
    0x0ad2825, 0x0a52f9e, 0x0d849f7, 0x0c309d9, 0x0da7e31, 0x0e9627a, 0x0e9b997, 0x0f94806, 0x0f59125, 0x0f6b7d7};
constexpr std::array<uint64_t, kMarkerCount> kSix = {
    0x1e3dd82a6, 0x0efba3891, 0x15907eacd, 0xc91b3069e, 0xd607d6e15, 0xd8e8e0e68, 0x4268b41f5, 0x88a50f29a, 0x307d524fd,
    0x3c2f34b3c, 0x45dfc74e3, 0x48d85b257, 0x710558fc6, 0x86dcfad07, 0x8d72a93f6, 0xa2b89dcde, 0x09fd1e9c4, 0x154dbd18f,
    0x300a310e2, 0x4807efafd, 0x56df11db6, 0x66883274c, 0x76e8cb781, 0x9a53d9cf3, 0xa9cb84024, 0xc67549490, 0xc1d288941,
    0xe7480852b, 0xea2fca848, 0xe963b77b1, 0xfa36652af, 0x065bff7bd, 0x0541d72d6, 0x0cf7246a2, 0x1338a39eb, 0x15a893e74,
    0x3a417ee9e, 0x4f11e26c0, 0x530db6d20, 0x589bfae34, 0x6409e8a0b, 0x60537a891, 0x6159069ba, 0x6bff78d7b, 0x70ad96a4f,
    0x75846f71a, 0x7a95192fc, 0x8609760aa, 0x8a2d44c3f, 0x93eb78b14};

/// The pattern turned by a quarter clockwise.
uint64_t Turned(uint64_t pattern, int bits) {
    uint64_t turned = 0;
    for (int y = 0; y < bits; y++)
        for (int x = 0; x < bits; x++) {
            const int from = (bits - 1 - x) * bits + y;
            turned = turned << 1 | (pattern >> (bits * bits - 1 - from) & 1);
        }
    return turned;
}

struct Reading {
    int id = -1;
    /// By how many clockwise quarters the marker is turned in what was read.
    int turns = 0;
};

Reading Identify(uint64_t seen, int bits, int count) {
    // One wrong bit is allowed where the dictionaries keep markers at least three apart.
    const int allowed = bits == 4 ? 0 : 1;
    for (int id = 0; id < count; id++) {
        uint64_t pattern = MarkerPattern(bits, id);
        for (int turns = 0; turns < 4; turns++, pattern = Turned(pattern, bits))
            if (std::popcount(pattern ^ seen) <= allowed) return {id, turns};
    }
    return {};
}

/// Reads the inside of a quadrilateral; false when it has no black border.
bool Read(const cv::Mat &picture, const cv::Point2f *corners, int bits, uint64_t *out_pattern) {
    constexpr int cell = 6;
    const int cells = bits + 2, side = cells * cell;
    const float end = static_cast<float>(side) - 0.5f;
    const cv::Point2f square[4] = {{-0.5f, -0.5f}, {end, -0.5f}, {end, end}, {-0.5f, end}};
    cv::Mat flat;
    cv::warpPerspective(picture, flat, cv::getPerspectiveTransform(corners, square), cv::Size(side, side),
                        cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    cv::Scalar mean, deviation;
    cv::meanStdDev(flat, mean, deviation);
    if (deviation[0] < 8) return false;
    cv::Mat white;
    cv::threshold(flat, white, 0, 1, cv::THRESH_BINARY | cv::THRESH_OTSU);
    uint64_t pattern = 0;
    int border = 0;
    for (int y = 0; y < cells; y++)
        for (int x = 0; x < cells; x++) {
            // The middle of the cell, away from its blurred edges.
            const int sum = cv::countNonZero(white(cv::Rect(x * cell + 1, y * cell + 1, cell - 2, cell - 2)));
            const int is_white = 2 * sum > (cell - 2) * (cell - 2);
            if (x == 0 || y == 0 || x == cells - 1 || y == cells - 1)
                border += is_white;
            else
                pattern = pattern << 1 | static_cast<uint64_t>(is_white);
        }
    *out_pattern = pattern;
    return border <= bits / 2;
}

bool IsQuadrilateral(const std::vector<cv::Point> &outline, std::vector<cv::Point> *out_corners) {
    cv::approxPolyDP(outline, *out_corners, 0.05 * cv::arcLength(outline, true), true);
    return out_corners->size() == 4 && cv::isContourConvex(*out_corners) && cv::contourArea(*out_corners) > 100;
}

}  // namespace

uint64_t MarkerPattern(int bits, int id) {
    const auto &patterns = bits == 4 ? kFour : bits == 5 ? kFive : kSix;
    return patterns[static_cast<size_t>(id)];
}

std::vector<FoundMarker> FindMarkers(const cv::Mat &picture, int bits, int count) {
    std::vector<FoundMarker> markers;
    const int shorter = std::min(picture.cols, picture.rows);
    // Small and large neighbourhoods: for markers far away and near by.
    for (const double share : {0.02, 0.06, 0.15}) {
        const int window = std::max(5, static_cast<int>(share * shorter) | 1);
        cv::Mat dark;
        cv::adaptiveThreshold(picture, dark, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY_INV, window, 7);
        std::vector<std::vector<cv::Point>> outlines;
        cv::findContours(dark, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
        for (const auto &outline : outlines) {
            std::vector<cv::Point> rough;
            if (outline.size() < 40 || !IsQuadrilateral(outline, &rough)) continue;
            std::vector<cv::Point2f> corners(rough.begin(), rough.end());
            // Clockwise as seen on the picture, whose y points down.
            if (cv::contourArea(corners, true) < 0) std::swap(corners[1], corners[3]);
            cv::cornerSubPix(picture, corners, cv::Size(3, 3), cv::Size(-1, -1),
                             cv::TermCriteria(cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 20, 0.02));
            uint64_t pattern = 0;
            if (!Read(picture, corners.data(), bits, &pattern)) continue;
            const Reading reading = Identify(pattern, bits, count);
            const bool is_new = std::none_of(markers.begin(), markers.end(),
                                             [&](const FoundMarker &marker) { return marker.id == reading.id; });
            if (reading.id < 0 || !is_new) continue;
            FoundMarker marker{reading.id, {}};
            for (int i = 0; i < 4; i++) marker.corners[i] = corners[static_cast<size_t>((i + reading.turns) % 4)];
            markers.push_back(marker);
        }
    }
    return markers;
}

}  // namespace foothold
