#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "board.h"
#include "fh_calibration.h"
#include "markers.h"

using foothold::Sighting;

struct fh_calibrator {
    fh_board board;
    int width, height;
    Sighting last;
    std::vector<Sighting> kept;
};

namespace {

/// Runs `work`; whatever it throws becomes a status.
template <typename Work>
int32_t Guarded(Work work) {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return FH_CALIBRATION_OUT_OF_MEMORY;
    } catch (...) {
        return FH_CALIBRATION_INTERNAL_ERROR;
    }
}

bool IsSensible(const fh_board &board) {
    if (board.kind != FH_BOARD_CHESSBOARD && board.kind != FH_BOARD_CHARUCO) return false;
    if (board.columns < 3 || board.rows < 3 || board.columns > 20 || board.rows > 20) return false;
    if (!(board.square > 0) || !std::isfinite(board.square)) return false;
    if (board.kind == FH_BOARD_CHESSBOARD) return true;
    return board.marker_share > 0.3 && board.marker_share < 0.95 && board.marker_bits >= 4 && board.marker_bits <= 6 &&
           foothold::MarkersOn(board) <= foothold::kMarkerCount;
}

/// Sizes and slants of what was seen, from the homography between board and picture.
void Describe(const fh_calibrator &calibrator, const Sighting &sighting, fh_board_view *out) {
    const cv::Rect2f box = cv::boundingRect(sighting.pixels);
    out->is_found = 1;
    out->corner_count = static_cast<int32_t>(sighting.pixels.size());
    out->center_x = (box.x + box.width / 2) / calibrator.width;
    out->center_y = (box.y + box.height / 2) / calibrator.height;
    out->span_x = box.width / calibrator.width;
    out->span_y = box.height / calibrator.height;
    std::vector<cv::Point2f> flat;
    for (const auto &place : sighting.places) flat.emplace_back(place.x, place.y);
    const cv::Mat h = cv::findHomography(flat, sighting.pixels);
    if (h.empty()) return;
    // How much larger the board's near side looks than its far side, across the board's own width and height.
    const double w = calibrator.board.columns * calibrator.board.square,
                 v = calibrator.board.rows * calibrator.board.square;
    const auto depth = [&](double x, double y) { return h.at<double>(2, 0) * x + h.at<double>(2, 1) * y + 1; };
    const auto slant = [](double a, double b) {
        return std::clamp(2 * (b - a) / (std::abs(a) + std::abs(b)), -1.0, 1.0);
    };
    out->tilt_x = slant(depth(0, v / 2), depth(w, v / 2));
    out->tilt_y = slant(depth(w / 2, 0), depth(w / 2, v));
}

double Movement(const Sighting &before, const Sighting &now) {
    std::map<int, cv::Point2f> at;
    for (size_t i = 0; i < before.ids.size(); i++) at[before.ids[i]] = before.pixels[i];
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < now.ids.size(); i++) {
        const auto found = at.find(now.ids[i]);
        if (found == at.end()) continue;
        sum += cv::norm(found->second - now.pixels[i]);
        count++;
    }
    return count ? sum / count : -1;
}

struct Solution {
    cv::Mat camera, distortion, deviations;
    double error = 0;
    std::vector<double> view_errors;
};

Solution Solve(const std::vector<const Sighting *> &views, cv::Size size) {
    Solution solution;
    std::vector<std::vector<cv::Point3f>> places;
    std::vector<std::vector<cv::Point2f>> pixels;
    for (const Sighting *view : views) {
        places.push_back(view->places);
        pixels.push_back(view->pixels);
    }
    cv::Mat rotations, translations, view_deviations, errors;
    solution.camera = cv::Mat::eye(3, 3, CV_64F);
    solution.error = cv::calibrateCamera(places, pixels, size, solution.camera, solution.distortion, rotations,
                                         translations, solution.deviations, view_deviations, errors, 0,
                                         cv::TermCriteria(cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 100, 1e-9));
    for (int i = 0; i < static_cast<int>(errors.total()); i++) solution.view_errors.push_back(errors.at<double>(i));
    return solution;
}

}  // namespace

int32_t fh_calibrator_create(const fh_board *board, int32_t width, int32_t height, fh_calibrator **out_calibrator) {
    if (!board || !out_calibrator || !IsSensible(*board) || width < 64 || height < 64)
        return FH_CALIBRATION_INVALID_ARGUMENT;
    return Guarded([&] {
        *out_calibrator = new fh_calibrator{*board, width, height, {}, {}};
        return FH_CALIBRATION_OK;
    });
}

void fh_calibrator_destroy(fh_calibrator *calibrator) { delete calibrator; }

int32_t fh_calibrator_look(fh_calibrator *calibrator, const uint8_t *luma, int32_t stride, fh_board_view *out_view) {
    if (!calibrator || !luma || !out_view || stride < calibrator->width) return FH_CALIBRATION_INVALID_ARGUMENT;
    return Guarded([&] {
        *out_view = {};
        out_view->movement = -1;
        const cv::Mat picture(calibrator->height, calibrator->width, CV_8U, const_cast<uint8_t *>(luma),
                              static_cast<size_t>(stride));
        Sighting sighting = foothold::FindBoard(calibrator->board, picture);
        if (!sighting.ids.empty()) {
            Describe(*calibrator, sighting, out_view);
            out_view->movement = Movement(calibrator->last, sighting);
        }
        calibrator->last = std::move(sighting);
        return FH_CALIBRATION_OK;
    });
}

int32_t fh_calibrator_keep(fh_calibrator *calibrator) {
    if (!calibrator || calibrator->last.ids.empty()) return FH_CALIBRATION_INVALID_ARGUMENT;
    return Guarded([&] {
        calibrator->kept.push_back(calibrator->last);
        return FH_CALIBRATION_OK;
    });
}

int32_t fh_calibrator_solve(const fh_calibrator *calibrator, fh_calibration *out) {
    if (!calibrator || !out) return FH_CALIBRATION_INVALID_ARGUMENT;
    if (calibrator->kept.size() < 4) return FH_CALIBRATION_NO_SOLUTION;
    return Guarded([&] {
        const cv::Size size(calibrator->width, calibrator->height);
        std::vector<const Sighting *> views;
        for (const auto &view : calibrator->kept) views.push_back(&view);
        Solution solution = Solve(views, size);
        // Once more without what a moved or bent board has spoiled, as long as most remain.
        std::vector<double> sorted = solution.view_errors;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
        const double limit = std::max(0.3, 2.5 * sorted[sorted.size() / 2]);
        std::vector<const Sighting *> good;
        for (size_t i = 0; i < views.size(); i++)
            if (solution.view_errors[i] <= limit) good.push_back(views[i]);
        if (good.size() < views.size() && good.size() >= 4 && 4 * good.size() >= 3 * views.size())
            solution = Solve(good, size);
        else
            good = views;
        *out = {};
        out->width = size.width;
        out->height = size.height;
        out->fx = solution.camera.at<double>(0, 0);
        out->fy = solution.camera.at<double>(1, 1);
        out->cx = solution.camera.at<double>(0, 2);
        out->cy = solution.camera.at<double>(1, 2);
        for (int i = 0; i < 5; i++) out->distortion[i] = solution.distortion.at<double>(i);
        out->error = solution.error;
        out->focal_deviation = std::max(solution.deviations.at<double>(0), solution.deviations.at<double>(1));
        out->view_count = static_cast<int32_t>(good.size());
        out->left_out_count = static_cast<int32_t>(views.size() - good.size());
        const bool is_sensible = std::isfinite(out->fx) && std::isfinite(out->fy) && out->fx > 0 && out->fy > 0 &&
                                 std::isfinite(out->error) && out->cx > 0 && out->cx < size.width && out->cy > 0 &&
                                 out->cy < size.height;
        return is_sensible ? FH_CALIBRATION_OK : FH_CALIBRATION_NO_SOLUTION;
    });
}

int32_t fh_board_draw(const fh_board *board, int32_t pixels_per_square, uint8_t *out_luma, size_t capacity) {
    if (!board || !out_luma || !IsSensible(*board) || pixels_per_square < 8 || pixels_per_square > 4096)
        return FH_CALIBRATION_INVALID_ARGUMENT;
    const int side = pixels_per_square, width = board->columns * side, height = board->rows * side;
    if (capacity < static_cast<size_t>(width) * static_cast<size_t>(height)) return FH_CALIBRATION_INVALID_ARGUMENT;
    int marker = 0;
    for (int row = 0; row < board->rows; row++)
        for (int column = 0; column < board->columns; column++) {
            const bool is_black = foothold::IsBlack(column, row);
            const bool has_marker = !is_black && board->kind == FH_BOARD_CHARUCO;
            const uint64_t pattern = has_marker ? foothold::MarkerPattern(board->marker_bits, marker++) : 0;
            const int cells = board->marker_bits + 2;
            const double low = has_marker ? (1 - board->marker_share) / 2 : 0;
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    uint8_t value = is_black ? 0 : 255;
                    const double u = ((x + 0.5) / side - low) / (1 - 2 * low),
                                 v = ((y + 0.5) / side - low) / (1 - 2 * low);
                    if (has_marker && u >= 0 && u < 1 && v >= 0 && v < 1) {
                        const int cx = static_cast<int>(u * cells) - 1, cy = static_cast<int>(v * cells) - 1;
                        const bool is_inside = cx >= 0 && cy >= 0 && cx < board->marker_bits && cy < board->marker_bits;
                        const int bit = board->marker_bits * board->marker_bits - 1 - (cy * board->marker_bits + cx);
                        value = is_inside && (pattern >> bit & 1) ? 255 : 0;
                    }
                    out_luma[static_cast<size_t>(row * side + y) * static_cast<size_t>(width) +
                             static_cast<size_t>(column * side + x)] = value;
                }
        }
    return FH_CALIBRATION_OK;
}
