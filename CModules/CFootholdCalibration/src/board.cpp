#include "board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "markers.h"

namespace foothold {
namespace {

const cv::TermCriteria kPrecise(cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 40, 0.005);

cv::Point3f Place(const fh_board &board, int corner) {
    const int across = board.columns - 1, column = corner % across + 1, row = corner / across + 1;
    return {static_cast<float>(column * board.square), static_cast<float>(row * board.square), 0};
}

Sighting FindChessboard(const fh_board &board, const cv::Mat &picture) {
    Sighting sighting;
    const cv::Size inner(board.columns - 1, board.rows - 1);
    // Large pictures are searched at a smaller size, where the search is quick and as good.
    const int longest = std::max(picture.cols, picture.rows);
    const double scale = longest > 900 ? 900.0 / longest : 1;
    cv::Mat small = picture;
    if (scale < 1) cv::resize(picture, small, cv::Size(), scale, scale, cv::INTER_AREA);
    std::vector<cv::Point2f> corners;
    const int how = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK;
    if (!cv::findChessboardCorners(small, inner, corners, how)) return sighting;
    for (auto &corner : corners) {
        corner.x = static_cast<float>((corner.x + 0.5) / scale - 0.5);
        corner.y = static_cast<float>((corner.y + 0.5) / scale - 0.5);
    }
    // As far as corners lie apart at their nearest, so that none sees its neighbour.
    double nearest = longest;
    for (size_t i = 1; i < corners.size(); i++)
        if (static_cast<int>(i) % inner.width != 0) nearest = std::min(nearest, cv::norm(corners[i] - corners[i - 1]));
    const int reach = std::clamp(static_cast<int>(nearest / 3), 2, 11);
    cv::cornerSubPix(picture, corners, cv::Size(reach, reach), cv::Size(-1, -1), kPrecise);
    sighting.pixels = corners;
    for (int i = 0; i < inner.area(); i++) {
        sighting.places.push_back(Place(board, i));
        sighting.ids.push_back(i);
    }
    return sighting;
}

/// The white squares in reading order hold the markers in theirs.
std::map<int, cv::Point> MarkerSquares(const fh_board &board) {
    std::map<int, cv::Point> squares;
    int next = 0;
    for (int row = 0; row < board.rows; row++)
        for (int column = 0; column < board.columns; column++)
            if (!IsBlack(column, row)) squares[next++] = {column, row};
    return squares;
}

/// A marker's corners on the board, in squares.
std::array<cv::Point2f, 4> MarkerPlace(const fh_board &board, cv::Point square) {
    const float low = static_cast<float>((1 - board.marker_share) / 2), high = 1 - low;
    const float x = static_cast<float>(square.x), y = static_cast<float>(square.y);
    return {cv::Point2f(x + low, y + low), cv::Point2f(x + high, y + low), cv::Point2f(x + high, y + high),
            cv::Point2f(x + low, y + high)};
}

/// Leaves out corners that lie off the plane that the others are on. A lens bends a board by little.
void Prune(Sighting *sighting) {
    if (sighting->ids.size() < 6) return;
    std::vector<cv::Point2f> flat;
    for (const auto &place : sighting->places) flat.emplace_back(place.x, place.y);
    std::vector<uint8_t> fits;
    const double tolerance = 1.0 + 0.004 * cv::boundingRect(sighting->pixels).width;
    if (cv::findHomography(flat, sighting->pixels, fits, cv::RANSAC, tolerance).empty()) return;
    Sighting good;
    for (size_t i = 0; i < fits.size(); i++) {
        if (!fits[i]) continue;
        good.pixels.push_back(sighting->pixels[i]);
        good.places.push_back(sighting->places[i]);
        good.ids.push_back(sighting->ids[i]);
    }
    *sighting = good;
}

/// Corners between squares, each foretold from the markers beside it and then measured.
Sighting FindCharuco(const fh_board &board, const cv::Mat &picture) {
    Sighting sighting;
    const auto squares = MarkerSquares(board);
    std::map<int, std::vector<cv::Point2f>> foretold;
    std::map<int, double> sizes;
    for (const FoundMarker &marker : FindMarkers(picture, board.marker_bits, MarkersOn(board))) {
        const cv::Point square = squares.at(marker.id);
        const auto place = MarkerPlace(board, square);
        const cv::Mat picture_from_board = cv::getPerspectiveTransform(place.data(), marker.corners);
        const double size =
            std::min(cv::norm(marker.corners[0] - marker.corners[1]), cv::norm(marker.corners[1] - marker.corners[2]));
        for (int i = 0; i < 4; i++) {
            const int x = square.x + (i == 1 || i == 2), y = square.y + (i >= 2);
            if (x == 0 || y == 0 || x == board.columns || y == board.rows) continue;
            std::vector<cv::Point2f> point = {cv::Point2f(static_cast<float>(x), static_cast<float>(y))}, pixel;
            cv::perspectiveTransform(point, pixel, picture_from_board);
            const int corner = (y - 1) * (board.columns - 1) + x - 1;
            foretold[corner].push_back(pixel[0]);
            sizes[corner] = sizes.contains(corner) ? std::min(sizes[corner], size) : size;
        }
    }
    for (const auto &[corner, pixels] : foretold) {
        cv::Point2f mean(0, 0);
        for (const auto &pixel : pixels) mean += pixel / static_cast<float>(pixels.size());
        const double gap = sizes[corner] / board.marker_share * (1 - board.marker_share) / 2;
        bool agrees = true;
        for (const auto &pixel : pixels) agrees = agrees && cv::norm(pixel - mean) < std::max(2.0, gap);
        // Beyond the markers' nearest corners, which lie around evenly and don't draw it, but not to their inner bits.
        const int reach = std::clamp(static_cast<int>(gap * 1.8), 2, 11);
        const float border = static_cast<float>(reach) + 2;
        if (!agrees || mean.x < border || mean.y < border || mean.x > static_cast<float>(picture.cols) - border ||
            mean.y > static_cast<float>(picture.rows) - border)
            continue;
        std::vector<cv::Point2f> measured = {mean};
        cv::cornerSubPix(picture, measured, cv::Size(reach, reach), cv::Size(-1, -1), kPrecise);
        if (cv::norm(measured[0] - mean) > reach) continue;
        sighting.pixels.push_back(measured[0]);
        sighting.places.push_back(Place(board, corner));
        sighting.ids.push_back(corner);
    }
    Prune(&sighting);
    // Fewer, or all in a row, tell nothing about the camera.
    const bool is_flat = sighting.ids.size() < 6 || [&] {
        const int across = std::max(1, board.columns - 1);
        const auto [first, last] = std::minmax_element(sighting.ids.begin(), sighting.ids.end());
        const bool one_row = *first / across == *last / across;
        const bool one_column = std::all_of(sighting.ids.begin(), sighting.ids.end(),
                                            [&](int id) { return id % across == sighting.ids[0] % across; });
        return one_row || one_column;
    }();
    return is_flat ? Sighting{} : sighting;
}

}  // namespace

bool IsBlack(int column, int row) { return (column + row) % 2 == 0; }

int MarkersOn(const fh_board &board) { return board.columns * board.rows / 2; }

Sighting FindBoard(const fh_board &board, const cv::Mat &picture) {
    return board.kind == FH_BOARD_CHARUCO ? FindCharuco(board, picture) : FindChessboard(board, picture);
}

}  // namespace foothold
