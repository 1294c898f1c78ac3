// What the versions of comparing pieces share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "fh_pieces.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

constexpr int32_t kPieceReach = FH_PIECE_SIDE / 2;
constexpr int32_t kPieceSamples = FH_PIECE_SIDE * FH_PIECE_STRIDE;
/// Pixels that a piece stays away from the edge, more than what rounding moves it.
constexpr float kPieceMargin = 0.01f;
/// Variance in (grey levels)² below which there is no contrast.
constexpr float kLeastPieceVariance = 1e-3f;

/// Whether all samples, and those that each lies between, are in the picture.
inline bool IsPieceInside(const fh_piece_picture &picture, fh_point center, const float *step) {
    const float reach_x = kPieceReach * (std::abs(step[0]) + std::abs(step[1])) + kPieceMargin;
    const float reach_y = kPieceReach * (std::abs(step[2]) + std::abs(step[3])) + kPieceMargin;
    // False for what isn't a number, too.
    return center.x - reach_x >= 0 && center.x + reach_x <= static_cast<float>(picture.width - 1) &&
           center.y - reach_y >= 0 && center.y + reach_y <= static_cast<float>(picture.height - 1);
}

/// The level at a place that lies between four pixels, bilinearly.
inline float LevelAt(const fh_piece_picture &picture, float x, float y) {
    const int32_t at_x = static_cast<int32_t>(x), at_y = static_cast<int32_t>(y);
    const float share_x = x - static_cast<float>(at_x), share_y = y - static_cast<float>(at_y);
    const uint16_t *pair = picture.pairs + static_cast<ptrdiff_t>(at_y) * picture.stride + at_x;
    const auto between = [&](uint16_t levels) {
        const float top = static_cast<float>(levels & 255), bottom = static_cast<float>(levels >> 8);
        return top + share_y * (bottom - top);
    };
    const float left = between(pair[0]), right = between(pair[1]);
    return left + share_x * (right - left);
}

/// Sums over each column of a piece: of the weighted levels, of their weighted squares, and of the levels times the
/// piece's own centred ones.
struct PieceSums {
    alignas(64) float mean[FH_PIECE_STRIDE], square[FH_PIECE_STRIDE], cross[FH_PIECE_STRIDE];

    float Correlation(const fh_piece &piece) const {
        const auto add = [](const float *s) {
            return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        };
        const float all = add(mean), variance = add(square) - all * all;
        return variance > kLeastPieceVariance ? add(cross) / (piece.deviation * std::sqrt(variance)) : -1;
    }
};

}  // namespace foothold::kernels
