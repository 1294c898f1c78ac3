// A lens of which only this is known: how much it bends the picture towards its corners, and around which pixel.
//
// Two terms of Brown's radial distortion ("Decentering distortion of lenses", 1966) that follow from one number, with
// the radius measured in half diagonals of the picture instead of focal lengths: d = u (1 + bend s + bend² s²) with s =
// (|u| / half diagonal)², u and d centred pixels without and with the lens. So the bend says by which share the
// picture's corner is off, and a change of the focal length moves no pixel. The second term is what most lenses that
// bend strongly have, about, and with it d grows with u everywhere: no picture folds over.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "geometry/camera_model.h"

namespace foothold {

inline double half_diagonal(const CameraModel &camera) { return 0.5 * std::hypot(camera.width, camera.height); }

/// Zero for a camera without distortion; of one with more than this bend, its first term.
inline double bend_of(const CameraModel &camera) {
    if (camera.distortion != Distortion::radial_tangential) return 0;
    return camera.k[0] * std::pow(half_diagonal(camera) / camera.focal(), 2);
}

/// Makes the bend all there is of the lens.
inline void set_bend(double bend, CameraModel *camera) {
    camera->distortion = bend == 0 ? Distortion::none : Distortion::radial_tangential;
    for (double &k : camera->k) k = 0;
    camera->k[0] = bend * std::pow(camera->focal() / half_diagonal(*camera), 2);
    camera->k[1] = camera->k[0] * camera->k[0];
}

/// Whether the bend is all there is of the lens.
inline bool is_bend_all(const CameraModel &camera) {
    CameraModel bent = camera;
    set_bend(bend_of(camera), &bent);
    return bent.distortion == camera.distortion &&
           std::equal(std::begin(bent.k), std::end(bent.k), std::begin(camera.k),
                      [](double a, double b) { return std::abs(a - b) < 1e-9; });
}

/// How the centred pixel without the lens moves with the bend, where the picture shows the same.
inline Eigen::Vector2d bend_rate(const Eigen::Vector2d &centred, double bend, double half_diagonal) {
    const double s = centred.squaredNorm() / (half_diagonal * half_diagonal), t = bend * s;
    return centred * (-s * (1 + 2 * t) / (1 + 3 * t + 5 * t * t));
}

/// How the centred pixel without the lens moves with the principal point (the pixel of the optical axis), likewise.
inline Eigen::Matrix2d center_rate(const Eigen::Vector2d &centred, double bend, double half_diagonal) {
    // With the lens it moves as far as the point, the other way.
    const Eigen::Vector2d u = centred / half_diagonal;
    const double t = bend * u.squaredNorm();
    const Eigen::Matrix2d by_centred =
        (1 + t + t * t) * Eigen::Matrix2d::Identity() + 2 * bend * (1 + 2 * t) * u * u.transpose();
    return -by_centred.inverse();
}

/// From the middle of the picture, where it is as long as nobody knows better.
inline Eigen::Vector2d center_of(const CameraModel &camera) {
    return {camera.cx - 0.5 * (camera.width - 1), camera.cy - 0.5 * (camera.height - 1)};
}

inline void set_center(const Eigen::Vector2d &from_middle, CameraModel *camera) {
    camera->cx = 0.5 * (camera->width - 1) + from_middle.x();
    camera->cy = 0.5 * (camera->height - 1) + from_middle.y();
}

/// Centred pixels as another lens before the same picture makes them.
class LensChange {
public:
    LensChange(const CameraModel &before, const CameraModel &after) : before_(before), after_(after) {}

    bool is_none() const {
        return before_.distortion == after_.distortion && bend_of(before_) == bend_of(after_) &&
               center_of(before_) == center_of(after_);
    }
    Eigen::Vector2d operator()(const Eigen::Vector2d &centred) const {
        return after_.focal() * after_.normalise(before_.pixel(centred / before_.focal()));
    }

private:
    CameraModel before_, after_;
};

}  // namespace foothold
