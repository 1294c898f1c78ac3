// Description of lists of points, and matching, arguments checked.
#include <cmath>

#include "descriptors/pattern.h"
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

using namespace foothold::kernels;

namespace {

constexpr double kPi = 3.141592653589793;

int32_t CheckMatching(const fh_descriptor *queries, int32_t query_count, const fh_descriptor *candidates,
                      int32_t candidate_count, const fh_match *out_matches, const void *scratch, size_t scratch_size) {
    if (query_count < 0 || candidate_count < 0 || candidate_count > FH_MATCH_MAX_CANDIDATES ||
        (query_count > 0 && (queries == nullptr || out_matches == nullptr)) ||
        (candidate_count > 0 && candidates == nullptr) || scratch == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    return scratch_size < fh_match_scratch_size(candidate_count) ? FH_KERNEL_TOO_SMALL : FH_KERNEL_OK;
}

}  // namespace

extern "C" {

int32_t fh_describe_points(const fh_pyramid *blurred, const fh_point *points, const uint8_t *levels, int32_t count,
                           float *out_angles, fh_descriptor *out_descriptors) {
    if (blurred == nullptr || blurred->level_count < 1 || blurred->level_count > FH_PYRAMID_MAX_LEVELS || count < 0 ||
        (count > 0 && (points == nullptr || levels == nullptr || out_descriptors == nullptr))) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const fh_image &picture = blurred->levels[0];
    for (int32_t i = 0; i < count; ++i) {
        const bool inside = points[i].x >= 0 && points[i].y >= 0 &&
                            points[i].x <= static_cast<float>(picture.width - 1) &&
                            points[i].y <= static_cast<float>(picture.height - 1);
        if (!inside || levels[i] >= blurred->level_count) return FH_KERNEL_BAD_ARGUMENT;
    }
    const KernelTable &kernels = Kernels();
    for (int32_t i = 0; i < count; ++i) {
        const fh_image &level = blurred->levels[levels[i]];
        const float scale = 1.0f / static_cast<float>(1 << levels[i]);
        const int32_t x = static_cast<int32_t>(std::lround(points[i].x * scale));
        const int32_t y = static_cast<int32_t>(std::lround(points[i].y * scale));
        const uint8_t *pixel = Row(level, y) + x;
        int32_t moments[2];
        kernels.disc_moments(pixel, level.stride, moments);
        const double angle = std::atan2(static_cast<double>(moments[1]), static_cast<double>(moments[0]));
        const int32_t turn = static_cast<int32_t>(std::lround(angle * (kPatternTurns / (2 * kPi))));
        kernels.compare_pairs(pixel, level.stride, (turn + kPatternTurns) % kPatternTurns, &out_descriptors[i]);
        if (out_angles != nullptr) out_angles[i] = static_cast<float>(angle);
    }
    return FH_KERNEL_OK;
}

size_t fh_match_scratch_size(int32_t candidate_count) {
    if (candidate_count < 0 || candidate_count > FH_MATCH_MAX_CANDIDATES) return 0;
    return MatchScratchBytes(candidate_count) + 63;
}

int32_t fh_match_all(const fh_descriptor *queries, int32_t query_count, const fh_descriptor *candidates,
                     int32_t candidate_count, fh_match *out_matches, void *scratch, size_t scratch_size) {
    const int32_t status =
        CheckMatching(queries, query_count, candidates, candidate_count, out_matches, scratch, scratch_size);
    if (status != FH_KERNEL_OK) return status;
    Kernels().match(queries, nullptr, query_count, candidates, nullptr, candidate_count, 0, out_matches,
                    Align64(scratch));
    return FH_KERNEL_OK;
}

int32_t fh_match_near(const fh_descriptor *queries, const fh_point *query_points, int32_t query_count,
                      const fh_descriptor *candidates, const fh_point *candidate_points, int32_t candidate_count,
                      float reach, fh_match *out_matches, void *scratch, size_t scratch_size) {
    const int32_t status =
        CheckMatching(queries, query_count, candidates, candidate_count, out_matches, scratch, scratch_size);
    if (status != FH_KERNEL_OK) return status;
    if (!(reach >= 0) || (query_count > 0 && query_points == nullptr) ||
        (candidate_count > 0 && candidate_points == nullptr)) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    Kernels().match(queries, query_points, query_count, candidates, candidate_points, candidate_count, reach,
                    out_matches, Align64(scratch));
    return FH_KERNEL_OK;
}

}  // extern "C"
