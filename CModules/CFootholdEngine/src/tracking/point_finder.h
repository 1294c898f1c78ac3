// Finding one point of the map in the newest picture, from where it should be.
#pragma once

#include <Eigen/Core>

#include "frontend/image_pyramid.h"
#include "frontend/patch.h"
#include "geometry/camera_model.h"
#include "geometry/se3.h"
#include "mapping/map.h"
#include "tracking/template_cache.h"

namespace foothold {

struct FoundPoint {
    bool found = false;
    /// Level-0 pixel with the lens's distortion.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// The finest level that agreed: the point's own, or the next where the picture is too blurred for it.
    int level = 0;
    float correlation = 0;
};

/// The 2×2 warp from level-0 pixels of the host to those of the current frame around a point, for a patch on the plane
/// that its slant says. False when the point can't be seen.
bool affine_warp(const HostedPoint &point, const Eigen::Vector3d &host_bearing, double inverse_depth,
                 const SE3 &current_from_host, const CameraModel &camera, Eigen::Matrix2d *out_warp,
                 Eigen::Vector2d *out_pixel);

/// How much less exactly a place is known at a level than at level 0.
inline double level_noise(int level) { return level == 0 ? 1 : level == 1 ? 1.6 : 2.6; }

/// The level to begin at where the prediction is wrong by so much: there it is about a pixel.
inline int level_for(double error_pixels) {
    return error_pixels < 1 ? 0 : error_pixels < 3 ? 1 : error_pixels < 8 ? 2 : 3;
}

/// Coarse to fine from `start_level` to the point's own at `predicted`. `minimum_correlation` rejects what doesn't look
/// alike. `point_index` is the point's place in the map, for the cache.
FoundPoint find_point(int point_index, const HostedPoint &point, const Eigen::Matrix2d &current_from_host,
                      const ImagePyramid &pyramid, const Eigen::Vector2d &predicted, int start_level,
                      float minimum_correlation, TemplateCache *cache);

}  // namespace foothold
