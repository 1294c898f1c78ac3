// The plane that a whole region of the picture shows, found by laying the region over other keyframes' pictures.
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <vector>

#include "fh_region.h"
#include "map_view.h"

namespace foothold {

/// A keyframe's picture, smoothed so that places between pixels are as noisy as pixels: a fit would prefer the calmer
/// ones.
struct SmoothView {
    CameraModel camera;
    Eigen::Matrix3d world_from_camera_rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d camera_in_world = Eigen::Vector3d::Zero();
    /// Grey levels; CV_32F.
    cv::Mat picture;

    explicit SmoothView(const KeyframeView &view);
    /// Of the noise's deviation, what smoothing leaves.
    static constexpr double noise_share = 0.375;
};

/// A region's pixels: where they are seen, their rays (x and y, with z = 1), and what they show.
struct RegionPixels {
    std::vector<float> ray_x, ray_y, luma;

    size_t size() const { return luma.size(); }
    void add(const Eigen::Vector3f &ray, float value) {
        ray_x.push_back(ray.x());
        ray_y.push_back(ray.y());
        luma.push_back(value);
    }
    /// Keeps every second, third … pixel, at most so many.
    void thin_out(size_t most);
};

/// m · X = 1 for the plane's points X in the newest camera's axes; a pixel's inverse depth is m · ray.
struct RegionPlane {
    Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    /// Of the region with what other pictures show in its place, the worst of them, -1…1.
    double correlation = -1;
    /// Mean squared difference that is left, and what noise and a small error of poses would leave; grey levels².
    double residual_variance = 0;
    double allowed_variance = 0;
    /// Of the squared differences, the share that would go if the plane were free to turn as it likes.
    double share_of_turning = 0;
    /// What the first two pictures say alone.
    Eigen::Vector3d lone_inverse[2] = {};
    Eigen::Matrix3d lone_covariance[2] = {};
};

/// Sums over a region, laid over another picture along a plane.
struct RegionComparison {
    /// The picture there, its change by each of the plane's three numbers, what the region's own picture shows, and the
    /// light's even part and its two slopes.
    static constexpr int terms = FH_REGION_TERMS;
    using Products = Eigen::Matrix<double, terms, terms>;
    int count = 0;
    Products products = Products::Zero();
    /// Of the weights, and of squared changes of the picture and of its place by the inverse depth.
    double weights = 0, slopes = 0, stretches = 0;
};

/// How brightness carries over to another picture: gain, then the light's even part and its two slopes.
using RegionLight = Eigen::Vector4d;

/// Aligns one region of a picture with other pictures: Gauss–Newton on the three numbers of its plane (the
/// plane-induced homography: Hartley and Zisserman, Multiple View Geometry, 13.2), together with a gain and an evenly
/// sloping light; Cauchy's weights.
class RegionAligner {
public:
    /// `views[0]` is the region's, the others are those it's laid over. `noise` is the deviation of the smooth
    /// pictures' noise, grey levels. Keeps references to all of them.
    RegionAligner(std::span<const SmoothView> views, const RegionPixels &pixels, double noise);

    /// Mean correlation over the views, without what light explains; -1 where a picture doesn't show enough of it.
    double correlation(const Eigen::Vector3d &inverse) const;
    /// Improves a plane; nothing where it comes to nothing. `others` are the constructor's other views or some of them.
    /// `freedom`: the directions (columns) in which `inverse` may change.
    std::optional<RegionPlane> refine(const Eigen::Vector3d &start, int rounds, std::span<const SmoothView> others,
                                      const Eigen::Matrix3Xd &freedom) const;
    /// `light`: what weights are from; null weighs all alike.
    RegionComparison compare(const SmoothView &other, const Eigen::Vector3d &inverse, bool wants_derivatives,
                             const RegionLight *light) const;

    /// Of the region's own picture, without an evenly sloping light; grey levels².
    double own_variance() const { return own_variance_; }

private:
    std::span<const SmoothView> views_;
    const RegionPixels &pixels_;
    double noise_;
    /// Middle of the rays and of brightness, and how far rays reach.
    Eigen::Vector2f middle_ = Eigen::Vector2f::Zero();
    float reach_ = 1, mean_luma_ = 0;
    double own_variance_ = 0;
};

}  // namespace foothold
