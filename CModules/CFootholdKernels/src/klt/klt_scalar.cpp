// Reference of the tracking kernels: what every other version must equal.
#include <algorithm>
#include <cmath>

#include "dispatch/kernel_table.h"
#include "klt/blend.h"
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
                           bool compare, PictureSums *sums) {
        *sums = {};
        for (int32_t v = patch.top; v < patch.bottom; ++v) {
            const uint8_t *row = top_left + v * stride;
            for (int32_t u = patch.left; u < patch.right; ++u) {
                const int32_t i = Level(Blend(row[u], row[u + 1], row[u + stride], row[u + stride + 1], wx, wy));
                const int32_t place = v * patch.row_stride + u;
                sums->i += i;
                sums->qi += patch.value[place] * i;
                sums->xi += patch.gradient_x[place] * i;
                sums->yi += patch.gradient_y[place] * i;
                if (compare) {
                    const int32_t e = Quarter(i);
                    sums->e += e;
                    sums->ee += e * e;
                }
            }
        }
    }
};

#include "klt/track_body.h"

}  // namespace scalar

void AddScalarKlt(KernelTable *table) {
    table->klt_track = scalar::KltTrack;
    table->patch_align = scalar::PatchAlign;
    table->template_sample = scalar::TemplateSample;
}

}  // namespace foothold::kernels
