#include "gravity/gravity_estimator.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gravity/inertial_reading.h"

namespace foothold {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr int direction_count = 2600;  // about 4° apart
// Keyframes show the same things again: beyond so many of them, more say nothing new.
constexpr double independent_holds = 3;
constexpr double independent_edge_views = 4;
// Votes are wide enough that no direction falls between two of the sphere's.
constexpr double vote_width = 3 * degree;
// How well the vote itself knows up: it falls on one of the sphere's directions, and what its edges and surfaces say is
// counted once, by themselves.
constexpr double vote_sigma = 5 * degree;
// So many widths away a vote is less than rounding leaves of the sum of all.
constexpr double vote_reach = 9;
// How wide the band is, on either side, in which edges that agree by chance are counted; in widths of where they agree.
constexpr double chance_band = 4;
// What edges and surfaces can't go below, however many: walls and tables are built this true, cameras calibrated so.
constexpr double edge_floor = 0.4 * degree;
// … and what surfaces share: what stands on them, and that they are fitted to the up that they speak for.
constexpr double surface_floor = 0.6 * degree;
// An accelerometer's bias as it leaves the factory and ages: 0.14 m/s².
constexpr double force_floor = 0.8 * degree;
/// Of the same without the bias: the sensor's axes aren't the camera's to a hair.
constexpr double unbiased_floor = 0.1 * degree;
/// All that is left of a hand's pushes after a time is the speed that they gave.
constexpr double hand_speed = 0.3;
/// Bounded, so that a drifting world is followed.
constexpr double longest_memory_s = 30;

/// How likely people hold a camera like this: roll mostly small, pitch mostly downwards, anything sometimes.
double held_log_likelihood(const Eigen::Vector3d &up_in_camera) {
    const double pitch = std::asin(std::clamp(up_in_camera.z(), -1.0, 1.0));  // positive: camera looks up
    const double roll = std::atan2(up_in_camera.x(), -up_in_camera.y());
    // Looking straight down or up, roll means nothing.
    const double roll_sigma = 10 * degree / std::max(0.15, std::cos(pitch));
    const double p = (pitch + 22 * degree) / (28 * degree), r = roll / roll_sigma;
    return std::log(0.02 + 0.98 * std::exp(-0.5 * (p * p + r * r)));
}

/// The log of a vote: a peak of a given width over a floor that bounds what a wrong one can do.
float bounded_vote(double error, double width, double share) {
    const double r = error / width;
    return static_cast<float>(std::log1p(share / (1 - share) * std::exp(-0.5 * r * r)));
}

}  // namespace

GravityEstimator::GravityEstimator() {
    // A Fibonacci spiral spreads directions evenly.
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < direction_count; ++i) {
        const double y = 1 - 2 * (i + 0.5) / direction_count;
        const double radius = std::sqrt(1 - y * y);
        directions_.emplace_back(radius * std::cos(golden * i), y, radius * std::sin(golden * i));
    }
    reset();
}

void GravityEstimator::reset() {
    own_from_world_.setIdentity();
    held_votes_.assign(direction_count, 0);
    edge_votes_.assign(direction_count, 0);
    total_votes_.assign(direction_count, 0);
    held_count_ = edge_count_ = 0;
    edges_.clear();
    next_edge_ = 0;
    surfaces_.clear();
    force_sum_.setZero();
    force_seconds_ = 0;
    unbiased_sigma_ = std::numeric_limits<double>::infinity();
    estimate_ = GravityEstimate();
    up_ = Eigen::Vector3d::UnitY();
    is_stale_ = true;
}

void GravityEstimator::add_keyframe(const KeyframeView &keyframe) {
    const Eigen::Matrix3d camera_from_own = (own_from_world_ * keyframe.world_from_camera_rotation).transpose();
    for (int i = 0; i < direction_count; ++i) {
        held_votes_[i] += static_cast<float>(held_log_likelihood(camera_from_own * directions_[i]));
    }
    ++held_count_;
    // Edges cost a millisecond; once up is known well they're looked at seldom.
    const bool wants_edges = edge_count_ < 12 || held_count_ % 4 == 0;
    if (keyframe.luma && wants_edges) add_edges(keyframe);
    is_stale_ = true;
}

void GravityEstimator::add_edges(const KeyframeView &keyframe) {
    const CameraModel &camera = keyframe.luma_camera;
    const double shortest = 0.06 * std::max(camera.width, camera.height);
    const auto &segments = detector_.detect(keyframe.luma, camera.width, camera.height, keyframe.stride, shortest);
    const Eigen::Matrix3d own_from_camera = own_from_world_ * keyframe.world_from_camera_rotation;
    std::vector<float> votes(direction_count, 0);
    size_t used = 0;
    for (const LineSegment &segment : segments) {
        if (used == 80) break;
        const Eigen::Vector2d a = camera.normalise(segment.start), b = camera.normalise(segment.end);
        const Eigen::Vector3d normal =
            Eigen::Vector3d(a.x(), a.y(), 1).cross(Eigen::Vector3d(b.x(), b.y(), 1)).normalized();
        // Lines near the picture's horizontal can't be vertical ones of a camera held upright.
        if (std::abs(normal.y()) > std::abs(normal.x()) * 1.5) continue;
        EdgePlane edge;
        edge.normal = own_from_camera * normal;
        edge.sigma = std::hypot(segment.direction_sigma, edge_floor);
        const double share = std::min(0.4, 0.1 + segment.length() / std::max(camera.width, camera.height));
        for (int i = 0; i < direction_count; ++i) {
            const double error = edge.normal.dot(directions_[i]);
            if (std::abs(error) < 3 * vote_width) votes[i] += bounded_vote(error, vote_width, share);
        }
        if (edges_.size() < kept_edges) {
            edges_.push_back(edge);
        } else {
            edges_[next_edge_] = edge;
        }
        next_edge_ = (next_edge_ + 1) % kept_edges;
        ++used;
    }
    if (used < 3) return;
    // Many short edges of a keyboard, or rows of tiles, must not outvote a room: however many, they say as much as a
    // few.
    const float taming = 5 / static_cast<float>(std::max<size_t>(used, 5));
    for (int i = 0; i < direction_count; ++i) edge_votes_[i] += taming * votes[i];
    ++edge_count_;
}

void GravityEstimator::set_surfaces(std::span<const Surface> surfaces) {
    surfaces_.clear();
    double largest = 0;
    for (const Surface &surface : surfaces) largest = std::max(largest, surface.area);
    for (const Surface &surface : surfaces) {
        if (surface.free_normal_sigma_rad > 6 * degree) continue;
        // A desk says more than the screens that lean on it.
        const double share = largest > 0 ? std::sqrt(surface.area / largest) : 1.0;
        surfaces_.push_back({own_from_world_ * surface.free_normal,
                             std::hypot(surface.free_normal_sigma_rad, surface_floor), surface.confidence * share});
    }
    is_stale_ = true;
}

void GravityEstimator::add_inertial(const Eigen::Vector3d &up_in_world, double sigma_rad) {
    // As much as the time over which forces would tell up as well.
    add_force(standard_gravity * up_in_world, hand_speed / standard_gravity / std::max(sigma_rad, force_floor));
}

void GravityEstimator::add_force(const Eigen::Vector3d &force_in_world, double seconds) {
    // In free fall, and where the sensor has no accelerometer, nothing tells up.
    if (!(force_in_world.norm() > least_force)) return;
    force_sum_ += seconds / standard_gravity * (own_from_world_ * force_in_world);
    force_seconds_ += seconds;
    if (force_seconds_ > longest_memory_s) {
        force_sum_ *= longest_memory_s / force_seconds_;
        force_seconds_ = longest_memory_s;
    }
    is_stale_ = true;
}

void GravityEstimator::set_unbiased(const Eigen::Vector3d &up_in_world, double sigma_rad) {
    unbiased_up_ = own_from_world_ * up_in_world;
    unbiased_sigma_ = std::hypot(unbiased_floor, sigma_rad);
    is_stale_ = true;
}

void GravityEstimator::forget_unbiased() {
    if (!std::isfinite(unbiased_sigma_)) return;
    unbiased_sigma_ = std::numeric_limits<double>::infinity();
    is_stale_ = true;
}

GravityEstimator::PushedUp GravityEstimator::pushed_up() const {
    const double sigma = force_seconds_ > 0 ? std::hypot(force_floor, hand_speed / standard_gravity / force_seconds_)
                                            : std::numeric_limits<double>::infinity();
    if (unbiased_sigma_ < sigma) return {unbiased_up_, unbiased_sigma_};
    return {force_seconds_ > 0 ? force_sum_.normalized() : Eigen::Vector3d::UnitY(), sigma};
}

void GravityEstimator::rotate_world(const Eigen::Matrix3d &rotation) {
    own_from_world_ = own_from_world_ * rotation.transpose();
    is_stale_ = true;
}

const GravityEstimate &GravityEstimator::estimate() {
    if (is_stale_) {
        vote();
        refine();
        estimate_.up_in_world = own_from_world_.transpose() * up_;
        is_stale_ = false;
    }
    return estimate_;
}

void GravityEstimator::vote() {
    const double held_scale = held_count_ > 0 ? std::min<double>(1, independent_holds / held_count_) : 0;
    const double edge_scale = edge_count_ > 0 ? std::min<double>(1, independent_edge_views / edge_count_) : 0;
    const PushedUp pushed = pushed_up();
    const bool has_force = std::isfinite(pushed.sigma);
    struct Reach {
        double width, level, upright;
    };
    std::vector<Reach> reaches;
    for (const SurfaceNormal &surface : surfaces_) {
        const double width = std::hypot(surface.sigma, vote_width);
        const double angle = std::min(vote_reach * width, 90 * degree);
        reaches.push_back({width, std::cos(angle), std::sin(angle)});
    }
    for (int i = 0; i < direction_count; ++i) {
        const Eigen::Vector3d &u = directions_[i];
        double sum = held_scale * held_votes_[i] + edge_scale * edge_votes_[i];
        for (size_t s = 0; s < surfaces_.size(); ++s) {
            const auto &[width, level, upright] = reaches[s];
            const double c = std::clamp(surfaces_[s].normal.dot(u), -1.0, 1.0);
            // Facing up is likelier than facing down; upright in between.
            double vote = 0;
            if (c > level) vote += 2.0 * bounded_vote(std::acos(c), width, 0.8);
            if (std::abs(c) < upright) vote += 0.7 * bounded_vote(std::asin(c), width, 0.8);
            if (-c > level) vote += 0.5 * bounded_vote(std::acos(-c), width, 0.8);
            sum += surfaces_[s].weight * vote;
        }
        if (has_force) {
            sum += 20 * bounded_vote(std::acos(std::clamp(pushed.up.dot(u), -1.0, 1.0)), 2 * vote_width, 0.9);
        }
        total_votes_[i] = static_cast<float>(sum);
    }
    int best = 0;
    for (int i = 1; i < direction_count; ++i) {
        if (total_votes_[i] > total_votes_[best]) best = i;
    }
    up_ = directions_[best];
}

void GravityEstimator::refine() {
    // Probability that up is elsewhere, and the spread of what is near.
    double near_mass = 0, far_mass = 0, far_square = 0;
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    const float highest = *std::max_element(total_votes_.begin(), total_votes_.end());
    struct Likely {
        int direction;
        double mass;
    };
    static const double least_log_mass = std::log(1e-6);
    std::vector<Likely> likely;
    for (int i = 0; i < direction_count; ++i) {
        const double below = total_votes_[i] - highest;
        if (below < least_log_mass) continue;
        likely.push_back({i, std::exp(below)});
    }
    for (const auto &[i, mass] : likely) {
        const double angle = std::acos(std::clamp(directions_[i].dot(up_), -1.0, 1.0));
        if (angle < 15 * degree) {
            near_mass += mass;
            mean += mass * directions_[i];
        } else {
            far_mass += mass;
            far_square += mass * angle * angle;
        }
    }
    up_ = mean.normalized();
    double near_square = 0;
    for (const auto &[i, mass] : likely) {
        const double angle = std::acos(std::clamp(directions_[i].dot(up_), -1.0, 1.0));
        if (angle < 15 * degree) near_square += mass * angle * angle;
    }
    const double coarse_sigma = std::hypot(std::sqrt(near_square / near_mass / 2), vote_sigma);
    const Eigen::Vector3d voted = up_;
    const PushedUp pushed = pushed_up();
    // Gauss-Newton on the vote and the precise sources that agree with it, each with a redescending weight.
    double information_floor = 0;
    for (int round = 0; round < 8; ++round) {
        Eigen::Vector3d x = up_.unitOrthogonal(), z = x.cross(up_);
        const double gate = std::max(1.5 * degree, (6 - 1.0 * round) * degree);
        Eigen::Matrix2d information = Eigen::Matrix2d::Identity() / (coarse_sigma * coarse_sigma);
        Eigen::Vector2d gradient = Eigen::Vector2d(voted.dot(x), voted.dot(z)) / (coarse_sigma * coarse_sigma);
        const auto add = [&](const Eigen::Vector2d &row, double residual, double sigma, double weight) {
            const double r = residual / gate;
            if (std::abs(r) >= 1) return;
            const double w = weight * (1 - r * r) * (1 - r * r) / (sigma * sigma);
            information += w * row * row.transpose();
            gradient -= w * residual * row;
        };
        // Edges that run any way stand on both sides of what agrees with up, and are among it by chance.
        double edge_weight = 0;
        int agreeing = 0, around = 0;
        for (const EdgePlane &edge : edges_) {
            const double residual = std::abs(edge.normal.dot(up_)) / gate;
            if (residual < 1) {
                edge_weight += 1 / (edge.sigma * edge.sigma);
                ++agreeing;
            } else if (residual > 2 && residual < 2 + chance_band) {
                ++around;
            }
        }
        const double by_intent = agreeing > 0 ? std::max(0.0, 1 - around / (chance_band * agreeing)) : 0;
        // All edges together say no more than their floor allows.
        const double edge_scale =
            edge_weight > 0 ? by_intent * by_intent * std::min(1.0, 2 / (edge_floor * edge_floor) / edge_weight) : 0.0;
        for (const EdgePlane &edge : edges_) {
            add({edge.normal.dot(x), edge.normal.dot(z)}, edge.normal.dot(up_), edge.sigma, edge_scale);
        }
        // Surfaces of one map share its errors: together they count as two.
        double surface_weight = 0;
        for (const SurfaceNormal &surface : surfaces_) surface_weight += surface.weight;
        const double surface_scale = std::min(1.0, 2 / std::max(surface_weight, 1e-9));
        for (const SurfaceNormal &surface : surfaces_) {
            const double c = surface.normal.dot(up_);
            if (std::abs(c) > std::cos(8 * degree)) {
                const double sign = c > 0 ? 1 : -1;
                // up + a x + b z should be the normal.
                add({1, 0}, -sign * surface.normal.dot(x), surface.sigma, surface_scale * surface.weight);
                add({0, 1}, -sign * surface.normal.dot(z), surface.sigma, surface_scale * surface.weight);
            } else if (std::abs(c) < std::sin(8 * degree)) {
                add({surface.normal.dot(x), surface.normal.dot(z)}, c, surface.sigma, surface_scale * surface.weight);
            }
        }
        if (std::isfinite(pushed.sigma)) {
            information += Eigen::Matrix2d::Identity() / (pushed.sigma * pushed.sigma);
            gradient += Eigen::Vector2d(pushed.up.dot(x), pushed.up.dot(z)) / (pushed.sigma * pushed.sigma);
        }
        const Eigen::Matrix2d covariance = information.inverse();
        const Eigen::Vector2d step = covariance * gradient;
        up_ = (up_ + step.x() * x + step.y() * z).normalized();
        information_floor = std::sqrt(0.5 * covariance.trace());
    }
    const double elsewhere = far_mass / (near_mass + far_mass);
    const double far_sigma = far_mass > 0 ? std::sqrt(far_square / far_mass) : 0;
    estimate_.sigma_rad = std::hypot(information_floor, far_sigma * elsewhere);
}

}  // namespace foothold
