// FAST over rectangles with three rows of scores in a ring, and Shi-Tomasi scores of lists.
#include "corners/corners.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "corners/circle.h"
#include "dispatch/arguments.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

size_t ScoreRowBytes(int32_t width) { return RoundUp(static_cast<size_t>(width), 64) + 2 * kScorePadding; }

int32_t CollectRow(const uint8_t *scores, int32_t begin, int32_t end, int32_t y, fh_corner *out, int32_t room) {
    int32_t count = 0;
    for (int32_t x = begin; x < end; ++x) {
        if (scores[x] == 0) continue;
        if (count < room) out[count] = {x, y, scores[x]};
        ++count;
    }
    return count;
}

}  // namespace

int32_t FindCorners(const KernelTable &kernels, const fh_image &image, const fh_rect &area, int32_t threshold,
                    bool suppress, fh_corner *out, int32_t capacity, void *scratch) {
    const int32_t width = image.width, height = image.height;
    // Where corners may lie, and where scores are needed to compare them with.
    const int32_t left = std::max(area.x, kCircleRadius), right = std::min(area.x + area.width, width - kCircleRadius);
    const int32_t top = std::max(area.y, kCircleRadius),
                  bottom = std::min(area.y + area.height, height - kCircleRadius);
    if (left >= right || top >= bottom) return 0;
    const int32_t rim = suppress ? 1 : 0;
    const int32_t score_left = std::max(left - rim, kCircleRadius);
    const int32_t score_right = std::min(right + rim, width - kCircleRadius);
    const int32_t score_top = std::max(top - rim, kCircleRadius);
    const int32_t score_bottom = std::min(bottom + rim, height - kCircleRadius);

    const size_t row_bytes = ScoreRowBytes(width);
    uint8_t *const ring = static_cast<uint8_t *>(Align64(scratch));
    std::memset(ring, 0, 3 * row_bytes);
    const auto ring_row = [&](int32_t y) { return ring + ((y + 3) % 3) * row_bytes + kScorePadding; };
    bool has_corners[3] = {};

    int32_t count = 0;
    const auto emit = [&](int32_t y) {
        if (y < top || y >= bottom || !has_corners[y % 3]) return;
        const int32_t room = std::max(capacity - count, 0);
        fh_corner *const place = out + (room > 0 ? count : 0);
        count += suppress ? kernels.fast_suppress_row(ring_row(y - 1), ring_row(y), ring_row(y + 1), left, right, y,
                                                      place, room)
                          : CollectRow(ring_row(y), left, right, y, place, room);
    };
    for (int32_t y = score_top; y < score_bottom; ++y) {
        has_corners[y % 3] =
            kernels.fast_score_row(Row(image, y), image.stride, width, score_left, score_right, threshold, ring_row(y));
        if (y > score_top) emit(y - 1);
    }
    // Nothing is scored below the last row.
    std::memset(ring_row(score_bottom), 0, static_cast<size_t>(width));
    emit(score_bottom - 1);
    return count;
}

float SmallerEigenvalue(const int32_t sums[3]) {
    const double xx = sums[0], xy = sums[1], yy = sums[2];
    const double root = std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
    // Gradients are doubled, and there are 49 of them.
    return static_cast<float>(0.5 * (xx + yy - root) / (4 * 49));
}

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

size_t fh_fast_scratch_size(int32_t width) {
    if (width < 1 || width > FH_IMAGE_MAX_SIDE) return 0;
    return 3 * ScoreRowBytes(width) + 63;
}

int32_t fh_fast_corners(const fh_image *image, const fh_rect *area, int32_t threshold, int32_t suppress,
                        fh_corner *out_corners, int32_t capacity, int32_t *out_count, void *scratch,
                        size_t scratch_size) {
    if (!IsValid(image) || threshold < 1 || threshold > 255 || capacity < 0 ||
        (out_corners == nullptr && capacity > 0) || out_count == nullptr || scratch == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    if (scratch_size < fh_fast_scratch_size(image->width)) return FH_KERNEL_TOO_SMALL;
    fh_rect searched = {0, 0, image->width, image->height};
    if (area != nullptr) {
        constexpr int32_t limit = FH_IMAGE_MAX_SIDE;
        if (area->x < -limit || area->x > limit || area->y < -limit || area->y > limit || area->width < 0 ||
            area->height < 0 || area->width > 2 * limit || area->height > 2 * limit) {
            return FH_KERNEL_BAD_ARGUMENT;
        }
        searched = *area;
    }
    *out_count = FindCorners(Kernels(), *image, searched, threshold, suppress != 0, out_corners, capacity, scratch);
    return FH_KERNEL_OK;
}

int32_t fh_shi_tomasi(const fh_image *image, const fh_corner *corners, int32_t count, float *out_scores) {
    if (!IsValid(image) || count < 0 || (count > 0 && (corners == nullptr || out_scores == nullptr))) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    const KernelTable &kernels = Kernels();
    for (int32_t i = 0; i < count; ++i) {
        const fh_corner &corner = corners[i];
        if (corner.x < kStructureReach || corner.y < kStructureReach || corner.x >= image->width - kStructureReach ||
            corner.y >= image->height - kStructureReach) {
            out_scores[i] = 0;
            continue;
        }
        int32_t sums[1][3];
        kernels.structure_sums(*image, &corner, 1, sums);
        out_scores[i] = SmallerEigenvalue(sums[0]);
    }
    return FH_KERNEL_OK;
}

}  // extern "C"
