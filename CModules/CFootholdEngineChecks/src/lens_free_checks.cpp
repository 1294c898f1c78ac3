#include <algorithm>
#include <cmath>
#include <vector>

#include "painted_room.h"
#include "surfaces/lens_free_picture.h"
#include "sweep_checks.h"

namespace foothold::checks {
namespace {

constexpr int width = 120, height = 90;

double pattern(const Eigen::Vector2d &ray, int phase) {
    return 128 + 90 * std::sin(9 * ray.x() + phase) * std::cos(7 * ray.y());
}

/// A keyframe that shows the pattern through a lens.
struct Seen {
    std::vector<uint8_t> luma;
    KeyframeView view;

    Seen(int64_t id, const CameraModel &camera, LensFreePictures *pictures) {
        for (int y = 0; y < camera.height; ++y) {
            for (int x = 0; x < camera.width; ++x) {
                const double grey = pattern(camera.normalise(Eigen::Vector2d(x, y)), static_cast<int>(id));
                luma.push_back(static_cast<uint8_t>(std::lround(grey)));
            }
        }
        view.id = id;
        view.luma_camera = camera;
        view.luma = luma.data();
        view.stride = camera.width;
        // Of a larger picture it's only asked whether there is one.
        view.full_luma = luma.data();
        view.lens_free = pictures;
    }
};

bool are_same(const cv::Mat &a, const cv::Mat &b) {
    return a.size() == b.size() && std::equal(a.begin<uint8_t>(), a.end<uint8_t>(), b.begin<uint8_t>());
}

double worst_of(const cv::Mat &picture, const CameraModel &camera, int phase) {
    double worst = 0;
    for (int y = 0; y < picture.rows; ++y) {
        for (int x = 0; x < picture.cols; ++x) {
            const Eigen::Vector2d ray((x - camera.cx) / camera.fx, (y - camera.cy) / camera.fy);
            if (!camera.holds(camera.pixel(ray), 1)) continue;
            worst = std::max(worst, std::abs(picture.at<uint8_t>(y, x) - pattern(ray, phase)));
        }
    }
    return worst;
}

bool many_are_as_one(const CameraModel &camera) {
    std::vector<Eigen::Vector2d> pixels, points;
    for (int i = 0; i < 70; ++i) pixels.emplace_back(1.7 * i, 88 - 1.2 * i);
    points = pixels;
    camera.normalise_all(points);
    bool is_same = true;
    for (size_t i = 0; i < points.size(); ++i) is_same = is_same && points[i] == camera.normalise(pixels[i]);
    std::vector<Eigen::Vector2d> back = points;
    camera.to_pixels(back);
    for (size_t i = 0; i < points.size(); ++i) is_same = is_same && back[i] == camera.pixel(points[i]);
    return is_same;
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_lens_free(fh_check_lens_free_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const CameraModel camera = lens(true, width, height);
    LensFreePictures pictures;
    const Seen first(1, camera, &pictures), second(2, camera, &pictures);
    const cv::Mat own = without_lens(first.view), other = without_lens(second.view);
    out_report->worst = std::max(worst_of(own, camera, 1), worst_of(other, camera, 2));
    out_report->is_kept = without_lens(first.view).data == own.data && without_lens(second.view).data == other.data;
    out_report->tells_keyframes_apart = !are_same(own, other);
    CameraModel better = camera;
    better.k[0] += 0.01;
    Seen relearnt = first;
    relearnt.view.luma_camera = better;
    LensFreePictures fresh;
    KeyframeView alone = relearnt.view;
    alone.lens_free = &fresh;
    const cv::Mat changed = without_lens(relearnt.view);
    out_report->tells_lenses_apart = !are_same(changed, own) && are_same(changed, without_lens(alone));
    const cv::Mat pairs = pairs_without_lens(first.view);
    out_report->pairs_agree = pairs.size() == own.size() && pairs_without_lens(first.view).data == pairs.data;
    for (int y = 0; y < pairs.rows; ++y) {
        for (int x = 0; x < pairs.cols; ++x) {
            out_report->pairs_agree &= (pairs.at<uint16_t>(y, x) & 255) == own.at<uint8_t>(y, x);
        }
    }
    for (int id = 3; id < 100; ++id) without_lens(Seen(id, camera, &pictures).view);
    const cv::Mat again = without_lens(first.view);
    out_report->is_drawn_anew = again.data != own.data && are_same(again, own);
    out_report->many_are_as_one = many_are_as_one(camera) && many_are_as_one(lens(false, width, height));
    return 0;
}
