#include "initialisation/initialiser.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/calib3d.hpp>

#include "geometry/median.h"
#include "initialisation/rotation_fit.h"
#include "initialisation/smooth_flow.h"
#include "initialisation/still_share.h"
#include "optimisation/pose_optimiser.h"
#include "optimisation/reprojection.h"

namespace foothold {

namespace {

constexpr int kMinimumTracks = 40;
constexpr double kInlierPixels = 2.0;
/// What a lens does that isn't modelled looks like parallax, the more so the further the picture has moved: where there
/// isn't so many times more, a turn and a shift can't be told apart and the map comes out bent. However good a
/// calibration, a shutter and moving things feign some.
constexpr double kParallaxOverModelError = 6;
constexpr double kLeastModelError = 0.008;
/// Unless so much of it (pixels of a picture 640 wide) is no smooth field over the picture, as all that lenses,
/// shutters and a single plane do is, and nearly all tracks then agree with the movement that's found.
constexpr double kBeyondSmooth = 1.5, kNearlyAll = 0.93, kMostOfThem = 0.7, kNearlyEnough = 0.97;
/// Of the tracks that there were, the share below which those that moved most have left the picture.
constexpr double kLeft = 0.6;

/// Pixels squared: what an observation costs that nothing explains; and the share of it from which a motion explains
/// hardly any.
constexpr double kMostCost = 0.25 * kInlierPixels * kInlierPixels, kHopeless = 0.9;

/// Radians between two motions' turns, and the cosine between their directions: within these they are one.
struct Likeness {
    double turn, along;
};
constexpr Likeness kOneMotion = {0.005, 0.998};

bool is_one_motion(const SE3 &a, const SE3 &b, const Likeness &likeness) {
    return turn_between(a.rotation, b.rotation) < likeness.turn &&
           a.translation.normalized().dot(b.translation.normalized()) > likeness.along;
}

Eigen::Matrix3d to_eigen(const cv::Mat &m) {
    Eigen::Matrix3d out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) out(r, c) = m.at<double>(r, c);
    }
    return out;
}

Eigen::Vector3d to_vector(const cv::Mat &m) { return {m.at<double>(0), m.at<double>(1), m.at<double>(2)}; }

/// Inverse depth in the host that brings the point nearest to `pixel` in the target, by one linear solve; the
/// translation's length counts as one unit of depth.
double triangulate(const Eigen::Vector2d &host_pixel, const Eigen::Vector2d &pixel, const SE3 &target_from_host,
                   double focal) {
    const Eigen::Vector3d a =
        target_from_host.rotation * Eigen::Vector3d(host_pixel.x() / focal, host_pixel.y() / focal, 1);
    const Eigen::Vector3d &t = target_from_host.translation;
    const Eigen::Vector2d m = pixel / focal;
    // (a + ρt).xy = m · (a + ρt).z
    const Eigen::Vector2d left = t.head<2>() - m * t.z();
    const Eigen::Vector2d right = m * a.z() - a.head<2>();
    const double length = left.squaredNorm();
    return length > 1e-12 ? left.dot(right) / length : 0;
}

/// What no smooth field over the picture explains of what turning leaves, pixels in the median.
double beyond_smooth(std::span<const Eigen::Vector2d> host, std::span<const Eigen::Vector2d> target,
                     const Eigen::Matrix3d &target_from_host, double focal) {
    std::vector<Eigen::Vector2d> places, residuals;
    places.reserve(host.size());
    residuals.reserve(host.size());
    for (size_t i = 0; i < host.size(); ++i) {
        const Eigen::Vector3d p = target_from_host * Eigen::Vector3d(host[i].x() / focal, host[i].y() / focal, 1);
        if (p.z() < 1e-3) continue;
        places.push_back(target[i]);
        residuals.push_back(target[i] - focal * p.hnormalized());
    }
    return beyond_smooth_flow(places, residuals);
}

}  // namespace

void Initialiser::propose(const std::vector<Eigen::Vector2d> &host, const std::vector<Eigen::Vector2d> &target,
                          double focal, const Eigen::Matrix3d &target_from_host, std::vector<SE3> *out_motions) const {
    std::vector<cv::Point2d> a, b;
    a.reserve(host.size());
    b.reserve(host.size());
    for (size_t i = 0; i < host.size(); ++i) {
        a.emplace_back(host[i].x(), host[i].y());
        b.emplace_back(target[i].x(), target[i].y());
    }
    const cv::Mat camera = (cv::Mat_<double>(3, 3) << focal, 0, 0, 0, focal, 0, 0, 0, 1);
    const auto add = [&](const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
        if (translation.norm() < 1e-9 || !rotation.allFinite()) return;
        out_motions->push_back(SE3{rotation, translation.normalized()});
    };
    // OpenCV's RANSAC seeds its generator with a constant, so this repeats exactly.
    const cv::Mat essential = cv::findEssentialMat(a, b, camera, cv::RANSAC, 0.999, 1.0);
    if (essential.rows >= 3) {
        cv::Mat r1, r2, t;
        cv::decomposeEssentialMat(essential.rowRange(0, 3), r1, r2, t);
        for (const cv::Mat &r : {r1, r2}) {
            add(to_eigen(r), to_vector(t));
            add(to_eigen(r), -to_vector(t));
        }
    }
    const cv::Mat homography = cv::findHomography(a, b, cv::RANSAC, 1.5, cv::noArray(), 1000, 0.999);
    if (homography.rows == 3) {
        std::vector<cv::Mat> rotations, translations, normals;
        cv::decomposeHomographyMat(homography, camera, rotations, translations, normals);
        for (size_t i = 0; i < rotations.size(); ++i) add(to_eigen(rotations[i]), to_vector(translations[i]));
    }
    // With the turning known from the whole picture, the epipolar constraint is linear in the translation: steadier
    // than the five-point method while the baseline is short.
    Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
    for (size_t i = 0; i < host.size(); ++i) {
        const Eigen::Vector3d p = target_from_host * Eigen::Vector3d(host[i].x() / focal, host[i].y() / focal, 1);
        const Eigen::Vector3d q(target[i].x() / focal, target[i].y() / focal, 1);
        const Eigen::Vector3d normal = q.cross(p);
        scatter += normal * normal.transpose() / (1e-8 + normal.squaredNorm());
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scatter);
    add(target_from_host, eigen.eigenvectors().col(0));
    add(target_from_host, -eigen.eigenvectors().col(0));
}

void Initialiser::judge(Candidate *candidate) {
    const BundleProblem &problem = candidate->problem;
    const int newest = static_cast<int>(problem.world_from_camera.size()) - 1;
    candidate->cost = 0;
    candidate->inliers = 0;
    for (const BundleObservation &o : problem.observations) {
        candidate->cost += std::min(o.residual * o.residual, kMostCost);
        candidate->inliers += o.pose == newest && o.residual < kInlierPixels;
    }
    candidate->cost /= std::max(1.0, static_cast<double>(problem.observations.size()));
}

bool Initialiser::fit_newest(const InitialTracks &tracks, const std::vector<int> &alive, double focal,
                             Candidate *candidate) {
    const int newest = static_cast<int>(tracks.pixel.size()) - 1;
    const SE3 target_from_host = candidate->host_from_target.inverse();
    BundleProblem &problem = candidate->problem;
    problem = BundleProblem();
    problem.focal = focal;
    problem.world_from_camera = {SE3(), candidate->host_from_target};
    problem.is_fixed = {true, false};
    int positive = 0;
    for (const int track : alive) {
        double inverse_depth =
            triangulate(tracks.host_pixel[track], tracks.pixel[newest][track], target_from_host, focal);
        if (inverse_depth > 0) ++positive;
        BundlePoint point;
        point.host = 0;
        point.in_host.pixel = tracks.host_pixel[track];
        point.inverse_depth = std::clamp(inverse_depth, 1e-3, 50.0);
        problem.observations.push_back({static_cast<int>(problem.points.size()), 1, {tracks.pixel[newest][track]}});
        problem.points.push_back(point);
    }
    if (positive < 0.6 * static_cast<double>(alive.size())) return false;
    problem.max_iterations = 8;
    adjuster_.solve(problem);
    judge(candidate);
    return true;
}

void Initialiser::fit_all(const InitialTracks &tracks, const std::vector<int> &alive, double focal,
                          Candidate *candidate) {
    const int newest = static_cast<int>(tracks.pixel.size()) - 1;
    BundleProblem &problem = candidate->problem;
    // The frames between, each first placed by the points.
    candidate->frames = {0};
    std::vector<SE3> poses = {SE3()};
    constexpr int kBetween = 5;
    for (int k = 1; k <= kBetween; ++k) {
        const int frame = newest * k / (kBetween + 1);
        if (frame <= candidate->frames.back() || frame >= newest) continue;
        std::vector<PoseObservation> seen;
        for (size_t i = 0; i < alive.size(); ++i) {
            const Eigen::Vector2d &pixel = tracks.pixel[frame][alive[i]];
            if (!pixel.allFinite() || problem.observations[i].residual > kInlierPixels) continue;
            const BundlePoint &point = problem.points[i];
            PoseObservation o;
            o.point_in_world = Eigen::Vector3d(point.in_host.pixel.x() / focal, point.in_host.pixel.y() / focal, 1) /
                               point.inverse_depth;
            o.pixel = pixel;
            seen.push_back(o);
        }
        if (static_cast<int>(seen.size()) < kMinimumTracks / 2) continue;
        const double fraction = static_cast<double>(frame) / newest;
        SE3 pose{so3_exp(fraction * so3_log(problem.world_from_camera[1].rotation)),
                 fraction * problem.world_from_camera[1].translation};
        if (!optimise_pose(seen, focal, 1.0, 3.0, &pose).succeeded) continue;
        candidate->frames.push_back(frame);
        poses.push_back(pose);
    }
    candidate->frames.push_back(newest);
    poses.push_back(problem.world_from_camera[1]);
    problem.world_from_camera = poses;
    problem.is_fixed.assign(poses.size(), false);
    problem.is_fixed[0] = true;
    problem.observations.clear();
    for (size_t i = 0; i < alive.size(); ++i) {
        for (size_t f = 1; f < candidate->frames.size(); ++f) {
            const Eigen::Vector2d &pixel = tracks.pixel[candidate->frames[f]][alive[i]];
            if (pixel.allFinite()) {
                problem.observations.push_back({static_cast<int>(i), static_cast<int>(f), {pixel}});
            }
        }
    }
    problem.max_iterations = 12;
    candidate->summary = adjuster_.solve(problem);
    judge(candidate);
}

InitialisationResult Initialiser::attempt(const InitialTracks &tracks, double focal, double width_pixels,
                                          const CameraTrust &trust) {
    InitialisationResult result;
    result.focal = focal;
    const double unit = width_pixels / 640;
    if (tracks.pixel.size() < 2) return result;
    const int newest = static_cast<int>(tracks.pixel.size()) - 1;
    std::vector<int> alive;
    std::vector<Eigen::Vector2d> host, target;
    for (size_t i = 0; i < tracks.host_pixel.size(); ++i) {
        if (!tracks.pixel[newest][i].allFinite()) continue;
        alive.push_back(static_cast<int>(i));
        host.push_back(tracks.host_pixel[i]);
        target.push_back(tracks.pixel[newest][i]);
    }
    if (static_cast<int>(alive.size()) < kMinimumTracks) return result;
    const RotationFit rotation = fit_rotation(host, target, focal);
    result.median_flow = rotation.median_flow;
    result.parallax_pixels = rotation.median_residual;
    // Where a quarter of the picture hasn't moved by a pixel, the camera stands and something else moves.
    const bool stands = still_share(host, target, width_pixels, 1.0) > 0.25;
    if (rotation.median_flow < 3 * unit || stands) {
        result.status = InitialisationStatus::no_motion;
        return result;
    }
    if (rotation.median_residual < 3.0 * unit) {
        result.status = InitialisationStatus::pure_rotation;
        return result;
    }
    result.status = InitialisationStatus::undecided;
    const bool may_be_feigned =
        rotation.median_residual <
        kParallaxOverModelError * std::max(kLeastModelError, trust.model_error) * rotation.median_flow;
    if (may_be_feigned && beyond_smooth(host, target, rotation.rotation, focal) < kBeyondSmooth * unit) return result;
    // Flying forwards, what moves far leaves the picture: what is left moves little, but all of that is parallax.
    const bool has_left = static_cast<double>(alive.size()) < kLeft * static_cast<double>(tracks.host_pixel.size());
    const bool is_enough = has_left && rotation.median_residual >= 4.5 * unit;
    if (rotation.median_flow < 10 * unit && !is_enough) return result;
    std::vector<SE3> motions;
    propose(host, target, focal, rotation.rotation, &motions);
    std::vector<Candidate> candidates;
    for (const SE3 &target_from_host : motions) {
        Candidate candidate;
        candidate.host_from_target = target_from_host.inverse();
        // The same motion proposed twice is refined once.
        const bool known = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate &other) {
            return is_one_motion(other.host_from_target, candidate.host_from_target, {0.01, 0.999});
        });
        if (known || !fit_newest(tracks, alive, focal, &candidate)) continue;
        candidates.push_back(std::move(candidate));
    }
    const auto by_cost = [](const Candidate &a, const Candidate &b) { return a.cost < b.cost; };
    std::sort(candidates.begin(), candidates.end(), by_cost);
    // Most proposals lead to the same few motions, or nowhere.
    std::vector<Candidate> distinct;
    for (Candidate &candidate : candidates) {
        const bool is_known = std::any_of(distinct.begin(), distinct.end(), [&](const Candidate &other) {
            return is_one_motion(other.problem.world_from_camera[1], candidate.problem.world_from_camera[1],
                                 kOneMotion);
        });
        if (!is_known && candidate.cost < kHopeless * kMostCost) distinct.push_back(std::move(candidate));
    }
    // The views between hardly ever let more tracks agree in the newest.
    const double least_inliers = (may_be_feigned ? kNearlyAll : kMostOfThem) * static_cast<double>(alive.size());
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](const Candidate &candidate) { return candidate.inliers >= kNearlyEnough * least_inliers; })) {
        return result;
    }
    for (Candidate &candidate : distinct) fit_all(tracks, alive, focal, &candidate);
    std::sort(distinct.begin(), distinct.end(), by_cost);
    Candidate &best = distinct.front();
    result.noise_pixels = best.summary.noise_pixels;
    if (best.inliers < least_inliers) return result;
    const SE3 &best_motion = best.problem.world_from_camera.back();
    for (size_t i = 1; i < distinct.size(); ++i) {
        const SE3 &other = distinct[i].problem.world_from_camera.back();
        const bool same = is_one_motion(best_motion, other, {0.02, 0.98});
        // A flat scene has two readings until perspective tells them apart.
        if (!same && distinct[i].cost < 1.3 * best.cost) return result;
    }
    std::vector<double> depths;
    std::vector<double> relative_sigma;
    result.inverse_depth.assign(tracks.host_pixel.size(), 0);
    result.inverse_depth_variance.assign(tracks.host_pixel.size(), 0);
    std::vector<double> worst(alive.size(), 0);
    for (const BundleObservation &o : best.problem.observations) {
        worst[o.point] = std::max(worst[o.point], o.residual);
    }
    for (size_t i = 0; i < alive.size(); ++i) {
        const BundlePoint &point = best.problem.points[i];
        if (worst[i] > kInlierPixels || point.inverse_depth < 2e-3) continue;
        depths.push_back(1 / point.inverse_depth);
        // Tracks of neighbouring frames err alike, so the residuals alone promise too much; and a wrong focal length
        // turns a share of the turning into false parallax.
        const double noise = std::max(0.5, best.summary.noise_pixels) + trust.model_error * rotation.median_flow;
        relative_sigma.push_back(noise * std::sqrt(point.variance) / point.inverse_depth);
        result.inverse_depth[alive[i]] = point.inverse_depth;
        result.inverse_depth_variance[alive[i]] = noise * noise * point.variance;
    }
    if (static_cast<int>(depths.size()) < kMinimumTracks) return result;
    if (median(relative_sigma) > trust.most_depth_spread) return result;
    const double scale = 1 / median(depths);
    for (double &value : result.inverse_depth) value /= scale;
    for (double &value : result.inverse_depth_variance) value /= scale * scale;
    result.frames = best.frames;
    result.host_from_camera = best.problem.world_from_camera;
    for (SE3 &pose : result.host_from_camera) pose.translation *= scale;
    result.status = InitialisationStatus::succeeded;
    return result;
}

}  // namespace foothold
