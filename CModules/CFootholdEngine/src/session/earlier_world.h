// A world that was left behind when the camera lost its way for long, kept so that it can be gone back to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/camera_model.h"
#include "geometry/similarity.h"
#include "gravity/gravity_estimator.h"
#include "mapping/map.h"
#include "mapping/mapper.h"
#include "relocalisation/relocaliser.h"
#include "session/frame_log.h"
#include "surfaces/surface_tracker.h"
#include "tracking/tracker.h"

namespace foothold {

/// Where a picture was taken in an earlier world.
struct Recognition {
    SE3 world_from_camera;
    TrackingOutcome outcome;
};

class EarlierWorld {
public:
    explicit EarlierWorld(int32_t id) : id(id) {}
    EarlierWorld(const EarlierWorld &) = delete;
    EarlierWorld &operator=(const EarlierWorld &) = delete;

    /// Whether the picture shows this world, and where it was taken. What was found is in `tracker.tracks` then.
    std::optional<Recognition> recognise(const ImagePyramid &pyramid, Relocaliser *relocaliser);

    /// How this world lies beside another that sees the same picture, from points that both see: the one that takes
    /// points of the other world to this one's. Nothing where they are too few or don't agree.
    std::optional<Similarity> from_other(const Recognition &here, const Map &other_map, const SE3 &other_from_camera,
                                         const std::vector<Track> &other_tracks) const;

    /// x' = change · x for everything.
    void transform(const Similarity &change);
    /// It was seen by this camera, as is known now.
    void change_camera(const CameraModel &now);

    int32_t id;
    bool was_loaded = false;
    Map map;
    CameraModel camera;
    Mapper::Knowledge knowledge;
    GravityEstimator gravity;
    SurfaceTracker surfaces;
    FrameLog log;
    Tracker tracker{map, camera};
};

}  // namespace foothold
