#include "surfaces/lens_free_picture.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "fh_pieces.h"

namespace foothold {

namespace {

/// Bytes for each pixel of a half-size picture: as many as the keyframes need that one is compared with.
constexpr size_t most_bytes = 64;
/// Cameras: of half-size and full-size pictures.
constexpr size_t most_places = 2;

}  // namespace

cv::Mat LensFreePictures::picture(const KeyframeView &view) {
    const CameraModel &camera = view.luma_camera;
    const cv::Mat seen(camera.height, camera.width, CV_8U, const_cast<uint8_t *>(view.luma),
                       static_cast<size_t>(view.stride));
    if (camera.distortion == Distortion::none) return seen;
    Kept &own = kept(view);
    if (own.picture.empty()) {
        const Places &from = places(camera);
        cv::remap(seen, own.picture, from.whole, from.parts, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    }
    const cv::Mat picture = own.picture;
    forget();
    return picture;
}

cv::Mat LensFreePictures::pairs(const KeyframeView &view) {
    const auto make = [](const cv::Mat &picture) {
        const fh_image image = {picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step)};
        cv::Mat pairs(picture.size(), CV_16U);
        fh_piece_pairs(&image, pairs.ptr<uint16_t>());
        return pairs;
    };
    const cv::Mat shown = picture(view);
    // Those of full-size pictures are large, and needed in reviews alone.
    if (view.full_luma == nullptr) return make(shown);
    Kept &own = kept(view);
    if (own.pairs.empty()) own.pairs = make(shown);
    const cv::Mat pairs = own.pairs;
    forget();
    return pairs;
}

void LensFreePictures::forget_pairs() {
    for (Kept &kept : kept_) kept.pairs.release();
}

void LensFreePictures::clear() {
    kept_.clear();
    places_.clear();
}

LensFreePictures::Kept &LensFreePictures::kept(const KeyframeView &view) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept &kept) {
        return kept.keyframe_id == view.id && kept.camera == view.luma_camera;
    });
    if (found != kept_.end()) {
        kept_.splice(kept_.end(), kept_, found);
    } else {
        kept_.push_back({view.id, view.luma_camera, {}, {}});
    }
    return kept_.back();
}

void LensFreePictures::forget() {
    size_t bytes = 0, pixels = SIZE_MAX;
    for (const Kept &kept : kept_) {
        bytes += kept.bytes();
        pixels = std::min(pixels, static_cast<size_t>(kept.camera.width) * kept.camera.height);
    }
    while (kept_.size() > 1 && bytes > most_bytes * pixels) {
        bytes -= kept_.front().bytes();
        kept_.pop_front();
    }
}

const LensFreePictures::Places &LensFreePictures::places(const CameraModel &camera) {
    const auto found =
        std::find_if(places_.begin(), places_.end(), [&](const Places &places) { return places.camera == camera; });
    if (found != places_.end()) {
        std::rotate(places_.begin(), found, found + 1);
        return places_.front();
    }
    cv::Mat exact(camera.height, camera.width, CV_32FC2);
    std::vector<Eigen::Vector2d> row(static_cast<size_t>(camera.width));
    for (int y = 0; y < exact.rows; ++y) {
        for (int x = 0; x < exact.cols; ++x) {
            row[static_cast<size_t>(x)] = {(x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy};
        }
        camera.to_pixels(row);
        for (int x = 0; x < exact.cols; ++x) {
            const Eigen::Vector2f pixel = row[static_cast<size_t>(x)].cast<float>();
            exact.at<cv::Vec2f>(y, x) = {pixel.x(), pixel.y()};
        }
    }
    Places made = {camera, {}, {}};
    cv::convertMaps(exact, cv::noArray(), made.whole, made.parts, CV_16SC2);
    if (places_.size() == most_places) places_.pop_back();
    places_.insert(places_.begin(), std::move(made));
    return places_.front();
}

cv::Mat without_lens(const KeyframeView &view) {
    return view.lens_free != nullptr ? view.lens_free->picture(view) : LensFreePictures().picture(view);
}

cv::Mat pairs_without_lens(const KeyframeView &view) {
    return view.lens_free != nullptr ? view.lens_free->pairs(view) : LensFreePictures().pairs(view);
}

}  // namespace foothold
