// Kernels that read whole pictures.
#include <fh_corners.h>
#include <fh_pyramid.h>
#include <fh_remap.h>
#include <fh_statistics.h>

#include <algorithm>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

#include "cases.h"
#include "pictures.h"

namespace foothold::benchmarks {

namespace {

constexpr int kLevels = 4, kThreshold = 20;

struct State {
    cv::Mat picture, next, half, same;
    std::vector<uint8_t> scratch;
    Pyramid pyramid;
    std::vector<cv::Mat> opencv_pyramid;
    fh_grid_options grid = {32, kThreshold, 16, 4, 8};
    std::vector<fh_corner> corners;
    std::vector<cv::KeyPoint> keypoints;
    std::vector<fh_grid_corner> grid_corners;
    fh_statistics_options measured = {8, 6, 16, 240};
    std::vector<uint8_t> remap_memory;
    fh_remap remap = {};
    cv::Mat map_places, map_weights;

    State(int width, int height)
        : picture(MakePicture(width, height, 7)),
          next(MakeNext(picture)),
          half((height + 1) / 2, (width + 1) / 2, CV_8U),
          same(height, width, CV_8U),
          pyramid(picture, kLevels),
          corners(static_cast<size_t>(width) * static_cast<size_t>(height) / 4),
          grid_corners(static_cast<size_t>(fh_grid_cell_count(width, height, grid.cell_size))),
          remap_memory(fh_remap_memory_size(width, height)) {
        scratch.resize(std::max({fh_gaussian_scratch_size(width), fh_fast_scratch_size(width),
                                 fh_grid_scratch_size(width, height, &grid)}));
        const double focal = 0.8 * width;
        const fh_lens lens = {FH_LENS_RADIAL_TANGENTIAL,           focal, focal, 0.5 * width, 0.5 * height,
                              {-0.28, 0.09, 0.001, -0.0007, -0.01}};
        fh_lens straight = lens;
        straight.model = FH_LENS_NONE;
        fh_remap_build(&lens, width, height, &straight, width, height, remap_memory.data(), remap_memory.size(),
                       &remap);
        const cv::Mat camera = (cv::Mat_<double>(3, 3) << focal, 0, lens.cx, 0, focal, lens.cy, 0, 0, 1);
        const cv::Mat distortion(1, 5, CV_64F, const_cast<double *>(lens.k));
        cv::initUndistortRectifyMap(camera, distortion, cv::noArray(), camera, picture.size(), CV_16SC2, map_places,
                                    map_weights);
    }

    void Measure(const fh_image &image, const fh_image &previous) {
        fh_statistics statistics;
        float texture[48];
        fh_statistics_measure(&image, &previous, &measured, &statistics, texture);
    }
};

}  // namespace

void AddImageCases(int width, int height, std::vector<Case> *cases) {
    const auto state = std::make_shared<State>(width, height);
    State *const s = state.get();
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const auto add = [&](const char *name, const char *peer, const std::function<void()> &ours,
                         const std::function<void()> &opencv) {
        // Each function keeps the state alive.
        cases->push_back({name, size, peer, [state, ours] { ours(); },
                          opencv ? std::function<void()>([state, opencv] { opencv(); }) : nullptr});
    };
    const int32_t half_stride = static_cast<int32_t>(s->half.step), stride = static_cast<int32_t>(s->same.step);
    add(
        "halve, mean of 2x2", "resize (INTER_AREA)",
        [=] {
            const fh_image image = ImageOf(s->picture);
            fh_halve_mean(&image, s->half.data, half_stride);
        },
        [=] { cv::resize(s->picture, s->half, s->half.size(), 0, 0, cv::INTER_AREA); });
    add(
        "halve, Gaussian 5x5", "pyrDown",
        [=] {
            const fh_image image = ImageOf(s->picture);
            fh_halve_gaussian(&image, s->half.data, half_stride, s->scratch.data(), s->scratch.size());
        },
        [=] { cv::pyrDown(s->picture, s->half); });
    add(
        "blur, Gaussian 5x5", "GaussianBlur",
        [=] {
            const fh_image image = ImageOf(s->picture);
            fh_blur_gaussian(&image, s->same.data, stride, s->scratch.data(), s->scratch.size());
        },
        [=] { cv::GaussianBlur(s->picture, s->same, cv::Size(5, 5), 0); });
    add(
        "pyramid, 4 levels", "buildOpticalFlowPyramid", [=] { s->pyramid.Build(s->picture, kLevels); },
        [=] { cv::buildOpticalFlowPyramid(s->picture, s->opencv_pyramid, cv::Size(21, 21), kLevels - 1); });
    add(
        "pyramid, beside one without gradients", "buildOpticalFlowPyramid",
        [=] { s->pyramid.Build(s->picture, kLevels); },
        [=] { cv::buildOpticalFlowPyramid(s->picture, s->opencv_pyramid, cv::Size(21, 21), kLevels - 1, false); });
    add(
        "FAST-9 corners, suppressed", "FAST",
        [=] {
            const fh_image image = ImageOf(s->picture);
            int32_t count = 0;
            fh_fast_corners(&image, nullptr, kThreshold, 1, s->corners.data(), static_cast<int32_t>(s->corners.size()),
                            &count, s->scratch.data(), s->scratch.size());
        },
        [=] { cv::FAST(s->picture, s->keypoints, kThreshold, true); });
    add(
        "best corner per 32x32 cell", "FAST",
        [=] {
            const fh_image image = ImageOf(s->picture);
            int32_t count = 0;
            fh_select_corners_grid(&image, &s->grid, nullptr, s->grid_corners.data(),
                                   static_cast<int32_t>(s->grid_corners.size()), &count, s->scratch.data(),
                                   s->scratch.size());
        },
        [=] { cv::FAST(s->picture, s->keypoints, kThreshold, true); });
    const auto mean = [=] {
        cv::Scalar level, deviation;
        cv::meanStdDev(s->picture, level, deviation);
    };
    add(
        "statistics of the frame", "meanStdDev", [=] { s->Measure(ImageOf(s->picture), ImageOf(s->next)); }, mean);
    add(
        "statistics of level 1", "meanStdDev (frame)",
        [=] { s->Measure(s->pyramid.pyramid.levels[1], s->pyramid.pyramid.levels[1]); }, mean);
    add(
        "remap, radial to straight", "remap",
        [=] {
            const fh_image image = ImageOf(s->picture);
            fh_remap_apply(&s->remap, &image, s->same.data, stride);
        },
        [=] { cv::remap(s->picture, s->same, s->map_places, s->map_weights, cv::INTER_LINEAR); });
}

}  // namespace foothold::benchmarks
