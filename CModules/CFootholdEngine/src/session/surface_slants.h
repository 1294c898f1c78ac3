// How known surfaces lie around the points of the map.
#pragma once

#include <span>

#include "mapping/map.h"
#include "surfaces/surface.h"

namespace foothold {

/// Gives each settled point the slant of the surface that it lies on, and takes it from those on none. A patch that is
/// taken to face the camera is stretched wrongly wherever the view changes, by a quarter on a table top, and then found
/// beside where it is.
void note_slants(std::span<const Surface> surfaces, Map *map);

}  // namespace foothold
