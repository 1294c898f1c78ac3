#include "surfaces/face_look.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/median.h"

namespace foothold {
namespace {

/// Of the rectangle: its rim belongs to what lies beside it, too.
constexpr double inner = 0.96;
/// Places along each side, at most and at least; pixels from one to the next.
constexpr int most_places = 16, least_places = 5;
constexpr double place_spacing = 1.2;
/// What counts as seen of a face, and of a pair of pictures.
constexpr int least_seen = 24;
/// Baselines over distance: less says nothing.
constexpr double least_parallax = 0.015;
constexpr size_t most_others = 6;
/// Grey levels that pictures differ by besides noise.
constexpr double unmodelled = 1.5;
/// A difference counts no more than this many variances.
constexpr double most_misfit = 6;
/// Relative to distance: where else the face might be.
constexpr std::array<double, 4> elsewhere = {-0.04, -0.02, 0.02, 0.04};
/// Radians: which way else it might face; what pictures say against that, which is less, counts so many times.
constexpr std::array<double, 2> otherwise = {-0.26, 0.26};
constexpr double weight_of_turns = 3;
/// What is clear, and how well pictures agree on a face and not at all: on 60 made-up worlds 152 looks at what is
/// larger than 0.04 m² and said at least that were right, and 8 were wrong, six of them by 10–30°.
constexpr double agreeing = 3.5, disagreeing = 4.5, least_lead = 0.25, clear = 8;
/// Along the edge; none may say so much for something else (of 25 true ones all said no less than 0).
constexpr size_t parts = 6;
constexpr double least_of_a_part = -0.1;
constexpr double nowhere = 0;

/// By how much pictures differ more, of a whole face, of the part where it's least (0 or less) and of its thirds.
struct Lead {
    double whole = 0, least_of_parts = 0;
    std::array<double, 3> of_thirds = {FaceLook::endless, FaceLook::endless, FaceLook::endless};
    bool is_told = false;
};

/// A place of the face as the last view sees it.
struct Sample {
    Eigen::Vector3d ray;
    double luma = 0;
};

/// Compares what one other view shows along the rays of the last one.
class Comparison {
public:
    Comparison(const FaceScene &scene, const KeyframeView &other, const std::vector<Sample> &samples)
        : newest_(scene.views.back()),
          other_(other),
          samples_(samples),
          variance_(2 * (scene.noise * scene.noise + unmodelled * unmodelled)) {}

    /// By sample, how much the pictures differ if what is seen there lies at `depth_of(ray)` times the ray; negative
    /// where that can't be told.
    template <typename DepthOf>
    std::vector<double> misfits(DepthOf depth_of) const {
        std::vector<double> differences(samples_.size(), 0), known;
        std::vector<bool> is_known(samples_.size(), false);
        for (size_t i = 0; i < samples_.size(); ++i) {
            const double depth = depth_of(samples_[i].ray);
            if (!(depth > 0)) continue;
            const Eigen::Vector3d p = other_.world_from_camera_rotation.transpose() *
                                      (newest_.camera_in_world + depth * samples_[i].ray - other_.camera_in_world);
            Eigen::Vector2d pixel;
            if (!other_.luma_camera.project(p, 2, &pixel)) continue;
            differences[i] = other_.luma_at(pixel) - samples_[i].luma;
            is_known[i] = true;
            known.push_back(differences[i]);
        }
        std::vector<double> misfits(samples_.size(), -1);
        if (known.size() < least_seen) return misfits;
        // Exposures differ.
        const double shift = median(known);
        for (size_t i = 0; i < samples_.size(); ++i) {
            const double off = differences[i] - shift;
            if (is_known[i]) misfits[i] = std::min(off * off / variance_, most_misfit);
        }
        return misfits;
    }

private:
    const KeyframeView &newest_, &other_;
    const std::vector<Sample> &samples_;
    double variance_;
};

/// How many times a ray from a camera is long where it meets a plane; 0 where it doesn't.
double depth_of(const Plane &plane, const Eigen::Vector3d &camera, const Eigen::Vector3d &ray) {
    const double facing = plane.normal.dot(ray);
    return std::abs(facing) < 1e-9 ? nowhere : -plane.distance(camera) / facing;
}

/// Places of a face that the last view sees, with what it shows there: one sample for each of the look's places.
std::vector<Sample> samples_of(const FaceScene &scene, const HangingFace &face, FaceLook *look) {
    const KeyframeView &view = scene.views.back();
    std::vector<Sample> samples;
    std::array<Eigen::Vector2d, 3> corners;
    const std::array<Eigen::Vector3d, 3> places = {face.at(-0.5, 0), face.at(0.5, 0), face.at(-0.5, 1)};
    for (size_t i = 0; i < places.size(); ++i) {
        const Eigen::Vector3d p = view.world_from_camera_rotation.transpose() * (places[i] - view.camera_in_world);
        if (p.z() < 0.05 * scene.distance) return samples;
        corners[i] = view.luma_camera.pixel(p.head<2>() / p.z());
    }
    const auto count_over = [](const Eigen::Vector2d &side) {
        return std::clamp(static_cast<int>(std::lround(side.norm() / place_spacing)), least_places, most_places);
    };
    const int columns = count_over(corners[1] - corners[0]), rows = count_over(corners[2] - corners[0]);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const double side = inner * ((column + 0.5) / columns - 0.5), down = inner * (row + 0.5) / rows;
            const Eigen::Vector3d at = face.at(side, down), ray = at - view.camera_in_world;
            Eigen::Vector2d pixel;
            if (!view.luma_camera.project(view.world_from_camera_rotation.transpose() * ray, 2, &pixel)) continue;
            if (scene.is_hidden(view.camera_in_world, at)) continue;
            samples.push_back({ray, view.luma_at(pixel)});
            look->places.push_back({side, down, -1});
        }
    }
    return samples;
}

/// Leaves `lead` at 0. Tells what it compared, and by view how much each of that differs, negative where it can't be
/// told.
std::optional<FaceLook> misfit_of(const FaceScene &scene, const HangingFace &face,
                                  std::span<const KeyframeView *const> others, std::vector<Sample> *samples,
                                  std::vector<std::vector<double>> *by_view) {
    FaceLook look;
    if (!is_seen_from(scene.views.back(), face)) return std::nullopt;
    *samples = samples_of(scene, face, &look);
    if (samples->size() < least_seen) return std::nullopt;
    std::vector<double> sums(samples->size(), 0);
    std::vector<int> counts(samples->size(), 0);
    double sum = 0;
    by_view->clear();
    for (const KeyframeView *other : others) {
        std::vector<double> misfits =
            Comparison(scene, *other, *samples).misfits([](const Eigen::Vector3d &) { return 1.0; });
        for (size_t i = 0; i < samples->size(); ++i) {
            const Eigen::Vector3d at = scene.views.back().camera_in_world + (*samples)[i].ray;
            if (misfits[i] >= 0 && scene.is_hidden(other->camera_in_world, at)) misfits[i] = -1;
            if (misfits[i] < 0) continue;
            sums[i] += misfits[i];
            ++counts[i];
            sum += misfits[i];
            ++look.samples;
        }
        by_view->push_back(std::move(misfits));
    }
    if (look.samples < 2 * least_seen) return std::nullopt;
    look.misfit = sum / look.samples;
    for (size_t i = 0; i < samples->size(); ++i)
        if (counts[i] > 0) look.places[i].misfit = sums[i] / counts[i];
    return look;
}

}  // namespace

Eigen::Vector3d HangingFace::along() const { return up.cross(outward); }

Eigen::Vector3d HangingFace::at(double side, double down) const {
    return middle + side * length * along() - down * height * up;
}

HangingFace HangingFace::moved(double outwards, double radians) const {
    HangingFace face = *this;
    face.middle += outwards * outward;
    face.outward = Eigen::AngleAxisd(radians, up) * outward;
    return face;
}

void HangingFace::transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
    middle = scale * (rotation * middle) + translation;
    outward = rotation * outward;
    up = rotation * up;
    length *= scale;
    height *= scale;
}

double FaceLook::certainty() const { return lead * std::sqrt(static_cast<double>(samples)); }

double FaceLook::share_told() const {
    const auto *const untold = std::find_if(leads_of_thirds.begin(), leads_of_thirds.end(),
                                            [](double lead_of_third) { return lead_of_third < least_lead; });
    return static_cast<double>(untold - leads_of_thirds.begin()) / static_cast<double>(leads_of_thirds.size());
}

bool FaceLook::speaks_for() const {
    return misfit < agreeing && lead > least_lead * std::max(1.0, misfit) && certainty() > clear &&
           least_of_parts > least_of_a_part && share_told() == 1;
}

bool FaceLook::speaks_against() const { return misfit > disagreeing || certainty() < -clear; }

bool is_seen_from(const KeyframeView &view, const HangingFace &face) {
    const Eigen::Vector3d to_camera = view.camera_in_world - face.at(0, 0.5);
    return view.luma && face.outward.dot(to_camera) > flattest_face * to_camera.norm();
}

std::vector<const KeyframeView *> others_of(const FaceScene &scene, const HangingFace &face) {
    std::vector<const KeyframeView *> all, some;
    for (const KeyframeView &view : scene.views.first(scene.views.size() - 1)) {
        if (is_seen_from(view, face) && parallax(view, scene) > least_parallax) all.push_back(&view);
    }
    const size_t count = std::min(all.size(), most_others);
    for (size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
    return some;
}

std::optional<FaceLook> misfit_at(const FaceScene &scene, const HangingFace &face) {
    std::vector<Sample> samples;
    std::vector<std::vector<double>> by_view;
    return misfit_of(scene, face, others_of(scene, face), &samples, &by_view);
}

std::optional<FaceLook> look_at(const FaceScene &scene, const HangingFace &face) {
    std::vector<Sample> samples;
    std::vector<std::vector<double>> by_view;
    const std::vector<const KeyframeView *> others = others_of(scene, face);
    std::optional<FaceLook> look = misfit_of(scene, face, others, &samples, &by_view);
    if (!look) return std::nullopt;
    const Eigen::Vector3d &camera = scene.views.back().camera_in_world;
    const auto lead_over = [&](auto depth_at) {
        std::array<double, parts> sums{}, counts{};
        std::array<double, 3> sums_of_thirds{}, counts_of_thirds{};
        for (size_t k = 0; k < others.size(); ++k) {
            const std::vector<double> misfits = Comparison(scene, *others[k], samples).misfits(depth_at);
            for (size_t i = 0; i < samples.size(); ++i) {
                if (misfits[i] < 0 || by_view[k][i] < 0) continue;
                const double side = look->places[i].side + 0.5;
                const auto part = static_cast<size_t>(std::clamp(parts * side, 0.0, parts - 1.0));
                const auto third = static_cast<size_t>(std::clamp(3 * look->places[i].down, 0.0, 2.0));
                const double lead = misfits[i] - by_view[k][i];
                sums[part] += lead;
                ++counts[part];
                sums_of_thirds[third] += lead;
                ++counts_of_thirds[third];
            }
        }
        Lead lead;
        for (size_t part = 0; part < parts; ++part) {
            lead.whole += sums[part] / look->samples;
            if (counts[part] == 0) continue;
            lead.is_told = true;
            lead.least_of_parts = std::min(lead.least_of_parts, sums[part] / counts[part]);
        }
        for (size_t third = 0; third < 3; ++third)
            if (counts_of_thirds[third] > 0) lead.of_thirds[third] = sums_of_thirds[third] / counts_of_thirds[third];
        return lead;
    };
    const auto lead_over_plane = [&](const Plane &plane) {
        return lead_over([&](const Eigen::Vector3d &ray) { return depth_of(plane, camera, ray); });
    };
    const auto lead_over_moved = [&](double outwards, double turn) {
        return lead_over_plane(face.moved(outwards, turn).plane());
    };
    look->lead = lead_over_plane({face.up, face.up.dot(face.middle)}).whole;
    const bool hangs_down = face.hangs_down(scene.up_in_world);
    const auto take_lead = [&](const Lead &lead) {
        look->lead = std::min(look->lead, lead.whole);
        if (hangs_down) return;
        for (size_t third = 0; third < 3; ++third)
            look->leads_of_thirds[third] = std::min(look->leads_of_thirds[third], lead.of_thirds[third]);
    };
    const auto take = [&](const Lead &lead) {
        // Below a top there's always something; behind a front's edge often nothing that is known.
        if (!hangs_down && !lead.is_told) return;
        take_lead(lead);
        look->least_of_parts = std::min(look->least_of_parts, lead.least_of_parts);
    };
    take(lead_over(scene.behind));
    for (const Plane &plane : scene.beyond) take(lead_over_plane(plane));
    for (const double outwards : elsewhere) take_lead(lead_over_moved(outwards * scene.distance, 0));
    for (const double turn : otherwise)
        look->lead = std::min(look->lead, weight_of_turns * lead_over_moved(0, turn).whole);
    return look;
}

}  // namespace foothold
