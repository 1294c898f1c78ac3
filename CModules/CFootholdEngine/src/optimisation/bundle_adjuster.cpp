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

double huber_weight(double length, double width) { return length <= width ? 1 : width / length; }

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
    const bool camera = problem.probe_camera;
    return {problem.probe_readout, problem.probe_bend || camera, false, camera, camera, camera};
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
        if (problem.refine_center)
            believe(kCenter + i, shared.center[i] - problem.prior_center[i], problem.prior_center_sigma);
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

void BundleAdjuster::linearise(const BundleProblem &problem, const Estimate &estimate, const Chosen &free,
                               Linearised *out) {
    const SharedModel &shared = estimate.shared;
    const Priors believed = priors(problem, shared, estimate.focal);
    out->cost = believed.residual.squaredNorm();
    out->has_globals = std::any_of(free.begin(), free.end(), [](bool is_free) { return is_free; });
    const int global_index = variable_count_ * 6;
    const int size = global_index + (out->has_globals ? kGlobals : 0);
    Eigen::MatrixXd &hessian = out->pose_hessian;
    Eigen::VectorXd &gradient = out->pose_gradient;
    hessian.setZero(size, size);
    gradient.setZero(size);
    const size_t point_count = problem.points.size();
    out->point_hessian.assign(point_count, 0);
    out->point_gradient.assign(point_count, 0);
    out->point_global_coupling.assign(point_count, Globals::Zero());
    out->blocks.clear();
    out->block_begin.assign(point_count + 1, 0);
    out->residuals.assign(problem.observations.size(), std::numeric_limits<double>::infinity());
    pairs_.begin(estimate.world_from_camera);
    Reprojection r;
    Eigen::Matrix<double, 2, kGlobals> by_global;
    Eigen::Vector2d host_pixel, host_unbent, seen, unbent;
    const auto by_bend = [&](const Eigen::Vector2d &pixel) {
        return bend_rate(pixel, shared.bend, problem.half_diagonal);
    };
    const auto by_center = [&](const Eigen::Vector2d &pixel) {
        return center_rate(pixel, shared.bend, problem.half_diagonal);
    };
    size_t next = 0;
    for (size_t p = 0; p < point_count; ++p) {
        const BundlePoint &point = problem.points[p];
        out->block_begin[p] = static_cast<int>(out->blocks.size());
        const int host = variable_index_[point.host];
        const size_t host_block = out->blocks.size();
        if (host >= 0) out->blocks.push_back({host, Eigen::Matrix<double, 6, 1>::Zero()});
        const bool is_host_shown = correct(problem, point.in_host, shared, &host_pixel, &host_unbent);
        for (; next < problem.observations.size() && problem.observations[next].point == static_cast<int>(p); ++next) {
            const BundleObservation &observation = problem.observations[next];
            const BundleSight &sight = observation.sight;
            if (!is_host_shown || !correct(problem, sight, shared, &seen, &unbent) ||
                !r.evaluate(pairs_.of(point.host, observation.pose), host_pixel, estimate.inverse_depths[p],
                            estimate.focal)) {
                out->cost += point.weight * 100 * problem.huber_pixels * problem.huber_pixels;
                continue;
            }
            const Eigen::Vector2d residual = r.pixel - seen;
            const double squared = residual.squaredNorm(), length = std::sqrt(squared);
            out->residuals[next] = length;
            out->cost += point.weight * huber_cost(length, squared, problem.huber_pixels);
            const double weight = point.weight * huber_weight(length, problem.huber_pixels);
            out->point_hessian[p] += weight * r.by_inverse_depth.squaredNorm();
            out->point_gradient[p] += weight * r.by_inverse_depth.dot(residual);
            const int target = variable_index_[observation.pose];
            if (host >= 0) {
                hessian.block<6, 6>(6 * host, 6 * host).noalias() += weight * r.by_host.transpose() * r.by_host;
                gradient.segment<6>(6 * host).noalias() += weight * r.by_host.transpose() * residual;
                out->blocks[host_block].coupling.noalias() += weight * r.by_host.transpose() * r.by_inverse_depth;
            }
            if (target >= 0) {
                hessian.block<6, 6>(6 * target, 6 * target).noalias() += weight * r.by_target.transpose() * r.by_target;
                gradient.segment<6>(6 * target).noalias() += weight * r.by_target.transpose() * residual;
                out->blocks.push_back({target, weight * r.by_target.transpose() * r.by_inverse_depth});
                if (host >= 0) {
                    // The lower triangle is all that is read.
                    if (host > target) {
                        hessian.block<6, 6>(6 * host, 6 * target).noalias() +=
                            weight * r.by_host.transpose() * r.by_target;
                    } else {
                        hessian.block<6, 6>(6 * target, 6 * host).noalias() +=
                            weight * r.by_target.transpose() * r.by_host;
                    }
                }
            }
            if (!out->has_globals) continue;
            by_global.setZero();
            if (free[kReadout]) by_global.col(kReadout) = sight.row_rate - r.by_host_pixel * point.in_host.row_rate;
            if (free[kBend]) by_global.middleCols<2>(kBend) = r.by_host_pixel * by_bend(host_unbent) - by_bend(unbent);
            if (!free[kBend + 1]) by_global.col(kBend + 1).setZero();
            if (free[kCenter]) {
                by_global.middleCols<2>(kCenter) = r.by_host_pixel * by_center(host_unbent) - by_center(unbent);
            }
            if (free[kFocal]) by_global.col(kFocal) = r.by_log_focal;
            hessian.bottomRightCorner<kGlobals, kGlobals>() += weight * by_global.transpose() * by_global;
            gradient.tail<kGlobals>() += weight * by_global.transpose() * residual;
            out->point_global_coupling[p] += weight * by_global.transpose() * r.by_inverse_depth;
            if (host >= 0) {
                hessian.block<kGlobals, 6>(global_index, 6 * host) += weight * by_global.transpose() * r.by_host;
            }
            if (target >= 0) {
                hessian.block<kGlobals, 6>(global_index, 6 * target) += weight * by_global.transpose() * r.by_target;
            }
        }
    }
    out->block_begin[point_count] = static_cast<int>(out->blocks.size());
    if (!out->has_globals) return;
    for (int i = 0; i < kGlobals; ++i) {
        // One that isn't asked for stays where it is.
        hessian(global_index + i, global_index + i) += free[i] ? believed.slope[i] * believed.slope[i] : 1;
        if (free[i]) gradient[global_index + i] += believed.slope[i] * believed.residual[i];
    }
}

bool BundleAdjuster::solve_step(double lambda) {
    const int size = static_cast<int>(at_.pose_hessian.rows());
    const int global_index = variable_count_ * 6;
    reduced_ = at_.pose_hessian;
    reduced_gradient_ = at_.pose_gradient;
    reduced_.diagonal() *= 1 + lambda;
    reduced_.diagonal().array() += 1e-9;
    const size_t point_count = at_.point_hessian.size();
    for (size_t p = 0; p < point_count; ++p) {
        const double hessian = at_.point_hessian[p] * (1 + lambda);
        if (hessian < 1e-12) continue;
        const double inverse = 1 / hessian;
        const double scaled_gradient = at_.point_gradient[p] * inverse;
        for (int a = at_.block_begin[p]; a < at_.block_begin[p + 1]; ++a) {
            const Eigen::Matrix<double, 6, 1> scaled = at_.blocks[a].coupling * inverse;
            reduced_gradient_.segment<6>(6 * at_.blocks[a].pose) -= at_.blocks[a].coupling * scaled_gradient;
            for (int b = at_.block_begin[p]; b < at_.block_begin[p + 1]; ++b) {
                // The lower triangle is all that the factorisation reads.
                if (at_.blocks[b].pose > at_.blocks[a].pose) continue;
                reduced_.block<6, 6>(6 * at_.blocks[a].pose, 6 * at_.blocks[b].pose).noalias() -=
                    scaled * at_.blocks[b].coupling.transpose();
            }
            if (at_.has_globals) {
                reduced_.block<kGlobals, 6>(global_index, 6 * at_.blocks[a].pose) -=
                    at_.point_global_coupling[p] * scaled.transpose();
            }
        }
        if (at_.has_globals) {
            reduced_.bottomRightCorner<kGlobals, kGlobals>() -=
                at_.point_global_coupling[p] * at_.point_global_coupling[p].transpose() * inverse;
            reduced_gradient_.tail<kGlobals>() -= at_.point_global_coupling[p] * scaled_gradient;
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
        const double hessian = at_.point_hessian[p] * (1 + lambda);
        if (hessian < 1e-12) continue;
        double right = -at_.point_gradient[p];
        for (int a = at_.block_begin[p]; a < at_.block_begin[p + 1]; ++a) {
            right -= at_.blocks[a].coupling.dot(pose_step_.segment<6>(6 * at_.blocks[a].pose));
        }
        if (at_.has_globals) right -= at_.point_global_coupling[p].dot(pose_step_.tail<kGlobals>());
        point_step_[p] = right / hessian;
    }
    return true;
}

void BundleAdjuster::take_step(const Chosen &free) {
    trial_ = best_;
    for (size_t i = 0; i < variable_index_.size(); ++i) {
        if (variable_index_[i] < 0) continue;
        SE3 &pose = trial_.world_from_camera[i];
        pose = updated(pose, pose_step_.segment<6>(6 * variable_index_[i]));
        pose.orthonormalise();
    }
    for (size_t p = 0; p < point_step_.size(); ++p) {
        // A point can't pass through infinity in one step: halve the way there instead.
        const double next = best_.inverse_depths[p] + point_step_[p];
        trial_.inverse_depths[p] = next > 0 ? next : 0.5 * best_.inverse_depths[p];
    }
    const double *step = pose_step_.data() + variable_count_ * 6;
    if (free[kReadout]) trial_.shared.readout += step[kReadout];
    if (free[kBend]) trial_.shared.bend += Eigen::Vector2d(step[kBend], step[kBend + 1]);
    if (free[kCenter]) trial_.shared.center += Eigen::Vector2d(step[kCenter], step[kCenter + 1]);
    if (free[kFocal]) trial_.focal *= std::exp(step[kFocal]);
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
    best_.world_from_camera = problem.world_from_camera;
    best_.inverse_depths.clear();
    for (const BundlePoint &point : problem.points) best_.inverse_depths.push_back(point.inverse_depth);
    best_.shared = problem.shared;
    best_.focal = problem.focal;
    const Chosen free = refined(problem), asked = probed(problem);
    linearise(problem, best_, free, &at_);
    summary.initial_cost = at_.cost;
    double lambda = 1e-4;
    for (int iteration = 0; iteration < problem.max_iterations; ++iteration) {
        bool accepted = false;
        double decrease = 0;
        for (int attempt = 0; attempt < 5 && !accepted; ++attempt) {
            if (!solve_step(lambda)) {
                lambda *= 10;
                continue;
            }
            take_step(free);
            // Nearly always it's taken, and then the next step begins from these equations.
            linearise(problem, trial_, free, &at_trial_);
            if (at_trial_.cost < at_.cost) {
                decrease = (at_.cost - at_trial_.cost) / at_.cost;
                std::swap(best_, trial_);
                std::swap(at_, at_trial_);
                lambda = std::max(lambda * 0.2, 1e-8);
                accepted = true;
            } else {
                lambda *= 8;
            }
        }
        summary.iterations = iteration + 1;
        if (!accepted || decrease < problem.tolerance) break;
    }
    summary.final_cost = at_.cost;
    residuals_ = at_.residuals;
    if (!residuals_.empty()) {
        // The median length of a two-dimensional normal error is 1.1774 of its standard deviation.
        summary.noise_pixels = median(residuals_) / 1.1774;
    }
    for (size_t i = 0; i < problem.observations.size(); ++i) problem.observations[i].residual = at_.residuals[i];
    Chosen all = free;
    for (int i = 0; i < kGlobals; ++i) all[i] = free[i] || asked[i];
    if (all != free) linearise(problem, best_, all, &at_);
    problem.world_from_camera = best_.world_from_camera;
    problem.shared = best_.shared;
    problem.focal = best_.focal;
    for (size_t p = 0; p < problem.points.size(); ++p) {
        problem.points[p].inverse_depth = best_.inverse_depths[p];
        problem.points[p].variance = at_.point_hessian[p] > 1e-12 ? 1 / at_.point_hessian[p] : 1e12;
    }
    summarise_globals(problem, &summary);
    return summary;
}

void BundleAdjuster::summarise_globals(const BundleProblem &problem, BundleSummary *summary) {
    constexpr double kNotAsked = std::numeric_limits<double>::infinity();
    SharedModel &best = summary->shared, &sigmas = summary->shared_sigma;
    summary->log_focal_sigma = sigmas.readout = kNotAsked;
    sigmas.bend.setConstant(kNotAsked);
    sigmas.center.setConstant(kNotAsked);
    best = problem.shared;
    // The least damping that still factorises: the map's scale is free.
    if (!at_.has_globals || !solve_step(1e-6)) return;
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
    if (problem.probe_camera) {
        Chosen with = free;
        with[kFocal] = true;
        solve_for(with, &step, &sigma);
        summary->log_focal_step = step[kFocal];
        summary->log_focal_sigma = sigma[kFocal];
        with[kCenter] = with[kCenter + 1] = true;
        solve_for(with, &step, &sigma);
        best.center += step.segment<2>(kCenter);
        sigmas.center = sigma.segment<2>(kCenter);
    }
    if (!problem.refine_bend && !problem.probe_bend && !problem.probe_camera) return;
    free[kBend] = true;
    solve_for(free, &step, &sigma);
    const int count = problem.refine_bend ? 2 : 1;
    best.bend.head(count) += step.segment(kBend, count);
    sigmas.bend.head(count) = sigma.segment(kBend, count);
}

}  // namespace foothold
