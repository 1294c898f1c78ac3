#include "surfaces/lens_free_picture.h"

#include <opencv2/imgproc.hpp>

namespace foothold {

cv::Mat without_lens(const KeyframeView &view, const uint8_t *luma, int width, int height, int stride, double scale) {
    cv::Mat picture(height, width, CV_8U, const_cast<uint8_t *>(luma), static_cast<size_t>(stride));
    if (view.luma_camera.distortion == Distortion::none) return picture;
    cv::Mat places(height, width, CV_32FC2), out;
    const CameraModel &camera = view.luma_camera;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const Eigen::Vector2d normalised((x / scale - camera.cx) / camera.fx, (y / scale - camera.cy) / camera.fy);
            const Eigen::Vector2d pixel = scale * camera.pixel(normalised);
            places.at<cv::Vec2f>(y, x) = {static_cast<float>(pixel.x()), static_cast<float>(pixel.y())};
        }
    }
    cv::remap(picture, out, places, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return out;
}

}  // namespace foothold
