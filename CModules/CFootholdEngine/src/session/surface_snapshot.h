// What surfaces are found from: the map at one moment, by value, so that it can be looked at while the map goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/camera_model.h"
#include "map_view.h"
#include "mapping/map.h"

namespace foothold {

struct SurfaceSnapshot {
    struct View {
        int64_t id = 0;
        int64_t timestamp_ns = 0;
        SE3 world_from_camera;
        std::shared_ptr<const KeyframePicture> picture;
        std::vector<Observation> observations;
    };

    CameraModel camera;
    std::vector<MapPoint> points;
    /// The one that is looked at last, and before it those that it is compared with.
    std::vector<View> keyframes;
    /// When the map's newest keyframe was seen.
    int64_t newest_timestamp_ns = 0;
    /// These two as the map view's.
    bool is_review = false;
    SecondThread *second_thread = nullptr;
};

/// The map's points and some of its keyframes: the one to look at last. Pictures are shared, everything else is copied.
/// Takes the place of what `out` held, whose memory is used again.
void take_snapshot(const Map &map, const CameraModel &camera, double noise_pixels, std::span<const int> keyframes,
                   SurfaceSnapshot *out);

}  // namespace foothold
