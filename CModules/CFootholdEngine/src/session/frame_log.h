// What is remembered of every tracked frame, to say afterwards, with the finished map, where the camera was.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "geometry/radial_lens.h"
#include "mapping/map.h"
#include "session/chunked_list.h"
#include "tracking/tracker.h"

namespace foothold {

struct LoggedPose {
    int64_t frame_index = 0;
    int64_t timestamp_ns = 0;
    SE3 world_from_camera;
};

class FrameLog {
public:
    /// `keyframe` is the newest keyframe at that time. Every observation that agrees is kept (12 bytes each),
    /// in long recordings a part of them.
    void add(int64_t frame_index, int64_t timestamp_ns, const SE3 &pose, const Twist &twist, int keyframe,
             const Map &map, const std::vector<Track> &tracks);
    void clear();
    /// The map that the frames lie in was made larger by a factor.
    void rescale(double factor);
    /// The map was made larger by a factor around each keyframe.
    void rescale_each(const std::vector<Similarity> &changes);
    /// As the map's.
    void change_lens(const LensChange &change);
    /// Puts the frames of another map before the own ones, whose keyframes now come after that map's `keyframes`.
    void take_in(FrameLog earlier, int keyframes);
    /// Poses of all frames from the map as it is now, in time order.
    std::vector<LoggedPose> refined(const Map &map, double noise_pixels) const;

private:
    struct Sight {
        uint32_t point_id;
        float x, y;
    };
    struct Entry {
        int64_t frame_index, timestamp_ns;
        int keyframe;
        SE3 keyframe_from_camera;
        Eigen::Vector3f angular, linear;
        uint32_t first_sight, sight_count;

        void rescale(double factor) {
            keyframe_from_camera.translation *= factor;
            linear *= static_cast<float>(factor);
        }
    };
    ChunkedList<Entry, 1024> entries_;
    ChunkedList<Sight> sights_;
};

}  // namespace foothold
