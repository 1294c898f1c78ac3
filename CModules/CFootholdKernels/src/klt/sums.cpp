// From sums to steps. Gain and offset are projected out of the gradients (Schur complement), which is linear and so is
// done on the sums.
#include "klt/sums.h"

#include <algorithm>
#include <cmath>

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

double Pixels(const fh_template &patch) {
    return static_cast<double>(patch.right - patch.left) * (patch.bottom - patch.top);
}

/// Sums of squares of values at 1/4 grey level, as a variance in (grey levels)².
double Variance(double sum_of_squares, double pixels) { return sum_of_squares / (16 * pixels); }

}  // namespace

bool FinishTemplate(const TemplateSums &sums, fh_template *patch) {
    const double n = Pixels(*patch);
    patch->min_eigenvalue = 0;
    // Less than a quarter of the window says too little.
    if (patch->right <= patch->left || patch->bottom <= patch->top || 4 * n < patch->window * patch->window) {
        return false;
    }
    const double q = sums.q, x = sums.x, y = sums.y;
    patch->mean_value = q / n;
    patch->value_variation = sums.qq - q * q / n;
    patch->standard_deviation = static_cast<float>(std::sqrt(std::max(Variance(patch->value_variation, n), 0.0)));
    patch->mean_gradient_x = patch->mean_gradient_y = 0;
    patch->value_gradient_x = patch->value_gradient_y = 0;
    double xx = sums.xx, xy = sums.xy, yy = sums.yy;
    patch->own_x = sums.xt;
    patch->own_y = sums.yt;
    if (patch->brightness >= FH_BRIGHTNESS_OFFSET) {
        patch->mean_gradient_x = x / n;
        patch->mean_gradient_y = y / n;
        xx -= x * x / n;
        xy -= x * y / n;
        yy -= y * y / n;
        patch->own_x -= patch->mean_gradient_x * sums.t;
        patch->own_y -= patch->mean_gradient_y * sums.t;
    }
    if (patch->brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
        if (Variance(patch->value_variation, n) < kLeastVariance) return false;
        patch->value_gradient_x = sums.xq - x * patch->mean_value;
        patch->value_gradient_y = sums.yq - y * patch->mean_value;
        const double share_x = patch->value_gradient_x / patch->value_variation;
        const double share_y = patch->value_gradient_y / patch->value_variation;
        xx -= share_x * patch->value_gradient_x;
        xy -= share_x * patch->value_gradient_y;
        yy -= share_y * patch->value_gradient_y;
        const double own_value = sums.qt - patch->mean_value * sums.t;
        patch->own_x -= share_x * own_value;
        patch->own_y -= share_y * own_value;
    }
    const double root = std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
    const double smaller = 0.5 * (xx + yy - root);
    const double determinant = xx * yy - xy * xy;
    if (!(smaller > 0) || !(determinant > 1e-9 * (xx + yy) * (xx + yy))) return false;
    patch->min_eigenvalue = static_cast<float>(smaller / (64 * n));
    patch->inverse_xx = yy / determinant;
    patch->inverse_xy = -xy / determinant;
    patch->inverse_yy = xx / determinant;
    return true;
}

Step SolveStep(const fh_template &patch, const StepSums &sums) {
    const double i = sums.i;
    // The picture's products with the gradients after the brightness is taken out of them, minus the template's own.
    double bx = sums.xi - patch.mean_gradient_x * i - patch.own_x;
    double by = sums.yi - patch.mean_gradient_y * i - patch.own_y;
    double value = 0;
    if (patch.brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
        value = sums.qi - patch.mean_value * i;
        const double share = value / patch.value_variation;
        bx -= share * patch.value_gradient_x;
        by -= share * patch.value_gradient_y;
    }
    // Gradients are in 1/8, the picture in 1/32: the quotient is four times too large.
    double ux = 0.25 * (patch.inverse_xx * bx + patch.inverse_xy * by);
    double uy = 0.25 * (patch.inverse_xy * bx + patch.inverse_yy * by);
    double gain = 1;
    if (patch.brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
        // Jointly with the shift: what the shift explains is no gain.
        const double explained = 0.5 * (patch.value_gradient_x * ux + patch.value_gradient_y * uy);
        gain = (0.125 * value - explained) / patch.value_variation;
        const double divisor = std::clamp(gain, kLeastGain, kMostGain);
        ux /= divisor;
        uy /= divisor;
    }
    return {-ux, -uy, gain};
}

Likeness Compare(const fh_template &patch, const StepSums &sums, const LikenessSums &likeness) {
    const double n = Pixels(patch);
    const double mean = likeness.e / n;
    const double variation = std::max(likeness.ee - mean * likeness.e, 0.0);
    const double cross = 0.125 * (sums.qi - patch.mean_value * sums.i);
    const double both = std::sqrt(variation * std::max(patch.value_variation, 0.0));
    const double correlation = both > 0 ? std::clamp(cross / both, -1.0, 1.0) : 0;
    double left_over = 0;
    switch (patch.brightness) {
        case FH_BRIGHTNESS_GAIN_OFFSET:
            left_over = variation * (1 - correlation * correlation);
            break;
        case FH_BRIGHTNESS_OFFSET:
            left_over = variation + patch.value_variation - 2 * cross;
            break;
        default: {
            const double offset = mean - patch.mean_value;
            left_over = variation + patch.value_variation - 2 * cross + n * offset * offset;
            break;
        }
    }
    return {static_cast<float>(correlation), static_cast<float>(std::sqrt(std::max(Variance(left_over, n), 0.0)))};
}

}  // namespace foothold::kernels
