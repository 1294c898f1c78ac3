// Sampling and alignment of one template in terms of three operations, compiled once per instruction set: included
// inside a namespace that defines
//   struct Operations {
//     static int32_t SampleAffine(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride);
//     static void SampleRim(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy, int32_t side,
//                           int16_t *rim);
//     static void SumTemplate(const int16_t *rim, bool smooth, fh_template *patch, TemplateSums *sums);
//     static void SumPicture(const uint8_t *top_left, ptrdiff_t stride, int32_t wx, int32_t wy,
//                            const fh_template &patch, StepSums *sums, LikenessSums *likeness);
//   };
// where SumPicture may leave out `qi` unless the template's gain is solved for or `likeness` isn't null.
// No include guard for that reason. The includer switches contraction of floating-point products off, so that every
// instruction set rounds alike.

/// A position split into a pixel and weights of its right and lower neighbours in 1/32768.
struct Sampling {
    int32_t x, y, wx, wy;
};

/// Of the top-left pixel of a window around a centre.
inline Sampling SampleAt(float center_x, float center_y, float reach) {
    const float x = center_x - reach, y = center_y - reach;
    const float floor_x = std::floor(x), floor_y = std::floor(y);
    return {static_cast<int32_t>(floor_x), static_cast<int32_t>(floor_y), static_cast<int32_t>((x - floor_x) * 32768),
            static_cast<int32_t>((y - floor_y) * 32768)};
}

inline const uint8_t *PixelAt(const fh_image &image, const Sampling &at) {
    return image.data + static_cast<ptrdiff_t>(at.y) * image.stride + at.x;
}

inline int32_t RowStrideOf(int32_t window) { return window <= 8 ? 8 : window <= 16 ? 16 : 32; }

/// Index of the first sample at 0 or beyond, of samples one apart from `first` on.
inline int32_t FirstInside(float first) { return first < 0 ? static_cast<int32_t>(std::ceil(-first)) : 0; }

/// A sampled patch with a rim of one pixel for gradients.
struct alignas(64) Rim {
    int16_t of[kRimSide * kRimStride];
};

/// Samples a template at a place in a level; SumTemplate and FinishTemplate make it ready.
inline void SampleTemplate(const fh_image &level, float x, float y, int32_t window, int32_t brightness,
                           fh_template *patch, Rim *rim) {
    patch->window = window;
    patch->row_stride = RowStrideOf(window);
    patch->brightness = brightness;
    patch->outside_count = 0;
    const float reach = 0.5f * static_cast<float>(window - 1);
    patch->left = FirstInside(x - reach);
    patch->top = FirstInside(y - reach);
    patch->right = window - FirstInside(static_cast<float>(level.width - 1) - (x + reach));
    patch->bottom = window - FirstInside(static_cast<float>(level.height - 1) - (y + reach));
    const Sampling at = SampleAt(x, y, reach + 1);
    Operations::SampleRim(PixelAt(level, at), level.stride, at.wx, at.wy, window + 2, rim->of);
}

/// A template warped by a matrix, from any picture; samples outside repeat its edge.
inline void SampleWarpedTemplate(const fh_image &source, fh_point center, const float *step, int32_t window,
                                 int32_t brightness, fh_template *patch, Rim *rim) {
    patch->window = window;
    patch->row_stride = RowStrideOf(window);
    patch->brightness = brightness;
    patch->left = patch->top = 0;
    patch->right = patch->bottom = window;
    patch->outside_count =
        Operations::SampleAffine(source, {center, step, window + 2, window + 2}, rim->of, kRimStride);
}

/// How an alignment went.
struct Alignment {
    int32_t status;
    int32_t iterations;
    float x, y;
    float gain;
    Likeness likeness;
};

/// Moves from `x`, `y`; leaves them where they were when the search left the picture or went too far.
inline Alignment Align(const fh_template &patch, const fh_image &level, float x, float y, int32_t max_iterations,
                       float epsilon, float max_shift, bool compare) {
    Alignment result = {FH_TRACK_DIVERGED, 0, x, y, 1, {0, 0}};
    const float reach = 0.5f * static_cast<float>(patch.window - 1);
    const double start_x = x, start_y = y;
    double at_x = x, at_y = y;
    double length = 0;
    Step before = {0, 0, 1};
    StepSums sums = {};
    LikenessSums likeness = {};
    while (result.iterations < max_iterations) {
        const Sampling at = SampleAt(static_cast<float>(at_x), static_cast<float>(at_y), reach);
        Operations::SumPicture(PixelAt(level, at), level.stride, at.wx, at.wy, patch, &sums,
                               compare ? &likeness : nullptr);
        Step step = SolveStep(patch, sums);
        ++result.iterations;
        result.gain = static_cast<float>(step.gain);
        // Steps that take each other back would go on for ever: half of the last one ends it.
        const double turn_x = step.x + before.x, turn_y = step.y + before.y;
        const bool swings = result.iterations > 1 && turn_x * turn_x + turn_y * turn_y < epsilon * epsilon;
        if (swings) {
            step.x *= 0.5;
            step.y *= 0.5;
        }
        at_x += step.x;
        at_y += step.y;
        if (!IsReadable(level, static_cast<float>(at_x), static_cast<float>(at_y))) {
            result.status = FH_TRACK_OUTSIDE;
            return result;
        }
        const double far_x = at_x - start_x, far_y = at_y - start_y;
        if (far_x * far_x + far_y * far_y > static_cast<double>(max_shift) * max_shift) return result;
        length = std::sqrt(step.x * step.x + step.y * step.y);
        before = step;
        if (length < epsilon || swings) break;
    }
    // Out of steps is still found when they had become small.
    result.x = static_cast<float>(at_x);
    result.y = static_cast<float>(at_y);
    if (compare) result.likeness = Compare(patch, sums, likeness);
    if (length < std::max(static_cast<double>(epsilon), kSmallStep)) result.status = FH_TRACK_FOUND;
    return result;
}

void PatchAlign(const fh_template &patch, const fh_image &image, const fh_align_options &options, fh_point *position,
                fh_align_result *result) {
    *result = {FH_TRACK_OUTSIDE, 0, 0, 1, 0};
    if (!(patch.min_eigenvalue > 0) || patch.min_eigenvalue < options.min_eigenvalue) {
        result->status = FH_TRACK_FLAT;
        return;
    }
    if (!IsReadable(image, position->x, position->y)) return;
    const Alignment found =
        Align(patch, image, position->x, position->y, options.max_iterations, options.epsilon, options.max_shift, true);
    *result = {found.status, found.iterations, found.likeness.correlation, found.gain, found.likeness.residual};
    if (found.status != FH_TRACK_FOUND) return;
    *position = {found.x, found.y};
    if (found.likeness.correlation < options.min_correlation) result->status = FH_TRACK_UNLIKE;
}

void TemplateSample(const fh_image &source, fh_point center, const float *step, int32_t window, int32_t brightness,
                    fh_template *out) {
    Rim rim;
    SampleWarpedTemplate(source, center, step, window, brightness, out, &rim);
    TemplateSums sums;
    Operations::SumTemplate(rim.of, false, out, &sums);
    FinishTemplate(sums, out);
}
