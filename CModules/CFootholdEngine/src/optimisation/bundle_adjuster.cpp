#include "optimisation/bundle_adjuster.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/median.h"
#include "optimisation/reprojection.h"

namespace foothold {

namespace {

double huber_cost(double squared, double width) {
    const double length = std::sqrt(squared);
    return length <= width ? squared : 2 * width * length - width * width;
}

double huber_weight(double squared, double width) {
    const double length = std::sqrt(squared);
    return length <= width ? 1 : width / length;
}

/// The prior of the focal length as one more residual, in pixels: its slope by log focal and its value.
struct FocalPrior {
    double slope = 0;
    double residual = 0;
    FocalPrior(const BundleProblem &problem, double focal) {
        if (!problem.refine_focal || problem.prior_focal_sigma <= 0) return;
        slope = problem.prior_noise_pixels / problem.prior_focal_sigma;
        residual = slope * std::log(focal / problem.prior_focal);
    }
};

}  // namespace

double BundleAdjuster::evaluate_cost(BundleProblem &problem, const std::vector<SE3> &poses,
                                     const std::vector<double> &depths, double focal, double readout) const {
    const FocalPrior prior(problem, focal);
    double cost = prior.residual * prior.residual;
    Reprojection reprojection;
    for (BundleObservation &observation : problem.observations) {
        const BundlePoint &point = problem.points[observation.point];
        if (!reprojection.evaluate(poses[point.host], point.host_pixel - readout * point.host_row_rate,
                                   depths[observation.point], poses[observation.pose], focal, false)) {
            observation.residual = std::numeric_limits<double>::infinity();
            cost += point.weight * 100 * problem.huber_pixels * problem.huber_pixels;
            continue;
        }
        const double squared = (reprojection.pixel - observation.pixel + readout * observation.row_rate).squaredNorm();
        observation.residual = std::sqrt(squared);
        cost += point.weight * huber_cost(squared, problem.huber_pixels);
    }
    return cost;
}

void BundleAdjuster::build(const BundleProblem &problem, bool with_readout) {
    has_globals_ = problem.refine_focal || with_readout;
    const int global_index = variable_count_ * 6;
    const int size = global_index + (has_globals_ ? 2 : 0);
    pose_hessian_.setZero(size, size);
    pose_gradient_.setZero(size);
    const size_t point_count = problem.points.size();
    point_hessian_.assign(point_count, 0);
    point_gradient_.assign(point_count, 0);
    point_global_coupling_.assign(point_count, Eigen::Vector2d::Zero());
    blocks_.clear();
    block_begin_.assign(point_count + 1, 0);
    Reprojection r;
    Eigen::Matrix2d by_global;
    size_t next = 0;
    for (size_t p = 0; p < point_count; ++p) {
        const BundlePoint &point = problem.points[p];
        block_begin_[p] = static_cast<int>(blocks_.size());
        const int host = variable_index_[point.host];
        const size_t host_block = blocks_.size();
        if (host >= 0) blocks_.push_back({host, Eigen::Matrix<double, 6, 1>::Zero()});
        const Eigen::Vector2d host_pixel = point.host_pixel - problem.readout * point.host_row_rate;
        for (; next < problem.observations.size() && problem.observations[next].point == static_cast<int>(p); ++next) {
            const BundleObservation &observation = problem.observations[next];
            if (!r.evaluate(problem.world_from_camera[point.host], host_pixel, depths_[p],
                            problem.world_from_camera[observation.pose], problem.focal, true)) {
                continue;
            }
            const Eigen::Vector2d residual = r.pixel - observation.pixel + problem.readout * observation.row_rate;
            const double weight = point.weight * huber_weight(residual.squaredNorm(), problem.huber_pixels);
            point_hessian_[p] += weight * r.by_inverse_depth.squaredNorm();
            point_gradient_[p] += weight * r.by_inverse_depth.dot(residual);
            const int target = variable_index_[observation.pose];
            if (host >= 0) {
                pose_hessian_.block<6, 6>(6 * host, 6 * host).noalias() += weight * r.by_host.transpose() * r.by_host;
                pose_gradient_.segment<6>(6 * host).noalias() += weight * r.by_host.transpose() * residual;
                blocks_[host_block].coupling.noalias() += weight * r.by_host.transpose() * r.by_inverse_depth;
            }
            if (target >= 0) {
                pose_hessian_.block<6, 6>(6 * target, 6 * target).noalias() +=
                    weight * r.by_target.transpose() * r.by_target;
                pose_gradient_.segment<6>(6 * target).noalias() += weight * r.by_target.transpose() * residual;
                blocks_.push_back({target, weight * r.by_target.transpose() * r.by_inverse_depth});
                if (host >= 0) {
                    const Eigen::Matrix<double, 6, 6> cross = weight * r.by_host.transpose() * r.by_target;
                    pose_hessian_.block<6, 6>(6 * host, 6 * target) += cross;
                    pose_hessian_.block<6, 6>(6 * target, 6 * host) += cross.transpose();
                }
            }
            if (!has_globals_) continue;
            by_global.setZero();
            if (with_readout) by_global.col(0) = observation.row_rate - r.by_host_pixel * point.host_row_rate;
            if (problem.refine_focal) by_global.col(1) = r.by_log_focal;
            pose_hessian_.bottomRightCorner<2, 2>() += weight * by_global.transpose() * by_global;
            pose_gradient_.tail<2>() += weight * by_global.transpose() * residual;
            point_global_coupling_[p] += weight * by_global.transpose() * r.by_inverse_depth;
            // The lower triangle is all that is read.
            if (host >= 0) {
                pose_hessian_.block<2, 6>(global_index, 6 * host) += weight * by_global.transpose() * r.by_host;
            }
            if (target >= 0) {
                pose_hessian_.block<2, 6>(global_index, 6 * target) += weight * by_global.transpose() * r.by_target;
            }
        }
    }
    block_begin_[point_count] = static_cast<int>(blocks_.size());
    if (!has_globals_) return;
    // One that isn't asked for stays where it is.
    if (!with_readout) pose_hessian_(global_index, global_index) = 1;
    if (!problem.refine_focal) pose_hessian_(global_index + 1, global_index + 1) = 1;
    if (problem.refine_focal) {
        const FocalPrior prior(problem, problem.focal);
        pose_hessian_(global_index + 1, global_index + 1) += prior.slope * prior.slope;
        pose_gradient_[global_index + 1] += prior.slope * prior.residual;
    }
}

bool BundleAdjuster::solve_step(const BundleProblem &problem, double lambda) {
    const int size = static_cast<int>(pose_hessian_.rows());
    const int global_index = variable_count_ * 6;
    reduced_ = pose_hessian_;
    reduced_gradient_ = pose_gradient_;
    reduced_.diagonal() *= 1 + lambda;
    reduced_.diagonal().array() += 1e-9;
    const size_t point_count = problem.points.size();
    for (size_t p = 0; p < point_count; ++p) {
        const double hessian = point_hessian_[p] * (1 + lambda);
        if (hessian < 1e-12) continue;
        const double inverse = 1 / hessian;
        const double scaled_gradient = point_gradient_[p] * inverse;
        for (int a = block_begin_[p]; a < block_begin_[p + 1]; ++a) {
            const Eigen::Matrix<double, 6, 1> scaled = blocks_[a].coupling * inverse;
            reduced_gradient_.segment<6>(6 * blocks_[a].pose) -= blocks_[a].coupling * scaled_gradient;
            for (int b = block_begin_[p]; b < block_begin_[p + 1]; ++b) {
                // The lower triangle is all that the factorisation reads.
                if (blocks_[b].pose > blocks_[a].pose) continue;
                reduced_.block<6, 6>(6 * blocks_[a].pose, 6 * blocks_[b].pose).noalias() -=
                    scaled * blocks_[b].coupling.transpose();
            }
            if (has_globals_) {
                reduced_.block<2, 6>(global_index, 6 * blocks_[a].pose) -=
                    point_global_coupling_[p] * scaled.transpose();
            }
        }
        if (has_globals_) {
            reduced_.bottomRightCorner<2, 2>() -=
                point_global_coupling_[p] * point_global_coupling_[p].transpose() * inverse;
            reduced_gradient_.tail<2>() -= point_global_coupling_[p] * scaled_gradient;
        }
    }
    if (size > 0) {
        Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factorisation(reduced_);
        if (factorisation.info() != Eigen::Success) return false;
        pose_step_ = factorisation.solve(-reduced_gradient_);
        if (!pose_step_.allFinite()) return false;
    } else {
        pose_step_.resize(0);
    }
    point_step_.assign(point_count, 0);
    for (size_t p = 0; p < point_count; ++p) {
        const double hessian = point_hessian_[p] * (1 + lambda);
        if (hessian < 1e-12) continue;
        double right = -point_gradient_[p];
        for (int a = block_begin_[p]; a < block_begin_[p + 1]; ++a) {
            right -= blocks_[a].coupling.dot(pose_step_.segment<6>(6 * blocks_[a].pose));
        }
        if (has_globals_) right -= point_global_coupling_[p].dot(pose_step_.tail<2>());
        point_step_[p] = right / hessian;
    }
    return true;
}

BundleSummary BundleAdjuster::solve(BundleProblem &problem) {
    BundleSummary summary;
    const size_t pose_count = problem.world_from_camera.size();
    variable_index_.assign(pose_count, -1);
    variable_count_ = 0;
    for (size_t i = 0; i < pose_count; ++i) {
        if (!problem.is_fixed[i]) variable_index_[i] = variable_count_++;
    }
    depths_.resize(problem.points.size());
    for (size_t p = 0; p < problem.points.size(); ++p) depths_[p] = problem.points[p].inverse_depth;
    double cost = evaluate_cost(problem, problem.world_from_camera, depths_, problem.focal, problem.readout);
    summary.initial_cost = cost;
    double lambda = 1e-4;
    for (int iteration = 0; iteration < problem.max_iterations; ++iteration) {
        build(problem, problem.refine_readout);
        bool accepted = false;
        double decrease = 0;
        for (int attempt = 0; attempt < 5 && !accepted; ++attempt) {
            if (!solve_step(problem, lambda)) {
                lambda *= 10;
                continue;
            }
            trial_poses_ = problem.world_from_camera;
            for (size_t i = 0; i < pose_count; ++i) {
                if (variable_index_[i] < 0) continue;
                trial_poses_[i] = updated(trial_poses_[i], pose_step_.segment<6>(6 * variable_index_[i]));
                trial_poses_[i].orthonormalise();
            }
            trial_depths_ = depths_;
            for (size_t p = 0; p < depths_.size(); ++p) {
                // A point can't pass through infinity in one step: halve the way there instead.
                const double next = depths_[p] + point_step_[p];
                trial_depths_[p] = next > 0 ? next : 0.5 * depths_[p];
            }
            const double trial_focal =
                problem.refine_focal ? problem.focal * std::exp(pose_step_[variable_count_ * 6 + 1]) : problem.focal;
            const double trial_readout =
                problem.refine_readout ? problem.readout + pose_step_[variable_count_ * 6] : problem.readout;
            const double trial_cost = evaluate_cost(problem, trial_poses_, trial_depths_, trial_focal, trial_readout);
            if (trial_cost < cost) {
                decrease = (cost - trial_cost) / cost;
                cost = trial_cost;
                problem.world_from_camera.swap(trial_poses_);
                depths_.swap(trial_depths_);
                problem.focal = trial_focal;
                problem.readout = trial_readout;
                lambda = std::max(lambda * 0.2, 1e-8);
                accepted = true;
            } else {
                lambda *= 8;
            }
        }
        summary.iterations = iteration + 1;
        if (!accepted || decrease < problem.tolerance) break;
    }
    summary.final_cost = evaluate_cost(problem, problem.world_from_camera, depths_, problem.focal, problem.readout);
    residuals_.clear();
    for (const BundleObservation &observation : problem.observations) residuals_.push_back(observation.residual);
    if (!residuals_.empty()) {
        // The median length of a two-dimensional normal error is 1.1774 of its standard deviation.
        summary.noise_pixels = median(residuals_) / 1.1774;
    }
    build(problem, problem.refine_readout || problem.probe_readout);
    for (size_t p = 0; p < depths_.size(); ++p) {
        problem.points[p].inverse_depth = depths_[p];
        problem.points[p].variance = point_hessian_[p] > 1e-12 ? 1 / point_hessian_[p] : 1e12;
    }
    summarise_globals(problem, &summary);
    return summary;
}

void BundleAdjuster::summarise_globals(BundleProblem &problem, BundleSummary *summary) {
    summary->log_focal_sigma = summary->readout_sigma = std::numeric_limits<double>::infinity();
    summary->readout = problem.readout;
    // The least damping that still factorises: the map's scale is free.
    if (!has_globals_ || !solve_step(problem, 1e-6)) return;
    // solve_step leaves Cholesky's factor in place of the matrix; the inverse's last corner follows from the factor's.
    const int index = variable_count_ * 6;
    const double a = reduced_(index, index), b = reduced_(index + 1, index), c = reduced_(index + 1, index + 1);
    if (problem.refine_focal && c > 0) summary->log_focal_sigma = problem.prior_noise_pixels / c;
    if ((problem.refine_readout || problem.probe_readout) && a > 0 && c > 0) {
        summary->readout += pose_step_[index];
        summary->readout_sigma = problem.prior_noise_pixels * std::sqrt(b * b + c * c) / (a * c);
    }
}

}  // namespace foothold
