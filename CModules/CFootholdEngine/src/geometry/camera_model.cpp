#include "geometry/camera_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "fh_lens.h"

namespace foothold {

namespace {

/// The lens alone: normalised coordinates in and out.
fh_lens lens_of(const CameraModel &camera) {
    const int32_t model = camera.distortion == Distortion::none                ? FH_LENS_NONE
                          : camera.distortion == Distortion::radial_tangential ? FH_LENS_RADIAL_TANGENTIAL
                                                                               : FH_LENS_FISHEYE;
    fh_lens lens = {model, 1, 1, 0, 0, {}};
    std::copy(std::begin(camera.k), std::end(camera.k), lens.k);
    return lens;
}

/// Where the lens's polynomial turns back there is no answer; the edge of such a picture is as good as unknown.
Eigen::Vector2d known_or(const Eigen::Vector2d &undistorted, const Eigen::Vector2d &distorted) {
    return undistorted.allFinite() ? undistorted : distorted;
}

}  // namespace

Eigen::Vector2d CameraModel::distort(const Eigen::Vector2d &p) const {
    const fh_lens lens = lens_of(*this);
    Eigen::Vector2d out = p;
    fh_lens_distort(&lens, p.data(), 1, out.data());
    return out;
}

Eigen::Vector2d CameraModel::undistort(const Eigen::Vector2d &distorted) const {
    const fh_lens lens = lens_of(*this);
    Eigen::Vector2d out;
    fh_lens_undistort(&lens, distorted.data(), 1, out.data());
    return known_or(out, distorted);
}

void CameraModel::to_pixels(std::span<Eigen::Vector2d> points) const {
    if (points.empty()) return;
    fh_lens lens = lens_of(*this);
    lens.fx = fx;
    lens.fy = fy;
    lens.cx = cx;
    lens.cy = cy;
    fh_lens_distort(&lens, points.front().data(), static_cast<int32_t>(points.size()), points.front().data());
}

void CameraModel::normalise_all(std::span<Eigen::Vector2d> pixels) const {
    for (Eigen::Vector2d &pixel : pixels) pixel = {(pixel.x() - cx) / fx, (pixel.y() - cy) / fy};
    if (distortion == Distortion::none) return;
    constexpr size_t most = 64;
    std::array<Eigen::Vector2d, most> out;
    const fh_lens lens = lens_of(*this);
    for (size_t begin = 0; begin < pixels.size(); begin += most) {
        const std::span<Eigen::Vector2d> some = pixels.subspan(begin, std::min(most, pixels.size() - begin));
        fh_lens_undistort(&lens, some.front().data(), static_cast<int32_t>(some.size()), out.front().data());
        for (size_t i = 0; i < some.size(); ++i) some[i] = known_or(out[i], some[i]);
    }
}

CameraModel CameraModel::scaled(double factor) const {
    CameraModel result = *this;
    result.width = static_cast<int>(std::lround(width * factor));
    result.height = static_cast<int>(std::lround(height * factor));
    result.fx *= factor;
    result.fy *= factor;
    result.cx = (cx + 0.5) * factor - 0.5;
    result.cy = (cy + 0.5) * factor - 0.5;
    return result;
}

}  // namespace foothold
