// Reference of the tracking kernels: what every other version must equal.
#include <algorithm>
#include <cmath>

#include "affine/affine.h"
#include "dispatch/kernel_table.h"
#include "klt/blend.h"
#include "klt/rules.h"
#include "klt/sums.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace scalar {

/// Gradient along one direction, smoothed across: differences at three places, weighted 3 10 3 (Scharr).
int32_t SmoothGradient(const int16_t *p, ptrdiff_t along, ptrdiff_t across) {
    const int32_t before = p[along - across] - p[-along - across];
    const int32_t middle = p[along] - p[-along];
    const int32_t after = p[along + across] - p[-along + across];
    return Gradient(MultiplyRounded(middle, kScharrMiddle) + MultiplyRounded(before + after, kScharrSide));
}

struct Operations {
    static int32_t SampleAffine(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride) {
        return SampleAffineSingly(source, grid, out, stride);
    }

    static void SampleRim(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, int32_t side,
                          int16_t *rim) {
        for (int32_t v = 0; v < side; ++v) {
            const uint8_t *row = top_left + v * stride;
            for (int32_t u = 0; u < side; ++u) {
                rim[v * kRimStride + u] = Blend(row[u], row[u + 1], row[u + stride], row[u + stride + 1], wx, wy);
            }
        }
    }

    static void SumTemplate(const int16_t *rim, bool smooth, fh_template *patch, TemplateSums *sums) {
        *sums = {};
        for (int32_t v = 0; v < patch->window; ++v) {
            const int32_t row = v * patch->row_stride;
            for (int32_t u = 0; u < patch->row_stride; ++u) {
                int32_t t = 0, q = 0, x = 0, y = 0;
                if (v >= patch->top && v < patch->bottom && u >= patch->left && u < patch->right) {
                    const int16_t *p = rim + (v + 1) * kRimStride + u + 1;
                    t = Level(p[0]);
                    q = Quarter(t);
                    x = smooth ? SmoothGradient(p, 1, kRimStride) : Gradient(p[1] - p[-1]);
                    y = smooth ? SmoothGradient(p, kRimStride, 1) : Gradient(p[kRimStride] - p[-kRimStride]);
                }
                patch->value[row + u] = static_cast<int16_t>(q);
                patch->gradient_x[row + u] = static_cast<int16_t>(x);
                patch->gradient_y[row + u] = static_cast<int16_t>(y);
                sums->t += t;
                sums->q += q;
                sums->qq += q * q;
                sums->qt += q * t;
                sums->x += x;
                sums->y += y;
                sums->xx += x * x;
                sums->xy += x * y;
                sums->yy += y * y;
                sums->xq += x * q;
                sums->yq += y * q;
                sums->xt += x * t;
                sums->yt += y * t;
            }
        }
    }

    static void SumPicture(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, const fh_template &patch,
                           StepSums *sums, LikenessSums *likeness) {
        *sums = {};
        if (likeness != nullptr) *likeness = {};
        for (int32_t v = patch.top; v < patch.bottom; ++v) {
            const uint8_t *row = top_left + v * stride;
            for (int32_t u = patch.left; u < patch.right; ++u) {
                const int32_t i = Level(Blend(row[u], row[u + 1], row[u + stride], row[u + stride + 1], wx, wy));
                const int32_t place = v * patch.row_stride + u;
                sums->i += i;
                sums->qi += patch.value[place] * i;
                sums->xi += patch.gradient_x[place] * i;
                sums->yi += patch.gradient_y[place] * i;
                if (likeness != nullptr) {
                    const int32_t e = Quarter(i);
                    likeness->e += e;
                    likeness->ee += e * e;
                }
            }
        }
    }
};

#include "klt/track_body.h"

/// One point from one pyramid to another. `goal` is the prediction in level-0 pixels.
fh_klt_result TrackPoint(const fh_pyramid &from, const fh_pyramid &to, fh_point start, const float *step,
                         fh_point *goal, int32_t coarsest, const fh_klt_options &options, fh_template *patch) {
    fh_klt_result result = {FH_TRACK_OUTSIDE, 0, 0, 1, 0, 0, -1};
    if (!IsInside(from.levels[0], start.x, start.y)) return result;
    float x = goal->x, y = goal->y;
    for (int32_t level = coarsest; level >= options.finest_level; --level) {
        const LevelSearch search = SearchOf(level, options);
        const fh_image &source = from.levels[level], &target = to.levels[level];
        const fh_point center = {start.x * search.scale, start.y * search.scale};
        Rim rim;
        if (step == nullptr) {
            SampleTemplate(source, center.x, center.y, options.window, search.brightness, patch, &rim);
        } else {
            SampleWarpedTemplate(source, center, step, options.window, search.brightness, patch, &rim);
        }
        TemplateSums sums;
        Operations::SumTemplate(rim.of, search.smooth, patch, &sums);
        const bool solvable = FinishTemplate(sums, patch);
        if (search.is_finest) result.min_eigenvalue = patch->min_eigenvalue;
        if (!solvable || (search.is_finest && patch->min_eigenvalue < options.min_eigenvalue)) {
            result.status = FH_TRACK_FLAT;
            continue;
        }
        if (!IsReadable(target, x * search.scale, y * search.scale)) {
            result.status = FH_TRACK_OUTSIDE;
            continue;
        }
        const Alignment found = Align(*patch, target, x * search.scale, y * search.scale, options.max_iterations,
                                      search.epsilon, static_cast<float>(options.window), search.is_finest);
        result.iterations += found.iterations;
        result.status = found.status;
        x = found.x * static_cast<float>(1 << level);
        y = found.y * static_cast<float>(1 << level);
        result.gain = found.gain;
        result.correlation = found.likeness.correlation;
        result.residual = found.likeness.residual;
    }
    Conclude(to.levels[0], x, y, options, goal, &result);
    return result;
}

void KltTrack(const fh_pyramid &from, const fh_pyramid &to, const fh_point *from_points, const float *steps,
              fh_point *to_points, fh_klt_result *results, int32_t count, const fh_klt_options &options) {
    const int32_t coarsest = CoarsestLevel(from, to, options);
    fh_template patch;
    for (int32_t i = 0; i < count; ++i) {
        const float *step = steps == nullptr ? nullptr : steps + 4 * static_cast<ptrdiff_t>(i);
        const fh_point start = from_points[i], predicted = to_points[i];
        results[i] = TrackPoint(from, to, start, step, &to_points[i], coarsest, options, &patch);
        if (!(options.max_forward_backward > 0) || results[i].status != FH_TRACK_FOUND) continue;
        float inverse[4];
        if (step != nullptr) InvertStep(step, inverse);
        fh_point back = StartOfWayBack(from.levels[0], start, predicted, to_points[i]);
        const fh_klt_result way_back =
            TrackPoint(to, from, to_points[i], step == nullptr ? nullptr : inverse, &back, coarsest, options, &patch);
        ConcludeWayBack(way_back, start, back, options, &results[i]);
    }
}

}  // namespace scalar

void AddScalarKlt(KernelTable *table) {
    table->klt_track = scalar::KltTrack;
    table->patch_align = scalar::PatchAlign;
    table->template_sample = scalar::TemplateSample;
}

}  // namespace foothold::kernels
