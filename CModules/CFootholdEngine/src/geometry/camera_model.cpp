#include "geometry/camera_model.h"

#include <algorithm>
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
    // Where the lens's polynomial turns back there is no answer; the edge of such a picture is as good as unknown.
    return out.allFinite() ? out : distorted;
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
