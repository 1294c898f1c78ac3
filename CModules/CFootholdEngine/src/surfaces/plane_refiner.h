// The pieces of plane that a keyframe's squares show, compared with many other keyframes at once.
#pragma once

#include <Eigen/Core>
#include <array>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "fh_pieces.h"
#include "map_view.h"
#include "surfaces/depth_sweep.h"
#include "surfaces/patch_match.h"

namespace foothold {

/// Searches by spreading: a square takes over its neighbours' planes and small random changes of its own where the
/// pictures agree better with them. What a sweep cuts at every distance in one direction is sloped as it is here, and
/// six pictures of which the best half counts see past what hides a square in some. After Bleyer, Rhemann and Rother,
/// PatchMatch Stereo (BMVC 2011), and Xu and Tao, Multi-scale geometric consistency guided multi-view stereo (CVPR
/// 2019). The same for the same pictures, with a second thread or without; keeps its memory from one keyframe to the
/// next.
class PlaneRefiner {
public:
    static constexpr int most_pairs = 6;

    /// As the map view's, for what comes.
    void set_second_thread(SecondThread *second) { second_ = second; }

    /// `cells` are the newest keyframe's by rows of `columns`, as a sweep left them; those of which more becomes known
    /// are replaced. `directions` are normals in its axes that are likely. `grey_noise` is that of the pictures. Fewer
    /// than two pairs tell nothing. Given `is_settled`, what the sweep doesn't know isn't looked at, and these and what
    /// lies on one plane with all around it only lend others their planes.
    void refine(std::span<const ViewPair> pairs, double grey_noise, std::span<const Eigen::Vector3d> directions,
                int columns, std::span<const uint8_t> is_settled, std::span<SweptCell> cells);
    /// The same for quarters of squares, in pictures of twice the size, which `pairs` have here: what is small or
    /// narrow. Those on one plane with all around them, and `is_settled` ones, aren't looked at. `quarters` are twice
    /// as many each way as `cells`, and in half-size pixels as these.
    void refine_quarters(std::span<const ViewPair> pairs, double grey_noise,
                         std::span<const Eigen::Vector3d> directions, int columns, std::span<const SweptCell> cells,
                         std::span<const uint8_t> is_settled, std::span<SweptCell> quarters);

private:
    /// Inverse depth at a square's middle, and its change a pixel to the right and below.
    using Plane = Eigen::Vector3d;

    /// Another keyframe: (u, v, 1) of the newest's picture is seen at matrix · (u, v, 1) + shift · inverse depth.
    struct Other {
        cv::Mat pairs;
        fh_piece_picture picture;
        Eigen::Matrix3d matrix;
        Eigen::Vector3d shift;
    };
    /// What a square of the newest keyframe looks like, and its plane so far.
    struct Square {
        Eigen::Vector2d middle = Eigen::Vector2d::Zero();
        /// Of its middle, 1 long in the direction of view, and its length.
        Eigen::Vector3d ray = Eigen::Vector3d::UnitZ();
        double ray_length = 1;
        fh_piece piece;
        bool is_textured = false, is_known = false;
        /// Its plane is given, and only others' are looked for.
        bool is_given = false;
        Plane plane = Plane::Zero();
        /// Mean correlation in the pictures that agree best, -1…1; -1: no plane yet.
        double score = -1;
        /// Those pictures, best first.
        std::array<int, 3> best = {0, 1, 2};
        /// Numbers of the visits at which its plane last changed, and at which it last looked at its neighbours'.
        int changed = 0, visited = 0;
    };

    void prepare(std::span<const ViewPair> pairs, double grey_noise, std::span<const Eigen::Vector3d> directions);
    /// Lays out squares whose middles are told by column and row, in pixels of a picture `1 / scale` times as large.
    void lay_squares(int columns, size_t count, double scale, Eigen::Vector2d (*middle)(int, int));
    void describe(Square *square) const;
    static void give(const Plane &plane, Square *square);
    void start_row(int row, std::span<const SweptCell> cells, std::span<const uint8_t> is_settled);
    void start_quarters_of_row(int row, std::span<const SweptCell> cells, std::span<const uint8_t> is_settled);
    /// Spreads planes and varies them, so many times, and settles them.
    void search(int rounds);
    /// Visits every square, in the order of reading or against it.
    void pass(int round);
    void visit(int column, int row, int round, int number);
    /// Tells what became known of squares, with slopes a pixel of a picture `1 / scale` times as large.
    void tell(double scale, std::span<SweptCell> out) const;
    /// Correlation with another keyframe's picture; NaN where that can't be compared.
    double correlation(const Square &square, const Plane &plane, const Other &other) const;
    /// -1 as soon as it can't well be more than `least`.
    double score(const Square &square, const Plane &plane, double least, std::array<int, 3> *out_best) const;
    /// A plane's normal in the camera's axes, of any length.
    Eigen::Vector3d normal_of(const Square &square, const Plane &plane) const;
    void attempt(const Plane &plane, int visit_number, Square *square) const;
    /// The plane through a square's middle at an inverse depth with a normal, given as its changes to right and below.
    static Plane turned(const Square &square, const Eigen::Vector3d &normal, double inverse_depth);
    Plane taken_over(const Square &other, const Square &square) const;
    bool are_alike(const Plane &a, const Plane &b) const;
    void spread(int column, int row, int visit_number);
    void vary(int visit_number, Square *square) const;
    /// Moves a plane to where it correlates best; false where it does so almost as well elsewhere.
    bool settle(Square *square) const;
    /// The change of inverse depth, a pixel to the right and below, of a square and those around it that lie on its
    /// plane: truer than its own.
    Eigen::Vector2d slope_around(int column, int row) const;

    CameraModel camera_;
    int columns_ = 0, rows_ = 0;
    /// Pixels between samples of a piece.
    double spacing_ = 1;
    double grey_noise_ = 1;
    /// The newest keyframe's picture.
    cv::Mat own_;
    /// Inverse depth that moves what is seen by a pixel in a typical one of the pictures.
    double pixel_ = 0;
    std::vector<Other> others_;
    std::vector<Square> squares_;
    /// Normals as planes' inverse depths at the picture's pixel (0, 0) and changes to right and below, up to scale.
    std::vector<Eigen::Vector3d> directions_;
    SecondThread *second_ = nullptr;
};

}  // namespace foothold
