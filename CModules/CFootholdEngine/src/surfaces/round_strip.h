// The side of a can, or of a box?
#pragma once

#include <span>

namespace foothold {

/// A point in a strip across an upright plane.
struct StripPoint {
    /// From the strip's middle, in halves of its width.
    double across = 0;
    /// In front of the plane, and the standard deviation of that, metres.
    double before = 0, sigma = 1;
};

/// So far to either side, in halves of the strip's width, and so far before and behind the plane, in the same, lies
/// what tells whether it bends.
constexpr double strip_reach = 1.5, strip_before = 0.3, strip_behind = 1.2;

/// True when the points lie on a curve that bends back to both sides by so much that the plane is no more than where
/// it touches something round: the plane's own bend, and those beside it go on like that. Beside a box's face others
/// fall back, too, but not its own, and no curve explains them all. `half_width`, metres, is of the plane's own points.
/// Parabolas are fitted, robustly (Cauchy weights).
bool is_round(std::span<const StripPoint> strip, double half_width);

}  // namespace foothold
