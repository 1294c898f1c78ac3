#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "painted_room.h"
#include "surfaces/label_votes.h"
#include "surfaces/plane_refiner.h"
#include "surfaces/surface_labeller.h"
#include "sweep_checks.h"

namespace foothold::checks {
namespace {

enum Place { on_floor, on_wall, on_board };

/// Away from where floor and wall meet, radians of the view down, they are known when they are plain.
constexpr double known_from = 0.12;
/// How far what isn't known is from it then, of what it is looked for at most.
constexpr float a_little = 0.2f;

/// By pixels without the lens.
Eigen::Vector3d inverse_depth_of(const Plane &plane, const KeyframeView &view) {
    const CameraModel &camera = view.luma_camera;
    const auto at = [&](double u, double v) {
        const Eigen::Vector3d ray((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1);
        return plane.normal.dot(view.world_from_camera_rotation * ray) / -plane.distance(view.camera_in_world);
    };
    const double first = at(0, 0);
    return {first, at(1, 0) - first, at(0, 1) - first};
}

Eigen::Vector3d ray_at(const KeyframeView &view, int column, int row) {
    const CameraModel &camera = view.luma_camera;
    constexpr int step = SurfaceLabeller::site_step;
    return view.world_from_camera_rotation *
           Eigen::Vector3d((step * column - camera.cx) / camera.fx, (step * row - camera.cy) / camera.fy, 1);
}

Place truth_at(const PaintedRoom &room, const KeyframeView &view, int column, int row) {
    const Eigen::Vector3d ray = ray_at(view, column, row);
    if (room.shows_board(view.camera_in_world, ray)) return on_board;
    return PaintedRoom::shows_wall(view.camera_in_world, ray) ? on_wall : on_floor;
}

LabelCandidate everywhere(const Plane &plane, const KeyframeView &view) {
    const CameraModel &camera = view.luma_camera;
    LabelCandidate candidate{
        inverse_depth_of(plane, view),
        cv::Mat(SurfaceLabeller::rows(camera), SurfaceLabeller::columns(camera), CV_32F, cv::Scalar(0)),
        cv::Rect(0, 0, SurfaceLabeller::columns(camera), SurfaceLabeller::rows(camera))};
    for (int row = 0; row < candidate.away.rows; ++row) {
        for (int column = 0; column < candidate.away.cols; ++column) {
            constexpr int step = SurfaceLabeller::site_step;
            if (!(candidate.inverse_depth.dot(Eigen::Vector3d(1, step * column, step * row)) > 0))
                candidate.away.at<float>(row, column) = -1;
        }
    }
    return candidate;
}

const Plane floor_plane{Eigen::Vector3d::UnitY(), 0}, wall_plane{Eigen::Vector3d::UnitZ(), -1.5};

/// Floor and wall, known but where they are near to each other.
std::vector<LabelCandidate> floor_and_wall_apart(const KeyframeView &view) {
    std::vector<LabelCandidate> candidates = {everywhere(floor_plane, view), everywhere(wall_plane, view)};
    for (int row = 0; row < candidates[0].away.rows; ++row) {
        for (int column = 0; column < candidates[0].away.cols; ++column) {
            const Eigen::Vector3d ray = ray_at(view, column, row).normalized();
            const double meeting = std::atan2(-1.2, 2.0), down = std::asin(ray.y());
            float &floor = candidates[0].away.at<float>(row, column), &wall = candidates[1].away.at<float>(row, column);
            if (floor >= 0 && down > meeting - known_from) floor = a_little;
            if (wall >= 0 && down < meeting + known_from) wall = a_little;
        }
    }
    return candidates;
}

/// As a review leaves it: compared with the first two, refined with all.
KeptDepth depth_of(std::span<const ViewPair> pairs) {
    DepthSweep sweep = sweep_of(pairs, 1.2);
    PlaneRefiner refiner;
    refiner.refine(pairs, noise, {}, sweep.columns(), {}, sweep.cells());
    return {2 * sweep.columns(), sweep.pieces(), 1.5, noise};
}

/// Share of the union of an extent and the true board that both hold.
double agreement(const FineMask &extent, const TrackedSurface &surface) {
    if (extent.inside.empty()) return 0;
    int both = 0, either = 0;
    for (int row = 0; row < extent.inside.rows; ++row) {
        for (int column = 0; column < extent.inside.cols; ++column) {
            const Eigen::Vector3d p = surface.shown.to_world(extent.middle_of(column, row));
            const bool is_true = PaintedRoom::is_on_board(p);
            const bool is_told = extent.inside.at<uint8_t>(row, column) != 0;
            both += is_true && is_told;
            either += is_true || is_told;
        }
    }
    return static_cast<double>(both) / std::max(1, either);
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_labels(uint64_t seed, double contrast, int32_t is_bent, fh_check_label_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    PaintedRoom room(seed, 0.02, contrast, true);
    room.board = Texture(seed + 11, 0.012, 3, 40);
    // What goes by pairs of pixels may have one left over.
    const Shots shots(room, is_bent != 0 ? lens(true, 323, 241) : lens(false), seed, noise, places);
    const KeyframeView &newest = shots.keyframes[0];
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    std::vector<LabelCandidate> candidates = {everywhere(floor_plane, newest), everywhere(wall_plane, newest)};
    if (contrast <= 0) candidates = floor_and_wall_apart(newest);
    SurfaceLabeller labeller;
    if (!labeller.begin(std::span(pairs).first(SurfaceLabeller::most_pairs), depth_of(pairs))) return -1;
    labeller.label(candidates);
    for (int row = 2; row < candidates[0].away.rows - 2; ++row) {
        for (int column = 2; column < candidates[0].away.cols - 2; ++column) {
            const Place truth = truth_at(room, newest, column, row);
            const int label = labeller.label_at(column, row);
            if (truth == on_board) {
                ++out_report->of_board;
                out_report->board_right += label == SurfaceLabeller::nothing;
            } else {
                ++out_report->places;
                out_report->right += label == static_cast<int>(truth);
            }
        }
    }
    return 0;
}

int32_t fh_check_slope_in_the_open(uint64_t seed, int32_t is_slope, double *out_share) {
    if (out_share == nullptr) return -1;
    const PaintedRoom room(seed, 0.02, 0, true);
    const Shots shots(room, lens(false), seed, noise, places);
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    std::vector<LabelCandidate> candidates = floor_and_wall_apart(shots.keyframes[0]);
    candidates[1].is_slope = is_slope != 0;
    SurfaceLabeller labeller;
    if (!labeller.begin(std::span(pairs).first(SurfaceLabeller::most_pairs), depth_of(pairs))) return -1;
    labeller.label(candidates);
    int open = 0, told = 0;
    for (int row = 0; row < candidates[0].away.rows; ++row) {
        for (int column = 0; column < candidates[0].away.cols; ++column) {
            if (!labeller.is_open_at(column, row) || candidates[0].away.at<float>(row, column) < 0) continue;
            ++open;
            told += labeller.label_at(column, row) == 1;
        }
    }
    if (open == 0) return -1;
    *out_share = static_cast<double>(told) / open;
    return 0;
}

int32_t fh_check_plain_floor_alone(uint64_t seed, double *out_held, double *out_beyond) {
    if (out_held == nullptr || out_beyond == nullptr) return -1;
    const PaintedRoom room(seed, 0.02, 0, true);
    const Shots shots(room, lens(false), seed, noise, places);
    const KeyframeView &newest = shots.keyframes[0];
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    std::vector<LabelCandidate> candidates = floor_and_wall_apart(newest);
    candidates.resize(1);
    SurfaceLabeller labeller;
    if (!labeller.begin(std::span(pairs).first(SurfaceLabeller::most_pairs), depth_of(pairs))) return -1;
    labeller.label(candidates);
    int of_floor = 0, of_wall = 0, held = 0, beyond = 0;
    for (int row = 2; row < candidates[0].away.rows - 2; ++row) {
        for (int column = 2; column < candidates[0].away.cols - 2; ++column) {
            const Place truth = truth_at(room, newest, column, row);
            const bool is_told = labeller.label_at(column, row) == 0;
            if (truth == on_floor) {
                ++of_floor;
                held += is_told;
            } else if (truth == on_wall && candidates[0].away.at<float>(row, column) >= 0) {
                ++of_wall;
                beyond += is_told;
            }
        }
    }
    if (of_floor == 0 || of_wall == 0) return -1;
    *out_held = static_cast<double>(held) / of_floor;
    *out_beyond = static_cast<double>(beyond) / of_wall;
    return 0;
}

int32_t fh_check_label_votes(uint64_t seed, int32_t is_bent, double *out_overlap) {
    if (out_overlap == nullptr) return -1;
    const PaintedRoom room(seed, 0.012, 40, true);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places);
    PlaneFit fit;
    fit.plane.normal = PaintedRoom::board_normal();
    fit.centroid = PaintedRoom::board_foot() + 0.45 * Eigen::Vector3d::UnitY();
    fit.plane.offset = fit.plane.normal.dot(fit.centroid);
    fit.valid = true;
    TrackedSurface board(fit, fit, GravityConstraint::vertical, Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(),
                         1.6);
    // Too low and too narrow, and beside its place by a quarter of its width.
    board.shown.boundary = {{-0.02, -0.3}, {-0.02, 0.27}, {0.075, 0.27}, {0.075, -0.3}};
    board.shown.center = {0.0275, -0.015};
    board.shown.extent = {0.095, 0.57};
    LabelVotes votes(board);
    SurfaceLabeller labeller;
    for (size_t i = 0; i < shots.keyframes.size(); ++i) {
        const std::vector<ViewPair> pairs = pairs_of(shots.keyframes, i);
        const KeyframeView &view = shots.keyframes[i];
        std::vector<LabelCandidate> candidates = {everywhere(floor_plane, view), everywhere(wall_plane, view), {}};
        if (!votes.candidate_in(view, {}, &candidates[2])) return -1;
        if (!labeller.begin(std::span(pairs).first(SurfaceLabeller::most_pairs), depth_of(pairs))) return -1;
        labeller.label(candidates);
        votes.add(view, labeller, 2);
    }
    *out_overlap = agreement(votes.extent(), board);
    return 0;
}

namespace {

/// A level surface with this outline, 1.6 m away.
TrackedSurface level_surface(std::vector<Eigen::Vector2d> boundary, const Eigen::Vector2d &extent, double area) {
    PlaneFit fit;
    fit.plane.normal = Eigen::Vector3d::UnitY();
    fit.valid = true;
    TrackedSurface surface(fit, fit, GravityConstraint::horizontal, Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(),
                           1.6);
    surface.shown.boundary = std::move(boundary);
    surface.shown.center = {0, 0};
    surface.shown.extent = extent;
    surface.shown.area = area;
    return surface;
}

double told_of(const TrackedSurface &surface) {
    LabelVotes votes(surface);
    votes.add_outline();
    return trace_outline(votes.extent()).area;
}

}  // namespace

int32_t fh_check_top_before_plain(uint64_t seed, double overhang, double *out_before, double *out_behind) {
    if (out_before == nullptr || out_behind == nullptr) return -1;
    PaintedRoom room(seed, 0.012, 40);
    room.wall = Texture(seed + 7, 0.012, 3, 0);
    const Shots shots(room, lens(false), seed, noise, places);
    constexpr double near = -0.8, edge = -1.5, half = 0.6;
    const double far = edge - overhang;
    TrackedSurface top = level_surface({{-half, near}, {half, near}, {half, far}, {-half, far}}, {2 * half, near - far},
                                       2 * half * (near - far));
    top.shown.center = {0, 0.5 * (near + far)};
    top.shown.alignment = SurfaceAlignment::horizontal_up;
    LabelVotes votes(top);
    SurfaceLabeller labeller;
    for (size_t i = 0; i < shots.keyframes.size(); ++i) {
        const std::vector<ViewPair> pairs = pairs_of(shots.keyframes, i);
        std::vector<LabelCandidate> candidates(1);
        votes.follow(top);
        if (!votes.candidate_in(shots.keyframes[i], {}, &candidates[0])) return -1;
        if (!labeller.begin(std::span(pairs).first(SurfaceLabeller::most_pairs), depth_of(pairs))) return -1;
        labeller.label(candidates);
        votes.add(shots.keyframes[i], labeller, 0);
    }
    const FineMask extent = votes.extent();
    double before = 0, behind = 0;
    for (int row = 0; row < extent.inside.rows; ++row) {
        for (int column = 0; column < extent.inside.cols; ++column) {
            const Eigen::Vector2d local = extent.middle_of(column, row);
            if (extent.inside.at<uint8_t>(row, column) == 0 || std::abs(local.x()) > half || local.y() > near) continue;
            (local.y() > edge ? before : behind) += extent.piece_size * extent.piece_size;
        }
    }
    *out_before = before / (2 * half * (near - edge));
    *out_behind = behind / (2 * half * (edge - far));
    return 0;
}

int32_t fh_check_parted_extent(int32_t is_floor, double *out_share) {
    if (out_share == nullptr) return -1;
    // Joined by a bridge that is 2 cm wide.
    TrackedSurface surface = level_surface({{-0.5, 0.15},
                                            {-0.2, 0.15},
                                            {-0.2, 0.01},
                                            {0.2, 0.01},
                                            {0.2, 0.13},
                                            {0.5, 0.13},
                                            {0.5, -0.13},
                                            {0.2, -0.13},
                                            {0.2, -0.01},
                                            {-0.2, -0.01},
                                            {-0.2, -0.15},
                                            {-0.5, -0.15}},
                                           {1, 0.3}, 0.176);
    if (is_floor != 0) surface.shown.classification = SurfaceClass::floor;
    *out_share = told_of(surface) / surface.shown.area;
    return 0;
}

int32_t fh_check_extent_before_wall(double beyond, double *out_share) {
    if (out_share == nullptr) return -1;
    const TrackedSurface top = level_surface({{-0.5, 0.3}, {0.5, 0.3}, {0.5, -0.3}, {-0.5, -0.3}}, {1, 0.6}, 0.6);
    LabelVotes votes(top);
    votes.add_outline();
    // Askew, and in a world that was made larger since; the second is level itself and ends nothing.
    const Plane wall{Eigen::Vector3d(0.1, 0, 1).normalized(), -0.3 + beyond}, other{Eigen::Vector3d::UnitY(), 0.1};
    votes.end_at(std::array{wall, other});
    constexpr double scale = 2;
    votes.transform(scale, Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 2, 3));
    *out_share = trace_outline(votes.extent()).area / (scale * scale * (0.6 - beyond));
    return 0;
}

int32_t fh_check_extent_around_thing(double *out_share) {
    if (out_share == nullptr) return -1;
    // Around the outside, and by a slit around what stands there.
    const TrackedSurface surface = level_surface({{-0.3, 0.3},
                                                  {0.3, 0.3},
                                                  {0.3, -0.3},
                                                  {0.2, -0.27},
                                                  {0.2, 0.03},
                                                  {-0.2, 0.03},
                                                  {-0.2, -0.27},
                                                  {0.2, -0.27},
                                                  {0.3, -0.3},
                                                  {-0.3, -0.3}},
                                                 {0.6, 0.6}, 0.24);
    *out_share = told_of(surface) / 0.36;
    return 0;
}
