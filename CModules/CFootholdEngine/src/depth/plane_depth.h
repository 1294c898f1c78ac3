// How deep the surfaces that are known lie behind each cell of a picture.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/se3.h"
#include "surfaces/surface.h"

namespace foothold {

/// The surface nearest to the camera in a cell; inverse depth 0 where there is none.
struct PlaneCell {
    float inverse_depth = 0;
    /// Standard deviation as a share of the depth.
    float relative_sigma = 0;
};

/// Keeps its memory from picture to picture.
class PlaneDepth {
public:
    /// `rays` are where the cells look (x/z, y/z), row by row; they are borrowed.
    void look_along(std::span<const Eigen::Vector2f> rays, int width, int height);
    /// Writes one cell for each ray.
    void draw(std::span<const Surface> surfaces, const SE3 &world_from_camera, std::vector<PlaneCell> *out_cells);

private:
    /// Fills `mask_` with the outline, which lies in an even grid over everything that the rays see.
    bool fill_outline(const Surface &surface, const SE3 &camera_from_world);
    std::span<const Eigen::Vector2f> rays_;
    Eigen::Vector2d low_, cells_per_unit_;
    /// Where in the even grid each ray is.
    std::vector<uint32_t> place_;
    int width_ = 0;
    int height_ = 0;
    std::vector<Eigen::Vector3d> outline_, clipped_;
    std::vector<double> crossings_;
    std::vector<uint8_t> mask_;
    int first_row_ = 0, last_row_ = -1;
};

}  // namespace foothold
