// What a picture looks like in numbers, for telling a person what is wrong with it.
#pragma once

#include "fh_image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_statistics_options {
    /// Grid of cells for texture and noise, 1 … 32 each. Cell c of n spans columns c·width/n … (c + 1)·width/n - 1.
    int32_t columns;
    int32_t rows;
    /// Grey levels below this count as dark, levels above the other as bright, 0 … 255.
    int32_t dark_below;
    int32_t bright_above;
} fh_statistics_options;

/// Gradients are central differences, (I(x + 1) - I(x - 1)) / 2, over the pixels that have all eight neighbours.
typedef struct fh_statistics {
    /// Grey levels, over all pixels.
    float mean;
    float standard_deviation;
    /// The smallest grey level that at least so many hundredths of the pixels don't exceed.
    uint8_t percentile_1;
    uint8_t percentile_5;
    uint8_t percentile_25;
    uint8_t percentile_50;
    uint8_t percentile_75;
    uint8_t percentile_95;
    uint8_t percentile_99;
    /// Shares of the pixels, 0 … 1.
    float dark_share;
    float bright_share;
    /// Mean of the squared gradient in (grey levels per pixel)²: sharpness. 0 for pictures under 3×3.
    float gradient_energy;
    /// Standard deviation of the noise in grey levels, from the second differences (Immerkær, "Fast Noise Variance
    /// Estimation", 1996) of the cell at the 20th hundredth, among cells not clipped to black or white; an upper bound
    /// where all is textured. Negative when no cell is usable.
    float noise;
    /// Mean absolute difference to the previous picture in grey levels; negative without one.
    float change;
} fh_statistics;

/// Measures a picture in one pass. `previous` may be NULL; otherwise it has the same width and height.
/// `out_cell_texture` may be NULL; otherwise it receives columns · rows mean squared gradients, row by row.
int32_t fh_statistics_measure(const fh_image *image, const fh_image *previous, const fh_statistics_options *options,
                              fh_statistics *out_statistics, float *out_cell_texture);

#ifdef __cplusplus
}
#endif
