// Reference of the lens kernels: what every other version must equal. Operations are in one order everywhere, and
// products and sums are never fused, so that results agree to the last bit.
#include <cmath>
#include <limits>

#include "dispatch/kernel_table.h"
#include "lens/lens_model.h"

#pragma clang fp contract(off)

namespace foothold::kernels {

namespace {

struct Pair {
    double x, y;
};

constexpr Pair kNowhere = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

double Polynomial(const double *coefficients, int count, double x) {
    double sum = coefficients[count - 1];
    for (int i = count - 2; i >= 0; --i) sum = sum * x + coefficients[i];
    return sum;
}

/// Of a non-negative number.
double ArcTangent(double x) {
    double base = 0, reduced = x;
    if (x > kTanThreeEighths) {
        base = kHalfPi;
        reduced = -1.0 / x;
    } else if (x > kTanEighth) {
        base = kQuarterPi;
        reduced = (x - 1.0) / (x + 1.0);
    }
    return base + reduced * Polynomial(kArcTangent, kArcTangentCount, reduced * reduced);
}

/// Of an angle 0 … π/2.
double Tangent(double angle) {
    const double half = 0.5 * angle;
    const double t = half * Polynomial(kTangent, kTangentCount, half * half);
    return (t + t) / (1.0 - t * t);
}

double FisheyeAngle(const fh_lens &lens, double theta) {
    const double t = theta * theta;
    return theta * (1.0 + t * (lens.k[0] + t * (lens.k[1] + t * (lens.k[2] + t * lens.k[3]))));
}

double FisheyeSlope(const fh_lens &lens, double theta) {
    const double t = theta * theta;
    return 1.0 + t * (3.0 * lens.k[0] + t * (5.0 * lens.k[1] + t * (7.0 * lens.k[2] + t * (9.0 * lens.k[3]))));
}

/// Normalised to distorted, both without focal length and centre.
Pair Distorted(const fh_lens &lens, Pair p) {
    switch (lens.model) {
        case FH_LENS_RADIAL_TANGENTIAL: {
            const double xx = p.x * p.x, yy = p.y * p.y, xy = p.x * p.y;
            const double r2 = xx + yy;
            const double radial = 1.0 + r2 * (lens.k[0] + r2 * (lens.k[1] + r2 * lens.k[4]));
            const double p1 = lens.k[2], p2 = lens.k[3];
            return {p.x * radial + ((p1 + p1) * xy + p2 * (r2 + (xx + xx))),
                    p.y * radial + (p1 * (r2 + (yy + yy)) + (p2 + p2) * xy)};
        }
        case FH_LENS_FISHEYE: {
            const double r = std::sqrt(p.x * p.x + p.y * p.y);
            const double scale = r > kSmallRadius ? FisheyeAngle(lens, ArcTangent(r)) / r : 1.0;
            return {p.x * scale, p.y * scale};
        }
        default:
            return p;
    }
}

/// Newton's method in two dimensions with the model's derivatives.
Pair UndistortedRadial(const fh_lens &lens, Pair goal) {
    const double p1 = lens.k[2], p2 = lens.k[3];
    Pair at = goal;
    for (int i = 0; i < kNewtonSteps; ++i) {
        const Pair seen = Distorted(lens, at);
        const double ex = seen.x - goal.x, ey = seen.y - goal.y;
        if (ex * ex + ey * ey <= kSmallErrorSquared) return at;
        const double xx = at.x * at.x, yy = at.y * at.y, xy = at.x * at.y;
        const double r2 = xx + yy;
        const double radial = 1.0 + r2 * (lens.k[0] + r2 * (lens.k[1] + r2 * lens.k[4]));
        const double slope = lens.k[0] + r2 * (2.0 * lens.k[1] + r2 * (3.0 * lens.k[4]));
        const double jxx = radial + 2.0 * (xx * slope) + (2.0 * (p1 * at.y) + 6.0 * (p2 * at.x));
        const double jyy = radial + 2.0 * (yy * slope) + (6.0 * (p1 * at.y) + 2.0 * (p2 * at.x));
        const double jxy = 2.0 * (xy * slope) + (2.0 * (p1 * at.x) + 2.0 * (p2 * at.y));
        const double determinant = jxx * jyy - jxy * jxy;
        at.x = at.x - (jyy * ex - jxy * ey) / determinant;
        at.y = at.y - (jxx * ey - jxy * ex) / determinant;
    }
    return kNowhere;
}

/// Newton's method for the angle from the axis.
Pair UndistortedFisheye(const fh_lens &lens, Pair goal) {
    const double r = std::sqrt(goal.x * goal.x + goal.y * goal.y);
    if (!(r > kSmallRadius)) return goal;
    double theta = r < kQuarterPi ? r : kQuarterPi;
    for (int i = 0; i < kNewtonSteps; ++i) {
        const double error = FisheyeAngle(lens, theta) - r;
        if (error * error <= kSmallErrorSquared) {
            if (!(theta > 0.0 && theta < kHalfPi)) return kNowhere;
            const double scale = Tangent(theta) / r;
            return {goal.x * scale, goal.y * scale};
        }
        theta = theta - error / FisheyeSlope(lens, theta);
    }
    return kNowhere;
}

void LensDistort(const fh_lens &lens, const double *points, int32_t count, double *out_pixels) {
    for (int32_t i = 0; i < count; ++i) {
        const Pair d = Distorted(lens, {points[2 * i], points[2 * i + 1]});
        out_pixels[2 * i] = lens.fx * d.x + lens.cx;
        out_pixels[2 * i + 1] = lens.fy * d.y + lens.cy;
    }
}

void LensUndistort(const fh_lens &lens, const double *pixels, int32_t count, double *out_points) {
    for (int32_t i = 0; i < count; ++i) {
        const Pair goal = {(pixels[2 * i] - lens.cx) / lens.fx, (pixels[2 * i + 1] - lens.cy) / lens.fy};
        const Pair p = lens.model == FH_LENS_RADIAL_TANGENTIAL ? UndistortedRadial(lens, goal)
                       : lens.model == FH_LENS_FISHEYE         ? UndistortedFisheye(lens, goal)
                                                               : goal;
        out_points[2 * i] = p.x;
        out_points[2 * i + 1] = p.y;
    }
}

}  // namespace

void AddScalarLens(KernelTable *table) {
    table->lens_distort = LensDistort;
    table->lens_undistort = LensUndistort;
}

}  // namespace foothold::kernels
