// The reference of sums over regions.
#include <algorithm>
#include <cmath>

#include "dispatch/kernel_table.h"
#include "region/region.h"

#pragma clang fp contract(off)

namespace foothold::kernels {
namespace {

struct Place {
    float x, y, change_x, change_y;
};

Place PlaceOf(const fh_region_pixels &pixels, const fh_region_view &view, const float *plane, int32_t index) {
    if (pixels.place_x != nullptr) {
        return {pixels.place_x[index], pixels.place_y[index], pixels.change_x[index], pixels.change_y[index]};
    }
    const float x = pixels.ray_x[index], y = pixels.ray_y[index];
    const float *r = view.rotation, *t = view.translation;
    const float inverse_depth = (plane[0] * x + plane[1] * y) + plane[2];
    const auto turned = [&](int32_t i) {
        return ((r[3 * i] * x + r[3 * i + 1] * y) + r[3 * i + 2]) + inverse_depth * t[i];
    };
    const float depth = turned(2);
    if (!(inverse_depth > 0) || !(depth >= FH_REGION_LEAST_DEPTH)) return {0, 0, 0, 0};
    const float scale = 1 / depth;
    const float u = scale * turned(0), v = scale * turned(1);
    return {view.fx * u + view.cx, view.fy * v + view.cy, view.fx * (scale * (t[0] - t[2] * u)),
            view.fy * (scale * (t[1] - t[2] * v))};
}

/// Fills one pixel's terms; false where the other picture doesn't show it.
bool Fill(const fh_region_pixels &pixels, const fh_region_view &view, const fh_region_question &question, int32_t index,
          int32_t at, RegionPiece *piece) {
    const Place place = PlaceOf(pixels, view, question.plane, index);
    if (!(place.x >= 1 && place.y >= 1 && place.x < static_cast<float>(view.width - 2) &&
          place.y < static_cast<float>(view.height - 2))) {
        return false;
    }
    const float left = std::floor(place.x), top = std::floor(place.y);
    const float s = place.x - left, t = place.y - top;
    const float *p = view.luma + static_cast<ptrdiff_t>(top) * view.stride + static_cast<ptrdiff_t>(left);
    const auto row = [&](int32_t j) { return p + static_cast<ptrdiff_t>(j) * view.stride; };
    const auto along = [&](int32_t j) { return row(j)[0] + s * (row(j)[1] - row(j)[0]); };
    const float upper = along(0), lower = along(1);
    const float x = pixels.ray_x[index], y = pixels.ray_y[index];
    float slope = 0;
    if (question.wants_changes) {
        const auto across = [&](int32_t j) {
            const float *q = row(j);
            return (q[1] - q[-1]) + s * (((q[2] - q[0]) - q[1]) + q[-1]);
        };
        const float above = along(-1), below = along(2);
        const float dx = 0.5f * ((1 - t) * across(0) + t * across(1));
        const float dy = 0.5f * ((lower - above) + t * (((below - upper) - lower) + above));
        slope = dx * place.change_x + dy * place.change_y;
    }
    const float terms[FH_REGION_TERMS] = {(upper + t * (lower - upper)) - question.mean_luma,
                                          slope * x,
                                          slope * y,
                                          slope,
                                          pixels.luma[index] - question.mean_luma,
                                          1,
                                          (x - question.middle_x) / question.reach,
                                          (y - question.middle_y) / question.reach};
    float weight = 1;
    if (question.light != nullptr) {
        float residual = terms[FH_REGION_SHOWN];
        for (int32_t i = 0; i < 4; ++i) residual -= question.light[i] * terms[FH_REGION_OWN + i];
        weight = 1 / (1 + question.sharpness * (residual * residual));
    }
    for (int32_t i = 0; i < FH_REGION_TERMS; ++i) piece->terms[i][at] = terms[i];
    piece->weights[at] = weight;
    piece->slopes[at] = slope * slope;
    piece->stretches[at] = place.change_x * place.change_x + place.change_y * place.change_y;
    return true;
}

void Clear(int32_t at, RegionPiece *piece) {
    for (auto &term : piece->terms) term[at] = 0;
    piece->weights[at] = piece->slopes[at] = piece->stretches[at] = 0;
}

double SumOf(const float *values, int32_t count) {
    RegionParts parts = {};
    for (int32_t i = 0; i < count; ++i) parts[i % kRegionParts] += values[i];
    return Added(parts);
}

void AddRegionSingly(const fh_region_pixels &pixels, const fh_region_view &view, const fh_region_question &question,
                     fh_region_sums *sums) {
    RegionPiece piece;
    for (int32_t first = 0; first < pixels.count; first += kRegionPiece) {
        const int32_t count = std::min(kRegionPiece, pixels.count - first);
        const int32_t padded = Padded(count);
        for (int32_t at = 0; at < padded; ++at) {
            const bool is_shown = at < count && Fill(pixels, view, question, first + at, at, &piece);
            if (!is_shown) Clear(at, &piece);
            sums->count += is_shown;
        }
        for (int32_t i = 0; i < FH_REGION_TERMS; ++i) {
            for (int32_t j = i; j < FH_REGION_TERMS; ++j) {
                if (!question.wants_changes && (IsChange(i) || IsChange(j))) continue;
                RegionParts parts = {};
                for (int32_t at = 0; at < padded; ++at) {
                    parts[at % kRegionParts] += (piece.weights[at] * piece.terms[i][at]) * piece.terms[j][at];
                }
                sums->products[ProductOf(i, j)] += Added(parts);
            }
        }
        sums->weights += SumOf(piece.weights, padded);
        sums->slopes += SumOf(piece.slopes, padded);
        sums->stretches += SumOf(piece.stretches, padded);
    }
}

}  // namespace

void AddScalarRegion(KernelTable *table) { table->region_add = AddRegionSingly; }

}  // namespace foothold::kernels
