#include "session/earlier_world.h"

#include "relocalisation/common_points.h"
#include "relocalisation/confirmation.h"

namespace foothold {

std::optional<Recognition> EarlierWorld::recognise(const ImagePyramid &pyramid, Relocaliser *relocaliser) {
    for (const SE3 &proposed : relocaliser->propose_from_points(map, camera, pyramid)) {
        Recognition recognition;
        if (confirm_place(proposed, pyramid, knowledge.noise_pixels, &tracker, &recognition.world_from_camera,
                          &recognition.outcome)) {
            return recognition;
        }
    }
    return std::nullopt;
}

std::optional<Similarity> EarlierWorld::from_other(const Recognition &here, const Map &other_map,
                                                   const SE3 &other_from_camera,
                                                   const std::vector<Track> &other_tracks) const {
    return here_from_there({map, here.world_from_camera, tracker.tracks}, {other_map, other_from_camera, other_tracks});
}

void EarlierWorld::transform(const Similarity &change) {
    map.transform(change);
    log.rescale(change.scale);
    surfaces.transform(change.scale, change.rotation, change.translation);
}

void EarlierWorld::change_camera(const CameraModel &now) {
    const LensChange lens(camera, now);
    map.change_lens(lens);
    log.change_lens(lens);
    map.focal = now.focal();
    camera = now;
}

}  // namespace foothold
