// Constants of the lens kernels that every version shares.
#pragma once

namespace foothold::kernels {

/// tan(x) / x as a polynomial in x², for |x| ≤ π/4, to 4e-16; fitted at Chebyshev's nodes.
constexpr double kTangent[] = {
    0.9999999999999999,     0.3333333333334329,     0.13333333332287514,    0.05396825439971688,
    0.021869479276435237,   0.008863354135267778,   0.0035911482420095306,  0.0014612968413537967,
    0.0005689683855313778,  0.00029569455086240516, -7.914480556257786e-06, 0.00016893455604491235,
    -8.319991498473964e-05, 4.49595406143807e-05,
};
constexpr int kTangentCount = static_cast<int>(sizeof(kTangent) / sizeof(kTangent[0]));

/// atan(x) / x as a polynomial in x², for |x| ≤ tan(π/8), to 2e-16.
constexpr double kArcTangent[] = {
    1.0,
    -0.3333333333332844,
    0.1999999999885511,
    -0.14285714180976467,
    0.11111106180455946,
    -0.09090773074808414,
    0.07689953496306857,
    -0.06640233930429408,
    0.056883492268090106,
    -0.04348052215716462,
    0.021135373157693246,
};
constexpr int kArcTangentCount = static_cast<int>(sizeof(kArcTangent) / sizeof(kArcTangent[0]));

constexpr double kHalfPi = 1.5707963267948966;
constexpr double kQuarterPi = 0.7853981633974483;
/// tan(π/8) and tan(3π/8).
constexpr double kTanEighth = 0.41421356237309503;
constexpr double kTanThreeEighths = 2.414213562373095;

/// Newton's method ends below this error (squared, in normalised units), or after so many steps without a result.
constexpr double kSmallErrorSquared = 1e-28;
constexpr int kNewtonSteps = 30;
/// Nearer to the axis than this, a fisheye changes nothing.
constexpr double kSmallRadius = 1e-9;

}  // namespace foothold::kernels
