// Straight edges of a picture.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace foothold {

struct LineSegment {
    Eigen::Vector2d start = Eigen::Vector2d::Zero();
    Eigen::Vector2d end = Eigen::Vector2d::Zero();
    /// Standard deviation of its direction, radians.
    double direction_sigma = 1;

    double length() const { return (end - start).norm(); }
};

/// Grows regions of pixels whose gradients point the same way and fits a line to each; keeps its buffers, so that
/// pictures of one size cost no allocation after the first.
class LineSegmentDetector {
public:
    /// Segments of at least `minimum_length` pixels in an 8-bit picture, in a fixed order.
    const std::vector<LineSegment> &detect(const uint8_t *luma, int width, int height, int stride,
                                           double minimum_length);

private:
    void compute_gradients(const uint8_t *luma, int stride);
    void grow(int seed);
    bool fit(double minimum_length, LineSegment *out_segment) const;

    int width_ = 0;
    int height_ = 0;
    std::vector<float> gradient_x_, gradient_y_, magnitude_;
    std::vector<uint8_t> taken_;
    std::vector<int> order_, region_;
    std::vector<LineSegment> segments_;
};

}  // namespace foothold
