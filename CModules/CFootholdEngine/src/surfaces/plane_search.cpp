#include "surfaces/plane_search.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "surfaces/local_planes.h"
#include "surfaces/plane_score.h"
#include "surfaces/point_clusters.h"

namespace foothold {
namespace {

constexpr int minimum_inliers = 8;
constexpr int refined_hypotheses = 8;
constexpr int refined_neighbourhoods = 12;
/// Points of a small thing lie closer together than what is left of a large one.
constexpr double neighbourhood_link = 0.5;
// A row of points (the edge of a shelf) lies in every plane through it: a surface needs width, relative to distance.
constexpr double least_spread = 0.01;
/// Side of the squares that are a plane's region, relative to the link distance: wider ones take in what stands beside
/// a small surface.
constexpr double region_share = 0.35;
constexpr double largest_tilt_sigma = 0.09;
constexpr double known_up = 0.1;

/// The height modes: an exhaustive search with one point a hypothesis, by a sliding window over sorted heights.
void add_horizontal_hypotheses(std::span<const SurfacePoint> points, std::span<const int> available,
                               const PlaneSearchOptions &options, std::vector<PlaneHypothesis> &hypotheses) {
    for (double sign : {1.0, -1.0}) {
        const Eigen::Vector3d normal = sign * options.up;
        std::vector<std::pair<double, double>> heights;  // height, tolerance
        for (int index : available) {
            const SurfacePoint &point = points[index];
            if (normal.dot(point.view) < 0.05 || !point.may_face(normal)) continue;
            heights.emplace_back(normal.dot(point.position), inlier_tolerance(point, normal, options.noise_scale) +
                                                                 0.3 * options.up_sigma_rad * point.distance);
        }
        if (heights.size() < minimum_inliers) continue;
        std::sort(heights.begin(), heights.end());
        std::vector<std::pair<int, size_t>> counts(heights.size());
        size_t low = 0, high = 0;
        for (size_t i = 0; i < heights.size(); ++i) {
            while (heights[low].first < heights[i].first - heights[i].second) ++low;
            high = std::max(high, i);
            while (high < heights.size() && heights[high].first <= heights[i].first + heights[i].second) ++high;
            counts[i] = {static_cast<int>(high - low), i};
        }
        std::sort(counts.begin(), counts.end(),
                  [](auto a, auto b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
        std::vector<size_t> chosen;
        for (const auto &mode : counts) {
            if (static_cast<int>(chosen.size()) == options.horizontal_hypotheses || mode.first < minimum_inliers) break;
            const size_t i = mode.second;
            const bool apart = std::all_of(chosen.begin(), chosen.end(), [&](size_t j) {
                return std::abs(heights[i].first - heights[j].first) > 0.7 * (heights[i].second + heights[j].second);
            });
            if (!apart) continue;
            chosen.push_back(i);
            hypotheses.push_back({{normal, heights[i].first}, GravityConstraint::horizontal, 0});
        }
    }
}

/// Upright planes, exhaustively: for every direction that a wall may face, the places where most points lie, each in
/// a band as thick as points are uncertain.
void add_upright_hypotheses(std::span<const SurfacePoint> points, std::span<const int> available,
                            const PlaneSearchOptions &options, std::vector<PlaneHypothesis> &hypotheses) {
    constexpr int directions = 90;
    constexpr size_t most_points = 700;
    constexpr double least_facing = 0.6;
    const int stride = 1 + static_cast<int>(available.size() / most_points);
    struct Seen {
        Eigen::Vector2d place, view, facing;
        bool has_facing;
    };
    const Eigen::Vector3d x = options.up.unitOrthogonal(), z = x.cross(options.up);
    std::vector<Seen> seen;
    double mean_distance = 0;
    for (size_t i = 0; i < available.size(); i += stride) {
        const SurfacePoint &point = points[available[i]];
        seen.push_back({{x.dot(point.position), z.dot(point.position)},
                        {x.dot(point.view), z.dot(point.view)},
                        {x.dot(point.facing), z.dot(point.facing)},
                        !point.facing.isZero(0)});
        mean_distance += point.distance;
    }
    if (seen.size() < minimum_inliers) return;
    mean_distance /= static_cast<double>(seen.size());
    const double width = 0.012 * mean_distance;
    Eigen::Vector2d low = seen[0].place, high = low;
    for (const Seen &s : seen) {
        low = low.cwiseMin(s.place);
        high = high.cwiseMax(s.place);
    }
    const Eigen::Vector2d middle = 0.5 * (low + high);
    const double reach = 0.5 * (high - low).norm() + width;
    const int bins = std::min(2000, 2 * static_cast<int>(reach / width) + 3);
    struct Peak {
        int count, direction, bin;
    };
    std::vector<int> votes(static_cast<size_t>(directions) * bins, 0);
    for (int d = 0; d < directions; ++d) {
        const double angle = 2 * std::numbers::pi * d / directions;
        const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
        int *row = votes.data() + static_cast<size_t>(d) * bins;
        for (const Seen &s : seen) {
            if (normal.dot(s.view) < 0.1 || (s.has_facing && normal.dot(s.facing) < least_facing)) continue;
            const int bin = static_cast<int>((normal.dot(s.place - middle) + reach) / width);
            if (bin >= 0 && bin < bins) ++row[bin];
        }
    }
    std::vector<Peak> peaks;
    for (int d = 0; d < directions; ++d) {
        const int *row = votes.data() + static_cast<size_t>(d) * bins;
        for (int b = 1; b + 1 < bins; ++b) {
            const int count = row[b] + std::max(row[b - 1], row[b + 1]);
            if (row[b] >= row[b - 1] && row[b] > row[b + 1] && count * stride >= minimum_inliers)
                peaks.push_back({count, d, b});
        }
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const Peak &a, const Peak &b) { return a.count > b.count; });
    std::vector<Peak> chosen;
    for (const Peak &peak : peaks) {
        if (static_cast<int>(chosen.size()) == options.upright_hypotheses) break;
        const bool apart = std::all_of(chosen.begin(), chosen.end(), [&](const Peak &other) {
            const int turn = std::abs(peak.direction - other.direction);
            return std::min(turn, directions - turn) > 3 || std::abs(peak.bin - other.bin) > 3;
        });
        if (!apart) continue;
        chosen.push_back(peak);
        const double angle = 2 * std::numbers::pi * peak.direction / directions;
        const Eigen::Vector2d flat(std::cos(angle), std::sin(angle));
        const Eigen::Vector3d normal = x * flat.x() + z * flat.y();
        const double offset = (peak.bin + 0.5) * width - reach + flat.dot(middle);
        hypotheses.push_back({{normal, offset}, GravityConstraint::vertical, 0});
    }
}

Plane facing_viewer(const Plane &plane, const SurfacePoint &seed) {
    return plane.normal.dot(seed.view) < 0 ? Plane{-plane.normal, -plane.offset} : plane;
}

/// Two neighbours and the vertical, or three neighbours.
void add_sampled_hypotheses(std::span<const SurfacePoint> points, std::span<const int> available,
                            const PlaneSearchOptions &options, SeededRandom &random,
                            std::vector<PlaneHypothesis> &hypotheses) {
    const int count = static_cast<int>(available.size());
    // A neighbour is more likely to be of the same surface: pick the nearest of several random ones beyond a
    // distance at which noise would decide the direction.
    const auto neighbour = [&](const SurfacePoint &seed, int tries) {
        int best = -1;
        double best_distance = 0.5 * seed.distance;
        for (int i = 0; i < tries; ++i) {
            const int index = available[random.below(count)];
            const double distance = (points[index].position - seed.position).norm();
            if (distance < best_distance && distance > 0.05 * seed.distance) {
                best = index;
                best_distance = distance;
            }
        }
        return best;
    };
    for (int i = 0; i < options.vertical_hypotheses; ++i) {
        const SurfacePoint &a = points[available[random.below(count)]];
        const int second = neighbour(a, 6);
        if (second < 0) continue;
        Eigen::Vector3d normal = options.up.cross(points[second].position - a.position);
        const double length = normal.norm();
        if (length < 0.04 * a.distance) continue;
        normal /= length;
        hypotheses.push_back({facing_viewer({normal, normal.dot(a.position)}, a), GravityConstraint::vertical, 0});
    }
    for (int i = 0; i < options.free_hypotheses; ++i) {
        const SurfacePoint &a = points[available[random.below(count)]];
        const int second = neighbour(a, 6);
        const int third = neighbour(a, 6);
        if (second < 0 || third < 0 || second == third) continue;
        const Eigen::Vector3d ab = points[second].position - a.position;
        const Eigen::Vector3d ac = points[third].position - a.position;
        Eigen::Vector3d normal = ab.cross(ac);
        const double length = normal.norm();
        if (length < 0.3 * ab.norm() * ac.norm()) continue;
        normal /= length;
        hypotheses.push_back({facing_viewer({normal, normal.dot(a.position)}, a), GravityConstraint::none, 0});
    }
}

std::vector<int> collect_inliers(std::span<const SurfacePoint> points, std::span<const int> available,
                                 const Plane &plane, double noise_scale) {
    std::vector<int> inliers;
    for (int index : available) {
        const SurfacePoint &point = points[index];
        const double distance = std::abs(plane.distance(point.position));
        if (distance >= largest_tolerance * point.distance || plane.normal.dot(point.view) < 0.05 ||
            !point.may_face(plane.normal)) {
            continue;
        }
        if (distance < inlier_tolerance(point, plane.normal, noise_scale)) inliers.push_back(index);
    }
    return inliers;
}

/// Local optimisation: inliers, their best connected part, fit, gravity; twice over.
std::optional<PlaneCandidate> refine(std::span<const SurfacePoint> points, std::span<const int> available,
                                     const PlaneHypothesis &hypothesis, const PlaneSearchOptions &options) {
    PlaneCandidate candidate;
    Plane plane = hypothesis.plane;
    for (int round = 0; round < 3; ++round) {
        // The first band is wider: the hypothesis carries the noise of its few points and of gravity.
        const double widening = round == 0 ? 1.5 : 1.0;
        candidate.inliers = collect_inliers(points, available, plane, options.noise_scale * widening);
        candidate.inliers = connected_cluster(points, candidate.inliers, plane.normal,
                                              hypothesis.seed < 0 ? 1.0 : neighbourhood_link, hypothesis.seed);
        if (static_cast<int>(candidate.inliers.size()) < minimum_inliers) return std::nullopt;
        if (!fit_to_inliers(points, plane, options.up, options.up_sigma_rad, &candidate)) return std::nullopt;
        plane = candidate.fit.plane;
    }
    double distance = 0;
    for (int index : candidate.inliers) distance += points[index].distance;
    distance /= static_cast<double>(candidate.inliers.size());
    const bool is_level = candidate.constraint == GravityConstraint::horizontal;
    if (candidate.fit.minor_spread < least_spread * distance || is_post(candidate.fit, distance)) return std::nullopt;
    if (candidate.fit.tilt_sigma() > largest_tilt_sigma) return std::nullopt;
    const double n = static_cast<double>(available.size());
    // As many hypotheses as the points could have given.
    const double log_tests = is_level                                              ? std::log(n)
                             : candidate.constraint == GravityConstraint::vertical ? 2 * std::log(n) - std::log(2)
                                                                                   : 3 * std::log(n) - std::log(6);
    // Level and upright planes may stand among things that other surfaces explain; a slope that cuts through them is
    // chance.
    const bool against_all = candidate.constraint == GravityConstraint::none && !options.everything.empty();
    candidate.log_false_alarms = log_false_alarms(points, against_all ? options.everything : available,
                                                  candidate.inliers, candidate.fit, options.noise_scale, log_tests);
    return candidate;
}

}  // namespace

bool fit_to_inliers(std::span<const SurfacePoint> points, const Plane &start, const Eigen::Vector3d &up,
                    double up_sigma_rad, PlaneCandidate *candidate) {
    const PlaneFit fit = fit_plane(points, candidate->inliers, start);
    candidate->free_fit = fit;
    if (!fit.valid) return false;
    candidate->constraint = gravity_constraint(fit.plane.normal, fit.tilt_sigma(), up, up_sigma_rad);
    candidate->fit = constrain_by_gravity(fit, candidate->constraint, up, up_sigma_rad);
    return true;
}

double explained(std::span<const SurfacePoint> points, std::span<const int> indices, const Plane &plane,
                 double noise_scale) {
    double sum = 0;
    for (int index : indices) {
        const SurfacePoint &point = points[index];
        const double r = plane.distance(point.position) / inlier_tolerance(point, plane.normal, noise_scale);
        sum += std::max(0.0, 1 - r * r);
    }
    return sum;
}

bool is_doubtful_slope(GravityConstraint before, GravityConstraint now, double up_sigma_rad) {
    return before != GravityConstraint::none && now == GravityConstraint::none && up_sigma_rad < known_up;
}

void hold_level(std::span<const SurfacePoint> points, GravityConstraint before, const Eigen::Vector3d &up,
                double up_sigma_rad, double noise_scale, PlaneCandidate *refitted) {
    if (!is_doubtful_slope(before, refitted->constraint, up_sigma_rad)) return;
    PlaneFit held = held_by_gravity(refitted->free_fit, before, up, up_sigma_rad);
    const std::vector<int> &inliers = refitted->inliers;
    const double sloping = explained(points, inliers, refitted->fit.plane, noise_scale);
    if (explained(points, inliers, held.plane, noise_scale) < slope_handicap * sloping) return;
    held.residual_scale = residual_scale(points, inliers, held.plane);
    refitted->constraint = before;
    refitted->fit = held;
    // A fit that isn't followed says little of which way is up.
    const double turned = angle_between(refitted->free_fit.plane.normal, held.plane.normal);
    refitted->free_fit.covariance.topLeftCorner<2, 2>().diagonal().array() += turned * turned;
}

bool is_post(const PlaneFit &fit, double distance) {
    // A strip of a wall that is longer than any leg may grow yet.
    constexpr double ample_spread = 0.02, longest = 3, long_strip = 0.2;
    return fit.minor_spread < ample_spread * distance && fit.major_spread > longest * fit.minor_spread &&
           fit.major_spread < long_strip * distance;
}

double link_distance(double camera_distance) { return 0.12 * camera_distance; }

double log_false_alarms(std::span<const SurfacePoint> points, std::span<const int> available,
                        std::span<const int> inliers, const PlaneFit &fit, double noise_scale, double log_tests) {
    if (inliers.empty()) return log_tests;
    double distance = 0;
    for (int index : inliers) distance += points[index].distance;
    distance /= static_cast<double>(inliers.size());
    const RegionMask region(points, inliers, fit, region_share * link_distance(distance));
    // A clump of points with no plane in it is as thick as it is wide: that is the even spread to compare with.
    const double half_height = std::max(0.6 * std::sqrt(fit.major_spread * fit.minor_spread) * 2, 0.03 * distance);
    double expected = 0;
    double count = 0;
    for (int index : available) {
        const SurfacePoint &point = points[index];
        if (std::abs(fit.plane.distance(point.position)) > half_height || !region.contains(point.position)) continue;
        const double tolerance = inlier_tolerance(point, fit.plane.normal, noise_scale);
        expected += std::min(1.0, tolerance / half_height);
        count += 1;
    }
    if (count < 1) return log_tests;
    const double p = std::clamp(expected / count, 1e-6, 1 - 1e-6);
    const double k = std::min(static_cast<double>(inliers.size()), count) / count;
    if (k <= p) return log_tests;
    // Hoeffding's bound of the binomial tail.
    const double divergence = k * std::log(k / p) + (k < 1 ? (1 - k) * std::log((1 - k) / (1 - p)) : 0.0);
    return log_tests - count * divergence;
}

PlaneSearch::PlaneSearch(std::span<const SurfacePoint> points, std::span<const int> available,
                         const PlaneSearchOptions &options, SeededRandom &random)
    : points_(points), options_(options) {
    if (static_cast<int>(available.size()) < minimum_inliers) return;
    std::vector<PlaneHypothesis> hypotheses;
    add_horizontal_hypotheses(points, available, options, hypotheses);
    add_upright_hypotheses(points, available, options, hypotheses);
    add_sampled_hypotheses(points, available, options, random, hypotheses);
    for (const PlaneHypothesis &hypothesis : hypotheses) everywhere_.push_back({hypothesis, false, std::nullopt});
    if (!options.looks_locally) return;
    for (const LocalPlane &local : find_local_planes(points, available, options.up, options.noise_scale, random)) {
        const PlaneHypothesis hypothesis{local.plane, local.constraint, local.surprise, local.seed};
        local_.push_back({hypothesis, false, std::nullopt});
    }
}

double PlaneSearch::value_of(const PlaneCandidate &candidate) const {
    // Where up is known, a slope must explain much more than something level or upright does: a step between two
    // levels looks like a slope.
    const bool is_slope = candidate.constraint == GravityConstraint::none && options_.up_sigma_rad < known_up;
    // Inliers that fill their band to its edges are of more than one surface.
    const double spread = candidate.fit.residual_scale / (2.5 * options_.noise_scale);
    const double neatness = std::clamp(1 - spread * spread, 0.1, 1.0);
    return candidate.log_false_alarms * neatness * (is_slope ? slope_handicap : 1.0);
}

const std::optional<PlaneCandidate> &PlaneSearch::refined(Trial &trial, std::span<const int> available) {
    // What wasn't enough for a plane doesn't become one with fewer points.
    const bool stands =
        trial.is_refined &&
        (!trial.candidate || std::all_of(trial.candidate->inliers.begin(), trial.candidate->inliers.end(),
                                         [&](int index) { return is_available_[index] != 0; }));
    if (!stands) trial.candidate = refine(points_, available, trial.hypothesis, options_);
    trial.is_refined = true;
    return trial.candidate;
}

std::optional<PlaneCandidate> PlaneSearch::best(std::span<const int> available) {
    if (static_cast<int>(available.size()) < minimum_inliers) return std::nullopt;
    is_available_.assign(points_.size(), 0);
    for (int index : available) is_available_[index] = 1;
    const PlaneScorer scorer(points_, available, options_.noise_scale);
    for (Trial &trial : everywhere_) trial.hypothesis.score = scorer.score(trial.hypothesis.plane);
    std::stable_sort(everywhere_.begin(), everywhere_.end(),
                     [](const Trial &a, const Trial &b) { return a.hypothesis.score > b.hypothesis.score; });
    const PlaneCandidate *best = nullptr;
    double best_value = 0;
    const auto try_out = [&](Trial &trial) {
        const std::optional<PlaneCandidate> &candidate = refined(trial, available);
        if (!candidate) return;
        const double value = value_of(*candidate);
        if (best != nullptr && value >= best_value) return;
        best = &*candidate;
        best_value = value;
    };
    std::vector<Plane> tried;
    for (Trial &trial : everywhere_) {
        const Plane &plane = trial.hypothesis.plane;
        if (static_cast<int>(tried.size()) == refined_hypotheses || trial.hypothesis.score < 0.5 * minimum_inliers)
            break;
        const bool repeated = std::any_of(tried.begin(), tried.end(), [&](const Plane &other) {
            return other.normal.dot(plane.normal) > 0.97 &&
                   std::abs(other.offset - plane.offset) < 0.02 * std::abs(other.offset) + 1e-3;
        });
        if (repeated) continue;
        tried.push_back(plane);
        try_out(trial);
    }
    int neighbourhoods = 0;
    for (Trial &trial : local_) {
        if (!is_available_[trial.hypothesis.seed]) continue;
        if (neighbourhoods++ == refined_neighbourhoods) break;
        try_out(trial);
    }
    return best == nullptr ? std::nullopt : std::optional(*best);
}

std::optional<PlaneCandidate> find_plane(std::span<const SurfacePoint> points, std::span<const int> available,
                                         const PlaneSearchOptions &options, SeededRandom &random) {
    return PlaneSearch(points, available, options, random).best(available);
}

}  // namespace foothold
