// Binary descriptors that turn with the picture, and matching of them.
#pragma once

#include "fh_image.h"
#include "fh_pyramid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 256 comparisons of two pixels each: bit i of the whole is bit i % 64 of word i / 64.
typedef struct fh_descriptor {
    uint64_t words[4];
} fh_descriptor;

/// Describes points of a blurred pyramid (`fh_pyramid_blur`): oriented by the centroid of the grey levels in a disc of
/// radius 15 (Rosin, "Measuring Corner Properties", 1999; as ORB, Rublee et al., 2011), then compared at 256 pairs of
/// pixels turned to that orientation in 64 steps.
///
/// `points` are level-0 pixels inside the picture, `levels` says which level each is described at. Both are rounded to
/// the level's nearest pixel. `out_angles` (may be NULL) receives each orientation in radians, -π … π, from x towards
/// y.
int32_t fh_describe_points(const fh_pyramid *blurred, const fh_point *points, const uint8_t *levels, int32_t count,
                           float *out_angles, fh_descriptor *out_descriptors);

/// What a query is nearest to.
typedef struct fh_match {
    /// Index of the nearest candidate (the first of equals); -1 when there is none.
    int32_t best;
    /// Its Hamming distance, 0 … 256; 257 when there is none.
    int32_t best_distance;
    /// The second nearest candidate's; 257 when there is none.
    int32_t second_distance;
} fh_match;

/// Most candidates of one call.
#define FH_MATCH_MAX_CANDIDATES (1 << 22)

/// Bytes of scratch for the two functions below.
size_t fh_match_scratch_size(int32_t candidate_count);

/// Nearest and second nearest of every query among all candidates.
int32_t fh_match_all(const fh_descriptor *queries, int32_t query_count, const fh_descriptor *candidates,
                     int32_t candidate_count, fh_match *out_matches, void *scratch, size_t scratch_size);

/// The same among the candidates whose position differs from the query's by no more than `reach` in x and in y.
/// Fastest when neighbours in the list are neighbours in the picture, as corner finders give them: whole runs of
/// candidates are then left out together.
int32_t fh_match_near(const fh_descriptor *queries, const fh_point *query_points, int32_t query_count,
                      const fh_descriptor *candidates, const fh_point *candidate_points, int32_t candidate_count,
                      float reach, fh_match *out_matches, void *scratch, size_t scratch_size);

#ifdef __cplusplus
}
#endif
