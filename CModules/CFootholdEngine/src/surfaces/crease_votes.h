// Straight edges all across a wall: where the next wall or the ceiling meets it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/local_frame.h"

namespace foothold {

/// Lines on a plane that a picture is asked along: all that are `low` to `high` long at places from `first` to `last`.
/// They run along local z, and their places are local x; or the other way round.
struct CreaseSweep {
    bool runs_along_z = true;
    double first = 0, last = 0;
    double low = 0, high = 0;
};

/// What pictures say, by place: does brightness change by a step across the line there, all along it? On the plane a
/// crease stays where it is from every view; what stands before it moves.
class CreaseVotes {
public:
    struct Crease {
        double place = 0;
        /// 0…1: of what is seen of the line, how much more has a step one way than the other way; the views' mean.
        double coherence = 0;
        /// Views that see it.
        double views = 0;
    };

    /// Lets a picture vote, once. `distance` is of the plane from the camera, `noise` grey levels of the picture, and
    /// `hidden` (CV_8U, the picture's size) isn't zero where something before the plane is known.
    void add(const KeyframeView &view, const LocalFrame &camera_from_local, std::span<const CreaseSweep> sweeps,
             double distance, double noise, const cv::Mat &hidden);
    /// Of the coherent ones between two places that so many views see, the one with the highest step: light changes
    /// beside a corner, too.
    std::optional<Crease> strongest(double first, double last, double least_coherence, double least_views) const;
    /// Of those whose step is no lower than this share of that, the last.
    std::optional<Crease> last_of_strong(double first, double last, double least_coherence, double least_views,
                                         double share) const;
    /// How coherent it is at most between two places; nothing where fewer views see any of them.
    std::optional<double> coherence(double first, double last, double least_views) const;
    void clear() { *this = CreaseVotes(); }
    void rescale(double scale) { step_ *= scale; }

private:
    struct Votes {
        /// Sums over the views: of their coherence, and of the step's mean height, grey levels.
        float coherence = 0, step = 0;
        float views = 0;
    };

    void ask(const KeyframeView &view, const LocalFrame &camera_from_local, const CreaseSweep &sweep, double distance,
             double noise, const cv::Mat &hidden);
    void make_room(int first, int last);
    /// Mean height of the step at a place, grey levels; 0 where no view sees it.
    float step_at(int place) const;
    /// The place with the highest step of the coherent ones, or -1.
    int strongest_place(double first, double last, double least_coherence, double least_views) const;
    std::optional<Crease> crease_at(int place) const;
    /// Those of the places between two that so many views see.
    template <typename Visit>
    void visit(double first, double last, double least_views, Visit visit) const;

    /// Between places; 0 before the first vote.
    double step_ = 0;
    /// The place of the first, counted in steps.
    int first_ = 0;
    std::vector<Votes> votes_;
    /// The last keyframes that voted.
    std::deque<int64_t> voters_;
};

}  // namespace foothold
