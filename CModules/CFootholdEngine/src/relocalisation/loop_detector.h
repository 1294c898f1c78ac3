// Notices that the camera has come back to a part of its own map that it doesn't recognise, because what was mapped
// since has drifted away from it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/image_pyramid.h"
#include "geometry/camera_model.h"
#include "geometry/similarity.h"
#include "mapping/covisibility.h"
#include "mapping/map.h"
#include "relocalisation/relocaliser.h"
#include "tracking/tracker.h"

namespace foothold {

/// A point of the older part, found again. Indices are given to others when a point goes, identifiers aren't.
struct LoopTrack {
    Track track;
    int64_t point_id = 0;
};

/// A keyframe seen again beside an older part of the map.
struct LoopSight {
    int64_t keyframe_id = 0;
    /// The keyframe of the older part that shares most points with it.
    int64_t older_id = 0;
    /// The change of frame that takes what lies around the keyframe to where the older part has it.
    Similarity older_from_now;
    SE3 older_pose;
    /// The older part's points that were found.
    std::vector<LoopTrack> tracks;
};

/// Two keyframes in a row that agree about how far the map has drifted, newest last.
struct Loop {
    LoopSight before, newest;
};

class LoopDetector {
public:
    LoopDetector(const Map &map, CameraModel &camera) : map_(map), camera_(camera) {}

    /// After a keyframe was added: `tracks` is what it sees.
    std::optional<Loop> look(const ImagePyramid &pyramid, const std::vector<Track> &tracks,
                             double typical_inverse_depth, double noise_pixels);
    void forget() { last_.reset(); }

private:
    bool is_reachable(size_t keyframe, const Way &slack) const;
    /// Keyframes that share nothing with what is seen now, and that may be near.
    void choose_older(const Way &slack);
    bool looks_alike() const;
    void copy_older_part();
    std::optional<LoopSight> recognise(const ImagePyramid &pyramid, const std::vector<Track> &tracks,
                                       double typical_inverse_depth, double noise_pixels);
    /// Median distance of the older part's points from where the present pose expects them, pixels.
    double disagreement(const LoopSight &sight) const;
    bool agree(const LoopSight &first, const LoopSight &second, double typical_inverse_depth) const;

    const Map &map_;
    CameraModel &camera_;
    Relocaliser relocaliser_;
    /// From the newest keyframe to each.
    std::vector<Way> ways_;
    std::vector<uint8_t> is_older_;
    /// The older part as a map of its own, with all keyframes; and where its points are in the whole one.
    Map part_;
    std::vector<int> point_of_part_;
    Tracker tracker_{part_, camera_};
    std::optional<LoopSight> last_;
};

}  // namespace foothold
