#include "sweep_checks.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "median.h"
#include "painted_room.h"
#include "second_thread.h"
#include "surfaces/plane_refiner.h"

namespace foothold::checks {
namespace {

/// Where the board is, if the room has one, and everywhere otherwise.
void compare_with_truth(const PaintedRoom &room, const DepthSweep &sweep, const KeyframeView &newest,
                        fh_check_sweep_report *report) {
    const CameraModel &camera = newest.luma_camera;
    double squares = 0;
    std::vector<double> angles;
    const int step = room.has_board ? 3 : 6;
    for (int y = 6; y < camera.height - 6; y += step) {
        for (int x = 6; x < camera.width - 6; x += step) {
            const Eigen::Vector3d ray = camera.normalise(Eigen::Vector2d(x, y)).homogeneous();
            const Eigen::Vector3d ray_in_world = newest.world_from_camera_rotation * ray;
            if (room.has_board && !room.shows_board(newest.camera_in_world, ray_in_world)) continue;
            ++report->places;
            double inverse_depth = 0, sigma = 0;
            Eigen::Vector3d facing;
            if (!sweep.measure(ray, &inverse_depth, &sigma, &facing)) continue;
            ++report->told;
            const double truth = 1 / room.distance(newest.camera_in_world, ray_in_world);
            const double off = inverse_depth / truth - 1;
            report->right += std::abs(off) < 0.02;
            report->wrong += std::abs(off) > 0.05;
            if (std::abs(off) <= 0.05) squares += std::pow((inverse_depth - truth) / sigma, 2);
            if (facing.isZero(0)) continue;
            ++report->facing;
            const Eigen::Vector3d normal = room.normal(newest.camera_in_world, ray_in_world);
            const double cosine = (newest.world_from_camera_rotation * facing).dot(normal);
            report->facing_right += cosine > std::cos(20 * degree);
            angles.push_back(std::acos(std::min(cosine, 1.0)) / degree);
        }
    }
    report->normalised_error = squares / std::max(1, report->told - report->wrong);
    report->facing_error_degrees = median(angles);
}

std::span<const SweptCell> refine_quarters(const Shots &shots, PlaneRefiner *refiner, DepthSweep *sweep) {
    const std::vector<uint8_t> nothing_settled(sweep->cells().size(), 0);
    std::vector<KeyframeView> full;
    for (const KeyframeView &keyframe : shots.keyframes) full.push_back(keyframe.full_size());
    const std::span<SweptCell> quarters = sweep->make_quarters();
    refiner->refine_quarters(pairs_of(full), noise, {}, sweep->columns(), sweep->cells(), nothing_settled, quarters);
    return quarters;
}

bool are_same(const SweptCell &a, const SweptCell &b) {
    return a.inverse_depth == b.inverse_depth && a.slope == b.slope && a.sigma == b.sigma &&
           a.wide_slope == b.wide_slope && a.has_wide_slope == b.has_wide_slope;
}

}  // namespace
}  // namespace foothold::checks

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.03, contrast);
    const Shots shots(room, lens(is_bent != 0), seed, noise, std::span(places).first(3));
    DepthSweep sweep = sweep_of(pairs_of(shots.keyframes), 0.95);
    compare_with_truth(room, sweep, shots.keyframes[0], out_report);
    return 0;
}

int32_t fh_check_refined_sweep(uint64_t seed, double contrast, int32_t is_bent, fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.03, contrast);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places);
    const KeyframeView &newest = shots.keyframes[0];
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    DepthSweep sweep = sweep_of(pairs, 0.95);
    // A normal that nothing in the room has mustn't mislead.
    const std::vector<Eigen::Vector3d> unlike = {newest.world_from_camera_rotation.transpose() *
                                                 Eigen::Vector3d(0.5, 1, 0.5)};
    PlaneRefiner refiner;
    refiner.refine(pairs, noise, unlike, sweep.columns(), {}, sweep.cells());
    compare_with_truth(room, sweep, newest, out_report);
    return 0;
}

int32_t fh_check_refined_open(uint64_t seed, fh_check_refined_halves *out_halves) {
    if (out_halves == nullptr) return -1;
    *out_halves = {};
    const PaintedRoom room(seed, 0.03, 40);
    const Shots shots(room, lens(false), seed, noise, places);
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    DepthSweep sweep = sweep_of(pairs, 0.95);
    const std::span<SweptCell> cells = sweep.cells();
    const auto is_open = [&](size_t cell) { return 2 * (static_cast<int>(cell) % sweep.columns()) >= sweep.columns(); };
    std::vector<uint8_t> is_settled;
    for (size_t i = 0; i < cells.size(); ++i) is_settled.push_back(is_open(i) ? 0 : 1);
    const std::vector<SweptCell> before(cells.begin(), cells.end());
    PlaneRefiner refiner;
    refiner.refine(std::span(pairs).first(4), noise, {}, sweep.columns(), is_settled, cells);
    for (size_t i = 0; i < cells.size(); ++i) {
        const bool is_changed = cells[i].inverse_depth != before[i].inverse_depth || cells[i].slope != before[i].slope;
        ++(is_open(i) ? out_halves->open : out_halves->settled);
        (is_open(i) ? out_halves->open_changed : out_halves->settled_changed) += is_changed;
    }
    return 0;
}

int32_t fh_check_refined_board(uint64_t seed, int32_t is_bent, int32_t with_quarters,
                               fh_check_sweep_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const PaintedRoom room(seed, 0.012, 40, true);
    const Shots shots(room, lens(is_bent != 0), seed, noise, places, Sizes::half_and_full);
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    DepthSweep sweep = sweep_of(pairs, 1.2);
    PlaneRefiner refiner;
    refiner.refine(pairs, noise, {}, sweep.columns(), {}, sweep.cells());
    if (with_quarters != 0) refine_quarters(shots, &refiner, &sweep);
    compare_with_truth(room, sweep, shots.keyframes[0], out_report);
    return 0;
}

int32_t fh_check_refined_by_two(uint64_t seed, int32_t *out_known, int32_t *out_different) {
    if (out_known == nullptr || out_different == nullptr) return -1;
    *out_known = *out_different = 0;
    const PaintedRoom room(seed, 0.012, 40, true);
    const Shots shots(room, lens(false), seed, noise, places, Sizes::half_and_full);
    const std::vector<ViewPair> pairs = pairs_of(shots.keyframes);
    const auto refined = [&](SecondThread *second) {
        DepthSweep sweep = sweep_of(pairs, 1.2);
        PlaneRefiner refiner;
        refiner.set_second_thread(second);
        refiner.refine(pairs, noise, {}, sweep.columns(), {}, sweep.cells());
        const std::span<const SweptCell> quarters = refine_quarters(shots, &refiner, &sweep);
        std::vector<SweptCell> all(sweep.cells().begin(), sweep.cells().end());
        all.insert(all.end(), quarters.begin(), quarters.end());
        return all;
    };
    SecondThread second;
    const std::vector<SweptCell> by_one = refined(nullptr), by_two = refined(&second);
    for (size_t i = 0; i < by_one.size(); ++i) {
        *out_known += by_one[i].sigma > 0;
        *out_different += !are_same(by_one[i], by_two[i]);
    }
    return 0;
}
