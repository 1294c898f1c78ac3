// The surface tracker's side of a saved world.
#include <unordered_set>

#include "persistence/archive.h"
#include "persistence/transfer_surfaces.h"
#include "surfaces/surface_tracker.h"

namespace foothold {

namespace {

/// Twice what is followed at most.
constexpr size_t kMostSurfaces = 64, kSurfaceBytes = 800;

}  // namespace

void SurfaceTracker::save(ArchiveWriter &archive) const {
    const State &state = *state_;
    archive.whole(state.next_id, 1, INT32_MAX);
    archive.real(state.noise_scale, 0, 0);
    archive.whole(static_cast<uint64_t>(state.next_reconsidered), 0, 0);
    archive.whole(state.random.state(), 0, 0);
    archive.list(state.tracked, kMostSurfaces, kSurfaceBytes,
                 [&](const TrackedSurface &surface) { TrackedSurface::transfer(archive, surface); });
    DenseMap::transfer(archive, state.dense);
}

void SurfaceTracker::load(ArchiveReader &archive) {
    state_ = std::make_unique<State>();
    State &state = *state_;
    archive.whole(state.next_id, 1, INT32_MAX);
    archive.real(state.noise_scale, 0.1, 10);
    uint64_t next = 0, random = 0;
    archive.whole(next, 0, INT64_MAX);
    archive.whole(random, INT64_MIN, INT64_MAX);
    state.next_reconsidered = next;
    state.random = SeededRandom(random);
    const TrackedSurface blank(PlaneFit(), PlaneFit(), GravityConstraint::none, Eigen::Vector3d::UnitX(),
                               Eigen::Vector3d::UnitY(), 1);
    archive.list(
        state.tracked, kMostSurfaces, kSurfaceBytes,
        [&](TrackedSurface &surface) { TrackedSurface::transfer(archive, surface); }, blank);
    DenseMap::transfer(archive, state.dense);
    std::unordered_set<int32_t> ids;
    for (const TrackedSurface &surface : state.tracked) {
        archive.require(surface.shown.id < state.next_id && ids.insert(surface.shown.id).second);
    }
    state.labelling.resume(state.tracked);
    state.show_confirmed();
}

void SurfaceTracker::save_edges(ArchiveWriter &archive) const {
    for (const TrackedSurface &surface : state_->tracked) EdgeVotes::transfer(archive, surface.edges);
}

void SurfaceTracker::load_edges(ArchiveReader &archive) {
    for (TrackedSurface &surface : state_->tracked) EdgeVotes::transfer(archive, surface.edges);
}

void SurfaceTracker::save_hanging(ArchiveWriter &archive) const {
    for (const TrackedSurface &surface : state_->tracked) {
        archive.truth(surface.hangs());
        if (surface.hangs()) transfer_face(archive, *surface.hanging);
    }
}

void SurfaceTracker::load_hanging(ArchiveReader &archive) {
    for (TrackedSurface &surface : state_->tracked) {
        bool hangs = false;
        archive.truth(hangs);
        if (hangs) transfer_face(archive, surface.hanging.emplace());
    }
}

void SurfaceTracker::date(int64_t timestamp_ns) {
    const auto date = [&](Surface &surface) { surface.first_seen_ns = surface.last_updated_ns = timestamp_ns; };
    for (TrackedSurface &surface : state_->tracked) date(surface.shown);
    for (Surface &surface : state_->shown) date(surface);
}

}  // namespace foothold
