// Finds points that a keyframe has just hosted in keyframes before it.
//
// Their depth is then known at once, and neighbouring keyframes are held together by more points than those that were
// followed from one to the next (as new points are matched in ORB-SLAM's neighbours: Mur-Artal et al., 2015).
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "frontend/image_pyramid.h"
#include "geometry/camera_model.h"
#include "mapping/map.h"
#include "tracking/template_cache.h"
#include "tracking/tracker.h"

namespace foothold {

class LookBack {
public:
    LookBack(Map &map, const CameraModel &camera) : map_(map), camera_(camera) {}

    /// Looks for the points hosted by `keyframe`, the newest, in earlier ones and notes where they see them. `tracks`
    /// are those of the newest picture: mature ones say how far things are around a new point. Returns how many
    /// sightings there are.
    int look(int keyframe, const std::vector<Track> &tracks, double typical_inverse_depth);

    /// Looks for settled points in keyframes that still have their picture and don't see them yet, and notes where they
    /// do. Returns how many sightings there are.
    int look_for(const std::vector<int> &points, const std::vector<int> &keyframes);

    /// Frees what only makes looking quicker, until the next time.
    void free_memory() {
        templates_ = TemplateCache();
        pyramid_ = ImagePyramid();
    }

private:
    /// A settled point of the newest picture.
    struct Neighbour {
        Eigen::Vector2d pixel;
        double inverse_depth;
        /// Around it, in the newest camera's axes (see point_slant.h), and whether it's known how that lies.
        Eigen::Vector3d plane;
        bool has_slant;
    };
    using Nearest = std::array<Neighbour, 4>;
    /// The nearest ones of a place, of which there are enough.
    Nearest nearest_to(const Eigen::Vector2d &pixel) const;
    /// Of them, one on whose plane another lies, too; null where there's none.
    const Neighbour *in_one_plane(const Nearest &nearest) const;
    /// How far away it is and how it is turned, as what is known around it says; as it was where little is.
    void guess_depth(HostedPoint *point) const;
    void choose_keyframes(int keyframe, const std::vector<Track> &tracks);
    bool find(int index, int keyframe, double least_inverse_depth);

    Map &map_;
    const CameraModel &camera_;
    TemplateCache templates_;
    ImagePyramid pyramid_;
    std::vector<Neighbour> neighbours_;
    /// The points to look for.
    std::vector<int> fresh_;
    std::vector<int> shared_, chosen_;
};

}  // namespace foothold
