// A lens of which only this is known: how much it bends the picture towards its corners, and around which pixel.
//
// Two terms of Brown's radial distortion ("Decentering distortion of lenses", 1966), with the radius measured in half
// diagonals of the picture instead of focal lengths: d = u (1 + b s + (b² + e) s²) with s = (|u| / half diagonal)², u
// and d centred pixels without and with the lens. So b says by which share the picture's corner is off, and a change of
// the focal length moves no pixel. Most lenses that bend strongly have about the square of their first term as their
// second one, so that the excess e is small; without it d grows with u everywhere, and no picture folds over.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "geometry/camera_model.h"

namespace foothold {

inline double half_diagonal(const CameraModel &camera) { return 0.5 * std::hypot(camera.width, camera.height); }

/// The first term b and the excess e.
using Bend = Eigen::Vector2d;

inline double second_term(const Bend &bend) { return bend.x() * bend.x() + bend.y(); }

/// Zero for a camera without radial distortion; of one with more, its first terms.
inline Bend bend_of(const CameraModel &camera) {
    if (camera.distortion != Distortion::radial_tangential) return Bend::Zero();
    const double scale = std::pow(half_diagonal(camera) / camera.focal(), 2);
    const double first = camera.k[0] * scale;
    return {first, camera.k[1] * scale * scale - first * first};
}

/// Makes the bend all there is of the lens.
inline void set_bend(const Bend &bend, CameraModel *camera) {
    camera->distortion = bend.isZero(0) ? Distortion::none : Distortion::radial_tangential;
    for (double &k : camera->k) k = 0;
    const double scale = std::pow(camera->focal() / half_diagonal(*camera), 2);
    camera->k[0] = bend.x() * scale;
    camera->k[1] = second_term(bend) * scale * scale;
}

/// Whether the bend is all there is of the lens.
inline bool is_bend_all(const CameraModel &camera) {
    return camera.distortion == Distortion::none ||
           (camera.distortion == Distortion::radial_tangential &&
            std::all_of(camera.k + 2, camera.k + 5, [](double k) { return k == 0; }));
}

/// The centred pixel with the lens of one without.
inline Eigen::Vector2d bent(const Eigen::Vector2d &centred, const Bend &bend, double half_diagonal) {
    const double s = centred.squaredNorm() / (half_diagonal * half_diagonal);
    return centred * (1 + bend.x() * s + second_term(bend) * s * s);
}

/// Takes the lens out again: Newton's method along the radius. False where the picture would be folded over.
inline bool unbend(const Eigen::Vector2d &centred, const Bend &bend, double half_diagonal, Eigen::Vector2d *out) {
    const double wanted = centred.norm() / half_diagonal, second = second_term(bend);
    double r = wanted;
    for (int i = 0; i < 20; ++i) {
        const double s = r * r;
        const double slope = 1 + 3 * bend.x() * s + 5 * second * s * s;
        if (slope < 0.05) return false;
        const double step = (r * (1 + bend.x() * s + second * s * s) - wanted) / slope;
        r -= step;
        if (std::abs(step) > 1e-12) continue;
        *out = wanted > 0 ? Eigen::Vector2d(centred * (r / wanted)) : centred;
        return true;
    }
    return false;
}

/// How the centred pixel without the lens moves with the bend's two numbers, where the picture shows the same.
inline Eigen::Matrix2d bend_rate(const Eigen::Vector2d &centred, const Bend &bend, double half_diagonal) {
    const double s = centred.squaredNorm() / (half_diagonal * half_diagonal), t = bend.x() * s;
    const double by_radius = 1 + 3 * t + 5 * (t * t + bend.y() * s * s);
    return centred * Eigen::RowVector2d(s + 2 * t * s, s * s) / -by_radius;
}

/// Likewise with the principal point, the pixel of the optical axis.
inline Eigen::Matrix2d center_rate(const Eigen::Vector2d &centred, const Bend &bend, double half_diagonal) {
    // With the lens the pixel moves as far as the point, the other way.
    const Eigen::Vector2d u = centred / half_diagonal;
    const double s = u.squaredNorm(), second = second_term(bend);
    const Eigen::Matrix2d by_centred = (1 + bend.x() * s + second * s * s) * Eigen::Matrix2d::Identity() +
                                       2 * (bend.x() + 2 * second * s) * u * u.transpose();
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
