#include "surfaces/face_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace foothold {
namespace {

/// Turns to either side that are tried, and radians from one to the next.
constexpr int turns = 5;
constexpr double turn_step = 0.035;
/// Relative to distance: how far outwards an edge may lie, and from one place to the next.
constexpr double outermost = 0.018, place_step = 0.003;
/// Of the edge: its ends may belong to what lies beside it.
constexpr double half_length = 0.35;
constexpr int line_samples = 24;
/// Grey levels, and deviations of the noise: what changes less is no step.
constexpr double least_step = 2.5, noise_share = 1;
/// Of the upper edge; how much the lower one's counts beside it, and a turn (a radian).
constexpr double least_coherence = 0.4, lower_share = 0.5, turn_share = 0.3;
/// Lines that are so close are one.
constexpr double same_turn = 0.12, same_place = 0.012;
constexpr size_t most_lines = 4;
/// What fits worse isn't looked at further.
constexpr double worst_start = 3;
/// Columns and rows that fit no worse belong to the face; of the supposed one's length and height so much must be left
/// (of a table's edge only what is beside a leg would be).
constexpr double fitting = 2.5, least_long = 0.6, least_high = 0.4;
constexpr int slices = 10;

/// −1…1: of what is seen of a line, how much more becomes brighter outwards than darker; nothing where it's mostly
/// hidden.
std::optional<double> coherence_in(const KeyframeView &view, const FaceScene &scene, const Eigen::Vector3d &from,
                                   const Eigen::Vector3d &to, const Eigen::Vector3d &outward) {
    const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
    Eigen::Vector2d a, b, beside;
    const Eigen::Vector3d out = from + 0.02 * scene.distance * outward;
    if (!view.luma_camera.project(camera_from_world * (from - view.camera_in_world), 3, &a) ||
        !view.luma_camera.project(camera_from_world * (to - view.camera_in_world), 3, &b) ||
        !view.luma_camera.project(camera_from_world * (out - view.camera_in_world), 0, &beside))
        return std::nullopt;
    Eigen::Vector2d across(a.y() - b.y(), b.x() - a.x());
    if (across.norm() < 4) return std::nullopt;
    across.normalize();
    if (across.dot(beside - a) < 0) across = -across;
    const double threshold = std::max(least_step, noise_share * scene.noise);
    int balance = 0;
    for (int i = 0; i < line_samples; ++i) {
        const Eigen::Vector2d at = a + (i + 0.5) / line_samples * (b - a);
        const double change = view.luma_at(at + across) - view.luma_at(at - across);
        balance += change > threshold ? 1 : change < -threshold ? -1 : 0;
    }
    return static_cast<double>(balance) / line_samples;
}

/// Of several views; 0 where hardly one sees it.
double coherence_of(std::span<const KeyframeView *const> views, const FaceScene &scene, const HangingFace &face,
                    double down) {
    double sum = 0;
    int count = 0;
    for (const KeyframeView *view : views) {
        const double side = half_length;
        const auto coherence = coherence_in(*view, scene, face.at(-side, down), face.at(side, down), face.outward);
        if (!coherence) continue;
        sum += *coherence;
        ++count;
    }
    return count < 2 ? 0 : std::abs(sum) / count;
}

struct Line {
    double outwards = 0, turn = 0, score = 0;
};

std::vector<Line> lines_near(const FaceScene &scene, const HangingFace &supposed, double deepest) {
    std::vector<const KeyframeView *> views = {&scene.views.back()};
    // The two that see it from farthest off.
    std::vector<const KeyframeView *> others = others_of(scene, supposed);
    std::sort(others.begin(), others.end(),
              [&](const KeyframeView *a, const KeyframeView *b) { return parallax(*a, scene) > parallax(*b, scene); });
    for (size_t i = 0; i < std::min<size_t>(2, others.size()); ++i) views.push_back(others[i]);
    std::vector<Line> lines;
    const double step = place_step * scene.distance;
    const auto places = static_cast<int>(std::ceil((deepest + outermost * scene.distance) / step));
    const int most_turns = supposed.hangs_down(scene.up_in_world) ? turns : 0;
    for (int i = -most_turns; i <= most_turns; ++i) {
        for (int j = 0; j < places; ++j) {
            const double turn = i * turn_step, outwards = j * step - deepest;
            const HangingFace face = supposed.moved(outwards, turn);
            const double upper = coherence_of(views, scene, face, 0);
            if (upper < least_coherence) continue;
            const double lower = coherence_of(views, scene, face, 1);
            lines.push_back({outwards, turn, upper + lower_share * lower - turn_share * std::abs(turn)});
        }
    }
    std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) { return a.score > b.score; });
    std::vector<Line> best;
    for (const Line &line : lines) {
        const bool is_new = std::none_of(best.begin(), best.end(), [&](const Line &other) {
            return std::abs(line.turn - other.turn) < same_turn &&
                   std::abs(line.outwards - other.outwards) < same_place * scene.distance;
        });
        if (is_new) best.push_back(line);
        if (best.size() == most_lines) break;
    }
    return best;
}

/// The slices in a row, of those by `slice_of(place)`, that fit best together; from the first on where it must begin
/// there. From 0 to 1.
template <typename SliceOf>
std::pair<double, double> fitting_part(const FaceLook &look, bool from_first, SliceOf slice_of) {
    std::array<double, slices> gains{};
    for (const FaceLook::Place &place : look.places) {
        if (place.misfit >= 0)
            gains[std::clamp(static_cast<int>(slices * slice_of(place)), 0, slices - 1)] += fitting - place.misfit;
    }
    double best = 0, sum = 0;
    int first = 0, best_first = 0, best_end = 0;
    for (int i = 0; i < slices; ++i) {
        if (sum < 0 && !from_first) {
            sum = 0;
            first = i;
        }
        sum += gains[i];
        if (sum > best) {
            best = sum;
            best_first = first;
            best_end = i + 1;
        }
    }
    return {static_cast<double>(best_first) / slices, static_cast<double>(best_end) / slices};
}

/// What of a supposed face pictures agree on.
std::optional<HangingFace> trimmed(const HangingFace &face, const FaceLook &look) {
    const auto across = fitting_part(look, false, [](const FaceLook::Place &place) { return place.side + 0.5; });
    const auto down = fitting_part(look, true, [](const FaceLook::Place &place) { return place.down; });
    if (across.second - across.first < least_long || down.second < least_high) return std::nullopt;
    HangingFace part = face;
    part.middle = face.at(0.5 * (across.first + across.second) - 0.5, 0);
    part.length *= across.second - across.first;
    part.height *= down.second;
    return part;
}

/// Moves a face to where pictures agree best, from where it fits as well as `look` says.
std::optional<FoundFace> settled(const FaceScene &scene, HangingFace face, std::optional<FaceLook> look) {
    double moved = place_step * scene.distance;
    double turned = face.hangs_down(scene.up_in_world) ? 2 * turn_step : 0;
    for (int round = 0; round < 4; ++round, moved /= 2, turned /= 2) {
        for (const auto &[outwards, turn] : {std::pair(moved, 0.0), {-moved, 0.0}, {0.0, turned}, {0.0, -turned}}) {
            const HangingFace other = face.moved(outwards, turn);
            const std::optional<FaceLook> there = misfit_at(scene, other);
            if (!there || there->samples < look->samples / 2 || there->misfit >= look->misfit) continue;
            face = other;
            look = there;
        }
    }
    look = look_at(scene, face);
    return look ? std::optional(FoundFace{face, std::move(*look)}) : std::nullopt;
}

/// What goes back only as far as pictures tell.
std::optional<FoundFace> cut_to_told(const FaceScene &scene, FoundFace found) {
    const double share = found.look.share_told();
    if (share == 1) return found;
    if (share < least_high) return std::nullopt;
    found.face.height *= share;
    std::optional<FaceLook> look = look_at(scene, found.face);
    if (!look) return std::nullopt;
    found.look = std::move(*look);
    return found;
}

}  // namespace

std::optional<FoundFace> look_around(const FaceScene &scene, const HangingFace &face) {
    std::optional<FaceLook> look = misfit_at(scene, face);
    return look ? settled(scene, face, std::move(look)) : std::nullopt;
}

std::optional<FoundFace> find_face(const FaceScene &scene, const HangingFace &supposed, double deepest) {
    if (!is_seen_from(scene.views.back(), supposed) || others_of(scene, supposed).size() < 2) return std::nullopt;
    std::optional<FoundFace> best;
    for (const Line &line : lines_near(scene, supposed, deepest)) {
        const HangingFace whole = supposed.moved(line.outwards, line.turn);
        std::optional<FaceLook> look = misfit_at(scene, whole);
        const std::optional<HangingFace> face = look ? trimmed(whole, *look) : std::nullopt;
        if (!face) continue;
        look = misfit_at(scene, *face);
        if (!look || look->misfit > worst_start) continue;
        std::optional<FoundFace> found = settled(scene, *face, std::move(look));
        if (found) found = cut_to_told(scene, std::move(*found));
        if (found && (!best || found->look.certainty() > best->look.certainty())) best = std::move(found);
    }
    return best;
}

}  // namespace foothold
