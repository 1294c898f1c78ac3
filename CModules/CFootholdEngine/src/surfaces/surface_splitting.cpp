// A surface that is really two: tops of neighbouring boxes at nearly one height, faces on both sides of a corner. A
// band as wide as points are uncertain takes in both.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Of either side.
constexpr size_t least_points = 8;
constexpr size_t most_samples = 400;
constexpr int directions = 4, cuts_per_direction = 9;
/// Relative to distance², where errors that all points share could bend a surface.
constexpr double largest_area = 0.5;
/// What two planes must explain of what one doesn't, and two heights of what one doesn't.
constexpr double least_gain = 0.4, least_gain_of_heights = 0.2, least_gain_in_all = 20;
/// Relative to distance: how far apart the two planes must be where the smaller side lies; in what is as large as
/// pieces of a wall, which are put together up to that; and where they differ in height alone.
constexpr double least_difference = 0.006, least_difference_of_large = 0.015, least_difference_of_heights = 0.003;
/// Squared deviations that a single point may count.
constexpr double most_misfit = 9;

/// A point over the surface: 1 and its place along the surface (horizontally, then across), and how high.
struct Sample {
    Eigen::Vector3d place = Eigen::Vector3d::UnitX();
    double height = 0;
    double weight = 1;
};

using Samples = std::span<const Sample *const>;

/// Height as a linear function of the first `terms` of the place, by least squares.
Eigen::Vector3d slope_of(Samples samples, int terms) {
    Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
    Eigen::Vector3d products = Eigen::Vector3d::Zero();
    for (const Sample *sample : samples) {
        squares += sample->weight * sample->place * sample->place.transpose();
        products += sample->weight * sample->height * sample->place;
    }
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    squares.diagonal().array() += 1e-9 * squares(0, 0);
    // Never larger than this, it needs nothing from the heap.
    using Part = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
    slope.head(terms) = Part(squares.topLeftCorner(terms, terms)).ldlt().solve(products.head(terms));
    return slope;
}

double misfit_of(Samples samples, const Eigen::Vector3d &slope) {
    double sum = 0;
    for (const Sample *sample : samples) {
        const double r = sample->height - slope.dot(sample->place);
        sum += std::min(most_misfit, sample->weight * r * r);
    }
    return sum;
}

/// A line across the surface: normal · place (without its 1) = offset.
struct Cut {
    Eigen::Vector2d normal = Eigen::Vector2d::UnitX();
    double offset = 0;
    bool keeps_upper = false;
};

/// The line beside which two planes explain the samples clearly better than one, and clearly differ.
std::optional<Cut> find_cut(const std::vector<Sample> &samples, int terms, double gain_needed,
                            double difference_needed) {
    std::vector<const Sample *> sorted;
    for (const Sample &sample : samples) sorted.push_back(&sample);
    const double whole = misfit_of(sorted, slope_of(sorted, terms));
    double best = std::min((1 - gain_needed) * whole, whole - least_gain_in_all);
    std::optional<Cut> cut;
    for (int d = 0; d < directions; ++d) {
        const double angle = std::numbers::pi * d / directions;
        const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
        const auto along = [&](const Sample *sample) { return normal.dot(sample->place.tail<2>()); };
        std::sort(sorted.begin(), sorted.end(), [&](const Sample *a, const Sample *b) { return along(a) < along(b); });
        for (int c = 1; c <= cuts_per_direction; ++c) {
            const size_t count = sorted.size() * c / (cuts_per_direction + 1);
            if (count < least_points || sorted.size() - count < least_points) continue;
            const Samples lower(sorted.data(), count), upper(sorted.data() + count, sorted.size() - count);
            const Eigen::Vector3d slopes[2] = {slope_of(lower, terms), slope_of(upper, terms)};
            const double parted = misfit_of(lower, slopes[0]) + misfit_of(upper, slopes[1]);
            if (parted >= best) continue;
            const bool keeps_upper = upper.size() >= lower.size();
            double difference = 0;
            for (const Sample *sample : keeps_upper ? lower : upper) {
                difference += std::abs((slopes[0] - slopes[1]).dot(sample->place));
            }
            difference /= static_cast<double>(std::min(lower.size(), upper.size()));
            if (difference < difference_needed) continue;
            best = parted;
            cut = {normal, 0.5 * (along(sorted[count - 1]) + along(sorted[count])), keeps_upper};
        }
    }
    return cut;
}

}  // namespace

void SurfaceTracker::State::split_at_steps(const MapView &view) {
    Owned all = points_by_owner();
    for (TrackedSurface &surface : tracked) {
        const std::vector<int> &owned = all[surface.shown.id];
        if (owned.size() < 2 * least_points || surface.is_left_behind || surface.is_told_by_pictures() ||
            surface.shown.area > largest_area * surface.distance * surface.distance) {
            continue;
        }
        const Plane plane = surface.plane();
        // Upright planes turn about up alone.
        Eigen::Vector3d x = view.up_in_world.cross(plane.normal);
        if (x.norm() < 0.1) x = plane.normal.unitOrthogonal();
        x.normalize();
        const Eigen::Vector3d z = x.cross(plane.normal);
        const Eigen::Vector3d middle = surface.fit().centroid;
        const auto place_of = [&](int index) -> Eigen::Vector2d {
            const Eigen::Vector3d p = points[index].position - middle;
            return {x.dot(p), z.dot(p)};
        };
        std::vector<Sample> samples;
        const size_t stride = 1 + owned.size() / most_samples;
        for (size_t i = 0; i < owned.size(); i += stride) {
            const SurfacePoint &point = points[owned[i]];
            const Eigen::Vector2d place = place_of(owned[i]);
            const double sigma = noise_scale * point.sigma_along_normal(plane.normal);
            samples.push_back({{1, place.x(), place.y()}, plane.distance(point.position), 1 / (sigma * sigma)});
        }
        const int terms = surface.constraint() == GravityConstraint::horizontal ? 1
                          : surface.constraint() == GravityConstraint::vertical ? 2
                                                                                : 3;
        const bool are_heights = surface.is_hardly_bent() && terms == 1;
        const double difference = are_heights                ? least_difference_of_heights
                                  : surface.is_hardly_bent() ? least_difference
                                                             : least_difference_of_large;
        const auto cut =
            find_cut(samples, terms, are_heights ? least_gain_of_heights : least_gain, difference * surface.distance);
        if (!cut) continue;
        PlaneCandidate kept;
        for (int index : owned) {
            const bool is_kept = (cut->normal.dot(place_of(index)) > cut->offset) == cut->keeps_upper;
            points[index].owner = is_kept ? surface.shown.id : unexplained;
            if (is_kept) kept.inliers.push_back(index);
        }
        if (!fit_to_inliers(points, plane, view.up_in_world, view.up_sigma_rad, &kept)) continue;
        const double tests = std::log(static_cast<double>(points.size()));
        kept.log_false_alarms = foothold::log_false_alarms(points, points_of({surface.shown.id, unexplained}),
                                                           kept.inliers, kept.fit, noise_scale, tests);
        adopt(kept, surface);
    }
}

}  // namespace foothold
