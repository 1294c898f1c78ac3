// Small pieces of the picture whose depth was found by matching them between keyframes: evidence where there are no
// corners.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/similarity.h"
#include "map_view.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/patch_match.h"
#include "surfaces/plane_refiner.h"

namespace foothold {

class PartedChange;

/// A piece of the picture, followed over keyframes; it moves with the keyframe that first showed it.
struct DensePoint {
    /// Negative, so that it's never one of the map's.
    int64_t id = 0;
    int64_t host_id = 0;
    Eigen::Matrix3d world_from_host_rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d host_in_world = Eigen::Vector3d::Zero();
    /// In the host's camera axes, z = 1.
    Eigen::Vector3d host_ray = Eigen::Vector3d::UnitZ();
    double inverse_depth = 0;
    double variance = 0;
    /// What the piece is taken to be a part of when it's matched.
    Eigen::Vector3d normal_in_world = Eigen::Vector3d::UnitY();
    Eigen::Vector3d view_sum = Eigen::Vector3d::Zero();
    int observations = 0;
    int misses = 0;
    int keyframes_unseen = 0;
    /// Matched in the full-size picture: half as wide.
    bool is_fine = false;
    /// Found with the depth of the whole picture; its neighbours share some of its error.
    bool is_swept = false;
    /// Which way the picture around it faces in the world; zero where that isn't known.
    Eigen::Vector3d facing = Eigen::Vector3d::Zero();
    /// A surface explained it when it was last seen.
    bool is_explained = false;

    /// x' = change · x.
    void transform(const Similarity &change) {
        world_from_host_rotation = change.rotation * world_from_host_rotation;
        host_in_world = change * host_in_world;
        inverse_depth /= change.scale;
        variance /= change.scale * change.scale;
        normal_in_world = change.rotation * normal_in_world;
        facing = change.rotation * facing;
        view_sum = change.rotation * view_sum;
    }
    Eigen::Vector3d position_in_world() const {
        return host_in_world + world_from_host_rotation * (host_ray / inverse_depth);
    }
};

/// A square of the newest keyframe's picture.
struct PictureCell {
    float mean_luma = 0;
    /// Mean squared gradient.
    float energy = 0;
    /// No edge crosses it.
    bool is_blank = false;
    /// Index of the dense point that was found here in this update; -1 where none was, and -2 where what was known to
    /// be here wasn't found.
    int point = -1;
};

/// A dense point that was found in the newest keyframe: where, and half the side of what it stands for (half-size
/// pixels).
struct SeenPatch {
    int point = -1;
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    double half_side = 0;
};

/// The newest keyframe's picture in cells.
struct CellGrid {
    /// Pixels to a side; what is swept has the same squares.
    static constexpr int size = DepthSweep::cell_size;
    int columns = 0;
    int rows = 0;
    std::vector<PictureCell> cells;

    const PictureCell &at(int column, int row) const { return cells[static_cast<size_t>(row) * columns + column]; }
    PictureCell &at(int column, int row) { return cells[static_cast<size_t>(row) * columns + column]; }
    static Eigen::Vector2d center(int column, int row) {
        return {column * size + 0.5 * (size - 1), row * size + 0.5 * (size - 1)};
    }
};

/// A plane that a cell may show: normal · x = offset in the world.
struct PlaneGuess {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    double offset = 0;
    /// Pixels to search along the line around it.
    int search = 4;
};

/// Baselines over the distance of what is seen: less tells no depth, more changes the picture too much.
struct ParallaxRange {
    double least = 0, best = 0, most = 0;
};

/// The newest keyframe and up to `most` others whose parallax is nearest the best, best first. `typical_distance` is of
/// what the newest sees.
std::vector<ViewPair> nearest_pairs(const MapView &view, double typical_distance, const ParallaxRange &wanted,
                                    size_t most);

/// The ray of a pixel in the camera's axes, z = 1.
inline Eigen::Vector3d ray_of(const KeyframeView &view, const Eigen::Vector2d &pixel) {
    return view.luma_camera.normalise(pixel).homogeneous();
}
/// Those of some pixels at once, which is quicker through a lens.
template <size_t count>
std::array<Eigen::Vector3d, count> rays_of(const KeyframeView &view, std::array<Eigen::Vector2d, count> pixels) {
    view.luma_camera.normalise_all(pixels);
    std::array<Eigen::Vector3d, count> rays;
    for (size_t i = 0; i < count; ++i) rays[i] = pixels[i].homogeneous();
    return rays;
}

/// Whether a piece of the picture shows a plane; once: in one of the two pictures it's compared with, the other doesn't
/// show it.
enum class PictureFit { unknown, fits, fits_once, differs };

/// Keeps dense points over keyframes. Bounded: at most `capacity` points.
class DenseMap {
public:
    static constexpr size_t capacity = 9000;

    /// Planes that the picture may show along a ray (origin and unit direction in the world).
    using Guesses = std::function<void(const Eigen::Vector3d &, const Eigen::Vector3d &, std::vector<PlaneGuess> *)>;

    // At a new keyframe, the newest of the view, one after the other:

    /// Looks at its squares, and chooses the pictures that it's compared with.
    void look(const MapView &view);
    /// Compares the whole picture with them, at every distance.
    void compare();
    /// Decides on its depth.
    void measure() { sweep_.decide(); }
    /// Then looks at squares beside more pictures: in a review at all of them; while frames come, where people wait, at
    /// those whose depth the sweep knows and that no known surface explains. `uprights` are directions that upright
    /// things are likely to face.
    void refine(const MapView &view, std::span<const Eigen::Vector3d> uprights);
    /// Follows the points into the newest keyframe.
    void revisit(const KeyframeView &newest);
    /// Adds new ones there, and forgets what isn't seen any more.
    void find_new(const MapView &view, const Guesses &guesses, std::span<const Eigen::Vector3d> uprights);

    /// Deviation of the noise of the newest keyframe's half-size picture, grey levels.
    double grey_noise() const { return grey_noise_; }
    /// What is known of the depth of the newest keyframe's picture; of no size where that couldn't be compared.
    KeptDepth depth() const;
    const std::vector<DensePoint> &points() const { return points_; }
    const CellGrid &cells() const { return cells_; }
    /// What was found in the newest keyframe.
    const std::vector<SeenPatch> &seen() const { return seen_; }
    /// Tells a point which plane it lies on, for the next match.
    void explain(size_t index, const Eigen::Vector3d &normal) {
        points_[index].normal_in_world = normal;
        points_[index].is_explained = true;
    }
    /// True when the newest keyframe could be compared with others.
    bool can_probe() const { return pairs_.size() == 2; }
    /// Whether the newest keyframe shows a plane at a pixel: that depends on both others it's compared with. Valid
    /// while the last update's view is.
    /// `out_place` is where that was seen: at an edge it's the edge, wherever the pixel lies beside it.
    PictureFit probe(const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal, double inverse_depth,
                     Eigen::Vector2d *out_place) const;
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);
    /// Each point follows its host.
    void transform_each(const PartedChange &change);
    void clear();
    /// Frees what it compares pictures with, until the next keyframe; its points stay.
    void free_memory() {
        sweep_ = DepthSweep();
        refiner_ = PlaneRefiner();
    }
    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

private:
    void follow_hosts(const MapView &view);
    bool choose_pairs(const MapView &view);
    void describe_cells(const KeyframeView &newest);
    /// Which way a point that the newest keyframe sees at a pixel faces, taken in with what was known of it.
    void note_facing(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point) const;
    /// Cells of the newest keyframe that one known surface explains with all around them.
    std::vector<uint8_t> settled_cells(const KeyframeView &newest) const;
    /// Adds a point that the newest keyframe sees at a pixel; its index.
    int add(const DensePoint &point, const Eigen::Vector2d &pixel);
    void note_seen(int index, const Eigen::Vector2d &pixel);
    /// Adds what was swept at a pixel; its index, or -1.
    int add_swept(const KeyframeView &newest, const Eigen::Vector2d &pixel, bool is_fine);
    /// Adds swept points to cells, and to quarters of them, where none of theirs is known.
    void fill_from_sweep(const KeyframeView &newest);
    /// Matches a known point again; false when it isn't found where it should be.
    bool follow(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point);
    /// Where and how surely the newest keyframe sees the point that ought to be at a pixel.
    bool measure(const KeyframeView &newest, const Eigen::Vector2d &pixel, DensePoint *point, double *out_inverse_depth,
                 double *out_sigma);
    bool measure_swept(const KeyframeView &newest, const Eigen::Vector2d &pixel, double *out_inverse_depth,
                       double *out_sigma, Eigen::Vector3d *out_facing) const;
    /// Planes that a pixel may show.
    void suppose(const MapView &view, const Eigen::Vector2d &pixel, const Guesses &guesses,
                 std::span<const Eigen::Vector3d> uprights);
    /// Planes that a cell may show because pieces in and beside it do.
    void suppose_neighbours(const KeyframeView &newest, int column, int row);
    /// A new point, seen once.
    DensePoint point_at(const KeyframeView &newest, const Eigen::Vector2d &pixel, double inverse_depth, double sigma,
                        const Eigen::Vector3d &normal);
    /// Adds a point where the picture fits one of `supposed_`; its index, or -1.
    int discover(const KeyframeView &newest, const Eigen::Vector2d &pixel, bool is_fine);
    /// Looks at the four quarters of a cell in the full-size picture.
    void explore_finely(const KeyframeView &newest, int column, int row);
    void explore(const MapView &view, const Guesses &guesses, std::span<const Eigen::Vector3d> uprights);
    /// A picture at half the size of the one that is given, for what shows itself only in the large.
    struct SmallPicture {
        int64_t keyframe_id = 0;
        std::vector<uint8_t> luma;
    };

    /// Pairs of keyframes with their full-size pictures.
    struct FullPictures {
        std::vector<KeyframeView> views;
        std::vector<ViewPair> pairs;

        /// Those of them that have such pictures.
        void take(std::span<const ViewPair> from);
    };

    void shrink_pictures(const MapView &view);
    /// Matches a piece of plane at a pixel with both references; true when they agree. What is too even is tried
    /// again in the small pictures.
    bool match_both(const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal, double inverse_depth, int search,
                    bool is_fine, PatchMatch *out_match);
    bool match_pairs(const std::vector<ViewPair> &pairs, const Eigen::Vector2d &pixel, const Eigen::Vector3d &normal,
                     double inverse_depth, int search, double noise, PatchMatch *out_match);
    void forget();

    /// Matches a keyframe may cost.
    static constexpr int most_matches = 12000;
    /// Half-size pixels along the line to search for what is known.
    static constexpr int search_of_known = 3;
    static constexpr double coarse_half_side = 0.5 * CellGrid::size;
    /// How much noisier the full-size picture is than the half-size one.
    static constexpr double full_size_noise = 1.7;
    static constexpr double fine_half_side = 0.25 * CellGrid::size;

    std::vector<DensePoint> points_;
    CellGrid cells_;
    /// Standard deviation of the newest picture's noise, grey levels.
    float grey_noise_ = 2;
    std::vector<ViewPair> pairs_;
    std::vector<SmallPicture> small_pictures_;
    /// The newest keyframe and the references of `pairs_` with their small pictures.
    std::vector<KeyframeView> small_views_;
    std::vector<ViewPair> small_pairs_;
    FullPictures full_;
    DepthSweep sweep_;
    PlaneRefiner refiner_;
    /// By cell: the swept point that is known there already, or -1.
    std::vector<int> swept_points_;
    std::vector<SeenPatch> seen_;
    /// By quarters of cells: what is known there already.
    std::vector<uint8_t> finely_seen_;
    std::vector<PlaneGuess> supposed_;
    std::vector<Eigen::Vector3d> sparse_;  // column, row (in cells), inverse depth
    /// Of the map's points that the newest keyframe sees.
    double typical_distance_ = 0;
    int64_t next_id_ = -1;
    int64_t updates_ = 0;
    int matches_left_ = 0;
    int next_row_ = 0;
};

}  // namespace foothold
