// Does the picture stand still, though something in it moves?
#pragma once

#include <Eigen/Core>
#include <span>

namespace foothold {

/// Share of the picture's cells holding points whose points don't move at all (median below `still_pixels`).
///
/// Cells count alike however many points they hold, so that a richly textured thing that moves before a still camera
/// doesn't outvote the room. Pixels are centred; `side_pixels` is the picture's longer side.
double still_share(std::span<const Eigen::Vector2d> host, std::span<const Eigen::Vector2d> target, double side_pixels,
                   double still_pixels);

}  // namespace foothold
