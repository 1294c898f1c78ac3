// The first map, from made-up tracks of points in boxes, on planes and on things that move.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "estimator_checks.h"
#include "initialisation/initialiser.h"
#include "initialisation/smooth_flow.h"
#include "initialisation/still_share.h"
#include "median.h"
#include "random_numbers.h"

using namespace foothold;
using foothold::checks::median;
using foothold::checks::RandomNumbers;

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kFocal = 540;
constexpr double kWidth = 640, kHeight = 480;
constexpr int kFrames = 45, kTracks = 220;
constexpr double kNoise = 0.3;

bool is_inside(const Eigen::Vector2d &pixel) {
    return std::abs(pixel.x()) < kWidth / 2 && std::abs(pixel.y()) < kHeight / 2;
}

/// Where a lens that isn't modelled shows what a model of none expects at `pixel`.
Eigen::Vector2d bent(int32_t motion, const Eigen::Vector2d &pixel) {
    constexpr double at_corner = 0.08;
    if (motion != FH_CHECK_MOTION_TURNING_BENT) return pixel;
    return (1 - at_corner * pixel.squaredNorm() / (0.25 * (kWidth * kWidth + kHeight * kHeight))) * pixel;
}

struct Scene {
    std::vector<Eigen::Vector3d> points;
    /// Moves by itself, metres a frame.
    std::vector<Eigen::Vector3d> velocity;
    /// host_from_camera of the last frame; the movement is even.
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();
    Eigen::Vector3d travel = Eigen::Vector3d::Zero();

    SE3 pose(int frame) const {
        const double share = static_cast<double>(frame) / kFrames;
        return SE3{so3_exp(share * turn), share * travel};
    }
};

Scene make_scene(int32_t motion, RandomNumbers &random) {
    Scene scene;
    const bool is_flat = motion == FH_CHECK_MOTION_PLANAR || motion == FH_CHECK_MOTION_PLANAR_TURNING;
    const Eigen::Vector3d normal =
        so3_exp(random.uniform(25, 50) * kDegree * Eigen::Vector3d(1, 0.4, 0).normalized()) * Eigen::Vector3d::UnitZ();
    const Eigen::Vector2d thing(random.uniform(-60, 60), random.uniform(-40, 40));
    const Eigen::Vector3d thing_velocity(0.012, 0.003, 0.001);
    for (int i = 0; i < kTracks; ++i) {
        const double x = random.uniform(-0.48, 0.48) * kWidth, y = random.uniform(-0.48, 0.48) * kHeight;
        Eigen::Vector2d pixel(x, y);
        Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
        double depth = random.uniform(0.7, 2.2);
        if (motion == FH_CHECK_MOTION_MOVING_THING && random.chance(0.75)) {
            pixel = thing + Eigen::Vector2d(random.uniform(-0.18, 0.18) * kWidth, random.uniform(-0.2, 0.2) * kHeight);
            depth = random.uniform(0.6, 0.9);
            velocity = thing_velocity;
        }
        const Eigen::Vector3d bearing(pixel.x() / kFocal, pixel.y() / kFocal, 1);
        if (is_flat) depth = 1.2 * normal.z() / normal.dot(bearing);
        scene.points.push_back(depth * bearing);
        scene.velocity.push_back(velocity);
    }
    const double side = random.chance(0.5) ? 1 : -1;
    switch (motion) {
        case FH_CHECK_MOTION_GENERAL:
        case FH_CHECK_MOTION_PLANAR:
            scene.travel = 0.3 * Eigen::Vector3d(side, 0.3 * random.gaussian(), 0.3 * random.gaussian()).normalized();
            scene.turn = 8 * kDegree * random.direction();
            break;
        case FH_CHECK_MOTION_FORWARD:
            scene.travel = Eigen::Vector3d(0.02 * random.gaussian(), 0.02 * random.gaussian(), 0.3);
            scene.turn = 3 * kDegree * random.direction();
            break;
        case FH_CHECK_MOTION_SWINGING:
            scene.travel = Eigen::Vector3d(0.06 * side, 0.02 * random.gaussian(), 0.01 * random.gaussian());
            scene.turn = 24 * kDegree * Eigen::Vector3d(0.2 * random.gaussian(), side, 0.1 * random.gaussian());
            break;
        case FH_CHECK_MOTION_TURNING:
        case FH_CHECK_MOTION_TURNING_BENT:
        case FH_CHECK_MOTION_PLANAR_TURNING:
            scene.turn = 22 * kDegree * Eigen::Vector3d(0.3 * random.gaussian(), side, 0.2 * random.gaussian());
            break;
        default:
            break;
    }
    return scene;
}

}  // namespace

int32_t fh_check_first_map(int32_t motion, uint64_t seed, double model_error, fh_check_first_map_report *out_report) {
    if (motion < FH_CHECK_MOTION_GENERAL || motion > FH_CHECK_MOTION_TURNING_BENT || out_report == nullptr) return -1;
    *out_report = {};
    RandomNumbers random(seed);
    const Scene scene = make_scene(motion, random);
    InitialTracks tracks;
    std::vector<bool> is_alive(kTracks, true);
    std::vector<Eigen::Vector2d> drift(kTracks, Eigen::Vector2d::Zero());
    for (int i = 0; i < kTracks; ++i) {
        const Eigen::Vector3d &p = scene.points[i];
        tracks.host_pixel.push_back(bent(motion, kFocal / p.z() * p.head<2>()));
        // What slips along an edge or jumps to its neighbour goes its own way.
        if (random.chance(0.05)) drift[i] = random.uniform(0.3, 1.5) * random.vector2().normalized();
    }
    tracks.pixel.push_back(tracks.host_pixel);
    Initialiser initialiser;
    for (int frame = 1; frame <= kFrames; ++frame) {
        const SE3 camera_from_host = scene.pose(frame).inverse();
        std::vector<Eigen::Vector2d> pixels;
        for (int i = 0; i < kTracks; ++i) {
            const Eigen::Vector3d p = camera_from_host * (scene.points[i] + frame * scene.velocity[i]);
            const Eigen::Vector2d exact =
                bent(motion, kFocal / p.z() * p.head<2>()) +
                (motion == FH_CHECK_MOTION_STILL ? Eigen::Vector2d::Zero().eval() : (frame * drift[i]).eval());
            if (!is_inside(exact) || random.chance(0.002)) is_alive[i] = false;
            const Eigen::Vector2d seen = exact + kNoise * random.vector2();
            pixels.push_back(is_alive[i] ? seen
                                         : Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()).eval());
        }
        tracks.pixel.push_back(std::move(pixels));
        const InitialisationResult result = initialiser.attempt(tracks, kFocal, kWidth, {.model_error = model_error});
        out_report->last_status = static_cast<int32_t>(result.status);
        ++out_report->status_counts[out_report->last_status];
        if (result.status != InitialisationStatus::succeeded) continue;
        out_report->succeeded_at = frame;
        out_report->parallax_share = result.parallax_pixels / result.median_flow;
        const SE3 truth = scene.pose(frame);
        const SE3 &found = result.host_from_camera.back();
        const double cosine = found.translation.normalized().dot(truth.translation.normalized());
        out_report->direction_error_degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) / kDegree;
        out_report->rotation_error_degrees = turn_between(found.rotation, truth.rotation) / kDegree;
        const double scale = truth.translation.norm() / found.translation.norm();
        std::vector<double> errors, normalised, depths;
        int wrong = 0;
        for (int i = 0; i < kTracks; ++i) {
            if (result.inverse_depth[i] <= 0) continue;
            depths.push_back(1 / result.inverse_depth[i]);
            const double true_inverse_depth = scale / scene.points[i].z();
            const double error = std::abs(result.inverse_depth[i] / true_inverse_depth - 1);
            errors.push_back(error);
            wrong += error > 1.0 / 3;
            const double difference = result.inverse_depth[i] - true_inverse_depth;
            normalised.push_back(difference * difference / result.inverse_depth_variance[i]);
        }
        out_report->median_depth_error = median(errors);
        out_report->wrong_share = static_cast<double>(wrong) / static_cast<double>(errors.size());
        std::sort(normalised.begin(), normalised.end());
        normalised.resize(normalised.size() * 9 / 10);
        for (const double value : normalised) out_report->variance_ratio += value;
        out_report->variance_ratio /= static_cast<double>(normalised.size());
        out_report->median_depth = median(depths);
        break;
    }
    return 0;
}

double fh_check_still_share(uint64_t seed, double moving_share) {
    RandomNumbers random(seed);
    constexpr int kCells = 12;
    std::vector<Eigen::Vector2d> host, target;
    // A square picture, so that every cell holds points.
    for (int y = 0; y < kCells; ++y) {
        for (int x = 0; x < kCells; ++x) {
            const bool is_moving = y * kCells + x < moving_share * kCells * kCells;
            for (int i = 0; i < (is_moving ? 30 : 3); ++i) {
                const Eigen::Vector2d cell(x + random.uniform(), y + random.uniform());
                host.emplace_back((cell.array() / kCells - 0.5) * kWidth);
                target.push_back(host.back() + 0.2 * random.vector2());
                if (is_moving) target.back().x() += 6;
            }
        }
    }
    return still_share(host, target, kWidth, 1.0);
}

double fh_check_beyond_smooth_flow(uint64_t seed, double step_pixels) {
    RandomNumbers random(seed);
    std::array<Eigen::Vector2d, 10> field;
    for (Eigen::Vector2d &term : field) term = {random.uniform(-20, 20), random.uniform(-20, 20)};
    std::vector<Eigen::Vector2d> places, residuals;
    for (int i = 0; i < kTracks; ++i) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        places.emplace_back(0.5 * kWidth * x, 0.5 * kHeight * y);
        Eigen::Vector2d residual = kNoise * random.vector2();
        size_t term = 0;
        for (int of_x = 0; of_x <= 3; ++of_x) {
            for (int of_y = 0; of_x + of_y <= 3; ++of_y)
                residual += std::pow(x, of_x) * std::pow(y, of_y) * field[term++];
        }
        if (random.chance(0.1)) {
            residual += 40 * random.vector2().normalized();
        } else if (random.chance(0.5)) {
            residual.x() += step_pixels;
        }
        residuals.push_back(residual);
    }
    return beyond_smooth_flow(places, residuals);
}
