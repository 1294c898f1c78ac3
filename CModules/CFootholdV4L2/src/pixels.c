#include <stddef.h>
#include <string.h>

#include "fh_v4l2.h"

void fh_v4l2_unpack(const uint8_t *packed, int32_t packed_stride, int32_t width, int32_t height, int32_t luma_first,
                    uint8_t *y, int32_t y_stride, uint8_t *u, uint8_t *v, int32_t chroma_stride) {
    const int luma = luma_first ? 0 : 1, chroma = luma_first ? 1 : 0;
    for (int row = 0; row < height; row++) {
        const uint8_t *in = packed + (ptrdiff_t)row * packed_stride + luma;
        uint8_t *out = y + (ptrdiff_t)row * y_stride;
        for (int x = 0; x < width; x++) out[x] = in[2 * x];
    }
    const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    for (int row = 0; row < half_height; row++) {
        const uint8_t *in = packed + (ptrdiff_t)row * 2 * packed_stride + chroma;
        uint8_t *out_u = u + (ptrdiff_t)row * chroma_stride, *out_v = v + (ptrdiff_t)row * chroma_stride;
        for (int x = 0; x < half_width; x++) {
            out_u[x] = in[4 * x];
            out_v[x] = in[4 * x + 2];
        }
    }
}

void fh_v4l2_look(const uint8_t *luma, int32_t stride, int32_t width, int32_t height, uint64_t *out_hash,
                  double *out_mean, int32_t *out_brightest) {
    // FNV-1a over eight bytes at a time.
    uint64_t hash = 14695981039346656037u, sum = 0, count = 0;
    uint32_t levels[256] = {0};
    for (int row = 0; row < height; row += 4) {
        const uint8_t *line = luma + (ptrdiff_t)row * stride;
        int x = 0;
        for (; x + 8 <= width; x += 8) {
            uint64_t word;
            memcpy(&word, line + x, sizeof word);
            hash = (hash ^ word) * 1099511628211u;
            levels[line[x]]++;
            sum += line[x];
            count++;
        }
        for (; x < width; x++) hash = (hash ^ line[x]) * 1099511628211u;
    }
    int brightest = 255;
    for (uint64_t above = 0; brightest > 0; brightest--) {
        above += levels[brightest];
        if (above * 1000 > count) break;
    }
    *out_hash = hash;
    *out_mean = count ? (double)sum / (double)count : 0;
    *out_brightest = brightest;
}
