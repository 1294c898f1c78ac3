#include "pictures.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace foothold::benchmarks {

cv::Mat MakePicture(int width, int height, uint64_t seed) {
    cv::RNG random(seed);
    cv::Mat picture(height, width, CV_8U);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            picture.at<uint8_t>(y, x) = static_cast<uint8_t>(90 + 60 * x / width + 40 * y / height);
        }
    }
    const int shapes = width * height / 1200;
    for (int i = 0; i < shapes; ++i) {
        // Large ones first, small ones over them.
        const int size = std::max(3, width / 5 * (shapes - i) / shapes);
        const cv::Point at(random.uniform(0, width), random.uniform(0, height));
        const cv::Scalar grey(random.uniform(15, 240));
        const cv::Size2f box(static_cast<float>(random.uniform(3, size + 1)),
                             static_cast<float>(random.uniform(3, size + 1)));
        if (i % 4 == 0) {
            cv::ellipse(picture, at, cv::Size(box) / 2, random.uniform(0, 180), 0, 360, grey, cv::FILLED, cv::LINE_AA);
            continue;
        }
        cv::Point2f corners[4];
        cv::RotatedRect(at, box, static_cast<float>(random.uniform(0, 90))).points(corners);
        const std::vector<cv::Point> outline(corners, corners + 4);
        cv::fillConvexPoly(picture, outline, grey, cv::LINE_AA);
        // Every second picture in the picture is out of focus.
        if (i == shapes / 2) cv::GaussianBlur(picture, picture, cv::Size(), 1.5);
    }
    cv::GaussianBlur(picture, picture, cv::Size(), 0.7);
    cv::Mat noise(height, width, CV_16S), sum;
    random.fill(noise, cv::RNG::NORMAL, 0, 2);
    picture.convertTo(sum, CV_16S);
    sum += noise;
    sum.convertTo(picture, CV_8U);
    return picture;
}

cv::Mat MakeNext(const cv::Mat &picture) {
    const cv::Mat motion = (cv::Mat_<double>(2, 3) << 1, 0.01, 3.4, -0.01, 1, -2.2);
    cv::Mat next;
    cv::warpAffine(picture, next, motion, picture.size(), cv::INTER_CUBIC, cv::BORDER_REFLECT_101);
    return next;
}

std::vector<fh_point> FindPoints(const cv::Mat &picture, int count) {
    std::vector<cv::Point2f> corners;
    cv::goodFeaturesToTrack(picture, corners, count, 0.005, 8);
    std::vector<fh_point> points;
    points.reserve(corners.size());
    for (const cv::Point2f &corner : corners) points.push_back({corner.x, corner.y});
    return points;
}

Pyramid::Pyramid(const cv::Mat &picture, int levels)
    : memory(fh_pyramid_memory_size(picture.cols, picture.rows, levels)) {
    Build(picture, levels);
}

void Pyramid::Build(const cv::Mat &picture, int levels) {
    const int32_t status =
        fh_pyramid_build(picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step), levels,
                         memory.data(), memory.size(), &pyramid);
    if (status != FH_KERNEL_OK) throw std::runtime_error("the pyramid was refused");
}

}  // namespace foothold::benchmarks
