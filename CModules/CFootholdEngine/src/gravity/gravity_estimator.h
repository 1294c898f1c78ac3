// Which way is up in the world, and how sure that is.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gravity/line_segments.h"
#include "map_view.h"
#include "surfaces/surface.h"

namespace foothold {

struct GravityEstimate {
    /// Unit.
    Eigen::Vector3d up_in_world = Eigen::Vector3d::UnitY();
    /// Standard deviation about each axis normal to it, radians.
    double sigma_rad = 0.6;
};

/// Fuses what the pictures, the surfaces and inertial sensors say about up. Every source may be wrong at times: they
/// vote over the whole sphere of directions with bounded votes, and only those that agree with the winner refine it.
/// - how people hold a camera: its picture's up side is within some 60° of up, and it's hardly rolled
/// - vertical edges, over several keyframes
/// - surfaces: most are level or upright
/// - the accelerometer, where there is one
/// Not thread-safe. Deterministic.
class GravityEstimator {
public:
    GravityEstimator();

    /// Takes a new keyframe's pose and, while up isn't known well, its straight edges.
    void add_keyframe(const KeyframeView &keyframe);
    /// Replaces what surfaces say; `free_normal`, its sigma and `confidence` are used.
    void set_surfaces(std::span<const Surface> surfaces);
    /// Up as inertial data alone tell it (`InertialUp`), for a world that begins.
    void add_inertial(const Eigen::Vector3d &up_in_world, double sigma_rad);
    /// The mean specific force over some time, m/s², turned into the world by the camera's pose: what a hand's pushes
    /// add to gravity averages out over seconds, without the errors of a gyroscope.
    void add_force(const Eigen::Vector3d &force_in_world, double seconds);
    /// Up as forces tell it without the sensor's bias (`InertialScale`), in place of what was said before of that; used
    /// where it's surer than forces with the bias.
    void set_unbiased(const Eigen::Vector3d &up_in_world, double sigma_rad);
    void forget_unbiased();

    /// The present estimate; costs a few tens of microseconds after new evidence and nothing otherwise.
    const GravityEstimate &estimate();

    /// The world's frame was turned: x' = rotation · x + anything.
    void rotate_world(const Eigen::Matrix3d &rotation);
    void reset();
    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

private:
    struct EdgePlane {
        /// Unit normal, in the estimator's world, of the plane through the camera and an edge.
        Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
        double sigma = 0.01;
    };
    struct SurfaceNormal {
        Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
        double sigma = 0.01;
        double weight = 1;
    };

    static constexpr size_t kept_edges = 400;

    void add_edges(const KeyframeView &keyframe);
    /// What forces say of up, in the estimator's own world; a sigma of infinity where there are none.
    struct PushedUp {
        Eigen::Vector3d up = Eigen::Vector3d::UnitY();
        double sigma;
    };
    PushedUp pushed_up() const;
    void vote();
    void refine();

    /// The estimator's own world, in which directions are kept, from the caller's.
    Eigen::Matrix3d own_from_world_ = Eigen::Matrix3d::Identity();
    std::vector<Eigen::Vector3d> directions_;
    std::vector<float> held_votes_, edge_votes_, total_votes_;
    int held_count_ = 0;
    int edge_count_ = 0;
    std::vector<EdgePlane> edges_;
    size_t next_edge_ = 0;
    std::vector<SurfaceNormal> surfaces_;
    /// In units of gravity, times seconds; and the seconds.
    Eigen::Vector3d force_sum_ = Eigen::Vector3d::Zero();
    double force_seconds_ = 0;
    Eigen::Vector3d unbiased_up_ = Eigen::Vector3d::UnitY();
    double unbiased_sigma_ = std::numeric_limits<double>::infinity();
    LineSegmentDetector detector_;
    GravityEstimate estimate_;
    Eigen::Vector3d up_ = Eigen::Vector3d::UnitY();
    bool is_stale_ = true;
};

}  // namespace foothold
