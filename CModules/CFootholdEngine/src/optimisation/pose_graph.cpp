#include "optimisation/pose_graph.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace foothold {

namespace {

using Vector7 = PoseGraphResidual::Vector7;
using Matrix7 = PoseGraphResidual::Matrix7;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// d log(R exp(δ)) / dδ at δ = 0, with r = log R: the inverse of the right Jacobian of SO(3).
Eigen::Matrix3d inverse_right_jacobian(const Eigen::Vector3d &r) {
    const double angle_squared = r.squaredNorm();
    const double angle = std::sqrt(angle_squared);
    const Eigen::Matrix3d h = hat(r);
    const double b = angle < 1e-4 ? 1.0 / 12 + angle_squared / 720
                                  : 1 / angle_squared - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
    return Eigen::Matrix3d::Identity() + 0.5 * h + b * h * h;
}

double cost_of(const PoseGraph &graph, const std::vector<Similarity> &nodes) {
    PoseGraphResidual residual;
    double cost = 0;
    for (const PoseGraphEdge &edge : graph.edges) {
        residual.evaluate(nodes[edge.from], nodes[edge.to], edge, false);
        cost += edge.weight * residual.value.squaredNorm();
    }
    return cost;
}

/// Adds the lower triangle's part of a block.
void add_block(int row, int column, const Matrix7 &block, std::vector<Eigen::Triplet<double>> *out) {
    if (row < column) return;
    for (int c = 0; c < 7; ++c) {
        for (int r = row == column ? c : 0; r < 7; ++r) out->emplace_back(7 * row + r, 7 * column + c, block(r, c));
    }
}

}  // namespace

void PoseGraphResidual::evaluate(const Similarity &world_from_from, const Similarity &world_from_to,
                                 const PoseGraphEdge &edge, bool with_jacobians) {
    const Eigen::Matrix3d from_from_world = world_from_from.rotation.transpose();
    const Eigen::Matrix3d from_to = from_from_world * world_from_to.rotation;
    const Eigen::Vector3d turned = so3_log(edge.from_to.rotation.transpose() * from_to);
    const double inverse_scale = 1 / world_from_from.scale;
    const Eigen::Vector3d place =
        inverse_scale * (from_from_world * (world_from_to.translation - world_from_from.translation));
    value.head<3>() = turned;
    value.segment<3>(3) = edge.inverse_depth * (place - edge.from_to.translation);
    value[6] = std::log(world_from_to.scale * inverse_scale / edge.from_to.scale);
    if (!with_jacobians) return;
    by_from.setZero();
    by_to.setZero();
    by_to.topLeftCorner<3, 3>() = inverse_right_jacobian(turned);
    by_from.topLeftCorner<3, 3>() = -by_to.topLeftCorner<3, 3>() * from_to.transpose();
    by_to.block<3, 3>(3, 3) = edge.inverse_depth * inverse_scale * from_from_world;
    by_from.block<3, 3>(3, 0) = edge.inverse_depth * hat(place);
    by_from.block<3, 3>(3, 3) = -by_to.block<3, 3>(3, 3);
    by_from.block<3, 1>(3, 6) = -edge.inverse_depth * place;
    by_to(6, 6) = 1;
    by_from(6, 6) = -1;
}

Similarity updated(const Similarity &world_from_node, const Vector7 &delta) {
    Similarity moved;
    moved.rotation =
        Eigen::Quaterniond(world_from_node.rotation * so3_exp(delta.head<3>())).normalized().toRotationMatrix();
    moved.translation = world_from_node.translation + delta.segment<3>(3);
    moved.scale = world_from_node.scale * std::exp(delta[6]);
    return moved;
}

PoseGraphSummary solve_pose_graph(PoseGraph *graph) {
    std::vector<int> variable(graph->world_from_node.size(), -1);
    int count = 0;
    for (size_t i = 0; i < variable.size(); ++i) {
        if (!graph->is_fixed[i]) variable[i] = count++;
    }
    PoseGraphSummary summary;
    double cost = cost_of(*graph, graph->world_from_node);
    summary.initial_cost = summary.final_cost = cost;
    if (count == 0) return summary;
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> factors;
    SparseMatrix hessian(7 * count, 7 * count);
    Eigen::VectorXd gradient(7 * count);
    PoseGraphResidual residual;
    double lambda = 1e-6;
    for (int iteration = 0; iteration < graph->max_iterations; ++iteration) {
        entries.clear();
        gradient.setZero();
        for (const PoseGraphEdge &edge : graph->edges) {
            residual.evaluate(graph->world_from_node[edge.from], graph->world_from_node[edge.to], edge, true);
            const int from = variable[edge.from], to = variable[edge.to];
            if (from >= 0) {
                add_block(from, from, edge.weight * residual.by_from.transpose() * residual.by_from, &entries);
                gradient.segment<7>(7 * from) += edge.weight * residual.by_from.transpose() * residual.value;
            }
            if (to >= 0) {
                add_block(to, to, edge.weight * residual.by_to.transpose() * residual.by_to, &entries);
                gradient.segment<7>(7 * to) += edge.weight * residual.by_to.transpose() * residual.value;
            }
            if (from < 0 || to < 0) continue;
            const Matrix7 cross = edge.weight * residual.by_from.transpose() * residual.by_to;
            add_block(from, to, cross, &entries);
            add_block(to, from, cross.transpose(), &entries);
        }
        bool accepted = false;
        double decrease = 0;
        for (int attempt = 0; attempt < 6 && !accepted; ++attempt) {
            hessian.setFromTriplets(entries.begin(), entries.end());
            // The least damping keeps what no edge holds where it is.
            for (int i = 0; i < 7 * count; ++i) hessian.coeffRef(i, i) += lambda * hessian.coeff(i, i) + 1e-12;
            factors.compute(hessian);
            const Eigen::VectorXd step = factors.solve(-gradient);
            if (factors.info() != Eigen::Success || !step.allFinite()) {
                lambda *= 10;
                continue;
            }
            std::vector<Similarity> trial = graph->world_from_node;
            for (size_t i = 0; i < trial.size(); ++i) {
                if (variable[i] >= 0) trial[i] = updated(trial[i], step.segment<7>(7 * variable[i]));
            }
            const double trial_cost = cost_of(*graph, trial);
            if (trial_cost < cost) {
                decrease = (cost - trial_cost) / cost;
                cost = trial_cost;
                graph->world_from_node = std::move(trial);
                lambda = std::max(0.2 * lambda, 1e-10);
                accepted = true;
            } else {
                lambda *= 8;
            }
        }
        summary.iterations = iteration + 1;
        if (!accepted || decrease < graph->tolerance) break;
    }
    summary.final_cost = cost;
    return summary;
}

}  // namespace foothold
