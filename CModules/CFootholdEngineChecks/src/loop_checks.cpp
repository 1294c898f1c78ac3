#include "loop_checks.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mapping/covisibility.h"
#include "optimisation/pose_graph.h"
#include "random_numbers.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

using Vector7 = PoseGraphResidual::Vector7;
using Matrix7 = PoseGraphResidual::Matrix7;

Similarity random_similarity(RandomNumbers &random, double turn) {
    return {std::exp(random.uniform(-0.7, 0.7)), random.rotation(turn), random.vector()};
}

/// Of a step of given size along the ring: up to half a degree, a hundredth of its length, half a percent of scale.
Similarity drift(RandomNumbers &random, double step) {
    return {std::exp(0.005 * random.gaussian()), random.rotation(0.008 * random.uniform()),
            0.01 * step * random.vector()};
}

double root_mean_square(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

void compare(const std::vector<Similarity> &nodes, const std::vector<Similarity> &truth, double *place, double *turn,
             double *scale) {
    std::vector<double> places, turns, scales;
    for (size_t i = 0; i < nodes.size(); ++i) {
        places.push_back((nodes[i].translation - truth[i].translation).norm());
        turns.push_back(turn_between(nodes[i].rotation, truth[i].rotation));
        scales.push_back(std::log(nodes[i].scale / truth[i].scale));
    }
    *place = root_mean_square(places);
    *turn = root_mean_square(turns);
    *scale = root_mean_square(scales);
}

}  // namespace

void fh_check_graph_jacobians(uint64_t seed, int32_t trials, fh_check_graph_jacobian_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    constexpr double kStep = 1e-6;
    for (int trial = 0; trial < trials; ++trial) {
        const Similarity from = random_similarity(random, random.uniform(0, 3));
        const Similarity to = random_similarity(random, random.uniform(0, 3));
        PoseGraphEdge edge;
        // Every fourth edge is satisfied but for a little: that is where turns are nearly none.
        const double wrong = trial % 4 == 0 ? 1e-6 : random.uniform(0, 2.5);
        const Similarity error{std::exp(0.3 * wrong * random.gaussian()), random.rotation(wrong),
                               wrong * random.vector()};
        edge.from_to = from.inverse() * to * error;
        edge.inverse_depth = random.uniform(0.1, 3);
        const auto value = [&](const Similarity &a, const Similarity &b) {
            PoseGraphResidual r;
            r.evaluate(a, b, edge, false);
            return r.value;
        };
        PoseGraphResidual exact;
        exact.evaluate(from, to, edge, true);
        Matrix7 by_from, by_to;
        for (int axis = 0; axis < 7; ++axis) {
            const Vector7 step = kStep * Vector7::Unit(axis);
            by_from.col(axis) = (value(updated(from, step), to) - value(updated(from, -step), to)) / (2 * kStep);
            by_to.col(axis) = (value(from, updated(to, step)) - value(from, updated(to, -step))) / (2 * kStep);
        }
        const auto worst = [](double before, const Matrix7 &a, const Matrix7 &b) {
            return std::max(before, (a - b).cwiseAbs().maxCoeff() / std::max(1e-3, b.cwiseAbs().maxCoeff()));
        };
        out_report->by_from = worst(out_report->by_from, exact.by_from, by_from);
        out_report->by_to = worst(out_report->by_to, exact.by_to, by_to);
    }
}

void fh_check_pose_graph(uint64_t seed, int32_t keyframes, double edge_noise, fh_check_graph_report *out_report) {
    RandomNumbers random(seed);
    std::vector<Similarity> truth;
    for (int k = 0; k < keyframes; ++k) {
        const double angle = 2 * std::numbers::pi * k / keyframes;
        truth.push_back(
            {1, so3_exp(Eigen::Vector3d(0, -angle, 0)), {std::cos(angle), 0.1 * std::sin(3 * angle), std::sin(angle)}});
    }
    const double step = 2 * std::numbers::pi / keyframes;
    PoseGraph graph;
    graph.world_from_node = {truth[0]};
    graph.is_fixed.assign(keyframes, false);
    graph.is_fixed[0] = true;
    const auto add_edge = [&](int from, int to, const Similarity &error) {
        const Similarity measured = truth[from].inverse() * truth[to] * error;
        graph.edges.push_back({from, to, measured, 1, 1});
    };
    for (int k = 1; k < keyframes; ++k) {
        const Similarity error = drift(random, step);
        graph.world_from_node.push_back(graph.world_from_node.back() * truth[k - 1].inverse() * truth[k] * error);
        add_edge(k - 1, k, edge_noise > 0 ? error : Similarity());
    }
    add_edge(keyframes - 1, 0, Similarity());
    const Similarity first = graph.world_from_node[0];
    fh_check_graph_report report = {};
    compare(graph.world_from_node, truth, &report.place_before, &report.turn_before, &report.scale_before);
    const PoseGraphSummary summary = solve_pose_graph(&graph);
    compare(graph.world_from_node, truth, &report.place_after, &report.turn_after, &report.scale_after);
    report.initial_cost = summary.initial_cost;
    report.final_cost = summary.final_cost;
    report.iterations = summary.iterations;
    report.is_gauge_kept = first.translation == graph.world_from_node[0].translation &&
                           first.rotation == graph.world_from_node[0].rotation &&
                           first.scale == graph.world_from_node[0].scale;
    *out_report = report;
}

void fh_check_ways(fh_check_way_report *out_report) {
    constexpr int kLegs = 6, kPerLeg = 20, kPointsPerPlace = 20;
    constexpr double kStep = 0.5;
    Map map;
    map.focal = 500;
    fh_check_way_report report = {};
    std::vector<int> place_of;
    for (int leg = 0; leg < kLegs; ++leg) {
        for (int i = 0; i < kPerLeg; ++i) {
            Keyframe keyframe;
            keyframe.id = map.next_keyframe_id();
            const int place = leg % 2 == 0 ? i : kPerLeg - 1 - i;
            keyframe.world_from_camera.translation.x() = kStep * place;
            if (!place_of.empty()) report.gone += kStep * std::abs(place - place_of.back());
            place_of.push_back(place);
            map.keyframes.push_back(std::move(keyframe));
        }
    }
    report.longest_untied = 0;
    for (const Way &way : ways_from_newest(map, {}))
        report.longest_untied = std::max(report.longest_untied, way.length);
    // Points hosted at each place the first time, seen there again and from the place before and after.
    for (int place = 0; place < kPerLeg; ++place) {
        for (int i = 0; i < kPointsPerPlace; ++i) {
            const int index = map.add_point();
            map.points[index].state = PointState::mature;
            map.points[index].host = place;
            for (int k = 0; k < kLegs * kPerLeg; ++k) {
                if (k == place || std::abs(place_of[k] - place) > 1) continue;
                map.keyframes[k].observations.push_back({index, Eigen::Vector2d::Zero()});
                ++map.points[index].observation_count;
            }
        }
    }
    const std::vector<SharedPoints> pairs = covisible_pairs(map, 1);
    size_t expected = 0;
    for (size_t a = 0; a < place_of.size(); ++a) {
        for (size_t b = a + 1; b < place_of.size(); ++b) {
            int shared = 0;
            for (int place = 0; place < kPerLeg; ++place) {
                if (std::abs(place_of[a] - place) <= 1 && std::abs(place_of[b] - place) <= 1) shared += kPointsPerPlace;
            }
            if (shared == 0) continue;
            const bool is_as_expected = expected < pairs.size() && pairs[expected].first == static_cast<int>(a) &&
                                        pairs[expected].second == static_cast<int>(b) &&
                                        pairs[expected].count == shared;
            report.wrong_pairs += !is_as_expected;
            ++expected;
        }
    }
    report.wrong_pairs += static_cast<int32_t>(std::max(expected, pairs.size()) - std::min(expected, pairs.size()));
    for (const Way &way : ways_from_newest(map, pairs)) report.longest = std::max(report.longest, way.length);
    *out_report = report;
}
