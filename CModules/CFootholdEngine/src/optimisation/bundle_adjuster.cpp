#include "optimisation/bundle_adjuster.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/median.h"
#include "geometry/radial_lens.h"

namespace foothold {

namespace {

double huber_cost(double length, double squared, double width) {
    return length <= width ? squared : 2 * width * length - width * width;
}

double huber_weight(double squared, double width) {
    const double length = std::sqrt(squared);
    return length <= width ? 1 : width / length;
}

/// The sight as if all rows were exposed at once, and through no lens. `out_unbent`: before the rows are taken into
/// account. False where such a lens doesn't show it.
bool correct(const BundleProblem &problem, const BundleSight &sight, const SharedModel &shared, Eigen::Vector2d *out,
             Eigen::Vector2d *out_unbent) {
    *out_unbent = sight.pixel;
    const bool is_lens_free = problem.refine_bend || problem.refine_center;
    if (is_lens_free && !unbend(sight.in_picture - shared.center, shared.bend, problem.half_diagonal, out_unbent)) {
        return false;
    }
    *out = *out_unbent - shared.readout * sight.row_rate;
    return true;
}

}  // namespace

BundleAdjuster::Chosen BundleAdjuster::refined(const BundleProblem &problem) {
    return {problem.refine_readout, problem.refine_bend,   problem.refine_bend,
            problem.refine_center,  problem.refine_center, problem.refine_focal};
}

BundleAdjuster::Chosen BundleAdjuster::probed(const BundleProblem &problem) {
    return {problem.probe_readout, problem.probe_bend};
}

BundleAdjuster::Priors BundleAdjuster::priors(const BundleProblem &problem, const SharedModel &shared, double focal) {
    Priors priors;
    const auto believe = [&](int variable, double from_belief, double sigma) {
        if (sigma <= 0) return;
        priors.slope[variable] = problem.prior_noise_pixels / sigma;
        priors.residual[variable] = priors.slope[variable] * from_belief;
    };
    const bool has_bend = problem.refine_bend || problem.probe_bend;
    for (int i = 0; i < 2; ++i) {
        if (has_bend) believe(kBend + i, shared.bend[i], problem.prior_bend_sigma[i]);
        if (problem.refine_center) believe(kCenter + i, shared.center[i], problem.prior_center_sigma);
    }
    if (problem.refine_focal) believe(kFocal, std::log(focal / problem.prior_focal), problem.prior_focal_sigma);
    return priors;
}

void BundleAdjuster::CameraPairs::begin(const std::vector<SE3> &poses) {
    poses_ = &poses;
    places_.assign(poses.size() * poses.size(), -1);
    pairs_.clear();
}

const CameraPair &BundleAdjuster::CameraPairs::of(int host, int target) {
    int &place = places_[host * poses_->size() + target];
    if (place < 0) {
        place = static_cast<int>(pairs_.size());
        pairs_.emplace_back((*poses_)[host], (*poses_)[target]);
    }
    return pairs_[place];
}

double BundleAdjuster::evaluate_cost(BundleProblem &problem, const std::vector<SE3> &poses,
                                     const std::vector<double> &depths, const SharedModel &shared, double focal) {
    double cost = priors(problem, shared, focal).residual.squaredNorm();
    pairs_.begin(poses);
    Reprojection reprojection;
    int hosted = -1;
    bool is_host_shown = false;
    Eigen::Vector2d host_pixel, seen, unbent;
    for (BundleObservation &observation : problem.observations) {
        const BundlePoint &point = problem.points[observation.point];
        if (hosted != observation.point) is_host_shown = correct(problem, point.in_host, shared, &host_pixel, &unbent);
        hosted = observation.point;
        if (!is_host_shown || !correct(problem, observation.sight, shared, &seen, &unbent) ||
            !reprojection.evaluate(pairs_.of(point.host, observation.pose), host_pixel, depths[observation.point],
                                   focal, false)) {
            observation.residual = std::numeric_limits<double>::infinity();
            cost += point.weight * 100 * problem.huber_pixels * problem.huber_pixels;
            continue;
        }
        const double squared = (reprojection.pixel - seen).squaredNorm();
        observation.residual = std::sqrt(squared);
        cost += point.weight * huber_cost(observation.residual, squared, problem.huber_pixels);
    }
    return cost;
}

void BundleAdjuster::build(const BundleProblem &problem, const Chosen &free) {
    has_globals_ = std::any_of(free.begin(), free.end(), [](bool is_free) { return is_free; });
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
    pairs_.begin(problem.world_from_camera);
    Reprojection r;
    Eigen::Matrix<double, 2, kGlobals> by_global;
    Eigen::Vector2d host_pixel, host_unbent, seen, unbent;
    const auto by_bend = [&](const Eigen::Vector2d &pixel) {
        return bend_rate(pixel, problem.shared.bend, problem.half_diagonal);
    };
    const auto by_center = [&](const Eigen::Vector2d &pixel) {
        return center_rate(pixel, problem.shared.bend, problem.half_diagonal);
    };
    size_t next = 0;
    for (size_t p = 0; p < point_count; ++p) {
        const BundlePoint &point = problem.points[p];
        block_begin_[p] = static_cast<int>(blocks_.size());
        const int host = variable_index_[point.host];
        const size_t host_block = blocks_.size();
        if (host >= 0) blocks_.push_back({host, Eigen::Matrix<double, 6, 1>::Zero()});
        const bool is_host_shown = correct(problem, point.in_host, problem.shared, &host_pixel, &host_unbent);
        for (; next < problem.observations.size() && problem.observations[next].point == static_cast<int>(p); ++next) {
            const BundleObservation &observation = problem.observations[next];
            const BundleSight &sight = observation.sight;
            if (!is_host_shown || !correct(problem, sight, problem.shared, &seen, &unbent) ||
                !r.evaluate(pairs_.of(point.host, observation.pose), host_pixel, depths_[p], problem.focal, true)) {
                continue;
            }
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
                    // The lower triangle is all that is read.
                    if (host > target) {
                        pose_hessian_.block<6, 6>(6 * host, 6 * target).noalias() +=
                            weight * r.by_host.transpose() * r.by_target;
                    } else {
                        pose_hessian_.block<6, 6>(6 * target, 6 * host).noalias() +=
                            weight * r.by_target.transpose() * r.by_host;
                    }
                }
            }
            if (!has_globals_) continue;
            by_global.setZero();
            if (free[kReadout]) by_global.col(kReadout) = sight.row_rate - r.by_host_pixel * point.in_host.row_rate;
            if (free[kBend]) by_global.middleCols<2>(kBend) = r.by_host_pixel * by_bend(host_unbent) - by_bend(unbent);
            if (!free[kBend + 1]) by_global.col(kBend + 1).setZero();
            if (free[kCenter]) {
                by_global.middleCols<2>(kCenter) = r.by_host_pixel * by_center(host_unbent) - by_center(unbent);
            }
            if (free[kFocal]) by_global.col(kFocal) = r.by_log_focal;
            pose_hessian_.bottomRightCorner<kGlobals, kGlobals>() += weight * by_global.transpose() * by_global;
            pose_gradient_.tail<kGlobals>() += weight * by_global.transpose() * residual;
            point_global_coupling_[p] += weight * by_global.transpose() * r.by_inverse_depth;
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
    const Priors believed = priors(problem, problem.shared, problem.focal);
    for (int i = 0; i < kGlobals; ++i) {
        // One that isn't asked for stays where it is.
        pose_hessian_(global_index + i, global_index + i) += free[i] ? believed.slope[i] * believed.slope[i] : 1;
        if (free[i]) pose_gradient_[global_index + i] += believed.slope[i] * believed.residual[i];
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
    summary.variable_poses = variable_count_;
    depths_.resize(problem.points.size());
    for (size_t p = 0; p < problem.points.size(); ++p) depths_[p] = problem.points[p].inverse_depth;
    const Chosen free = refined(problem), asked = probed(problem);
    double cost = evaluate_cost(problem, problem.world_from_camera, depths_, problem.shared, problem.focal);
    summary.initial_cost = cost;
    double lambda = 1e-4;
    bool accepted = true;
    for (int iteration = 0; iteration < problem.max_iterations; ++iteration) {
        build(problem, free);
        accepted = false;
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
            SharedModel trial = problem.shared;
            double trial_focal = problem.focal;
            const double *step = pose_step_.data() + variable_count_ * 6;
            if (free[kReadout]) trial.readout += step[kReadout];
            if (free[kBend]) trial.bend += Eigen::Vector2d(step[kBend], step[kBend + 1]);
            if (free[kCenter]) trial.center += Eigen::Vector2d(step[kCenter], step[kCenter + 1]);
            if (free[kFocal]) trial_focal *= std::exp(step[kFocal]);
            const double trial_cost = evaluate_cost(problem, trial_poses_, trial_depths_, trial, trial_focal);
            if (trial_cost < cost) {
                decrease = (cost - trial_cost) / cost;
                cost = trial_cost;
                problem.world_from_camera.swap(trial_poses_);
                depths_.swap(trial_depths_);
                problem.shared = trial;
                problem.focal = trial_focal;
                lambda = std::max(lambda * 0.2, 1e-8);
                accepted = true;
            } else {
                lambda *= 8;
            }
        }
        summary.iterations = iteration + 1;
        if (!accepted || decrease < problem.tolerance) break;
    }
    // A step that wasn't taken has left its residuals.
    if (!accepted) evaluate_cost(problem, problem.world_from_camera, depths_, problem.shared, problem.focal);
    summary.final_cost = cost;
    residuals_.clear();
    for (const BundleObservation &observation : problem.observations) residuals_.push_back(observation.residual);
    if (!residuals_.empty()) {
        // The median length of a two-dimensional normal error is 1.1774 of its standard deviation.
        summary.noise_pixels = median(residuals_) / 1.1774;
    }
    Chosen all = free;
    for (int i = 0; i < kGlobals; ++i) all[i] = free[i] || asked[i];
    build(problem, all);
    for (size_t p = 0; p < depths_.size(); ++p) {
        problem.points[p].inverse_depth = depths_[p];
        problem.points[p].variance = point_hessian_[p] > 1e-12 ? 1 / point_hessian_[p] : 1e12;
    }
    summarise_globals(problem, &summary);
    return summary;
}

void BundleAdjuster::summarise_globals(BundleProblem &problem, BundleSummary *summary) {
    constexpr double kNotAsked = std::numeric_limits<double>::infinity();
    SharedModel &best = summary->shared, &sigmas = summary->shared_sigma;
    summary->log_focal_sigma = sigmas.readout = kNotAsked;
    sigmas.bend.setConstant(kNotAsked);
    sigmas.center.setConstant(kNotAsked);
    best = problem.shared;
    // The least damping that still factorises: the map's scale is free.
    if (!has_globals_ || !solve_step(problem, 1e-6)) return;
    // solve_step leaves Cholesky's factor in place of the matrix; what the globals know of each other once all else is
    // free follows from the factor's last corner.
    const GlobalMatrix factor = reduced_.bottomRightCorner<kGlobals, kGlobals>().triangularView<Eigen::Lower>();
    const GlobalMatrix information = factor * factor.transpose();
    const Globals gradient = information * pose_step_.tail<kGlobals>();
    /// The step and the deviations of what stays when the others are held.
    const auto solve_for = [&](const Chosen &free, Globals *step, Globals *sigma) {
        GlobalMatrix held = information;
        Globals right = gradient;
        for (int i = 0; i < kGlobals; ++i) {
            if (free[i]) continue;
            held.row(i).setZero();
            held.col(i).setZero();
            held(i, i) = 1;
            right[i] = 0;
        }
        const GlobalMatrix covariance = held.inverse();
        *step = covariance * right;
        *sigma = problem.prior_noise_pixels * covariance.diagonal().cwiseMax(0).cwiseSqrt();
    };
    Globals step, sigma;
    Chosen free = refined(problem);
    const bool has_readout = problem.refine_readout || problem.probe_readout;
    free[kReadout] = has_readout;
    solve_for(free, &step, &sigma);
    if (problem.refine_focal) summary->log_focal_sigma = sigma[kFocal];
    if (has_readout) {
        best.readout += step[kReadout];
        sigmas.readout = sigma[kReadout];
    }
    if (problem.refine_center) {
        best.center += step.segment<2>(kCenter);
        sigmas.center = sigma.segment<2>(kCenter);
    }
    if (!problem.refine_bend && !problem.probe_bend) return;
    free[kBend] = true;
    solve_for(free, &step, &sigma);
    const int count = problem.refine_bend ? 2 : 1;
    best.bend.head(count) += step.segment(kBend, count);
    sigmas.bend.head(count) = sigma.segment(kBend, count);
}

}  // namespace foothold
