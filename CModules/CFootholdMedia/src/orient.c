#include <stdlib.h>
#include <string.h>

#include "upright.h"

fh_orientation fh_orientation_from_matrix(const int32_t *matrix) {
    const fh_orientation stored = {1, 0, 0, 1};
    if (!matrix) return stored;
    // 16.16 fixed point; the scale doesn't matter, only the direction of each axis.
    const int64_t m[4] = {matrix[0], matrix[1], matrix[3], matrix[4]};
    const int straight = llabs(m[0]) >= llabs(m[1]);
    const int64_t x = straight ? m[0] : m[1], x_off = straight ? m[1] : m[0];
    const int64_t y = straight ? m[3] : m[2], y_off = straight ? m[2] : m[3];
    // More than about 6° off the axes is no orientation that a camera writes.
    if (!x || !y || llabs(x_off) * 10 > llabs(x) || llabs(y_off) * 10 > llabs(y)) return stored;
    const int sx = x > 0 ? 1 : -1, sy = y > 0 ? 1 : -1;
    return straight ? (fh_orientation){sx, 0, 0, sy} : (fh_orientation){0, sx, sy, 0};
}

int fh_orientation_is_identity(fh_orientation o) { return o.a == 1 && o.d == 1; }

int fh_orientation_degrees(fh_orientation o) { return o.d == 1 ? 0 : o.c == -1 ? 90 : o.d == -1 ? 180 : 270; }

int fh_orientation_is_mirrored(fh_orientation o) { return o.a * o.d - o.b * o.c < 0; }

static uint64_t swap_blocks(uint64_t *high, uint64_t low, uint64_t mask, int shift) {
    const uint64_t difference = ((*high >> shift) ^ low) & mask;
    *high ^= difference << shift;
    return low ^ difference;
}

/// Transposes 8×8 bytes: row i, byte j becomes row j, byte i (byte 0 the least significant).
static void transpose_8x8(uint64_t r[8]) {
    for (int i = 0; i < 4; i++) r[i + 4] = swap_blocks(&r[i], r[i + 4], 0x00000000FFFFFFFFull, 32);
    for (int i = 0; i < 8; i += (i & 1) ? 3 : 1) r[i + 2] = swap_blocks(&r[i], r[i + 2], 0x0000FFFF0000FFFFull, 16);
    for (int i = 0; i < 8; i += 2) r[i + 1] = swap_blocks(&r[i], r[i + 1], 0x00FF00FF00FF00FFull, 8);
}

static uint64_t load_little_endian(const uint8_t *p) {
    uint64_t value;
    memcpy(&value, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static void store_little_endian(uint8_t *p, uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    memcpy(p, &value, 8);
}

void fh_orient_plane(fh_orientation o, const uint8_t *source, ptrdiff_t source_stride, int width, int height,
                     uint8_t *destination, ptrdiff_t destination_stride) {
    // The source pixel of shown pixel (X, Y) is first + X·step_x + Y·step_y: the inverse is the transpose.
    const ptrdiff_t step_x = o.a + o.c * source_stride, step_y = o.b + o.d * source_stride;
    const uint8_t *first = source + (o.a + o.b < 0 ? width - 1 : 0) + (o.c + o.d < 0 ? height - 1 : 0) * source_stride;
    const int turned = o.a == 0;
    const int shown_width = turned ? height : width, shown_height = turned ? width : height;
    if (!turned) {
        for (int y = 0; y < shown_height; y++) {
            const uint8_t *from = first + y * step_y;
            uint8_t *to = destination + y * destination_stride;
            if (step_x == 1) {
                memcpy(to, from, (size_t)shown_width);
            } else {
                for (int x = 0; x < shown_width; x++) to[x] = *(from - x);
            }
        }
        return;
    }
    for (int y = 0; y < shown_height; y += 8) {
        for (int x = 0; x < shown_width; x += 8) {
            const uint8_t *from = first + x * step_x + y * step_y;
            uint8_t *to = destination + y * destination_stride + x;
            if (y + 8 <= shown_height && x + 8 <= shown_width) {
                uint64_t rows[8];
                for (int i = 0; i < 8; i++) {
                    const uint8_t *row = from + i * step_x;
                    rows[i] = step_y > 0 ? load_little_endian(row) : __builtin_bswap64(load_little_endian(row - 7));
                }
                transpose_8x8(rows);
                for (int j = 0; j < 8; j++) store_little_endian(to + j * destination_stride, rows[j]);
            } else {
                for (int j = 0; j < 8 && y + j < shown_height; j++)
                    for (int i = 0; i < 8 && x + i < shown_width; i++)
                        to[j * destination_stride + i] = from[i * step_x + j * step_y];
            }
        }
    }
}
