#include "estimator_checks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "allocation_counter.h"
#include "median.h"
#include "optimisation/bundle_adjuster.h"
#include "optimisation/pose_optimiser.h"
#include "random_numbers.h"
#include "session/frame_log.h"

using namespace foothold;
using foothold::checks::median;
using foothold::checks::RandomNumbers;

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kFocal = 500;

Eigen::Vector2d pixel_of(const Eigen::Vector3d &point_in_world, const SE3 &world_from_camera, double focal) {
    const Eigen::Vector3d p = world_from_camera.inverse() * point_in_world;
    return focal / p.z() * p.head<2>();
}

/// A point that a camera sees, 1 … 4 m away.
Eigen::Vector3d point_before(const SE3 &world_from_camera, RandomNumbers &random) {
    const double depth = random.uniform(1, 4);
    const double x = random.uniform(-0.6, 0.6), y = random.uniform(-0.45, 0.45);
    return world_from_camera * (depth * Eigen::Vector3d(x, y, 1));
}

SE3 perturbed(const SE3 &pose, double radians, double metres, RandomNumbers &random) {
    return SE3{pose.rotation * random.rotation(radians), pose.translation + metres * random.direction()};
}

}  // namespace

void fh_check_pose(uint64_t seed, double noise_pixels, double outlier_share, fh_check_pose_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    const SE3 truth{random.rotation(random.uniform(0, 3)), random.vector()};
    std::vector<PoseObservation> observations(200);
    std::vector<bool> is_outlier(observations.size());
    for (size_t i = 0; i < observations.size(); ++i) {
        PoseObservation &o = observations[i];
        o.point_in_world = point_before(truth, random);
        o.pixel = pixel_of(o.point_in_world, truth, kFocal) + noise_pixels * random.vector2();
        is_outlier[i] = random.chance(outlier_share);
        if (is_outlier[i]) o.pixel += random.uniform(5, 80) * random.vector2().normalized();
    }
    SE3 pose = perturbed(truth, 3 * kDegree, 0.1, random);
    const PoseOptimiserResult result = optimise_pose(observations, kFocal, std::max(noise_pixels, 0.3), 4, &pose);
    out_report->succeeded = result.succeeded;
    out_report->inlier_count = result.inlier_count;
    for (size_t i = 0; i < observations.size(); ++i) {
        out_report->false_inliers += observations[i].is_inlier && is_outlier[i];
        out_report->false_outliers += !observations[i].is_inlier && !is_outlier[i];
    }
    out_report->rotation_error_rad = turn_between(pose.rotation, truth.rotation);
    out_report->position_error_m = (pose.translation - truth.translation).norm();
    out_report->rms_pixels = result.rms_pixels;
}

int32_t fh_check_pose_covariance(uint64_t seed, int32_t trials, double depth_deviation, double *out_smallest,
                                 double *out_largest, double *out_consistency) {
    RandomNumbers random(seed);
    constexpr double kNoise = 0.5;
    Eigen::Matrix<double, 6, 1> sums = Eigen::Matrix<double, 6, 1>::Zero();
    double total = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const SE3 truth{random.rotation(random.uniform(0, 3)), random.vector()};
        // The host that the points' depths are uncertain along, to the camera's side.
        const Eigen::Vector3d host = truth * Eigen::Vector3d(0.5, 0.1, 0);
        std::vector<PoseObservation> observations(80);
        for (PoseObservation &o : observations) {
            const Eigen::Vector3d point = point_before(truth, random);
            const Eigen::Vector3d ray = point - host;
            o.point_in_world = point + depth_deviation * random.gaussian() * ray;
            o.depth_spread = depth_deviation * ray;
            o.pixel = pixel_of(point, truth, kFocal) + kNoise * random.vector2();
        }
        SE3 pose = perturbed(truth, 1 * kDegree, 0.03, random);
        const PoseOptimiserResult result = optimise_pose(observations, kFocal, kNoise, 4, &pose);
        if (!result.succeeded) return -1;
        Eigen::Matrix<double, 6, 1> error;
        error << so3_log(truth.rotation.transpose() * pose.rotation), pose.translation - truth.translation;
        sums.array() += error.array().square() / result.covariance.diagonal().array();
        total += error.dot(result.covariance.ldlt().solve(error)) / 6;
    }
    *out_smallest = std::sqrt(sums.minCoeff() / trials);
    *out_largest = std::sqrt(sums.maxCoeff() / trials);
    *out_consistency = total / trials;
    return 0;
}

int32_t fh_check_pose_with_few_points(uint64_t seed, int32_t count) {
    RandomNumbers random(seed);
    const SE3 truth{random.rotation(1), random.vector()};
    std::vector<PoseObservation> observations(count);
    for (PoseObservation &o : observations) {
        o.point_in_world = point_before(truth, random);
        o.pixel = pixel_of(o.point_in_world, truth, kFocal);
    }
    const SE3 start = perturbed(truth, 1 * kDegree, 0.02, random);
    SE3 pose = start;
    const PoseOptimiserResult result = optimise_pose(observations, kFocal, 0.5, 4, &pose);
    if (result.succeeded) return 0;
    return pose.rotation == start.rotation && pose.translation == start.translation ? 1 : -1;
}

namespace {

struct BundleTruth {
    std::vector<SE3> poses;
    std::vector<double> inverse_depth;
    BundleProblem problem;
    std::vector<bool> is_outlier;
};

/// Keyframes on an arc that look at points in its middle.
BundleTruth bundle_truth(const fh_check_bundle_options &options, RandomNumbers &random) {
    constexpr int kPoses = 10, kPoints = 250;
    constexpr double kHalfDiagonal = 400;
    BundleTruth truth;
    for (int i = 0; i < kPoses; ++i) {
        const double azimuth = (i - 4.5) * 0.07 + 0.02 * random.gaussian();
        const Eigen::Vector3d position(2 * std::sin(azimuth), 0.15 * random.gaussian(), -2 * std::cos(azimuth));
        const Eigen::Matrix3d facing = so3_exp(-azimuth * Eigen::Vector3d::UnitY());
        truth.poses.push_back(SE3{facing * random.rotation(0.05), position});
    }
    std::vector<Twist> twists(kPoses);
    for (Twist &twist : twists) {
        if (options.readout != 0) twist = {0.5 * random.vector(), 0.3 * random.vector()};
    }
    const Eigen::Vector2d center(options.center_x, options.center_y), bend(options.bend, options.bend_excess);
    /// Where lens and shutter put it, of which the problem knows nothing.
    const auto sight_of = [&](const Eigen::Vector3d &position, int pose) {
        BundleSight sight;
        sight.row_rate = row_rate(truth.poses[pose].inverse() * position, twists[pose], kFocal, 480);
        const Eigen::Vector2d rolled = pixel_of(position, truth.poses[pose], kFocal) + options.readout * sight.row_rate;
        sight.pixel = sight.in_picture = center + bent(rolled, bend, kHalfDiagonal);
        return sight;
    };
    for (int p = 0; p < kPoints; ++p) {
        const Eigen::Vector3d position(random.uniform(-0.9, 0.9), random.uniform(-0.7, 0.7), random.uniform(-0.8, 0.8));
        BundlePoint point;
        point.host = random.chance(0.5) ? 0 : static_cast<int>(random.uniform(0, 8));
        const SE3 &host = truth.poses[point.host];
        point.in_host = sight_of(position, point.host);
        const double inverse_depth = 1 / (host.inverse() * position).z();
        truth.inverse_depth.push_back(inverse_depth);
        point.inverse_depth = inverse_depth * (1 + 0.1 * random.uniform(-1, 1));
        truth.problem.points.push_back(point);
        for (int i = 0; i < kPoses; ++i) {
            if (i == point.host || random.chance(0.2)) continue;
            BundleObservation o;
            o.point = p;
            o.pose = i;
            o.sight = sight_of(position, i);
            Eigen::Vector2d error = options.noise_pixels * random.vector2();
            truth.is_outlier.push_back(random.chance(options.outlier_share));
            if (truth.is_outlier.back()) error += random.uniform(10, 60) * random.vector2().normalized();
            o.sight.pixel += error;
            o.sight.in_picture += error;
            truth.problem.observations.push_back(o);
        }
    }
    for (int i = 0; i < kPoses; ++i) {
        const bool is_fixed = i < options.fixed_poses;
        truth.problem.is_fixed.push_back(is_fixed);
        truth.problem.world_from_camera.push_back(is_fixed ? truth.poses[i]
                                                           : perturbed(truth.poses[i], 1 * kDegree, 0.02, random));
    }
    truth.problem.half_diagonal = kHalfDiagonal;
    truth.problem.focal = kFocal * (1 + options.focal_error);
    truth.problem.refine_focal = options.focal_error != 0 && options.probe_camera == 0;
    truth.problem.probe_camera = options.probe_camera != 0;
    truth.problem.refine_readout = options.readout != 0 && options.probe_readout == 0;
    truth.problem.probe_readout = options.probe_readout != 0;
    truth.problem.refine_bend = options.bend != 0 && options.probe_bend == 0 && options.probe_camera == 0;
    truth.problem.probe_bend = options.probe_bend != 0;
    truth.problem.prior_bend_sigma = {options.bend_prior_sigma, options.bend_excess_prior_sigma};
    truth.problem.refine_center = !center.isZero(0) && options.probe_camera == 0;
    truth.problem.prior_center_sigma = options.center_prior_sigma;
    truth.problem.prior_focal = truth.problem.focal;
    truth.problem.prior_focal_sigma = options.focal_prior_sigma;
    truth.problem.prior_noise_pixels = options.prior_noise_pixels;
    truth.problem.huber_pixels = options.huber_pixels;
    truth.problem.max_iterations = options.max_iterations;
    truth.problem.tolerance = 1e-14;
    return truth;
}

}  // namespace

void fh_check_bundle(uint64_t seed, const fh_check_bundle_options *options, fh_check_bundle_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    BundleTruth truth = bundle_truth(*options, random);
    const BundleProblem start = truth.problem;
    BundleProblem &problem = truth.problem;
    BundleAdjuster adjuster;
    const BundleSummary summary = adjuster.solve(problem);
    for (size_t i = 0; i < truth.poses.size(); ++i) {
        const SE3 &pose = problem.world_from_camera[i];
        out_report->rotation_error_rad =
            std::max(out_report->rotation_error_rad, turn_between(pose.rotation, truth.poses[i].rotation));
        out_report->position_error_m =
            std::max(out_report->position_error_m, (pose.translation - truth.poses[i].translation).norm());
        if (!problem.is_fixed[i]) continue;
        const SE3 &before = start.world_from_camera[i];
        out_report->fixed_motion =
            std::max({out_report->fixed_motion, (pose.rotation - before.rotation).cwiseAbs().maxCoeff(),
                      (pose.translation - before.translation).cwiseAbs().maxCoeff()});
    }
    std::vector<double> errors;
    for (size_t p = 0; p < truth.inverse_depth.size(); ++p) {
        errors.push_back(std::abs(problem.points[p].inverse_depth / truth.inverse_depth[p] - 1));
    }
    out_report->median_depth_error = median(errors);
    out_report->worst_depth_error = *std::max_element(errors.begin(), errors.end());
    out_report->focal_error = problem.focal / kFocal - 1;
    out_report->log_focal_sigma = summary.log_focal_sigma;
    out_report->log_focal_step = summary.log_focal_step;
    const SharedModel &found = summary.shared, &sigma = summary.shared_sigma;
    out_report->readout = found.readout;
    out_report->readout_sigma = sigma.readout;
    out_report->bend = found.bend.x();
    out_report->bend_sigma = sigma.bend.x();
    out_report->bend_excess = found.bend.y();
    out_report->bend_excess_sigma = sigma.bend.y();
    out_report->center_x = found.center.x();
    out_report->center_y = found.center.y();
    out_report->center_sigma = sigma.center.maxCoeff();
    out_report->initial_cost = summary.initial_cost;
    out_report->final_cost = summary.final_cost;
    out_report->noise_pixels = summary.noise_pixels;
    out_report->iterations = summary.iterations;
    BundleProblem again = start;
    const int64_t before = allocation_count();
    adjuster.solve(again);
    out_report->second_run_allocations = static_cast<int32_t>(allocation_count() - before);
}

double fh_check_bundle_depth_variance(uint64_t seed) {
    RandomNumbers random(seed);
    fh_check_bundle_options options = {};
    options.noise_pixels = 0.4;
    options.huber_pixels = 100;
    options.max_iterations = 10;
    options.fixed_poses = 10;
    BundleTruth truth = bundle_truth(options, random);
    BundleAdjuster adjuster;
    adjuster.solve(truth.problem);
    double sum = 0;
    for (size_t p = 0; p < truth.inverse_depth.size(); ++p) {
        const BundlePoint &point = truth.problem.points[p];
        const double error = point.inverse_depth - truth.inverse_depth[p];
        // The variance is for noise of one pixel.
        sum += error * error / (point.variance * options.noise_pixels * options.noise_pixels);
    }
    return std::sqrt(sum / static_cast<double>(truth.inverse_depth.size()));
}

void fh_check_frame_log(uint64_t seed, fh_check_log_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    Map map;
    map.focal = kFocal;
    Keyframe keyframe;
    keyframe.world_from_camera = SE3{random.rotation(0.4), random.vector()};
    map.keyframes.push_back(keyframe);
    const SE3 host = keyframe.world_from_camera;
    std::vector<Eigen::Vector3d> in_host;
    for (int i = 0; i < 120; ++i) {
        HostedPoint &point = map.points[map.add_point()];
        const Eigen::Vector3d position = point_before(SE3(), random);
        in_host.push_back(position);
        point.state = PointState::mature;
        point.host = 0;
        point.host_pixel = kFocal / position.z() * position.head<2>();
        point.inverse_depth = 1 / position.z();
        point.inverse_depth_variance = 1e-8;
    }
    // The host's frame is true; where the tracker thought that frames were is not.
    FrameLog log;
    std::vector<SE3> host_from_camera;
    std::vector<SE3> told;
    constexpr int kFrames = 12;
    for (int frame = 0; frame < kFrames; ++frame) {
        const SE3 truth{random.rotation(0.05), 0.1 * random.vector()};
        host_from_camera.push_back(truth);
        std::vector<Track> tracks;
        // The last frames saw nothing.
        for (int i = 0; i < (frame < kFrames - 2 ? 120 : 0); ++i) {
            Track track;
            track.point = i;
            track.centred = pixel_of(in_host[i], truth, kFocal);
            track.found = track.is_inlier = true;
            tracks.push_back(track);
        }
        told.push_back(host * perturbed(truth, 0.4 * kDegree, 0.01, random));
        log.add(3 * frame, 1000 + 33 * frame, told.back(), Twist(), 0, map, tracks);
    }
    const SE3 correction{random.rotation(0.3), random.vector()};
    map.keyframes[0].world_from_camera = correction * host;
    const auto error_of = [&](const std::vector<LoggedPose> &poses, int frame) {
        const SE3 expected = map.keyframes[0].world_from_camera * host_from_camera[frame];
        return (poses[frame].world_from_camera.translation - expected.translation).norm();
    };
    const auto following_error_of = [&](const std::vector<LoggedPose> &poses, int frame) {
        return (poses[frame].world_from_camera.translation - (correction * told[frame]).translation).norm();
    };
    std::vector<LoggedPose> poses = log.refined(map, 0.5);
    out_report->logged = kFrames;
    out_report->returned = static_cast<int32_t>(poses.size());
    if (out_report->returned != kFrames) return;
    out_report->kept_order = 1;
    for (int frame = 0; frame < kFrames; ++frame) {
        const LoggedPose &pose = poses[frame];
        if (pose.frame_index != 3 * frame || pose.timestamp_ns != 1000 + 33 * frame) out_report->kept_order = 0;
        double &worst = frame < kFrames - 2 ? out_report->refined_error_m : out_report->following_error_m;
        const double error = frame < kFrames - 2 ? error_of(poses, frame) : following_error_of(poses, frame);
        worst = std::max(worst, error);
    }
    // Other points take the places of those that were seen.
    for (int i = 0; i < 120; ++i) {
        map.remove_point(i);
    }
    for (int i = 0; i < 120; ++i) {
        HostedPoint &point = map.points[map.add_point()];
        point.state = PointState::mature;
        point.host = 0;
        point.inverse_depth = 0.5;
        point.inverse_depth_variance = 1e-8;
    }
    poses = log.refined(map, 0.5);
    for (int frame = 0; frame < kFrames; ++frame) {
        out_report->reused_error_m = std::max(out_report->reused_error_m, following_error_of(poses, frame));
    }
    FrameLog other;
    for (const int64_t index : {-1, 4, 3 * kFrames}) other.add(index, 1000 + 11 * index, told[0], Twist(), 0, map, {});
    log.take_in(std::move(other), 0);
    poses = log.refined(map, 0.5);
    out_report->kept_order_together = poses.size() == kFrames + 3;
    for (size_t i = 1; i < poses.size(); ++i) {
        const bool is_in_order =
            poses[i - 1].frame_index < poses[i].frame_index && poses[i - 1].timestamp_ns < poses[i].timestamp_ns;
        if (!is_in_order) out_report->kept_order_together = 0;
    }
    log.clear();
    out_report->after_clear = static_cast<int32_t>(log.refined(map, 0.5).size());
}
