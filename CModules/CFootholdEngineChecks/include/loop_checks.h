// Closing loops: the pose graph against exact truth.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_check_graph_jacobian_report {
    /// Largest differences between derivatives and central differences, relative to the largest entry of each block.
    double by_from, by_to;
} fh_check_graph_jacobian_report;

/// What an edge says is wrong, for random similarities.
void fh_check_graph_jacobians(uint64_t seed, int32_t trials, fh_check_graph_jacobian_report *out_report);

typedef struct fh_check_graph_report {
    /// Root mean square over the ring's keyframes: places in shares of its radius, radians, logarithms of the scale.
    double place_before, turn_before, scale_before;
    double place_after, turn_after, scale_after;
    double initial_cost, final_cost;
    int32_t iterations;
    /// The first keyframe stayed exactly where it was.
    int32_t is_gauge_kept;
} fh_check_graph_report;

/// Keyframes once round a circle, begun from where drift of place, direction and scale put them, with an edge between
/// the last and the first. `edge_noise` 0: the edges are exact. 1: the edges are what led to the drift, and only the
/// last one is exact.
void fh_check_pose_graph(uint64_t seed, int32_t keyframes, double edge_noise, fh_check_graph_report *out_report);

typedef struct fh_check_way_report {
    /// Of the ways from the newest keyframe of a camera that went to and fro over the same ten metres: the longest, and
    /// what the camera went in all.
    double longest, gone;
    /// The same without keyframes that share points.
    double longest_untied;
    /// Pairs of keyframes whose number of shared points isn't the true one.
    int32_t wrong_pairs;
    int32_t reserved;
} fh_check_way_report;

/// How keyframes that see the same points are told, and how far they are from each other along them.
void fh_check_ways(fh_check_way_report *out_report);

#ifdef __cplusplus
}
#endif
