// Where in a known map a picture may have been taken, with no idea beforehand.
#pragma once

#include <vector>

#include "frontend/descriptors.h"
#include "frontend/rotation_alignment.h"
#include "geometry/camera_model.h"
#include "geometry/se3.h"
#include "mapping/map.h"
#include "optimisation/pose_optimiser.h"

namespace foothold {

/// Poses are only proposed: whoever asks has to see whether the map's points are found from there.
class Relocaliser {
public:
    /// From descriptors of the picture's corners matched to those of the map's points, by three-point resection within
    /// RANSAC (Fischler & Bolles, 1981; seeded) and refinement. At most one pose.
    std::vector<SE3> propose_from_points(const Map &map, const CameraModel &camera, const ImagePyramid &pyramid);
    /// From keyframes that look most alike as a whole, each turned until it fits best: for pictures too blurred for
    /// corners. At most `most`.
    std::vector<SE3> propose_from_keyframes(const Map &map, const CameraModel &camera, const Thumbnail &thumbnail,
                                            int most) const;

private:
    void match(const Map &map, const CameraModel &camera);

    PictureDescriber describer_;
    std::vector<int> candidates_;
    std::vector<fh_descriptor> queries_, known_;
    std::vector<fh_match> matches_;
    std::vector<uint8_t> scratch_;
    std::vector<PoseObservation> observations_;
};

}  // namespace foothold
