// The side of a can, or of a box?
#pragma once

#include <Eigen/Core>
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

/// How far a place lies outside a circle, below 0 within; `derivative` is by the circle: its middle's x and y and its
/// radius.
double distance_from_circle(const Eigen::Vector2d &place, const Eigen::Vector3d &circle, Eigen::Vector3d *derivative);

/// True when the points lie on a circle, and much better on it than on any line: the plane is no more than where it
/// touches something round. Beside a box's face others fall back, too, but at right angles. `half_width`, metres, is of
/// the plane's own points; the circle is no wider than five times that. Fitted to the distances from it, robustly
/// (Cauchy's weights), by Gauss-Newton (Gander, Golub & Strebel, "Least-squares fitting of circles and ellipses",
/// 1994).
bool is_round(std::span<const StripPoint> strip, double half_width);

}  // namespace foothold
