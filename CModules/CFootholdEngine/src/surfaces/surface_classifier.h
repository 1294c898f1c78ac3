// What a surface is in the room, from its height, size, direction and the other surfaces.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surfaces/surface.h"

namespace foothold {

/// Metres: how high above the floor cameras are held, to judge sizes by where no metre is known.
constexpr double usual_eye_height = 1.5;

struct ClassifierContext {
    Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    /// How long a metre is in the world's unit; 0 where nobody knows: only relations count then.
    double metre = 0;
    /// The camera's height along `up`.
    double camera_height = 0;
};

/// Writes `classification` and `classification_confidence` of each surface. What isn't clear stays unknown.
void classify_surfaces(std::span<Surface *const> surfaces, const ClassifierContext &context);

}  // namespace foothold
