#include <string.h>

#include "media_encode.h"

// Fixed-point weights with 15 bits after the point.
typedef struct {
    int32_t yr, yg, yb;
    int32_t ur, ug, ub;
    int32_t vr, vg, vb;
    // What alpha adds, so that an opaque black gives the range's black and the chroma's middle.
    int32_t ya, ca;
} weights;

static int32_t fixed(double value) { return (int32_t)(value * 32768.0 + (value < 0 ? -0.5 : 0.5)); }

static void luma_coefficients(fh_encode_color color, double *kr, double *kb) {
    // ITU-R BT.601-7 and BT.709-6, section "derivation of luminance signal".
    *kr = color.matrix == FH_ENCODE_MATRIX_BT709 ? 0.2126 : 0.299;
    *kb = color.matrix == FH_ENCODE_MATRIX_BT709 ? 0.0722 : 0.114;
}

static weights weights_for(fh_encode_color color) {
    double kr, kb;
    luma_coefficients(color, &kr, &kb);
    const double kg = 1 - kr - kb;
    const double luma = color.is_full_range ? 1 : 219.0 / 255;
    const double chroma = color.is_full_range ? 1 : 224.0 / 255;
    const double u = chroma * 0.5 / (1 - kb);
    const double v = chroma * 0.5 / (1 - kr);
    return (weights){
        .yr = fixed(luma * kr),
        .yg = fixed(luma * kg),
        .yb = fixed(luma * kb),
        .ur = fixed(-u * kr),
        .ug = fixed(-u * kg),
        .ub = fixed(u * (1 - kb)),
        .vr = fixed(v * (1 - kr)),
        .vg = fixed(-v * kg),
        .vb = fixed(-v * kb),
        .ya = color.is_full_range ? 0 : fixed(16.0 / 255),
        .ca = fixed(128.0 / 255),
    };
}

static uint8_t clamp_byte(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static int is_clear(const uint8_t *rgba, int32_t pixels) {
    uint32_t any = 0;
    for (int32_t i = 0; i < pixels; i++) any |= rgba[4 * i + 3];
    return any == 0;
}

static int64_t blend_luma(const uint8_t *in, const uint8_t *rgba, int32_t count, const weights *w, uint8_t *out) {
    int64_t alpha_sum = 0;
    for (int32_t x = 0; x < count; x++) {
        const int32_t r = rgba[4 * x], g = rgba[4 * x + 1], b = rgba[4 * x + 2], a = rgba[4 * x + 3];
        const int32_t drawn = w->yr * r + w->yg * g + w->yb * b + w->ya * a;
        // 257 / 2 stands for 32768 / 255; rounded, an untouched pixel keeps its value.
        const int32_t seen = (in[x] * (255 - a) * 257 + 1) >> 1;
        out[x] = clamp_byte((seen + drawn + 16384) >> 15);
        alpha_sum += a;
    }
    return alpha_sum;
}

// One output value covers `columns` × `rows` pixels of the overlay (2 × 2, fewer at an odd edge).
static void blend_chroma(const fh_encode_source *in, const uint8_t *top, const uint8_t *bottom, int32_t first_column,
                         int32_t end_column, ptrdiff_t chroma_row, const weights *w, uint8_t *out_u, uint8_t *out_v) {
    for (int32_t x = first_column; x < end_column; x += 2) {
        const int32_t right = x + 1 < end_column ? 4 : 0;
        const uint8_t *const corners[4] = {top + 4 * x, top + 4 * x + right, bottom + 4 * x, bottom + 4 * x + right};
        int32_t r = 0, g = 0, b = 0, a = 0;
        for (int32_t i = 0; i < 4; i++) {
            r += corners[i][0];
            g += corners[i][1];
            b += corners[i][2];
            a += corners[i][3];
        }
        const int32_t c = x / 2;
        const int32_t u = in->u ? in->u[chroma_row + c * in->chroma_step] : 128;
        const int32_t v = in->v ? in->v[chroma_row + c * in->chroma_step] : 128;
        const int32_t rest = 1020 - a;
        const int32_t offset = w->ca * a;
        // Sums of four: two more bits after the point.
        const int32_t drawn_u = w->ur * r + w->ug * g + w->ub * b + offset;
        const int32_t drawn_v = w->vr * r + w->vg * g + w->vb * b + offset;
        out_u[c] = clamp_byte((((u * rest * 257 + 1) >> 1) + drawn_u + 65536) >> 17);
        out_v[c] = clamp_byte((((v * rest * 257 + 1) >> 1) + drawn_v + 65536) >> 17);
    }
}

static void copy_chroma(const fh_encode_source *in, int32_t first, int32_t end, ptrdiff_t chroma_row, uint8_t *out_u,
                        uint8_t *out_v) {
    if (!in->u || !in->v) {
        memset(out_u + first, 128, (size_t)(end - first));
        memset(out_v + first, 128, (size_t)(end - first));
    } else if (in->chroma_step == 1) {
        memcpy(out_u + first, in->u + chroma_row + first, (size_t)(end - first));
        memcpy(out_v + first, in->v + chroma_row + first, (size_t)(end - first));
    } else {
        for (int32_t c = first; c < end; c++) {
            out_u[c] = in->u[chroma_row + c * in->chroma_step];
            out_v[c] = in->v[chroma_row + c * in->chroma_step];
        }
    }
}

void fh_overlay_blend(const fh_encode_source *picture, const uint8_t *overlay, int32_t width, int32_t height,
                      const fh_encode_planes *out, double *out_opacity) {
    // Most of an overlay is clear: blocks without alpha are copied, which is both faster and exact.
    enum { block = 32 };
    const weights w = weights_for(picture->color);
    int64_t alpha_sum = 0;
    for (int32_t y = 0; y < height; y += 2) {
        const int32_t rows = y + 1 < height ? 2 : 1;
        const uint8_t *top = overlay + (ptrdiff_t)y * width * 4;
        const uint8_t *bottom = rows == 2 ? top + (ptrdiff_t)width * 4 : top;
        const ptrdiff_t chroma_row = (y / 2) * picture->chroma_stride;
        uint8_t *out_u = out->u + (y / 2) * out->chroma_stride;
        uint8_t *out_v = out->v + (y / 2) * out->chroma_stride;
        for (int32_t x = 0; x < width; x += block) {
            const int32_t end = x + block < width ? x + block : width;
            const int clear = is_clear(top + 4 * x, end - x) && (rows == 1 || is_clear(bottom + 4 * x, end - x));
            for (int32_t row = 0; row < rows; row++) {
                const uint8_t *in_y = picture->y + (y + row) * picture->y_stride + x;
                uint8_t *out_y = out->y + (y + row) * out->y_stride + x;
                if (clear) {
                    memcpy(out_y, in_y, (size_t)(end - x));
                } else {
                    alpha_sum += blend_luma(in_y, (row ? bottom : top) + 4 * x, end - x, &w, out_y);
                }
            }
            if (clear) {
                copy_chroma(picture, x / 2, (end + 1) / 2, chroma_row, out_u, out_v);
            } else {
                blend_chroma(picture, top, bottom, x, end, chroma_row, &w, out_u, out_v);
            }
        }
    }
    if (out_opacity) *out_opacity = (double)alpha_sum / (255.0 * (double)width * (double)height);
}

void fh_planes_to_rgba(const fh_encode_planes *picture, fh_encode_color color, int32_t width, int32_t height,
                       uint8_t *out_rgba) {
    double kr, kb;
    luma_coefficients(color, &kr, &kb);
    const double kg = 1 - kr - kb;
    const double luma = color.is_full_range ? 1 : 255.0 / 219;
    const double chroma = color.is_full_range ? 1 : 255.0 / 224;
    const int32_t black = color.is_full_range ? 0 : 16;
    const int32_t yy = fixed(luma);
    const int32_t rv = fixed(chroma * 2 * (1 - kr));
    const int32_t bu = fixed(chroma * 2 * (1 - kb));
    const int32_t gu = fixed(chroma * 2 * (1 - kb) * kb / kg);
    const int32_t gv = fixed(chroma * 2 * (1 - kr) * kr / kg);
    for (int32_t y = 0; y < height; y++) {
        const uint8_t *in_y = picture->y + y * picture->y_stride;
        const uint8_t *in_u = picture->u + (y / 2) * picture->chroma_stride;
        const uint8_t *in_v = picture->v + (y / 2) * picture->chroma_stride;
        uint8_t *out = out_rgba + (ptrdiff_t)y * width * 4;
        for (int32_t x = 0; x < width; x++, out += 4) {
            const int32_t l = (in_y[x] - black) * yy + 16384;
            const int32_t u = in_u[x / 2] - 128;
            const int32_t v = in_v[x / 2] - 128;
            out[0] = clamp_byte((l + rv * v) >> 15);
            out[1] = clamp_byte((l - gu * u - gv * v) >> 15);
            out[2] = clamp_byte((l + bu * u) >> 15);
            out[3] = 255;
        }
    }
}
