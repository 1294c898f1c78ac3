// Kernels that follow points from picture to picture, and the whole front end.
#include <fh_affine.h>
#include <fh_corners.h>
#include <fh_descriptors.h>
#include <fh_klt.h>
#include <fh_pieces.h>
#include <fh_sweep.h>

#include <algorithm>
#include <memory>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

#include "cases.h"
#include "pictures.h"

namespace foothold::benchmarks {

namespace {

/// Points to follow and to describe: at most, as many as the pictures have.
constexpr int kLevels = 4, kPoints = 300, kDescribed = 1000, kCell = 32;
const cv::TermCriteria kCriteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 30, 0.01);

fh_klt_options OptionsOf(int window, int brightness, float max_forward_backward) {
    fh_klt_options options;
    fh_klt_options_default(&options);
    options.window = window;
    options.max_iterations = 30;
    options.brightness = brightness;
    options.max_forward_backward = max_forward_backward;
    return options;
}

struct State {
    cv::Mat picture, next;
    Pyramid from, to, blurred, single;
    std::vector<fh_point> points, found;
    std::vector<fh_klt_result> results;
    std::vector<cv::Point2f> opencv_points, opencv_found, opencv_back;
    std::vector<uint8_t> status;
    std::vector<float> errors;
    std::vector<fh_template> templates;
    std::vector<fh_point> described;
    std::vector<uint8_t> levels;
    std::vector<fh_descriptor> descriptors;
    std::vector<cv::KeyPoint> keypoints, corners;
    cv::Ptr<cv::ORB> orb;
    cv::Mat opencv_descriptors;
    fh_grid_options grid = {kCell, 20, 16, 4, 8};
    std::vector<uint8_t> taken, scratch;
    std::vector<fh_grid_corner> grid_corners;
    std::vector<cv::Mat> opencv_from, opencv_to;
    /// Rows of the picture, compared with the next one at a row of distances.
    static constexpr int kSweptWidth = 320, kSweptRows = 16;
    fh_sweep_source source = {};
    float distances[FH_SWEEP_DEPTHS];
    std::vector<uint8_t> swept;
    std::vector<uint16_t> costs, paths, jumps, path_sums;
    std::vector<float> places;
    std::vector<uint16_t> pairs;
    std::vector<fh_piece> pieces;
    std::vector<float> correlations, row_depths, differences;

    State(int width, int height)
        : picture(MakePicture(width, height, 11)),
          next(MakeNext(picture)),
          from(picture, kLevels),
          to(next, kLevels),
          blurred(picture, 1),
          single(picture, 1),
          points(FindPoints(picture, kPoints)),
          found(points),
          results(points.size()),
          templates(points.size()),
          taken(static_cast<size_t>(fh_grid_cell_count(width, height, kCell))),
          scratch(fh_grid_scratch_size(width, height, &grid)),
          grid_corners(taken.size()) {
        for (const fh_point &point : points) opencv_points.emplace_back(point.x, point.y);
        cv::FAST(picture, keypoints, 15, true);
        cv::KeyPointsFilter::retainBest(keypoints, kDescribed);
        cv::KeyPointsFilter::runByImageBorder(keypoints, picture.size(), 31);
        for (cv::KeyPoint &keypoint : keypoints) {
            keypoint.size = 31;
            keypoint.octave = 0;
            described.push_back({keypoint.pt.x, keypoint.pt.y});
        }
        levels.resize(described.size());
        descriptors.resize(described.size());
        orb = cv::ORB::create(kDescribed, 1.2f, 1);
        PrepareSweep();
        PreparePieces();
    }

    void Track(const fh_klt_options &options) {
        found = points;
        fh_klt_track(&from.pyramid, &to.pyramid, points.data(), nullptr, found.data(), results.data(),
                     static_cast<int32_t>(points.size()), &options);
    }

    void TrackWithOpenCV(int window, bool back) {
        opencv_found = opencv_points;
        cv::calcOpticalFlowPyrLK(opencv_from, opencv_to, opencv_points, opencv_found, status, errors,
                                 cv::Size(window, window), kLevels - 1, kCriteria, cv::OPTFLOW_USE_INITIAL_FLOW);
        if (!back) return;
        opencv_back = opencv_points;
        cv::calcOpticalFlowPyrLK(opencv_to, opencv_from, opencv_found, opencv_back, status, errors,
                                 cv::Size(window, window), kLevels - 1, kCriteria, cv::OPTFLOW_USE_INITIAL_FLOW);
    }

    void SelectCorners() {
        std::fill(taken.begin(), taken.end(), uint8_t{0});
        const int columns = (next.cols + kCell - 1) / kCell;
        for (size_t i = 0; i < points.size(); ++i) {
            if (results[i].status != FH_TRACK_FOUND) continue;
            const int cell = static_cast<int>(found[i].y) / kCell * columns + static_cast<int>(found[i].x) / kCell;
            taken[static_cast<size_t>(cell)] = 1;
        }
        int32_t count = 0;
        fh_select_corners_grid(&to.pyramid.levels[0], &grid, taken.data(), grid_corners.data(),
                               static_cast<int32_t>(grid_corners.size()), &count, scratch.data(), scratch.size());
    }

    void AlignTemplates() {
        const fh_align_options options = {20, 0.01f, 8, 0, -1};
        for (size_t i = 0; i < points.size(); ++i) {
            fh_template_sample(&from.pyramid.levels[0], points[i], nullptr, 9, FH_BRIGHTNESS_GAIN_OFFSET,
                               &templates[i]);
            fh_point at = {points[i].x + 1, points[i].y - 1};
            fh_align_result result;
            fh_patch_align(&templates[i], &from.pyramid, 0, &options, &at, &result);
        }
    }

    /// Pieces of 18 × 18 pixels, turned and made smaller by a little.
    static constexpr int kPiece = 18;
    static constexpr float kStep[4] = {1.05f, -0.2f, 0.15f, 0.95f};

    void SamplePieces() {
        int16_t piece[kPiece * kPiece];
        for (const fh_point &point : points) {
            fh_affine_sample(&from.pyramid.levels[0], point, kStep, kPiece, kPiece, piece, kPiece, nullptr);
        }
    }

    void SamplePiecesWithOpenCV() {
        constexpr float kMiddle = 0.5f * (kPiece - 1);
        cv::Mat piece;
        for (const fh_point &point : points) {
            const cv::Matx23f place(kStep[0], kStep[1], point.x - (kStep[0] + kStep[1]) * kMiddle,  //
                                    kStep[2], kStep[3], point.y - (kStep[2] + kStep[3]) * kMiddle);
            cv::warpAffine(picture, piece, place, cv::Size(kPiece, kPiece), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                           cv::BORDER_REPLICATE);
        }
    }

    /// Pieces of the picture, all samples counting alike, and where they are looked for.
    void PreparePieces() {
        const fh_image &image = from.pyramid.levels[0];
        pairs.resize(static_cast<size_t>(image.width) * image.height);
        fh_piece_pairs(&image, pairs.data());
        pieces.resize(points.size());
        for (size_t i = 0; i < points.size(); ++i) {
            for (int k = 0; k < FH_PIECE_SIDE * FH_PIECE_STRIDE; ++k) {
                if (k % FH_PIECE_STRIDE == FH_PIECE_SIDE) continue;
                pieces[i].weights[k] = 1.0f / (FH_PIECE_SIDE * FH_PIECE_SIDE);
                pieces[i].centred[k] = static_cast<float>(k % 5 - 2);
            }
            pieces[i].deviation = 10;
        }
        correlations.resize(points.size());
    }

    void ComparePieces() {
        const fh_image &image = from.pyramid.levels[0];
        const fh_piece_picture source = {pairs.data(), image.width, image.height, image.width};
        for (size_t i = 0; i < points.size(); ++i) {
            fh_piece_correlate(&pieces[i], &source, points[i], kStep, &correlations[i]);
        }
    }

    void PrepareSweep() {
        source.image = {next.data, next.cols, next.rows, static_cast<int32_t>(next.step)};
        source.matrix[0] = source.matrix[4] = source.matrix[8] = 1;
        source.shift[0] = 1;
        for (int d = 0; d < FH_SWEEP_DEPTHS; ++d) distances[d] = static_cast<float>(d);
        const size_t count = static_cast<size_t>(kSweptWidth) * FH_SWEEP_DEPTHS;
        swept.resize(count * kSweptRows);
        costs.resize(count * kSweptRows);
        path_sums.resize(count * kSweptRows);
        paths.resize(static_cast<size_t>(kSweptWidth) * FH_SWEEP_PATH);
        jumps.assign(kSweptWidth, 200);
        places.resize(static_cast<size_t>(kSweptWidth) * kSweptRows);
        for (int x = 0; x < kSweptWidth; ++x) row_depths.push_back(0.5f + static_cast<float>(x % 16));
        differences.resize(kSweptWidth);
        CompareRows();
        std::copy(swept.begin(), swept.end(), costs.begin());
        SmoothRows();
        ChooseRows();
    }

    void CompareRows() {
        for (int y = 0; y < kSweptRows; ++y) {
            fh_sweep_compare_row(picture.ptr<uint8_t>(y), kSweptWidth, y, &source, 1, distances, 40,
                                 swept.data() + swept.size() / kSweptRows * y);
        }
    }

    void SmoothRows() {
        std::fill(path_sums.begin(), path_sums.end(), uint16_t{0});
        fh_sweep_begin(kSweptWidth, paths.data());
        for (int y = 0; y < kSweptRows; ++y) {
            const size_t at = costs.size() / kSweptRows * y;
            fh_sweep_smooth_row(costs.data() + at, kSweptWidth, 20, jumps.data(), 1, paths.data(),
                                path_sums.data() + at);
        }
    }

    void ChooseRows() {
        for (int y = 0; y < kSweptRows; ++y) {
            fh_sweep_choose_row(path_sums.data() + path_sums.size() / kSweptRows * y, kSweptWidth,
                                places.data() + static_cast<ptrdiff_t>(y) * kSweptWidth);
        }
    }

    /// Windows of 18 columns and 9 rows, one beside the other.
    void AddWindows() {
        constexpr int kColumns = 18, kRows = 9;
        const float plane[3] = {places[0], 0, 0};
        fh_sweep_sums sums;
        for (int x = 0; x + kColumns <= kSweptWidth; ++x) {
            const fh_sweep_window window = {places.data() + x, kSweptWidth, kColumns, kRows, -8.5f, -8.5f, 2};
            fh_sweep_add_window(&window, plane, 8, &sums);
        }
    }

    /// The same rows with the picture itself, each pixel at a distance of its own.
    void DifferRows() {
        const fh_image &image = from.pyramid.levels[0];
        fh_sweep_other other = {{pairs.data(), image.width, image.height, image.width}, {}, {}, 0};
        std::copy(source.matrix, source.matrix + 9, other.matrix);
        std::copy(source.shift, source.shift + 3, other.shift);
        for (int y = 0; y < kSweptRows; ++y) {
            fh_sweep_differ_row(picture.ptr<uint8_t>(y), kSweptWidth, y, row_depths.data(), &other, 0.4f, 4,
                                differences.data());
        }
    }

    void Describe() {
        fh_pyramid_blur(&single.pyramid, blurred.memory.data(), blurred.memory.size(), &blurred.pyramid);
        fh_describe_points(&blurred.pyramid, described.data(), levels.data(), static_cast<int32_t>(described.size()),
                           nullptr, descriptors.data());
    }
};

}  // namespace

void AddTrackingCases(int width, int height, std::vector<Case> *cases) {
    const auto state = std::make_shared<State>(width, height);
    State *const s = state.get();
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const auto add = [&](const char *name, const char *peer, const std::function<void()> &ours,
                         const std::function<void()> &opencv) {
        cases->push_back({name, size, peer, [state, ours] { ours(); },
                          opencv ? std::function<void()>([state, opencv] { opencv(); }) : nullptr});
    };
    // OpenCV's pyramids hold gradients for one window size and more; the largest one's serve all.
    cv::buildOpticalFlowPyramid(s->picture, s->opencv_from, cv::Size(21, 21), kLevels - 1);
    cv::buildOpticalFlowPyramid(s->next, s->opencv_to, cv::Size(21, 21), kLevels - 1);
    const auto track = [&](const char *name, int window) {
        add(
            name, "calcOpticalFlowPyrLK", [=] { s->Track(OptionsOf(window, FH_BRIGHTNESS_GAIN_OFFSET, 0)); },
            [=] { s->TrackWithOpenCV(window, false); });
    };
    track("KLT 9x9", 9);
    track("KLT 15x15", 15);
    track("KLT 21x21", 21);
    add(
        "KLT 9x9, brightness fixed", "calcOpticalFlowPyrLK", [=] { s->Track(OptionsOf(9, FH_BRIGHTNESS_FIXED, 0)); },
        [=] { s->TrackWithOpenCV(9, false); });
    add(
        "KLT 9x9, there and back", "calcOpticalFlowPyrLK twice",
        [=] { s->Track(OptionsOf(9, FH_BRIGHTNESS_GAIN_OFFSET, 1)); }, [=] { s->TrackWithOpenCV(9, true); });
    add(
        "sample and align 9x9", "", [=] { s->AlignTemplates(); }, nullptr);
    add(
        "affine pieces 18x18", "warpAffine", [=] { s->SamplePieces(); }, [=] { s->SamplePiecesWithOpenCV(); });
    add(
        "compare pieces 7x7", "", [=] { s->ComparePieces(); }, nullptr);
    add(
        "compare 16 rows at 64 distances", "", [=] { s->CompareRows(); }, nullptr);
    add(
        "compare 16 rows, each pixel at its distance", "", [=] { s->DifferRows(); }, nullptr);
    add(
        "smooth 16 rows of 64 distances", "", [=] { s->SmoothRows(); }, nullptr);
    add(
        "choose in 16 rows of 64 distances", "", [=] { s->ChooseRows(); }, nullptr);
    add(
        "sums of windows 18x9", "", [=] { s->AddWindows(); }, nullptr);
    add(
        "blur and describe", "ORB::compute", [=] { s->Describe(); },
        [=] {
            s->corners = s->keypoints;
            s->orb->compute(s->picture, s->corners, s->opencv_descriptors);
        });
    add(
        "front end", "the same of OpenCV's",
        [=] {
            s->to.Build(s->next, kLevels);
            s->Track(OptionsOf(9, FH_BRIGHTNESS_GAIN_OFFSET, 1));
            s->SelectCorners();
        },
        [=] {
            cv::buildOpticalFlowPyramid(s->next, s->opencv_to, cv::Size(21, 21), kLevels - 1);
            s->TrackWithOpenCV(9, true);
            cv::FAST(s->next, s->corners, 20, true);
        });
}

}  // namespace foothold::benchmarks
