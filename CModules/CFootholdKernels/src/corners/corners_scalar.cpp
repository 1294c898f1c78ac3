// Reference of the corner kernels: what every other version must equal.
#include <algorithm>

#include "corners/circle.h"
#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

namespace foothold::kernels {

namespace {

/// The largest threshold at which nine neighbours on the circle are all brighter or all darker; negative when none.
int32_t Score(const uint8_t *pixel, ptrdiff_t stride) {
    int32_t circle[kCircleSize];
    for (int32_t i = 0; i < kCircleSize; ++i) circle[i] = pixel[kCircle[i].y * stride + kCircle[i].x];
    int32_t brighter = 0, darker = 255;
    for (int32_t start = 0; start < kCircleSize; ++start) {
        int32_t least = 255, most = 0;
        for (int32_t i = 0; i < kArcSize; ++i) {
            least = std::min(least, circle[(start + i) % kCircleSize]);
            most = std::max(most, circle[(start + i) % kCircleSize]);
        }
        brighter = std::max(brighter, least);
        darker = std::min(darker, most);
    }
    return std::max(brighter - *pixel, *pixel - darker) - 1;
}

bool FastScoreRow(const uint8_t *row, ptrdiff_t stride, int32_t, int32_t begin, int32_t end, int32_t threshold,
                  uint8_t *scores) {
    bool any = false;
    for (int32_t x = begin; x < end; ++x) {
        const int32_t score = Score(row + x, stride);
        const bool corner = score >= threshold;
        scores[x] = static_cast<uint8_t>(corner ? score : 0);
        any |= corner;
    }
    return any;
}

int32_t FastSuppressRow(const uint8_t *above, const uint8_t *scores, const uint8_t *below, int32_t begin, int32_t end,
                        int32_t y, fh_corner *out, int32_t room) {
    int32_t count = 0;
    for (int32_t x = begin; x < end; ++x) {
        const uint8_t score = scores[x];
        if (score == 0) continue;
        bool best = score > scores[x - 1] && score > scores[x + 1];
        for (int32_t i = -1; i <= 1; ++i) best = best && score > above[x + i] && score > below[x + i];
        if (!best) continue;
        if (count < room) out[count] = {x, y, score};
        ++count;
    }
    return count;
}

void StructureSums(const fh_image &image, const fh_corner *corners, int32_t count, int32_t (*out)[3]) {
    const ptrdiff_t stride = image.stride;
    for (int32_t i = 0; i < count; ++i) {
        int32_t xx = 0, xy = 0, yy = 0;
        for (int32_t v = -3; v <= 3; ++v) {
            const uint8_t *row = Row(image, corners[i].y + v) + corners[i].x;
            for (int32_t u = -3; u <= 3; ++u) {
                const int32_t dx = row[u + 1] - row[u - 1];
                const int32_t dy = row[u + stride] - row[u - stride];
                xx += dx * dx;
                xy += dx * dy;
                yy += dy * dy;
            }
        }
        out[i][0] = xx;
        out[i][1] = xy;
        out[i][2] = yy;
    }
}

}  // namespace

void AddScalarCorners(KernelTable *table) {
    table->fast_score_row = FastScoreRow;
    table->fast_suppress_row = FastSuppressRow;
    table->structure_sums = StructureSums;
}

}  // namespace foothold::kernels
