// Reference of description and matching: what every other version must equal.
#include <cmath>

#include "descriptors/pattern.h"
#include "dispatch/kernel_table.h"

namespace foothold::kernels {

namespace {

void DiscMoments(const uint8_t *pixel, ptrdiff_t stride, int32_t out[2]) {
    out[0] = out[1] = 0;
    for (int32_t y = -kDiscRadius; y <= kDiscRadius; ++y) {
        const int32_t half = DiscHalfWidth(y);
        for (int32_t x = -half; x <= half; ++x) {
            const int32_t level = pixel[y * stride + x];
            out[0] += x * level;
            out[1] += y * level;
        }
    }
}

void ComparePairs(const uint8_t *pixel, ptrdiff_t stride, int32_t turn, fh_descriptor *out) {
    const Pattern &pattern = ThePattern();
    const auto level = [&](uint16_t place) {
        return pixel[(place / kPatchStride - kDiscRadius) * stride + place % kPatchStride - kDiscRadius];
    };
    *out = {};
    for (int32_t pair = 0; pair < kPairs; ++pair) {
        const uint64_t bit = level(pattern.first[turn][pair]) < level(pattern.second[turn][pair]) ? 1 : 0;
        out->words[pair / 64] |= bit << (pair % 64);
    }
}

int32_t Distance(const fh_descriptor &a, const fh_descriptor &b) {
    int32_t distance = 0;
    for (int32_t i = 0; i < 4; ++i) distance += __builtin_popcountll(a.words[i] ^ b.words[i]);
    return distance;
}

void Match(const fh_descriptor *queries, const fh_point *query_points, int32_t query_count,
           const fh_descriptor *candidates, const fh_point *candidate_points, int32_t candidate_count, float reach,
           fh_match *out, void *) {
    for (int32_t q = 0; q < query_count; ++q) {
        fh_match match = {-1, kNoDistance, kNoDistance};
        for (int32_t c = 0; c < candidate_count; ++c) {
            if (query_points != nullptr) {
                const float dx = candidate_points[c].x - query_points[q].x;
                const float dy = candidate_points[c].y - query_points[q].y;
                if (!(std::fabs(dx) <= reach && std::fabs(dy) <= reach)) continue;
            }
            const int32_t distance = Distance(queries[q], candidates[c]);
            if (distance < match.best_distance) {
                match = {c, distance, match.best_distance};
            } else if (distance < match.second_distance) {
                match.second_distance = distance;
            }
        }
        out[q] = match;
    }
}

}  // namespace

void AddScalarDescriptors(KernelTable *table) {
    table->disc_moments = DiscMoments;
    table->compare_pairs = ComparePairs;
    table->match = Match;
}

}  // namespace foothold::kernels
