#include "optimisation/bundle_adjuster.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

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
                                     const std::vector<double> &depths, double focal) const {
    const FocalPrior prior(problem, focal);
    double cost = prior.residual * prior.residual;
    Reprojection reprojection;
    for (BundleObservation &observation : problem.observations) {
        const BundlePoint &point = problem.points[observation.point];
        if (!reprojection.evaluate(poses[point.host], point.host_pixel, depths[observation.point],
                                   poses[observation.pose], focal, false)) {
            observation.residual = std::numeric_limits<double>::infinity();
            cost += 100 * problem.huber_pixels * problem.huber_pixels;
            continue;
        }
        const double squared = (reprojection.pixel - observation.pixel).squaredNorm();
        observation.residual = std::sqrt(squared);
        cost += huber_cost(squared, problem.huber_pixels);
    }
    return cost;
}

void BundleAdjuster::build(const BundleProblem &problem) {
    const int size = variable_count_ * 6 + (problem.refine_focal ? 1 : 0);
    const int focal_index = variable_count_ * 6;
    pose_hessian_.setZero(size, size);
    pose_gradient_.setZero(size);
    const size_t point_count = problem.points.size();
    point_hessian_.assign(point_count, 0);
    point_gradient_.assign(point_count, 0);
    point_focal_coupling_.assign(point_count, 0);
    blocks_.clear();
    block_begin_.assign(point_count + 1, 0);
    Reprojection r;
    size_t next = 0;
    for (size_t p = 0; p < point_count; ++p) {
        const BundlePoint &point = problem.points[p];
        block_begin_[p] = static_cast<int>(blocks_.size());
        const int host = variable_index_[point.host];
        const size_t host_block = blocks_.size();
        if (host >= 0) blocks_.push_back({host, Eigen::Matrix<double, 6, 1>::Zero()});
        for (; next < problem.observations.size() && problem.observations[next].point == static_cast<int>(p); ++next) {
            const BundleObservation &observation = problem.observations[next];
            if (!r.evaluate(problem.world_from_camera[point.host], point.host_pixel, depths_[p],
                            problem.world_from_camera[observation.pose], problem.focal, true)) {
                continue;
            }
            const Eigen::Vector2d residual = r.pixel - observation.pixel;
            const double weight = huber_weight(residual.squaredNorm(), problem.huber_pixels);
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
            if (problem.refine_focal) {
                pose_hessian_(focal_index, focal_index) += weight * r.by_log_focal.squaredNorm();
                pose_gradient_[focal_index] += weight * r.by_log_focal.dot(residual);
                point_focal_coupling_[p] += weight * r.by_log_focal.dot(r.by_inverse_depth);
                if (host >= 0) {
                    const Eigen::Matrix<double, 6, 1> c = weight * r.by_host.transpose() * r.by_log_focal;
                    pose_hessian_.block<6, 1>(6 * host, focal_index) += c;
                    pose_hessian_.block<1, 6>(focal_index, 6 * host) += c.transpose();
                }
                if (target >= 0) {
                    const Eigen::Matrix<double, 6, 1> c = weight * r.by_target.transpose() * r.by_log_focal;
                    pose_hessian_.block<6, 1>(6 * target, focal_index) += c;
                    pose_hessian_.block<1, 6>(focal_index, 6 * target) += c.transpose();
                }
            }
        }
    }
    block_begin_[point_count] = static_cast<int>(blocks_.size());
    if (problem.refine_focal) {
        const FocalPrior prior(problem, problem.focal);
        pose_hessian_(focal_index, focal_index) += prior.slope * prior.slope;
        pose_gradient_[focal_index] += prior.slope * prior.residual;
    }
}

bool BundleAdjuster::solve_step(const BundleProblem &problem, double lambda) {
    const int size = static_cast<int>(pose_hessian_.rows());
    const int focal_index = variable_count_ * 6;
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
            if (problem.refine_focal) {
                reduced_.block<1, 6>(focal_index, 6 * blocks_[a].pose) -= point_focal_coupling_[p] * scaled.transpose();
            }
        }
        if (problem.refine_focal) {
            reduced_(focal_index, focal_index) -= point_focal_coupling_[p] * point_focal_coupling_[p] * inverse;
            reduced_gradient_[focal_index] -= point_focal_coupling_[p] * scaled_gradient;
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
        if (problem.refine_focal) right -= point_focal_coupling_[p] * pose_step_[focal_index];
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
    double cost = evaluate_cost(problem, problem.world_from_camera, depths_, problem.focal);
    summary.initial_cost = cost;
    double lambda = 1e-4;
    for (int iteration = 0; iteration < problem.max_iterations; ++iteration) {
        build(problem);
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
                problem.refine_focal ? problem.focal * std::exp(pose_step_[variable_count_ * 6]) : problem.focal;
            const double trial_cost = evaluate_cost(problem, trial_poses_, trial_depths_, trial_focal);
            if (trial_cost < cost) {
                decrease = (cost - trial_cost) / cost;
                cost = trial_cost;
                problem.world_from_camera.swap(trial_poses_);
                depths_.swap(trial_depths_);
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
    summary.final_cost = evaluate_cost(problem, problem.world_from_camera, depths_, problem.focal);
    residuals_.clear();
    for (const BundleObservation &observation : problem.observations) residuals_.push_back(observation.residual);
    if (!residuals_.empty()) {
        const auto middle = residuals_.begin() + static_cast<std::ptrdiff_t>(residuals_.size() / 2);
        std::nth_element(residuals_.begin(), middle, residuals_.end());
        // The median length of a two-dimensional normal error is 1.1774 of its standard deviation.
        summary.noise_pixels = *middle / 1.1774;
    }
    build(problem);
    for (size_t p = 0; p < depths_.size(); ++p) {
        problem.points[p].inverse_depth = depths_[p];
        problem.points[p].variance = point_hessian_[p] > 1e-12 ? 1 / point_hessian_[p] : 1e12;
    }
    summary.log_focal_sigma = std::numeric_limits<double>::infinity();
    // The least damping that still factorises: the map's scale is free.
    if (problem.refine_focal && solve_step(problem, 1e-6)) {
        // solve_step leaves Cholesky's factor in place of the matrix, and the last variance of its inverse is one over
        // the last pivot squared.
        const double pivot = reduced_(variable_count_ * 6, variable_count_ * 6);
        if (pivot > 0) summary.log_focal_sigma = problem.prior_noise_pixels / pivot;
    }
    return summary;
}

}  // namespace foothold
