// What lies how deep in the picture, coarsely: for hiding objects behind real things.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "depth/depth_point.h"
#include "depth/edge_filter.h"
#include "depth/plane_depth.h"
#include "frontend/image_pyramid.h"
#include "geometry/camera_model.h"
#include "geometry/se3.h"
#include "surfaces/surface.h"

namespace foothold {

/// One number for each cell, row by row. Cell (x, y) is centred on the picture's pixel (x, y) · cell_pixels.
struct DepthMap {
    int width = 0;
    int height = 0;
    int cell_pixels = 0;
    /// Along the camera's z axis, in the world's unit; 0 where nothing can be said.
    std::vector<float> depth;
    /// Standard deviation of the depth; 0 where nothing can be said.
    std::vector<float> deviation;
    /// The picture's brightness.
    std::vector<uint8_t> luma;
};

/// Not thread-safe. Deterministic: the same calls give the same maps. Where it is a close thing, what the last map said
/// is kept, so that borders don't flicker. Takes no memory once it has grown.
class DepthMapper {
public:
    /// The pyramid's level whose pixels are the cells.
    static constexpr int level = 3;

    /// The depth of one picture. `lasting` and `fresh` are points that may be seen in it.
    const DepthMap &map(const ImagePyramid &pyramid, const CameraModel &camera, const SE3 &world_from_camera,
                        std::span<const Surface> surfaces, std::span<const DepthPoint> lasting,
                        std::span<const DepthPoint> fresh);
    /// The next picture is of another world, or the world has changed its frame.
    void forget() { last_pose_.reset(); }

private:
    /// A point in the picture.
    struct Seed {
        /// Cells.
        float x, y;
        float inverse_depth;
        float relative_variance;
        float weight;
        bool is_fresh;
        /// Of the picture where it lies.
        float luma;
        size_t cell(int width) const;
    };
    /// Seeds are told apart by where they lie: before the surface or the mean of their surroundings, on the surface, or
    /// behind.
    enum Layer { before, on, behind };
    static constexpr int layers = 3;
    static constexpr int moments = 4;
    /// Of all layers together only how much there is and the mean are asked for.
    static constexpr int mean_moments = 2;

    /// What a cell was told of one layer.
    struct Told {
        float mass = 0;
        float inverse_depth = 0;
        /// Squares of shares of the depth: how much the seeds differ, and how wrong each may be.
        float spread = 0;
        float variance = 0;
    };

    void look_through(const CameraModel &camera, int width, int height);
    /// `half` is the picture at half its size.
    void place_seeds(std::span<const DepthPoint> points, const CameraModel &camera, const SE3 &world_from_camera,
                     const ImageView &half);
    /// Drops seeds that weren't seen lately and that something nearer hides.
    void drop_hidden();
    /// 0…1: how likely a cell beside a seed shows the same thing. At an edge of the picture one side isn't the seed's.
    float likeness(const Seed &seed, size_t cell) const;
    /// Calls `add(cell, mass)` for the cells around a seed.
    template <typename Add>
    void lay_down(const Seed &seed, Add add) const;
    void spread_all();
    Layer layer_of(const Seed &seed) const;
    void spread_layers();
    static Told told(const float *values);
    /// Moves the last map to where the camera is now.
    void expect(const SE3 &world_from_camera);
    /// How much more a depth counts in a cell where the last map said the same.
    float habit(size_t cell, float inverse_depth) const;
    void judge(size_t cell);
    void judge_beside_plane(size_t cell, const Told &near, const Told &level_with, const Told &far);
    void say(size_t cell, float inverse_depth, float relative_variance);

    DepthMap map_;
    EdgeFilter filter_;
    PlaneDepth plane_depth_;
    CameraModel camera_;
    std::vector<Eigen::Vector2f> rays_;
    std::vector<PlaneCell> planes_;
    std::vector<Seed> seeds_;
    /// The nearest fresh seed in or beside each cell, as an inverse depth.
    std::vector<float> nearest_;
    std::vector<float> all_, layered_;
    /// Where the last map was made, and what it says of the present picture: inverse depths, 0 for nothing.
    std::optional<SE3> last_pose_;
    std::vector<float> expected_;
};

}  // namespace foothold
