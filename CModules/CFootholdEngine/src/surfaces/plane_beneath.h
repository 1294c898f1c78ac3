// Which way a support faces where most points that are known of it are those of what stands on it.
#pragma once

#include <Eigen/Core>
#include <span>

#include "surfaces/plane_fit.h"
#include "surfaces/surface_point.h"

namespace foothold {

/// The plane near `start` that three in ten of these points lie below and the others on or above: what stands on a desk
/// rises above it, a keyboard to the back and a screen at the far end, so that a plane through the middle of all leans.
/// Places count alike, however many points they have. Points farther than eight hundredths of `distance`, theirs from
/// the cameras, are left out. Regression by a quantile (Koenker and Bassett, "Regression Quantiles", Econometrica
/// 1978), with least squares that are reweighted. `start` where there are too few points.
Plane plane_beneath(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &start,
                    double distance);

}  // namespace foothold
