// Comparing pieces for Highway's targets, a lane a column.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pieces/pieces_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <cstring>

#include "dispatch/kernel_table.h"
#include "pieces/pieces.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

#include "pieces/blend_body.h"

float Correlate(const fh_piece &piece, const fh_piece_picture &picture, fh_point center, const float *step) {
    const hn::CappedTag<float, FH_PIECE_STRIDE> d;
    const hn::RebindToSigned<decltype(d)> di;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    // All pixels are fetched between two passes: a vector that was just written in pieces can't be read at once.
    alignas(64) int32_t offsets[kPieceSamples], pixels[kPieceSamples];
    alignas(64) float shares_x[kPieceSamples], shares_y[kPieceSamples];
    const auto stride = hn::Set(di, picture.stride);
    for (int32_t part = 0; part < FH_PIECE_STRIDE; part += lanes) {
        const auto u = hn::Iota(d, static_cast<float>(part - kPieceReach));
        const auto across_x = hn::Mul(hn::Set(d, step[0]), u), across_y = hn::Mul(hn::Set(d, step[2]), u);
        for (int32_t row = 0; row < FH_PIECE_SIDE; ++row) {
            const float v = static_cast<float>(row - kPieceReach);
            const auto x = hn::Add(hn::Set(d, center.x + step[1] * v), across_x);
            const auto y = hn::Add(hn::Set(d, center.y + step[3] * v), across_y);
            const auto at_x = hn::ConvertTo(di, x), at_y = hn::ConvertTo(di, y);
            const int32_t i = row * FH_PIECE_STRIDE + part;
            hn::Store(hn::Add(hn::Mul(at_y, stride), at_x), di, offsets + i);
            hn::Store(hn::Sub(x, hn::ConvertTo(d, at_x)), d, shares_x + i);
            hn::Store(hn::Sub(y, hn::ConvertTo(d, at_y)), d, shares_y + i);
        }
    }
    for (int32_t i = 0; i < kPieceSamples; i += FH_PIECE_STRIDE) {
        for (int32_t column = 0; column < FH_PIECE_SIDE; ++column) {
            std::memcpy(pixels + i + column, picture.pairs + offsets[i + column], 4);
        }
        // The eighth place may be outside.
        pixels[i + FH_PIECE_SIDE] = 0;
    }
    PieceSums sums;
    for (int32_t part = 0; part < FH_PIECE_STRIDE; part += lanes) {
        auto mean = hn::Zero(d), square = hn::Zero(d), cross = hn::Zero(d);
        for (int32_t i = part; i < kPieceSamples; i += FH_PIECE_STRIDE) {
            const auto level =
                LevelsBetween(d, hn::Load(di, pixels + i), hn::Load(d, shares_x + i), hn::Load(d, shares_y + i));
            const auto weighted = hn::Mul(hn::LoadU(d, piece.weights + i), level);
            mean = hn::Add(mean, weighted);
            square = hn::Add(square, hn::Mul(weighted, level));
            cross = hn::Add(cross, hn::Mul(hn::LoadU(d, piece.centred + i), level));
        }
        hn::Store(mean, d, sums.mean + part);
        hn::Store(square, d, sums.square + part);
        hn::Store(cross, d, sums.cross + part);
    }
    return sums.Correlation(piece);
}

void AddPieces(KernelTable *table) { table->piece_correlate = Correlate; }

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorPieces(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddPieces, table) }
}  // namespace foothold::kernels
#endif
