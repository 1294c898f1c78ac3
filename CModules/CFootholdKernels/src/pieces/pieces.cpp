// Checks the arguments of comparing pieces, and has its reference.
#include "pieces/pieces.h"

#include "dispatch/arguments.h"
#include "dispatch/kernel_table.h"

#pragma clang fp contract(off)

namespace foothold::kernels {
namespace {

float Correlate(const fh_piece &piece, const fh_piece_picture &picture, fh_point center, const float *step) {
    PieceSums sums = {};
    for (int32_t row = 0; row < FH_PIECE_SIDE; ++row) {
        const float v = static_cast<float>(row - kPieceReach);
        const float row_x = center.x + step[1] * v, row_y = center.y + step[3] * v;
        for (int32_t column = 0; column < FH_PIECE_SIDE; ++column) {
            const float u = static_cast<float>(column - kPieceReach);
            const float level = LevelAt(picture, row_x + step[0] * u, row_y + step[2] * u);
            const int32_t i = row * FH_PIECE_STRIDE + column;
            const float weighted = piece.weights[i] * level;
            sums.mean[column] += weighted;
            sums.square[column] += weighted * level;
            sums.cross[column] += piece.centred[i] * level;
        }
    }
    return sums.Correlation(piece);
}

}  // namespace

void AddScalarPieces(KernelTable *table) { table->piece_correlate = Correlate; }

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

int32_t fh_piece_pairs(const fh_image *image, uint16_t *out_pairs) {
    if (!IsValid(image) || out_pairs == nullptr) return FH_KERNEL_BAD_ARGUMENT;
    for (int32_t y = 0; y < image->height; ++y, out_pairs += image->width) {
        const uint8_t *const own = Row(*image, y), *const below = y + 1 < image->height ? Row(*image, y + 1) : own;
        for (int32_t x = 0; x < image->width; ++x) out_pairs[x] = static_cast<uint16_t>(own[x] | below[x] << 8);
    }
    return FH_KERNEL_OK;
}

int32_t fh_piece_correlate(const fh_piece *piece, const fh_piece_picture *picture, fh_point center, const float step[4],
                           float *out_correlation) {
    if (piece == nullptr || !IsPicture(picture) || step == nullptr || out_correlation == nullptr)
        return FH_KERNEL_BAD_ARGUMENT;
    *out_correlation = IsPieceInside(*picture, center, step) ? Kernels().piece_correlate(*piece, *picture, center, step)
                                                             : std::numeric_limits<float>::quiet_NaN();
    return FH_KERNEL_OK;
}

}  // extern "C"
