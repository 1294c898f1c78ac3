// What every instruction set's tracking agrees on: how each level is searched, and what becomes of a point in the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fh_klt.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

/// Steps at coarse levels end below this, in pixels of the level: what is left is found at the next one.
constexpr float kCoarseEpsilon = 0.1f;

/// Out of steps is still found when they had become as small as this.
constexpr double kSmallStep = 0.1;

/// How a level is searched. Far from the goal, smoothed gradients and fewer freedoms catch more points, and rough steps
/// are enough.
struct LevelSearch {
    bool is_finest;
    bool smooth;
    int32_t brightness;
    float epsilon;
    /// Of a level-0 pixel.
    float scale;
};

inline LevelSearch SearchOf(int32_t level, const fh_klt_options &options) {
    const bool is_finest = level == options.finest_level;
    return {is_finest, !is_finest,
            is_finest ? options.brightness : std::min<int32_t>(options.brightness, FH_BRIGHTNESS_OFFSET),
            is_finest ? options.epsilon : std::max(options.epsilon, kCoarseEpsilon),
            1.0f / static_cast<float>(1 << level)};
}

/// False for what isn't a number.
inline bool IsInside(const fh_image &picture, float x, float y) {
    return x >= 0 && y >= 0 && x <= static_cast<float>(picture.width - 1) &&
           y <= static_cast<float>(picture.height - 1);
}

/// Whether a window around the position lies within the level's border. False for what isn't a number.
inline bool IsReadable(const fh_image &image, float x, float y) {
    return x >= -1 && y >= -1 && x <= static_cast<float>(image.width) && y <= static_cast<float>(image.height);
}

/// A point that was searched down to the finest level.
inline void Conclude(const fh_image &picture, float x, float y, const fh_klt_options &options, fh_point *goal,
                     fh_klt_result *result) {
    if (result->status != FH_TRACK_FOUND) return;
    if (!IsInside(picture, x, y)) {
        result->status = FH_TRACK_OUTSIDE;
        return;
    }
    *goal = {x, y};
    const bool unlike = result->correlation < options.min_correlation ||
                        (options.max_residual > 0 && result->residual > options.max_residual);
    if (unlike) result->status = FH_TRACK_UNLIKE;
}

/// The way back starts as far off as the prediction was.
inline fh_point StartOfWayBack(const fh_image &picture, fh_point start, fh_point predicted, fh_point found) {
    const fh_point back = {start.x + (found.x - predicted.x), start.y + (found.y - predicted.y)};
    return {std::min(std::max(back.x, 0.0f), static_cast<float>(picture.width - 1)),
            std::min(std::max(back.y, 0.0f), static_cast<float>(picture.height - 1))};
}

inline void InvertStep(const float *step, float *inverse) {
    const float determinant = step[0] * step[3] - step[1] * step[2];
    inverse[0] = step[3] / determinant;
    inverse[1] = -step[1] / determinant;
    inverse[2] = -step[2] / determinant;
    inverse[3] = step[0] / determinant;
}

inline void ConcludeWayBack(const fh_klt_result &way_back, fh_point start, fh_point back, const fh_klt_options &options,
                            fh_klt_result *result) {
    result->iterations += way_back.iterations;
    const float dx = back.x - start.x, dy = back.y - start.y;
    result->forward_backward = std::sqrt(dx * dx + dy * dy);
    const bool returned = way_back.status == FH_TRACK_FOUND || way_back.status == FH_TRACK_UNLIKE;
    if (!returned || !(result->forward_backward <= options.max_forward_backward)) {
        result->status = FH_TRACK_INCONSISTENT;
    }
}

inline int32_t CoarsestLevel(const fh_pyramid &from, const fh_pyramid &to, const fh_klt_options &options) {
    return std::min(options.coarsest_level, std::min(from.level_count, to.level_count) - 1);
}

}  // namespace foothold::kernels
