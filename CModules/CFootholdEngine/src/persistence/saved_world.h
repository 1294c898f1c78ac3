// A world as it is kept between sessions: the map with its camera, up, the surfaces, and what the caller attaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/camera_model.h"
#include "gravity/gravity_estimator.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "persistence/world_file.h"
#include "surfaces/surface_tracker.h"

namespace foothold {

struct SavedWorld {
    /// Of the pictures that were tracked, which may be reduced ones.
    CameraModel camera;
    Mapper::Knowledge knowledge;
    Map map;
    GravityEstimator gravity;
    SurfaceTracker surfaces;

    /// Everything is checked: what comes out is a world that a session can go on with. Undefined unless sound.
    WorldFileStatus read(std::span<const uint8_t> bytes);

    /// The same world gives the same bytes. Pictures aren't kept, nor points that aren't settled yet.
    static std::vector<uint8_t> write(const CameraModel &camera, const Mapper::Knowledge &knowledge, const Map &map,
                                      const GravityEstimator &gravity, const SurfaceTracker &surfaces,
                                      std::span<const uint8_t> attachment);
};

bool is_same_size(const CameraModel &saved, const CameraModel &now);
/// True when a map made with one camera can be gone on with by another. What is only guessed says little.
bool is_same_camera(const CameraModel &saved, const CameraModel &now, bool is_guess);

}  // namespace foothold
