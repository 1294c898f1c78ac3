// Turning of the camera between two pictures, from the whole picture at a tiny size.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "frontend/image_pyramid.h"
#include "geometry/camera_model.h"

namespace foothold {

/// A picture small enough to be compared as a whole: blurred, mean taken out.
struct Thumbnail {
    static constexpr int kWidth = 64;
    static constexpr int kHeight = 48;
    std::vector<float> value;
    /// Made from a pyramid level; false for an empty picture.
    void build(const ImagePyramid &pyramid);
};

/// Zero-mean normalised cross-correlation of two thumbnails, −1…1.
float correlation(const Thumbnail &a, const Thumbnail &b);

struct RotationAlignment {
    /// current_from_reference.
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    /// Correlation after alignment, −1…1.
    float correlation = 0;
};

/// Direct alignment by three angles (inverse-compositional Gauss-Newton), starting from `start`.
RotationAlignment align_rotation(const Thumbnail &reference, const Thumbnail &current, const CameraModel &camera,
                                 const Eigen::Matrix3d &start);

}  // namespace foothold
