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

/// What is believed of a variable beforehand as one more residual, in pixels: its slope by the variable and its value.
struct Prior {
    double slope = 0;
    double residual = 0;
};

Prior focal_prior(const BundleProblem &problem, double focal) {
    if (!problem.refine_focal || problem.prior_focal_sigma <= 0) return {};
    const double slope = problem.prior_noise_pixels / problem.prior_focal_sigma;
    return {slope, slope * std::log(focal / problem.prior_focal)};
}

Prior bend_prior(const BundleProblem &problem, double bend_change) {
    if (!(problem.refine_bend || problem.probe_bend) || problem.prior_bend_sigma <= 0) return {};
    const double slope = problem.prior_noise_pixels / problem.prior_bend_sigma;
    return {slope, slope * (problem.bend + bend_change)};
}

}  // namespace

double BundleAdjuster::evaluate_cost(BundleProblem &problem, const std::vector<SE3> &poses,
                                     const std::vector<double> &depths, const Shared &shared) const {
    double cost = std::pow(focal_prior(problem, shared.focal).residual, 2) +
                  std::pow(bend_prior(problem, shared.bend_change).residual, 2);
    Reprojection reprojection;
    for (BundleObservation &observation : problem.observations) {
        const BundlePoint &point = problem.points[observation.point];
        const Eigen::Vector2d host_pixel = point.host_pixel_with(shared.readout, shared.bend_change);
        if (!reprojection.evaluate(poses[point.host], host_pixel, depths[observation.point], poses[observation.pose],
                                   shared.focal, false)) {
            observation.residual = std::numeric_limits<double>::infinity();
            cost += point.weight * 100 * problem.huber_pixels * problem.huber_pixels;
            continue;
        }
        const Eigen::Vector2d seen = observation.pixel_with(shared.readout, shared.bend_change);
        const double squared = (reprojection.pixel - seen).squaredNorm();
        observation.residual = std::sqrt(squared);
        cost += point.weight * huber_cost(squared, problem.huber_pixels);
    }
    return cost;
}

void BundleAdjuster::build(const BundleProblem &problem, bool with_readout, bool with_bend) {
    has_globals_ = problem.refine_focal || with_readout || with_bend;
    const int global_index = variable_count_ * 6;
    const int size = global_index + (has_globals_ ? kGlobals : 0);
    pose_hessian_.setZero(size, size);
    pose_gradient_.setZero(size);
    const size_t point_count = problem.points.size();
    point_hessian_.assign(point_count, 0);
    point_gradient_.assign(point_count, 0);
    point_global_coupling_.assign(point_count, Globals::Zero());
    blocks_.clear();
    block_begin_.assign(point_count + 1, 0);
    Reprojection r;
    Eigen::Matrix<double, 2, kGlobals> by_global;
    size_t next = 0;
    for (size_t p = 0; p < point_count; ++p) {
        const BundlePoint &point = problem.points[p];
        block_begin_[p] = static_cast<int>(blocks_.size());
        const int host = variable_index_[point.host];
        const size_t host_block = blocks_.size();
        if (host >= 0) blocks_.push_back({host, Eigen::Matrix<double, 6, 1>::Zero()});
        const Eigen::Vector2d host_pixel = point.host_pixel_with(problem.readout, problem.bend_change);
        for (; next < problem.observations.size() && problem.observations[next].point == static_cast<int>(p); ++next) {
            const BundleObservation &observation = problem.observations[next];
            if (!r.evaluate(problem.world_from_camera[point.host], host_pixel, depths_[p],
                            problem.world_from_camera[observation.pose], problem.focal, true)) {
                continue;
            }
            const Eigen::Vector2d seen = observation.pixel_with(problem.readout, problem.bend_change);
            const Eigen::Vector2d residual = r.pixel - seen;
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
            if (with_readout) by_global.col(kReadout) = observation.row_rate - r.by_host_pixel * point.host_row_rate;
            if (with_bend) by_global.col(kBend) = r.by_host_pixel * point.host_bend_rate - observation.bend_rate;
            if (problem.refine_focal) by_global.col(kFocal) = r.by_log_focal;
            pose_hessian_.bottomRightCorner<kGlobals, kGlobals>() += weight * by_global.transpose() * by_global;
            pose_gradient_.tail<kGlobals>() += weight * by_global.transpose() * residual;
            point_global_coupling_[p] += weight * by_global.transpose() * r.by_inverse_depth;
            // The lower triangle is all that is read.
            if (host >= 0) {
                pose_hessian_.block<kGlobals, 6>(global_index, 6 * host) += weight * by_global.transpose() * r.by_host;
            }
            if (target >= 0) {
                pose_hessian_.block<kGlobals, 6>(global_index, 6 * target) +=
                    weight * by_global.transpose() * r.by_target;
            }
        }
    }
    block_begin_[point_count] = static_cast<int>(blocks_.size());
    if (!has_globals_) return;
    // One that isn't asked for stays where it is.
    const bool is_asked_for[kGlobals] = {with_readout, with_bend, problem.refine_focal};
    const Prior priors[kGlobals] = {{}, bend_prior(problem, problem.bend_change), focal_prior(problem, problem.focal)};
    for (int i = 0; i < kGlobals; ++i) {
        if (!is_asked_for[i]) pose_hessian_(global_index + i, global_index + i) = 1;
        pose_hessian_(global_index + i, global_index + i) += priors[i].slope * priors[i].slope;
        pose_gradient_[global_index + i] += priors[i].slope * priors[i].residual;
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
                reduced_.block<kGlobals, 6>(global_index, 6 * blocks_[a].pose) -=
                    point_global_coupling_[p] * scaled.transpose();
            }
        }
        if (has_globals_) {
            reduced_.bottomRightCorner<kGlobals, kGlobals>() -=
                point_global_coupling_[p] * point_global_coupling_[p].transpose() * inverse;
            reduced_gradient_.tail<kGlobals>() -= point_global_coupling_[p] * scaled_gradient;
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
        if (has_globals_) right -= point_global_coupling_[p].dot(pose_step_.tail<kGlobals>());
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
    const auto present = [&] { return Shared{problem.readout, problem.bend_change, problem.focal}; };
    double cost = evaluate_cost(problem, problem.world_from_camera, depths_, present());
    summary.initial_cost = cost;
    double lambda = 1e-4;
    for (int iteration = 0; iteration < problem.max_iterations; ++iteration) {
        build(problem, problem.refine_readout, problem.refine_bend);
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
            Shared trial = present();
            const double *step = pose_step_.data() + variable_count_ * 6;
            if (problem.refine_readout) trial.readout += step[kReadout];
            if (problem.refine_bend) trial.bend_change += step[kBend];
            if (problem.refine_focal) trial.focal *= std::exp(step[kFocal]);
            const double trial_cost = evaluate_cost(problem, trial_poses_, trial_depths_, trial);
            if (trial_cost < cost) {
                decrease = (cost - trial_cost) / cost;
                cost = trial_cost;
                problem.world_from_camera.swap(trial_poses_);
                depths_.swap(trial_depths_);
                problem.readout = trial.readout;
                problem.bend_change = trial.bend_change;
                problem.focal = trial.focal;
                lambda = std::max(lambda * 0.2, 1e-8);
                accepted = true;
            } else {
                lambda *= 8;
            }
        }
        summary.iterations = iteration + 1;
        if (!accepted || decrease < problem.tolerance) break;
    }
    summary.final_cost = evaluate_cost(problem, problem.world_from_camera, depths_, present());
    residuals_.clear();
    for (const BundleObservation &observation : problem.observations) residuals_.push_back(observation.residual);
    if (!residuals_.empty()) {
        // The median length of a two-dimensional normal error is 1.1774 of its standard deviation.
        summary.noise_pixels = median(residuals_) / 1.1774;
    }
    build(problem, problem.refine_readout || problem.probe_readout, problem.refine_bend || problem.probe_bend);
    for (size_t p = 0; p < depths_.size(); ++p) {
        problem.points[p].inverse_depth = depths_[p];
        problem.points[p].variance = point_hessian_[p] > 1e-12 ? 1 / point_hessian_[p] : 1e12;
    }
    summarise_globals(problem, &summary);
    return summary;
}

void BundleAdjuster::summarise_globals(BundleProblem &problem, BundleSummary *summary) {
    summary->log_focal_sigma = summary->readout_sigma = summary->bend_sigma = std::numeric_limits<double>::infinity();
    summary->readout = problem.readout;
    summary->bend = problem.bend + problem.bend_change;
    // The least damping that still factorises: the map's scale is free.
    if (!has_globals_ || !solve_step(problem, 1e-6)) return;
    // solve_step leaves Cholesky's factor in place of the matrix; what the globals know of each other once all else is
    // free follows from the factor's last corner.
    const Eigen::Matrix<double, kGlobals, kGlobals> factor =
        reduced_.bottomRightCorner<kGlobals, kGlobals>().triangularView<Eigen::Lower>();
    const Eigen::Matrix<double, kGlobals, kGlobals> information = factor * factor.transpose();
    const Globals gradient = information * pose_step_.tail<kGlobals>();
    /// The step and the covariance of what stays when the others are held.
    const auto solve_for = [&](std::initializer_list<bool> free, Globals *step, Globals *sigma) {
        Eigen::Matrix<double, kGlobals, kGlobals> held = information;
        Globals right = gradient;
        int i = 0;
        for (const bool is_free : free) {
            if (!is_free) {
                held.row(i).setZero();
                held.col(i).setZero();
                held(i, i) = 1;
                right[i] = 0;
            }
            ++i;
        }
        const Eigen::Matrix<double, kGlobals, kGlobals> covariance = held.inverse();
        *step = covariance * right;
        *sigma = problem.prior_noise_pixels * covariance.diagonal().cwiseMax(0).cwiseSqrt();
    };
    Globals step, sigma;
    const bool has_readout = problem.refine_readout || problem.probe_readout;
    solve_for({has_readout, problem.refine_bend, problem.refine_focal}, &step, &sigma);
    if (problem.refine_focal) summary->log_focal_sigma = sigma[kFocal];
    if (has_readout) {
        summary->readout += step[kReadout];
        summary->readout_sigma = sigma[kReadout];
    }
    if (!problem.refine_bend && !problem.probe_bend) return;
    solve_for({has_readout, true, problem.refine_focal}, &step, &sigma);
    summary->bend += step[kBend];
    summary->bend_sigma = sigma[kBend];
}

}  // namespace foothold
