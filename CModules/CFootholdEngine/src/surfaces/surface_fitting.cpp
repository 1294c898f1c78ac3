// Planes follow their points.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "geometry/median.h"
#include "surfaces/plane_beneath.h"
#include "surfaces/plane_search.h"
#include "surfaces/square_key.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Of the points that told a surface's plane, and of those that are left: fewer say less than what is known.
constexpr double least_left = 0.5, least_in_view = 0.25;
/// Points that tell a plane without its crease, and how little they may turn it (radians).
constexpr size_t enough_of_its_own = 24;
constexpr double hardly_turned = 0.1;
/// Deviations of a point within which it tells how noisy points are.
constexpr double noise_band = 5;
/// Cosine to up, roughly, of what things stand on; and how calmly it's followed what their plane is.
constexpr double faces_up = 0.8, rest_gain = 0.35;

}  // namespace

std::vector<int> SurfaceTracker::State::seen_in(const KeyframeView &newest) const {
    std::vector<int> seen;
    const auto add = [&](int index) {
        if (index >= 0) seen.push_back(index);
    };
    for (const Observation &observation : newest.observations) add(index_of(observation.point_id));
    for (const SeenPatch &patch : dense.seen()) add(index_of_dense[patch.point]);
    return seen;
}

void SurfaceTracker::State::note_left_behind(const KeyframeView &newest, const Owned &all) {
    std::unordered_map<int32_t, size_t> in_view;
    for (const int index : seen_in(newest)) ++in_view[points[index].owner];
    for (TrackedSurface &surface : tracked) {
        const auto owned = all.find(surface.shown.id);
        const auto count = static_cast<double>(owned == all.end() ? 0 : owned->second.size());
        surface.is_left_behind = count < least_left * surface.most_fitted &&
                                 static_cast<double>(in_view[surface.shown.id]) <= least_in_view * count;
    }
}

double SurfaceTracker::State::log_false_alarms_of(std::span<const int> owned, std::span<const int> open,
                                                  const PlaneFit &fit) const {
    const double tests = std::log(static_cast<double>(std::max<size_t>(points.size(), 2)));
    std::vector<int> available;
    std::merge(open.begin(), open.end(), owned.begin(), owned.end(), std::back_inserter(available));
    return log_false_alarms(points, available, owned, fit, noise_scale, tests);
}

bool SurfaceTracker::State::has_points_of_its_own(std::span<const int> owned, std::span<const int> open,
                                                  const TrackedSurface &surface, const MapView &view) const {
    if (owned.size() < enough_of_its_own) return false;
    PlaneCandidate candidate;
    candidate.inliers.assign(owned.begin(), owned.end());
    if (!fit_to_inliers(points, surface.plane(), view.up_in_world, view.up_sigma_rad, &candidate)) return false;
    if (angle_between(candidate.fit.plane.normal, surface.plane().normal) > hardly_turned) return false;
    return log_false_alarms_of(owned, open, candidate.fit) < (surface.hangs() ? 2 : 1) * meaningful;
}

void SurfaceTracker::State::refit_surfaces(const MapView &view) {
    Owned all = points_by_owner();
    note_left_behind(view.keyframes.back(), all);
    const std::vector<int> &open = all[unexplained];
    for (TrackedSurface &surface : tracked) {
        PlaneCandidate refitted;
        refitted.inliers = std::move(all[surface.shown.id]);
        const std::vector<int> &owned = refitted.inliers;
        surface.shown.point_count = static_cast<int>(owned.size());
        const bool has_few = owned.size() < 6;
        // Only what was told of is still known when it's out of view.
        if (has_few && !(surface.is_left_behind && surface.is_confirmed)) surface.log_false_alarms = 0;
        if (has_few || surface.is_left_behind) continue;
        if (surface.is_told_by_pictures() && !has_points_of_its_own(owned, open, surface, view)) continue;
        double distance = 0;
        for (int index : owned) distance += points[index].distance;
        surface.distance = distance / static_cast<double>(owned.size());
        if (!fit_to_inliers(points, surface.plane(), view.up_in_world, view.up_sigma_rad, &refitted)) continue;
        hold_level(points, surface.constraint(), view.up_in_world, view.up_sigma_rad, noise_scale, &refitted);
        if (angle_between(refitted.free_fit.plane.normal, surface.plane().normal) > 0.3) continue;
        surface.most_fitted = std::max(surface.most_fitted, surface.shown.point_count);
        // Young surfaces follow their fit at once, old ones calmly.
        surface.move_to(refitted.fit, refitted.free_fit, refitted.constraint,
                        std::max(0.35, 1.0 / (1 + surface.updates)));
        surface.log_false_alarms = log_false_alarms_of(owned, open, refitted.fit);
    }
    reconsider(view);
    for (TrackedSurface &surface : tracked) surface.level_axes(view.up_in_world, view.up_sigma_rad);
    learn_noise();
}

void SurfaceTracker::State::note_rests(const MapView &view) {
    for (TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed || surface.is_left_behind || surface.is_told_by_pictures()) continue;
        if (surface.plane().normal.dot(view.up_in_world) < faces_up) continue;
        std::vector<int> within;
        for (size_t i = 0; i < points.size(); ++i) {
            if (surface.holds(surface.to_local(points[i].position))) within.push_back(static_cast<int>(i));
        }
        const Plane beneath = plane_beneath(points, within, surface.plane(), surface.distance);
        Eigen::Vector3d &resting = surface.shown.resting_normal;
        resting =
            resting.isZero(0) ? beneath.normal : ((1 - rest_gain) * resting + rest_gain * beneath.normal).normalized();
    }
}

void SurfaceTracker::State::adopt(const PlaneCandidate &candidate, TrackedSurface &surface) {
    surface.move_to(candidate.fit, candidate.free_fit, candidate.constraint, 1);
    surface.shown.point_count = static_cast<int>(candidate.inliers.size());
    surface.log_false_alarms = candidate.log_false_alarms;
    surface.most_fitted = surface.shown.point_count;
    surface.shown.resting_normal.setZero();
    // What was known of its extent was another plane's.
    surface.grid.clear();
    surface.edges.clear();
    surface.creases.clear();
    surface.level_creases.clear();
    surface.members.clear();
    for (int index : candidate.inliers) {
        points[index].owner = surface.shown.id;
        const Eigen::Vector2d local = surface.to_local(points[index].position);
        surface.grid.add(local, EvidenceGrid::supported);
        surface.members.push_back({points[index].id, local});
    }
    surface.sort_members();
}

void SurfaceTracker::State::reconsider(const MapView &view) {
    // Points get surer with time: what once looked like one plane may be a step between two, and a fit that only
    // ever improves itself would never see it. One surface a time is searched anew.
    if (tracked.empty()) return;
    TrackedSurface &surface = tracked[next_reconsidered++ % tracked.size()];
    if (surface.is_left_behind || surface.is_told_by_pictures()) return;
    // A large surface is judged by a sample of it.
    const size_t stride = 1 + static_cast<size_t>(surface.shown.point_count) / 250;
    std::vector<int> nearby;
    size_t turn = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const SurfacePoint &point = points[i];
        const double distance = std::abs(surface.plane().distance(point.position));
        if (point.owner > 0 && point.owner != surface.shown.id) continue;
        if (distance > hardly_distinct * point.distance) continue;
        if (!surface.is_near_outline(surface.to_local(point.position), 0)) continue;
        if (turn++ % stride != 0) continue;
        nearby.push_back(static_cast<int>(i));
    }
    PlaneSearchOptions options;
    options.up = view.up_in_world;
    options.up_sigma_rad = view.up_sigma_rad;
    options.noise_scale = noise_scale;
    options.horizontal_hypotheses = 3;
    options.upright_hypotheses = 4;
    options.vertical_hypotheses = 8;
    options.free_hypotheses = 12;
    options.looks_locally = false;
    const auto better = find_plane(points, nearby, options, random);
    if (!better || better->log_false_alarms > meaningful) return;
    double on_better = explained(points, better->inliers, better->fit.plane, noise_scale);
    if (is_doubtful_slope(surface.constraint(), better->constraint, view.up_sigma_rad)) on_better *= slope_handicap;
    if (on_better < 1.1 * explained(points, nearby, surface.plane(), noise_scale) + 4) return;
    for (int index : nearby) points[index].owner = unexplained;
    adopt(*better, surface);
}

void SurfaceTracker::State::learn_noise() {
    // From differences between neighbours: they share the errors of poses and of the surface's own fit, so that
    // what is left is the points' own noise. Neighbours on different levels are few, and a median doesn't mind.
    std::vector<double> ratios;
    IdIndex last_in_cell;
    for (const TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed) continue;
        last_in_cell.clear();
        const double cell = 0.06 * surface.distance;
        for (size_t i = 0; i < points.size(); ++i) {
            const SurfacePoint &point = points[i];
            const double distance = surface.plane().distance(point.position);
            // A band that cuts off what is far off would tell of less noise than there is.
            const double band = std::clamp(noise_band * point.sigma_along_normal(surface.plane().normal),
                                           hardly_distinct * point.distance, 2 * hardly_distinct * point.distance);
            if (std::abs(distance) > band) continue;
            if (point.owner != surface.shown.id && point.owner > 0) continue;
            const Eigen::Vector2d local = surface.to_local(point.position);
            if (!surface.is_near_outline(local, 0)) continue;
            const int last = std::exchange(last_in_cell.at(square_key(local, cell)), static_cast<int>(i));
            if (last < 0) continue;
            const SurfacePoint &other = points[last];
            const Eigen::Vector3d &normal = surface.plane().normal;
            const double deviation = std::hypot(point.sigma_along_normal(normal), other.sigma_along_normal(normal));
            ratios.push_back(std::abs(distance - surface.plane().distance(other.position)) / deviation);
        }
    }
    if (ratios.size() < 30) return;
    noise_scale = std::clamp(0.8 * noise_scale + 0.2 * 1.48 * median(ratios), 0.5, 3.5);
}

}  // namespace foothold
