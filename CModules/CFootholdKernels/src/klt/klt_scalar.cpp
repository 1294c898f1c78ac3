// Reference of the tracking kernels: what every other version must equal.
#include <algorithm>
#include <cmath>

#include "dispatch/kernel_table.h"
#include "klt/blend.h"
#include "klt/sums.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace scalar {

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

    static void SumTemplate(const int16_t *rim, fh_template *patch, TemplateSums *sums) {
        *sums = {};
        for (int32_t v = 0; v < patch->window; ++v) {
            const int32_t row = v * patch->row_stride;
            for (int32_t u = 0; u < patch->row_stride; ++u) {
                int32_t t = 0, q = 0, x = 0, y = 0;
                if (u < patch->window) {
                    const int16_t *p = rim + (v + 1) * kRimStride + u + 1;
                    t = Level(p[0]);
                    q = Quarter(t);
                    x = (p[1] - p[-1] + 8) >> 4;
                    y = (p[kRimStride] - p[-kRimStride] + 8) >> 4;
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
        for (int32_t v = 0; v < patch.window; ++v) {
            const uint8_t *row = top_left + v * stride;
            for (int32_t u = 0; u < patch.window; ++u) {
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
