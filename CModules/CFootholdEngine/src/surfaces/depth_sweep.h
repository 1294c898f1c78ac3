// The depth of the whole newest keyframe's picture, compared with others at a row of distances: evidence where small
// pieces alone have too little texture.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <initializer_list>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "fh_sweep.h"
#include "map_view.h"
#include "surfaces/patch_match.h"

namespace foothold {

/// A piece of plane that a square of the picture shows.
struct SweptCell {
    /// Of the square's middle, and its change a half-size pixel to the right and below (without the lens).
    double inverse_depth = 0;
    Eigen::Vector2d slope = Eigen::Vector2d::Zero();
    /// Standard deviation of the inverse depth; 0 where nothing is known.
    double sigma = 0;
    /// The same change over a wider window; only where that's one plane.
    Eigen::Vector2d wide_slope = Eigen::Vector2d::Zero();
    bool has_wide_slope = false;

    const Eigen::Vector2d &widest_slope() const { return has_wide_slope ? wide_slope : slope; }
};

/// What was known of the depth of a keyframe's picture when it was looked at, by quarters of its squares.
struct KeptDepth {
    int columns = 0;
    /// By quarter: the inverse depth at its middle, and its change a half-size pixel to the right and below (without
    /// the lens); zero where nothing is known.
    std::vector<Eigen::Vector3f> pieces;
    double typical_distance = 0, grey_noise = 1;

    int rows() const { return columns > 0 ? static_cast<int>(pieces.size()) / columns : 0; }
};

/// Keeps its memory from one keyframe to the next.
class DepthSweep {
public:
    static constexpr int cell_size = 6;

    /// `nearest` and `farthest` are inverse depths; `grey_noise` is that of the half-size pictures. Nothing is known
    /// until `decide`.
    void compare(std::span<const ViewPair> pairs, double nearest, double farthest, double grey_noise);
    /// The second half of the work: what the comparison says.
    void decide();
    void clear();

    /// What is seen along a ray (z = 1 in the newest keyframe's axes); false where that isn't known. Which way it faces
    /// is zero where only that isn't.
    bool measure(const Eigen::Vector3d &ray, double *out_inverse_depth, double *out_sigma,
                 Eigen::Vector3d *out_facing_in_camera) const;

    /// Of the squares, by rows of so many; empty where nothing was swept.
    std::span<SweptCell> cells() { return cells_; }
    int columns() const { return columns_; }
    /// Of their quarters, twice as many each way: where one is known, it's what is measured there.
    std::span<SweptCell> make_quarters() {
        quarters_.assign(4 * cells_.size(), SweptCell());
        return quarters_;
    }
    /// As `KeptDepth` has them.
    std::vector<Eigen::Vector3f> pieces() const;
    bool has_quarters() const { return !quarters_.empty(); }
    bool knows_quarter(const Eigen::Vector3d &ray) const;
    static Eigen::Vector2d middle(int column, int row) {
        return {column * cell_size + 0.5 * (cell_size - 1), row * cell_size + 0.5 * (cell_size - 1)};
    }
    static Eigen::Vector2d middle_of_quarter(int column, int row) {
        constexpr int size = cell_size / 2;
        return {column * size + 0.5 * (size - 1), row * size + 0.5 * (size - 1)};
    }

private:
    /// Column and row of the quarter at a pixel without the lens; false outside.
    bool find(const Eigen::Vector2d &pixel, Eigen::Array2i *out_quarter) const;
    /// Null where that isn't known.
    const SweptCell *quarter(const Eigen::Array2i &place) const;
    /// What is known at a quarter, its own or its whole square's, and where the middle of that is; null where nothing
    /// is.
    const SweptCell *known_at(const Eigen::Array2i &place, Eigen::Vector2d *out_middle) const;
    void prepare(const KeyframeView &newest, std::span<const ViewPair> pairs);
    void sum_windows();
    void smooth();
    void choose();
    void fit_cells();
    /// Fits a plane around a square's middle; false where the depths there aren't of one.
    bool fit(int left, int top, SweptCell *cell) const;
    /// Fits a plane around a square's middle to all that lie near it; how many do. `out_inside`, where asked for: how
    /// many of the square's own.
    int fit_around(int left, int top, int margin, std::initializer_list<double> gates, Eigen::Vector3d *plane,
                   int *out_inside) const;
    /// Which way its surroundings face, where they are of one plane.
    void fit_wide(int left, int top, SweptCell *cell) const;
    /// Whether the pictures themselves speak for what was fitted, and not only what lies around it.
    bool confirm(int left, int top, SweptCell *cell) const;

    /// Deviation of what noise alone makes of a compared window.
    double window_noise() const;
    const uint16_t *costs_at(int x, int y) const {
        return costs_.data() + (static_cast<size_t>(y) * width_ + x) * FH_SWEEP_DEPTHS;
    }

    /// The half-size picture's without its lens.
    CameraModel camera_;
    int width_ = 0, height_ = 0;
    int columns_ = 0, rows_ = 0;
    double farthest_ = 0, step_ = 0, noise_ = 1;
    int cap_ = 2;
    /// Of the newest keyframe, and of the others at the size of the tracked picture: differences to the mean around.
    cv::Mat reference_;
    std::vector<cv::Mat> others_;
    std::vector<fh_sweep_source> sources_;
    std::vector<uint16_t> costs_, sums_, paths_, jumps_;
    /// False where `costs_` are of another picture.
    bool has_costs_ = false;
    std::vector<float> inverse_depths_;
    std::vector<SweptCell> cells_, quarters_;
};

}  // namespace foothold
