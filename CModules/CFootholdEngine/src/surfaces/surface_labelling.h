// Outlines as all pictures together show them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/label_votes.h"
#include "surfaces/outline.h"
#include "surfaces/surface_labeller.h"
#include "surfaces/tracked_surface.h"

namespace foothold {

/// Labels pictures with the confirmed surfaces that they show, and lets them vote about these surfaces' extents.
class SurfaceLabelling {
public:
    /// Takes in which surfaces there are and how far they are known to reach without labels; forgets the others.
    void follow(std::span<const TrackedSurface> surfaces);
    /// Follows surfaces of a saved world: pictures told their outlines, and those of now have to tell otherwise.
    void resume(std::span<const TrackedSurface> surfaces);
    /// Takes over what an earlier one that follows the same surfaces knows of places that no picture of this one
    /// showed.
    void fill_gaps(const SurfaceLabelling &earlier);
    /// Takes in what another one knows of surfaces with other ids.
    void take_in(SurfaceLabelling other);
    /// Looks at the newest keyframe's picture. Nothing is seen behind `bounds`.
    void begin(const MapView &view, const KeptDepth &depth, std::span<const Plane> bounds);
    /// Then labels it, if that's possible; the view is the same, and surfaces weren't followed since.
    void label(const MapView &view);
    /// The outline of the surface with this id; without corners where pictures say too little of it.
    Outline outline_of(int32_t id);

    /// A surface was moved: x' = scale · rotation · x + translation.
    void transform(int32_t id, double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);

private:
    struct Entry {
        int32_t id;
        LabelVotes votes;
        /// Of their extent; none until it's asked for.
        Outline outline;
        bool is_traced = false;
    };

    Entry *find(int32_t id);

    std::vector<Entry> entries_;
    SurfaceLabeller labeller_;
    // Of the picture that was begun with: what it may show, whose that is, and what bounds the place.
    std::vector<LabelCandidate> candidates_;
    std::vector<Entry *> seen_;
    std::vector<Plane> bounds_;
};

}  // namespace foothold
