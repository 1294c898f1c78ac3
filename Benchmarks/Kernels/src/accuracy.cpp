// Tracking against the truth: both pictures are drawn from one larger picture by known motions, so that every point's
// place in the second is known.
#include <fh_klt.h>

#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

#include "measure.h"
#include "pictures.h"

namespace foothold::benchmarks {

namespace {

constexpr int kLevels = 4;

/// What happens between the pictures: pixels, degrees, grey levels.
struct Motion {
    const char *name;
    double x, y, turn, scale, blur, noise, gain, offset;
};

constexpr Motion kMotions[] = {
    {"shift 4 px", 3.3, -2.6, 0, 1, 0, 0, 1, 0},
    {"shift 20 px", 17.4, 9.2, 0, 1, 0, 0, 1, 0},
    {"noise 4 levels", 2.3, 1.7, 0, 1, 0, 4, 1, 0},
    {"noise 10 levels", 2.3, 1.7, 0, 1, 0, 10, 1, 0},
    {"turn 5 degrees", 2, 1, 5, 1, 0, 1.5, 1, 0},
    {"scale 1.08", 1, 2, 0, 1.08, 0, 1.5, 1, 0},
    {"turn 3 degrees, scale 0.95", 4, -3, 3, 0.95, 0, 1.5, 1, 0},
    {"blur 1.5 px", 2.7, 1.1, 0, 1, 1.5, 1.5, 1, 0},
    {"15 levels brighter", 2.7, 1.1, 0, 1, 0, 1.5, 1, 15},
    {"contrast 0.7, 20 levels brighter", 2.7, 1.1, 0, 1, 0, 1.5, 0.7, 20},
    {"all of it, mildly", 5, -4, 3, 1.04, 0.8, 3, 0.85, 10},
};
constexpr int kQuickMotions[] = {0, 2, 4, 9};

/// Where the first picture's pixel shows the source's: off the grid, so that both pictures are sampled.
constexpr double kFirstX = 0.37, kFirstY = 0.21;

cv::Mat Draw(const cv::Mat &source, const cv::Mat &motion, const Motion &how, bool second, cv::RNG *random) {
    cv::Mat real, drawn, noise(source.size(), CV_32F), picture;
    source.convertTo(real, CV_32F);
    cv::warpAffine(real, drawn, motion, source.size(), cv::INTER_LANCZOS4, cv::BORDER_REFLECT_101);
    if (second && how.blur > 0) cv::GaussianBlur(drawn, drawn, cv::Size(), how.blur);
    if (second) drawn = drawn * how.gain + how.offset;
    random->fill(noise, cv::RNG::NORMAL, 0, std::max(how.noise, 1e-6));
    drawn += noise;
    drawn.convertTo(picture, CV_8U);
    return picture;
}

struct Shares {
    int tenth = 0, half = 0;

    void Add(bool found, double error) {
        tenth += found && error < 0.1;
        half += found && error < 0.5;
    }
};

fhb_accuracy MeasureOne(const Motion &how, int window, int pictures) {
    Shares gain, fixed, opencv;
    int followed = 0;
    for (int picture = 0; picture < pictures; ++picture) {
        const cv::Mat source = MakePicture(640, 480, 100 + static_cast<uint64_t>(picture));
        cv::RNG random(static_cast<uint64_t>(picture) * 77 + 5);
        const cv::Mat first_motion = (cv::Mat_<double>(2, 3) << 1, 0, kFirstX, 0, 1, kFirstY);
        cv::Mat motion = cv::getRotationMatrix2D(cv::Point2f(320, 240), how.turn, how.scale);
        motion.at<double>(0, 2) += how.x;
        motion.at<double>(1, 2) += how.y;
        const cv::Mat first = Draw(source, first_motion, how, false, &random);
        const cv::Mat second = Draw(source, motion, how, true, &random);
        const std::vector<fh_point> points = FindPoints(first, 300);
        const Pyramid from(first, kLevels), to(second, kLevels);

        const auto track = [&](int brightness, std::vector<fh_point> *found) {
            fh_klt_options options;
            fh_klt_options_default(&options);
            options.window = window;
            options.max_iterations = 30;
            options.brightness = brightness;
            std::vector<fh_klt_result> results(points.size());
            *found = points;
            fh_klt_track(&from.pyramid, &to.pyramid, points.data(), nullptr, found->data(), results.data(),
                         static_cast<int32_t>(points.size()), &options);
            return results;
        };
        std::vector<fh_point> gain_found, fixed_found;
        const auto gain_results = track(FH_BRIGHTNESS_GAIN_OFFSET, &gain_found);
        const auto fixed_results = track(FH_BRIGHTNESS_FIXED, &fixed_found);
        std::vector<cv::Point2f> starts, found;
        for (const fh_point &point : points) starts.emplace_back(point.x, point.y);
        std::vector<uint8_t> status;
        std::vector<float> errors;
        cv::calcOpticalFlowPyrLK(first, second, starts, found, status, errors, cv::Size(window, window), kLevels - 1,
                                 cv::TermCriteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 30, 0.01));
        for (size_t i = 0; i < points.size(); ++i) {
            const double x = points[i].x - kFirstX, y = points[i].y - kFirstY;
            const double true_x = motion.at<double>(0, 0) * x + motion.at<double>(0, 1) * y + motion.at<double>(0, 2);
            const double true_y = motion.at<double>(1, 0) * x + motion.at<double>(1, 1) * y + motion.at<double>(1, 2);
            if (true_x < window || true_y < window || true_x > 640 - window || true_y > 480 - window) continue;
            ++followed;
            const auto error = [&](double found_x, double found_y) {
                return std::hypot(found_x - true_x, found_y - true_y);
            };
            gain.Add(gain_results[i].status == FH_TRACK_FOUND, error(gain_found[i].x, gain_found[i].y));
            fixed.Add(fixed_results[i].status == FH_TRACK_FOUND, error(fixed_found[i].x, fixed_found[i].y));
            opencv.Add(status[i] != 0, error(found[i].x, found[i].y));
        }
    }
    fhb_accuracy accuracy = {};
    std::snprintf(accuracy.motion, sizeof(accuracy.motion), "%s", how.name);
    accuracy.window = window;
    accuracy.points = followed;
    const double all = std::max(followed, 1);
    accuracy.ours_tenth = gain.tenth / all;
    accuracy.ours_half = gain.half / all;
    accuracy.fixed_tenth = fixed.tenth / all;
    accuracy.fixed_half = fixed.half / all;
    accuracy.opencv_tenth = opencv.tenth / all;
    accuracy.opencv_half = opencv.half / all;
    return accuracy;
}

}  // namespace

std::vector<fhb_accuracy> MeasureAccuracy(bool quick) {
    std::vector<fhb_accuracy> accuracies;
    for (const int window : {9, 21}) {
        if (quick) {
            for (const int index : kQuickMotions) accuracies.push_back(MeasureOne(kMotions[index], window, 1));
        } else {
            for (const Motion &motion : kMotions) accuracies.push_back(MeasureOne(motion, window, 4));
        }
    }
    return accuracies;
}

}  // namespace foothold::benchmarks
