// Regions of the newest keyframe's picture that each show one plane: evidence where there is too little texture for
// small patches.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/camera_model.h"
#include "surfaces/picture_regions.h"
#include "surfaces/region_plane.h"

namespace foothold {

/// Half-size pixels that poses are off by; all of a region's views share that.
constexpr double region_pose_noise = 0.25;

/// A point whose depth is known, in the newest keyframe: where the search for a region's plane begins.
struct RegionSeed {
    /// Half-size pixels.
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    double inverse_depth = 0;
};

/// What is asked of the newest keyframe. Everything is in its camera's axes.
struct RegionQuestion {
    /// The newest keyframe and others, in half-size pictures and in those half as large again.
    std::span<const SmoothView> views, small_views;
    std::span<const RegionSeed> seeds;
    Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    /// Directions that upright things may face.
    std::span<const Eigen::Vector3d> uprights;
    /// Of the half-size picture's noise, grey levels.
    double noise = 1;
};

/// Finds planes of regions. Keeps the lens's rays and the memory from one keyframe to the next.
class PlanarRegions {
public:
    /// Looks at the newest keyframe. Regions most of which is known already are left alone: `is_known` says so of
    /// squares of six half-size pixels, row by row.
    void update(const RegionQuestion &question, const std::vector<uint8_t> &is_known, int columns);
    void clear();

    /// The plane that is seen at a pixel of the half-size picture; null where none is known.
    const RegionPlane *at(const Eigen::Vector2d &pixel) const;
    /// How much of a square belongs to the region in its middle, 0…1.
    double share(const Eigen::Vector2d &pixel, double half_side) const;

private:
    /// One region under way.
    struct Region {
        /// Of the question's seeds, those in it and at its edge.
        const std::vector<int> &seeds;
        /// Over the smaller pictures.
        const RegionAligner *small_aligner = nullptr;
        /// A ray, z = 1.
        Eigen::Vector3d middle = Eigen::Vector3d::UnitZ();
    };
    /// Planes that the seeds speak for, with one of these normals.
    std::vector<Eigen::Vector3d> suppose(const Region &region, const RegionQuestion &question,
                                         std::span<const Eigen::Vector3d> normals) const;
    /// The best of such planes in the smaller pictures.
    std::optional<RegionPlane> best_of(const Region &region, const RegionQuestion &question,
                                       std::span<const Eigen::Vector3d> normals, const Eigen::Matrix3Xd &freedom) const;
    /// `own_correlation`: what noise leaves of a perfect match's. `pixels`: of the half-size picture's region.
    bool is_sure(const RegionPlane &plane, const Region &region, const RegionQuestion &question, double own_correlation,
                 size_t pixels) const;
    void prepare_rays(const CameraModel &camera, CameraModel *known, std::vector<Eigen::Vector3f> *rays) const;
    std::optional<RegionPlane> plane_of(int32_t label, const RegionQuestion &question) const;
    /// The pixel of the smaller picture that is nearest to one of the half-size picture.
    static Eigen::Vector2i place_of(const Eigen::Vector2d &pixel);
    Eigen::Vector3d ray_at(const Eigen::Vector2d &pixel) const;
    /// The region's pixels without its outermost, in the half-size picture or, at scale 1, in the smaller one.
    RegionPixels pixels_of(int32_t label, int scale, const SmoothView &view,
                           std::span<const Eigen::Vector3f> rays) const;

    PictureRegions regions_;
    std::vector<cv::Rect> bounds_;
    /// By region: its index in `planes_`, or -1.
    std::vector<int> plane_of_region_;
    std::vector<RegionPlane> planes_;
    std::vector<std::vector<int>> seeds_of_region_;
    CameraModel camera_, small_camera_;
    std::vector<Eigen::Vector3f> rays_, small_rays_;
};

}  // namespace foothold
