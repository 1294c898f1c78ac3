// A session's world, kept and gone on with.
#include <cmath>
#include <utility>

#include "geometry/radial_lens.h"
#include "persistence/saved_world.h"
#include "session/session_core.h"
#include "session/surface_slants.h"

namespace foothold {

namespace {

/// A world that isn't recognised for so long gives way to a new one.
constexpr int64_t kSeekingNs = 5'000'000'000;
/// Relative, between two focal lengths that are one number.
constexpr double kOneFocal = 1e-9;

}  // namespace

std::vector<uint8_t> SessionCore::save_world(std::span<const uint8_t> attachment) {
    const SurfaceStage &stage = surface_worker_.settled_stage();
    return SavedWorld::write(camera_, mapper_.knowledge(), map_, stage.gravity(), stage.tracker(), attachment);
}

WorldFileStatus SessionCore::load_world(std::span<const uint8_t> bytes) {
    SavedWorld world;
    const WorldFileStatus status = world.read(bytes);
    if (status != WorldFileStatus::sound) return status;
    // A calibration that was doubted is as it was then.
    const bool was_doubted = std::abs(world.knowledge.prior_focal / options_.camera.focal() - 1) < kOneFocal;
    const bool is_guess = options_.focal_is_guess || world.knowledge.focal_is_free;
    if (was_doubted ? !is_same_size(world.camera, options_.camera)
                    : !is_same_camera(world.camera, options_.camera, is_guess)) {
        return WorldFileStatus::other_camera;
    }
    if (was_doubted && !options_.focal_is_guess) mapper_.note_doubt(center_of(world.camera));
    take_up(std::move(world.map), world.camera, world.knowledge, std::move(world.gravity), std::move(world.surfaces));
    note_slants(surface_worker_.settled_stage().surfaces(), &map_);
    phase_ = Phase::lost;
    known_world_ = KnownWorld::sought;
    return WorldFileStatus::sound;
}

void SessionCore::take_up(Map map, const CameraModel &camera, const Mapper::Knowledge &knowledge,
                          GravityEstimator gravity, SurfaceTracker surfaces) {
    map_.resume(std::move(map));
    has_fitted_ = true;
    loop_detector_.forget();
    camera_ = camera;
    mapper_.restore(knowledge);
    tracker_.typical_inverse_depth = mapper_.typical_inverse_depth();
    surface_worker_.restore(std::move(gravity), std::move(surfaces), map_.keyframes.back().id);
}

void SessionCore::begin_lost(int64_t timestamp_ns) {
    last_thumbnail_ = thumbnail_;
    lost_since_ns_ = timestamp_ns;
    // As if it had been tracked for long: it is worth being waited for.
    tracked_since_ns_ = timestamp_ns - kSeekingNs;
}

void SessionCore::forget_known_camera() {
    camera_ = options_.camera;
    mapper_.restore(initial_knowledge_);
    map_.focal = camera_.focal();
    map_.readout = 0;
}

}  // namespace foothold
