// A lens of which only one number is known: how much it bends the picture towards its corners.
//
// The first term of Brown's radial distortion ("Decentering distortion of lenses", 1966) with the radius measured in
// half diagonals of the picture instead of focal lengths: d = u (1 + bend · (|u| / half diagonal)²), u and d centred
// pixels without and with the lens. So the bend says by which share the picture's corner is off, and a change of the
// focal length moves no pixel.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "geometry/camera_model.h"

namespace foothold {

inline double half_diagonal(const CameraModel &camera) { return 0.5 * std::hypot(camera.width, camera.height); }

/// Zero for a camera without distortion; of one with more than this bend, its first term.
inline double bend_of(const CameraModel &camera) {
    if (camera.distortion != Distortion::radial_tangential) return 0;
    return camera.k[0] * std::pow(half_diagonal(camera) / camera.focal(), 2);
}

/// Whether the bend is all there is of the lens.
inline bool is_bend_all(const CameraModel &camera) {
    return camera.distortion == Distortion::none ||
           (camera.distortion == Distortion::radial_tangential &&
            std::all_of(camera.k + 1, camera.k + 5, [](double k) { return k == 0; }));
}

/// Makes the bend all there is of the lens.
inline void set_bend(double bend, CameraModel *camera) {
    camera->distortion = bend == 0 ? Distortion::none : Distortion::radial_tangential;
    for (double &k : camera->k) k = 0;
    camera->k[0] = bend * std::pow(camera->focal() / half_diagonal(*camera), 2);
}

/// How the centred pixel without the lens moves with the bend, where the picture shows the same.
inline Eigen::Vector2d bend_rate(const Eigen::Vector2d &centred, double bend, double half_diagonal) {
    const double s = centred.squaredNorm() / (half_diagonal * half_diagonal);
    return centred * (-s / (1 + 3 * bend * s));
}

/// Centred pixels as another lens before the same picture makes them.
class LensChange {
public:
    LensChange(const CameraModel &before, const CameraModel &after) : before_(before), after_(after) {}

    bool is_none() const { return before_.distortion == after_.distortion && bend_of(before_) == bend_of(after_); }
    Eigen::Vector2d operator()(const Eigen::Vector2d &centred) const {
        return after_.focal() * after_.normalise(before_.pixel(centred / before_.focal()));
    }

private:
    CameraModel before_, after_;
};

}  // namespace foothold
