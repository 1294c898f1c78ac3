// Pictures to measure on, the same at every run.
#pragma once

#include <fh_klt.h>
#include <fh_pyramid.h>

#include <opencv2/core.hpp>
#include <vector>

namespace foothold::benchmarks {

/// An indoor-like picture: shapes of many sizes with sharp and soft edges, fine texture, a little noise.
cv::Mat MakePicture(int width, int height, uint64_t seed);

/// The picture some frames later: moved by a few pixels and turned a little.
cv::Mat MakeNext(const cv::Mat &picture);

/// Up to `count` corners, well spread.
std::vector<fh_point> FindPoints(const cv::Mat &picture, int count);

inline fh_image ImageOf(const cv::Mat &picture) {
    return {picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step)};
}

/// A pyramid with its memory.
struct Pyramid {
    std::vector<uint8_t> memory;
    fh_pyramid pyramid = {};

    Pyramid(const cv::Mat &picture, int levels);
    void Build(const cv::Mat &picture, int levels);
};

}  // namespace foothold::benchmarks
