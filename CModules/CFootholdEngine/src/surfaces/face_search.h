// Looks for the face that hangs from a top's edge.
#pragma once

#include <optional>

#include "surfaces/face_look.h"

namespace foothold {

struct FoundFace {
    HangingFace face;
    FaceLook look;
};

/// The same face, moved and turned by hardly anything to where pictures agree best.
std::optional<FoundFace> look_around(const FaceScene &scene, const HangingFace &face);

/// The face that hangs from somewhere near a supposed edge, hardly turned, which pictures speak for most clearly: along
/// its upper edge and, where it's seen, its lower one, brightness changes by a step, from every view at the same place.
/// Nothing where there's no such edge. `deepest` is how far inwards it may lie, metres.
std::optional<FoundFace> find_face(const FaceScene &scene, const HangingFace &supposed, double deepest);

}  // namespace foothold
