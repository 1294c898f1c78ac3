#include "surfaces/lens_free_picture.h"

#include <opencv2/imgproc.hpp>

#include "fh_pieces.h"

namespace foothold {

cv::Mat without_lens(const KeyframeView &view) {
    const CameraModel &camera = view.luma_camera;
    cv::Mat picture(camera.height, camera.width, CV_8U, const_cast<uint8_t *>(view.luma),
                    static_cast<size_t>(view.stride));
    if (camera.distortion == Distortion::none) return picture;
    cv::Mat places(picture.size(), CV_32FC2), out;
    for (int y = 0; y < places.rows; ++y) {
        for (int x = 0; x < places.cols; ++x) {
            const Eigen::Vector2d pixel = camera.pixel({(x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy});
            places.at<cv::Vec2f>(y, x) = {static_cast<float>(pixel.x()), static_cast<float>(pixel.y())};
        }
    }
    cv::remap(picture, out, places, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return out;
}

std::vector<uint16_t> pairs_without_lens(const KeyframeView &view) {
    const cv::Mat picture = without_lens(view);
    const fh_image image = {picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step)};
    std::vector<uint16_t> pairs(picture.total());
    fh_piece_pairs(&image, pairs.data());
    return pairs;
}

}  // namespace foothold
