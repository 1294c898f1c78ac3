// How well a small piece of one picture is found in another along its epipolar line.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "map_view.h"

namespace foothold {

/// Two keyframes, ready to be matched.
struct ViewPair {
    const KeyframeView *from = nullptr;
    const KeyframeView *to = nullptr;
    Eigen::Matrix3d to_from_rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d to_from_translation = Eigen::Vector3d::Zero();

    ViewPair() = default;
    ViewPair(const KeyframeView &from, const KeyframeView &to);

    /// What pixel (u, v, 1) of `from` shows at an inverse depth (z) lies in `to` at matrix · (u, v, 1) + shift ·
    /// inverse depth, homogeneous pixels of both without the lens.
    Eigen::Matrix3d pixel_matrix() const;
    Eigen::Vector3d pixel_shift() const;

    /// Pixel in `to` of a point in `from`'s camera axes; false behind the camera or far outside the picture.
    bool project(const Eigen::Vector3d &point_in_from, Eigen::Vector2d *out_pixel) const;
};

/// A piece of a plane seen through one pixel: rays of the pixel and of its neighbours, inverse depths of the plane
/// along them (per unit of z).
struct PatchHypothesis {
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    Eigen::Vector3d ray = Eigen::Vector3d::UnitZ();
    /// Rays `patch_lever` pixels right of and below the pixel.
    Eigen::Vector3d ray_right = Eigen::Vector3d::UnitZ();
    Eigen::Vector3d ray_below = Eigen::Vector3d::UnitZ();
    double inverse_depth = 0;
    double inverse_depth_right = 0;
    double inverse_depth_below = 0;
};

constexpr double patch_lever = 4;
constexpr int patch_radius = 3;
constexpr int patch_side = 2 * patch_radius + 1;
constexpr int largest_search = 12;

enum class PatchOutcome {
    /// Found at one place only.
    found,
    /// Seen, but nothing along the line looks like it.
    different,
    /// Found at several places, or the picture varies too little along the line.
    ambiguous,
    /// Too even, for its noise, to be told from its surroundings.
    featureless,
    /// Out of the picture, seen too obliquely, or without parallax.
    not_comparable,
};

struct PatchMatch {
    PatchOutcome outcome = PatchOutcome::not_comparable;
    double inverse_depth = 0;
    /// Standard deviation of the inverse depth.
    double sigma = 0;
    /// Pixels along the line from where the hypothesis expected it.
    double shift = 0;
    /// Normalised correlation at the best place, -1…1.
    double correlation = 0;
    /// What the piece's noise lets a perfect match have.
    double expected_correlation = 0;
    /// From the piece's pixel to the middle of what tells the shift (squared changes along the line), pixels. At an
    /// edge it's the edge whose depth was found, wherever the piece's own middle lies.
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
};

/// Searches ±`search` pixels (at most `largest_search`) along the epipolar line around the hypothesis.
/// `grey_noise` is the deviation of the pictures' noise.
PatchMatch match_patch(const ViewPair &pair, const PatchHypothesis &hypothesis, int search, double grey_noise);

}  // namespace foothold
