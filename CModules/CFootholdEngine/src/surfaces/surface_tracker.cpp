#include "surfaces/surface_tracker.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "surfaces/blank_regions.h"
#include "surfaces/plane_search.h"
#include "surfaces/surface_classifier.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Relative to distance: what lies this close to a known surface isn't another one; the second where it's known to face
/// as that one does.
constexpr double indistinct = 0.013, indistinct_facing = 0.008;
/// Cosine of what another surface isn't told from by the way that a point faces.
constexpr double same_facing = 0.9;
constexpr int new_surfaces_per_update = 4, new_surfaces_in_review = 12;
/// While frames come: updates that label their pictures, and then one in so many does. Two keyframes mostly show the
/// same.
constexpr int64_t labelled_at_first = 8, labelled_every = 2;

SurfaceAlignment alignment_of(GravityConstraint constraint, const Eigen::Vector3d &normal, const Eigen::Vector3d &up) {
    switch (constraint) {
        case GravityConstraint::horizontal:
            return normal.dot(up) > 0 ? SurfaceAlignment::horizontal_up : SurfaceAlignment::horizontal_down;
        case GravityConstraint::vertical:
            return SurfaceAlignment::vertical;
        case GravityConstraint::none:
            return SurfaceAlignment::other;
    }
    return SurfaceAlignment::other;
}

}  // namespace

SurfaceTracker::State::Owned SurfaceTracker::State::points_by_owner() const {
    Owned owned;
    for (size_t i = 0; i < points.size(); ++i) owned[points[i].owner].push_back(static_cast<int>(i));
    return owned;
}

std::vector<int> SurfaceTracker::State::points_of(std::initializer_list<int32_t> owners) const {
    std::vector<int> indices;
    for (size_t i = 0; i < points.size(); ++i) {
        if (std::find(owners.begin(), owners.end(), points[i].owner) != owners.end())
            indices.push_back(static_cast<int>(i));
    }
    return indices;
}

void SurfaceTracker::State::take_points(const MapView &view) {
    points.clear();
    index_of_id.clear();
    points.reserve(view.points.size());
    const KeyframeView &newest = view.keyframes.back();
    // About half a pixel of the picture that was tracked.
    const double across_per_metre = 0.4 / newest.luma_camera.focal();
    for (const MapPoint &source : view.points) {
        if (source.observation_count < 2 || !(source.sigma_m > 0) || !source.position_in_world.allFinite()) continue;
        SurfacePoint point;
        point.id = source.id;
        point.position = source.position_in_world;
        point.view = source.mean_view_direction;
        point.distance = 1e300;
        for (const KeyframeView &keyframe : view.keyframes) {
            point.distance = std::min(point.distance, (keyframe.camera_in_world - point.position).norm());
        }
        // Known to worse than a tenth of its distance, a point says nothing about where a surface is.
        if (source.sigma_m > 0.1 * point.distance) continue;
        point.sigma_along = source.sigma_m;
        point.sigma_across = across_per_metre * point.distance;
        index_of_id.add(point.id, static_cast<int>(points.size()));
        points.push_back(point);
    }
}

std::vector<Eigen::Vector3d> SurfaceTracker::State::likely_uprights(const Eigen::Vector3d &up) const {
    // Furniture and walls mostly share two directions and their opposites.
    std::vector<Eigen::Vector3d> uprights;
    for (const TrackedSurface &surface : tracked) {
        if (surface.constraint() != GravityConstraint::vertical || uprights.size() >= 8) continue;
        const Eigen::Vector3d &normal = surface.plane().normal;
        const Eigen::Vector3d across = up.cross(normal).normalized();
        for (const Eigen::Vector3d &direction : {normal, across, Eigen::Vector3d(-normal), Eigen::Vector3d(-across)}) {
            const bool is_new = std::all_of(uprights.begin(), uprights.end(),
                                            [&](const Eigen::Vector3d &known) { return known.dot(direction) < 0.94; });
            if (is_new) uprights.push_back(direction);
        }
    }
    return uprights;
}

void SurfaceTracker::State::find_pieces() {
    const double reach_per_metre = 0.25;
    const auto guess = [&](const Eigen::Vector3d &origin, const Eigen::Vector3d &direction,
                           std::vector<PlaneGuess> *guesses) {
        for (const TrackedSurface &surface : tracked) {
            const double height = surface.plane().distance(origin);
            const double facing = surface.plane().normal.dot(direction);
            if (height <= 0 || facing > -0.1) continue;
            const double distance = -height / facing;
            if (distance > 3 * surface.distance) continue;
            const Eigen::Vector2d local = surface.to_local(origin + distance * direction);
            if (!surface.is_near_outline(local, reach_per_metre * surface.distance)) continue;
            guesses->push_back({surface.plane().normal, surface.plane().offset, 5});
        }
    };
    dense.find_new(*view, guess, uprights);
    index_of_dense.assign(dense.points().size(), -1);
    for (size_t i = 0; i < dense.points().size(); ++i) {
        const DensePoint &source = dense.points()[i];
        SurfacePoint point;
        point.id = source.id;
        point.position = source.position_in_world();
        point.view = source.view_sum.normalized();
        point.distance = (source.host_in_world - point.position).norm();
        const double relative = std::sqrt(source.variance) / source.inverse_depth;
        if (relative > 0.06) continue;
        point.sigma_along = relative * point.distance;
        point.sigma_across = 1e-3 * point.distance;
        point.facing = source.facing;
        index_of_dense[i] = static_cast<int>(points.size());
        index_of_id.add(point.id, index_of_dense[i]);
        points.push_back(point);
    }
    if (view->is_review) reviewed_depths[view->keyframes.back().id] = dense.depth();
}

void SurfaceTracker::State::assign_points() {
    IdIndex former;
    for (const TrackedSurface &surface : tracked) {
        for (const SurfaceMember &member : surface.members) former.add(member.point_id, surface.shown.id);
    }
    for (SurfacePoint &point : points) {
        const int32_t before = former.find(point.id);
        double best = 1;
        for (const TrackedSurface &surface : tracked) {
            const Plane &plane = surface.plane();
            const double distance = plane.distance(point.position);
            if (std::abs(distance) > largest_tolerance * point.distance || plane.normal.dot(point.view) < 0.05 ||
                !point.may_face(plane.normal)) {
                continue;
            }
            double ratio = std::abs(distance) / inlier_tolerance(point, plane.normal, noise_scale);
            // Points on the line where two surfaces meet stay where they are.
            if (before == surface.shown.id) ratio *= 0.8;
            const bool has_facing = !point.facing.isZero(0);
            const bool is_close = std::abs(distance) < (has_facing ? indistinct_facing : indistinct) * point.distance &&
                                  (!has_facing || point.facing.dot(plane.normal) > same_facing);
            if (ratio >= best && (!is_close || point.owner != unexplained)) continue;
            // Across what is plain a surface reaches farther, to its edges.
            const Eigen::Vector2d local = surface.to_local(point.position);
            const double reach = (surface.grid.is_blank_near(local) ? 3 : 1) * link_distance(surface.distance);
            if (!surface.is_near_outline(local, reach)) continue;
            if (ratio < best) {
                best = ratio;
                point.owner = surface.shown.id;
            } else {
                point.owner = set_aside;
            }
        }
    }
}

void SurfaceTracker::State::search_new(const MapView &view) {
    const KeyframeView &newest = view.keyframes.back();
    PlaneSearchOptions options;
    options.up = view.up_in_world;
    options.up_sigma_rad = view.up_sigma_rad;
    options.noise_scale = noise_scale;
    std::vector<int> everything(points.size());
    std::iota(everything.begin(), everything.end(), 0);
    options.everything = everything;
    std::vector<int> available = points_of({unexplained});
    PlaneSearch search(points, available, options, random);
    const int rounds = view.is_review ? new_surfaces_in_review : new_surfaces_per_update;
    for (int round = 0; round < rounds && tracked.size() < most_surfaces; ++round) {
        if (round > 0) available = points_of({unexplained});
        const auto candidate = search.best(available);
        if (!candidate || candidate->log_false_alarms > meaningful) return;
        if (is_behind_known(candidate->inliers, set_aside, newest.camera_in_world) ||
            crosses_stronger(candidate->inliers, candidate->fit.plane.normal, set_aside)) {
            // Out of the way for this round, so that they don't hide what else is there.
            for (int index : candidate->inliers) points[index].owner = set_aside;
            continue;
        }
        double distance = 0;
        for (int index : candidate->inliers) distance += points[index].distance;
        distance /= static_cast<double>(candidate->inliers.size());
        TrackedSurface surface(candidate->fit, candidate->free_fit, candidate->constraint,
                               newest.world_from_camera_rotation.col(0), view.up_in_world, distance);
        surface.shown.id = next_id++;
        surface.shown.first_seen_ns = view.newest_timestamp_ns;
        adopt(*candidate, surface);
        tracked.push_back(std::move(surface));
    }
}

void SurfaceTracker::State::publish(const MapView &view) {
    std::vector<Surface *> confirmed;
    for (TrackedSurface &surface : tracked) {
        if (!surface.is_confirmed) continue;
        Surface &s = surface.shown;
        s.alignment = alignment_of(surface.constraint(), s.normal, view.up_in_world);
        s.confidence = surface.confidence();
        confirmed.push_back(&s);
    }
    ClassifierContext context;
    context.up = view.up_in_world;
    context.metre = view.metre;
    context.camera_height = view.up_in_world.dot(view.keyframes.back().camera_in_world);
    classify_surfaces(confirmed, context);
    std::vector<Surface> before = std::move(shown);
    shown.clear();
    for (Surface *own : confirmed) {
        Surface surface = *own;
        reach_out_to(labelling.outline_of(surface.id), &surface);
        const auto old =
            std::find_if(before.begin(), before.end(), [&](const Surface &s) { return s.id == surface.id; });
        const bool changed = old == before.end() || old->boundary != surface.boundary ||
                             old->classification != surface.classification || old->alignment != surface.alignment ||
                             angle_between(old->normal, surface.normal) > 1e-4 ||
                             (old->origin_in_world - surface.origin_in_world).norm() > 1e-4;
        if (changed) own->last_updated_ns = surface.last_updated_ns = view.newest_timestamp_ns;
        if (changed && old != before.end()) events.push_back({SurfaceEventKind::updated, surface.id, -1});
        shown.push_back(std::move(surface));
    }
    std::sort(shown.begin(), shown.end(), [](const Surface &a, const Surface &b) { return a.id < b.id; });
}

void SurfaceTracker::State::show_confirmed() {
    shown = confirmed();
    for (Surface &surface : shown) reach_out_to(labelling.outline_of(surface.id), &surface);
}

std::vector<Surface> SurfaceTracker::State::confirmed() const {
    std::vector<Surface> surfaces;
    for (const TrackedSurface &surface : tracked) {
        if (surface.is_confirmed) surfaces.push_back(surface.shown);
    }
    std::sort(surfaces.begin(), surfaces.end(), [](const Surface &a, const Surface &b) { return a.id < b.id; });
    return surfaces;
}

SurfaceTracker::SurfaceTracker() : state_(std::make_unique<State>()) {}
SurfaceTracker::~SurfaceTracker() = default;
SurfaceTracker::SurfaceTracker(SurfaceTracker &&) noexcept = default;
SurfaceTracker &SurfaceTracker::operator=(SurfaceTracker &&) noexcept = default;

const std::array<SurfaceTracker::State::Part, SurfaceTracker::part_count> SurfaceTracker::State::parts = {{
    {&State::look, 1, 1},
    {&State::compare, 9, 9},
    {&State::measure, 6, 6},
    {&State::refine, 8, 8},
    {&State::revisit, 4, 4},
    {&State::find_pieces, 7, 7},
    {&State::explain, 6, 6},
    {&State::search, 6, 6},
    {&State::observe, 6, 6},
    {&State::spread, 2, 2},
    {&State::hang_faces, 3, 3},
    {&State::trace, 7, 7},
    {&State::settle, 5, 5},
    {&State::begin_labels, 10, 1},
    {&State::label, 8, 0},
    {&State::show, 5, 1},
}};

int SurfaceTracker::State::cost_of_first(size_t count) const {
    int sum = 0;
    for (size_t i = 0; i < count; ++i) sum += has_labels ? parts[i].cost : parts[i].cost_without_labels;
    return sum;
}

void SurfaceTracker::State::look() {
    take_points(*view);
    for (TrackedSurface &surface : tracked) surface.follow_members(points, [&](int64_t id) { return index_of(id); });
    dense.look(*view);
}

void SurfaceTracker::State::refine() {
    uprights = likely_uprights(view->up_in_world);
    dense.refine(*view, uprights);
}

void SurfaceTracker::State::explain() {
    assign_points();
    refit_surfaces(*view);
    if (view->is_up_guessed) note_rests(*view);
    split_at_steps(*view);
    deposit_evidence(view->keyframes.back());
}

void SurfaceTracker::State::observe() {
    const KeyframeView &newest = view->keyframes.back();
    note_seen_through(newest);
    note_cells(newest);
    probe_outlines(newest);
}

void SurfaceTracker::State::spread() {
    const KeyframeView &newest = view->keyframes.back();
    for (TrackedSurface &surface : tracked) surface.bounds_place = bounds_place(surface);
    const BlankRegions regions(dense.cells());
    spread_over_blank(newest, regions);
    note_creases(newest);
    add_walls_at_creases(*view, regions);
}

void SurfaceTracker::State::trace() {
    const KeyframeView &newest = view->keyframes.back();
    for (TrackedSurface &surface : tracked) surface.update_outline(tracked, &newest);
}

void SurfaceTracker::State::settle() {
    merge_coplanar();
    judge(*view);
}

void SurfaceTracker::State::begin_labels() {
    labelling.follow(tracked);
    if (has_labels) labelling.begin(*view, dense.depth(), planes_of_bounds());
}

void SurfaceTracker::State::label() {
    if (has_labels) labelling.label(*view);
}

void SurfaceTracker::State::forget_review() {
    reviewed_labelling.reset();
    reviewed_bounds.clear();
    reviewed_depths.clear();
}

void SurfaceTracker::begin(const MapView &view) {
    state_->events.clear();
    state_->reviewed_labelling.reset();
    if (!view.is_review) state_->forget_review();
    state_->view = &view;
    // In a review each picture is labelled after all were looked at.
    if (!view.is_review) ++state_->updates;
    state_->has_labels =
        !view.is_review && (state_->updates <= labelled_at_first || state_->updates % labelled_every == 0);
    state_->next_part = view.keyframes.empty() ? State::parts.size() : 0;
}

bool SurfaceTracker::advance() {
    size_t &next = state_->next_part;
    if (next < State::parts.size()) (state_.get()->*State::parts[next++].step)();
    return next < State::parts.size();
}

double SurfaceTracker::share_of_first(size_t parts) const {
    return static_cast<double>(state_->cost_of_first(parts)) / state_->cost_of_first(part_count);
}

void SurfaceTracker::update(const MapView &view) {
    begin(view);
    while (advance()) {
    }
}

void SurfaceTracker::label(const MapView &view) {
    State &state = *state_;
    state.events.clear();
    if (!state.reviewed_labelling) {
        // All pictures were compared, and labels take as much memory.
        state.dense.free_memory();
        state.reviewed_labelling.emplace().follow(state.tracked);
        state.reviewed_bounds = state.planes_of_bounds();
    }
    const auto depth = state.reviewed_depths.find(view.keyframes.back().id);
    if (depth == state.reviewed_depths.end()) return;
    state.reviewed_labelling->begin(view, depth->second, state.reviewed_bounds);
    state.reviewed_labelling->label(view);
}

void SurfaceTracker::trace_labels(const MapView &view) {
    State &state = *state_;
    state.events.clear();
    if (!state.reviewed_labelling) return;
    // A review looks at the newest pictures only, and at none of a world that was saved.
    state.reviewed_labelling->fill_gaps(state.labelling);
    state.labelling = std::move(*state.reviewed_labelling);
    state.forget_review();
    for (TrackedSurface &surface : state.tracked) surface.take_outline(state.labelling.outline_of(surface.shown.id));
    state.publish(view);
}

std::span<const Surface> SurfaceTracker::surfaces() const { return state_->shown; }

std::vector<Surface> SurfaceTracker::surfaces_by_evidence() const { return state_->confirmed(); }

std::span<const SurfaceEvent> SurfaceTracker::events() const { return state_->events; }

std::span<const DensePoint> SurfaceTracker::dense_points() const { return state_->dense.points(); }

void SurfaceTracker::transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
    for (TrackedSurface &surface : state_->tracked) {
        surface.transform(scale, rotation, translation);
        state_->labelling.transform(surface.shown.id, scale, rotation, translation);
    }
    state_->dense.transform(scale, rotation, translation);
    for (State::SupposedFace &supposed : state_->supposed_faces) supposed.face.transform(scale, rotation, translation);
    state_->show_confirmed();
}

void SurfaceTracker::reset() { leave(); }

SurfaceTracker SurfaceTracker::leave() {
    SurfaceTracker left;
    std::swap(left.state_, state_);
    state_->next_id = left.state_->next_id;
    return left;
}

void SurfaceTracker::resume_after(const SurfaceTracker &other) {
    state_->next_id = std::max(state_->next_id, other.state_->next_id);
}

void SurfaceTracker::take_in(SurfaceTracker other) {
    resume_after(other);
    std::vector<TrackedSurface> &own = state_->tracked, &others = other.state_->tracked;
    if (own.size() + others.size() > most_surfaces) {
        // What was told of goes before what might become a surface.
        for (auto *const both : {&own, &others})
            std::erase_if(*both, [](const TrackedSurface &surface) { return !surface.is_confirmed; });
    }
    for (TrackedSurface &surface : others) {
        if (own.size() >= most_surfaces) break;
        // Only the points of maps have ids of their own.
        std::erase_if(surface.members, [](const SurfaceMember &member) { return member.point_id < 0; });
        own.push_back(std::move(surface));
    }
    state_->labelling.take_in(std::move(other.state_->labelling));
    state_->show_confirmed();
}

}  // namespace foothold
