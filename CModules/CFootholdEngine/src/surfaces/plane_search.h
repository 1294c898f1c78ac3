// Finds one plane among points: hypotheses from gravity and from free triples, local optimisation, and a test that
// asks how often points without a plane would look like this.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surfaces/plane_fit.h"
#include "surfaces/seeded_random.h"
#include "surfaces/surface_point.h"

namespace foothold {

struct PlaneSearchOptions {
    Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    double up_sigma_rad = 0.1;
    /// How much larger residuals are than the points' own deviations promise, learnt from surfaces already known.
    double noise_scale = 1;
    /// All points, explained or not: slopes are tested against them. Empty: only the available.
    std::span<const int> everything;
    int horizontal_hypotheses = 8;
    int upright_hypotheses = 12;
    int vertical_hypotheses = 30;
    int free_hypotheses = 40;
    /// Small planes are looked for in each neighbourhood too.
    bool looks_locally = true;
};

struct PlaneCandidate {
    PlaneFit fit;
    /// Before gravity was taken into account.
    PlaneFit free_fit;
    GravityConstraint constraint = GravityConstraint::none;
    std::vector<int> inliers;
    /// Natural logarithm of the number of false alarms: how many such planes would be found in points spread evenly
    /// about it. Below 0 it's unlikely to be chance; below -7 one in a thousand sessions would see one.
    double log_false_alarms = 0;
};

/// Fits the candidate's plane to its inliers, from `start`, and lets gravity constrain it; false where they lie on a
/// line.
bool fit_to_inliers(std::span<const SurfacePoint> points, const Plane &start, const Eigen::Vector3d &up,
                    double up_sigma_rad, PlaneCandidate *candidate);

/// Real rooms are built level and upright: where up is known, a slope must explain more than what is level or upright
/// does, by the inverse of this share.
constexpr double slope_handicap = 0.6;

/// What was level or upright `before` would be a slope now, and up is known well enough to doubt that.
bool is_doubtful_slope(GravityConstraint before, GravityConstraint now, double up_sigma_rad);

/// Relative to its distance from the camera, no point is further from a plane that it is on.
constexpr double largest_tolerance = 0.02;

/// Distance within which a point counts as on the plane.
inline double inlier_tolerance(const SurfacePoint &point, const Eigen::Vector3d &normal, double noise_scale) {
    // Capped, relative to distance, so that a point known badly isn't on every plane.
    return std::min(2.5 * noise_scale * point.sigma_along_normal(normal), largest_tolerance * point.distance);
}

/// How many of these points lie on a plane, those at the edge of its band counting little.
double explained(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &plane,
                 double noise_scale);

/// Of a surface that was level or upright `before` and was fitted anew: it stays so where its points don't say clearly
/// more for a slope. What stands on it, and errors that its points share, tilt a fit by more than that claims.
void hold_level(std::span<const SurfacePoint> points, GravityConstraint before, const Eigen::Vector3d &up,
                double up_sigma_rad, double noise_scale, PlaneCandidate *refitted);

/// Narrow and several times as long: a leg of a table, a post, the edge of a book. `distance` is the camera's.
bool is_post(const PlaneFit &fit, double distance);

/// Distance (metres) up to which neighbouring points on a plane are taken to be of one surface.
double link_distance(double camera_distance);

struct PlaneHypothesis {
    Plane plane;
    GravityConstraint constraint = GravityConstraint::none;
    /// How well it explains the points that are left; of a neighbourhood's, how unlikely it is to be chance.
    double score = 0;
    /// A point that it was found at; -1 when it was looked for everywhere.
    int seed = -1;
};

/// Looks for planes one after the other: what the points may show is worked out once, and what it becomes among all
/// points is worked out again only where points were taken from it.
class PlaneSearch {
public:
    /// The points must stay where they are; their owners may change.
    PlaneSearch(std::span<const SurfacePoint> points, std::span<const int> available, const PlaneSearchOptions &options,
                SeededRandom &random);

    /// The most meaningful plane among the points of `available` that is connected and wide enough to stand for a
    /// surface; the normal points to the side it was seen from. These are some of the points of the call before, of
    /// those that were looked for at first: all of them or what is left.
    std::optional<PlaneCandidate> best(std::span<const int> available);

private:
    /// A hypothesis, and what became of it when it was looked at last.
    struct Trial {
        PlaneHypothesis hypothesis;
        bool is_refined = false;
        std::optional<PlaneCandidate> candidate;
    };
    /// How much a candidate says for itself: the lower, the more.
    double value_of(const PlaneCandidate &candidate) const;
    const std::optional<PlaneCandidate> &refined(Trial &trial, std::span<const int> available);

    std::span<const SurfacePoint> points_;
    PlaneSearchOptions options_;
    std::vector<Trial> everywhere_, local_;
    std::vector<uint8_t> is_available_;
};

/// The best of one search. Deterministic for a given state of `random`.
std::optional<PlaneCandidate> find_plane(std::span<const SurfacePoint> points, std::span<const int> available,
                                         const PlaneSearchOptions &options, SeededRandom &random);

/// How surprising the inliers of a plane are among all unexplained points over and under its region.
double log_false_alarms(std::span<const SurfacePoint> points, std::span<const int> available,
                        std::span<const int> inliers, const PlaneFit &fit, double noise_scale, double log_tests);

}  // namespace foothold
