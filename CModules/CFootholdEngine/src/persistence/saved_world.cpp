#include "persistence/saved_world.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "geometry/radial_lens.h"
#include "persistence/archive.h"
#include "persistence/transfer_map.h"
#include "persistence/transfer_surfaces.h"

namespace foothold {

namespace {

/// Share by which the focal length of one camera may differ from time to time, and a guess from the truth.
constexpr double kFocalSpread = 0.03;
constexpr double kGuessSpread = 0.7;
/// Shares of the picture's width, for its middle.
constexpr double kMiddleSpread = 0.01;
constexpr double kGuessedMiddleSpread = 0.06;

template <typename Body>
bool read_section(const WorldFile &file, WorldSection name, Body body) {
    ArchiveReader archive(file[name]);
    body(archive);
    return archive.is_sound() && archive.is_at_end();
}

}  // namespace

WorldFileStatus SavedWorld::read(std::span<const uint8_t> bytes) {
    WorldFile file;
    const WorldFileStatus status = file.open(bytes);
    if (status != WorldFileStatus::sound) return status;
    const bool is_sound =
        read_section(file, WorldSection::camera,
                     [&](ArchiveReader &archive) {
                         transfer_camera(archive, camera);
                         transfer_knowledge(archive, knowledge);
                     }) &&
        read_section(file, WorldSection::map, [&](ArchiveReader &archive) { Map::transfer(archive, map); }) &&
        read_section(file, WorldSection::up,
                     [&](ArchiveReader &archive) { GravityEstimator::transfer(archive, gravity); }) &&
        read_section(file, WorldSection::surfaces, [&](ArchiveReader &archive) { surfaces.load(archive); }) &&
        (file.version == 1 || read_section(file, WorldSection::edges, [&](ArchiveReader &archive) {
             surfaces.load_edges(archive);
             if (file.version > 2) surfaces.load_hanging(archive);
         }));
    if (!is_sound || map.height_pixels != camera.height || std::abs(map.focal / camera.focal() - 1) > 1e-6) {
        return WorldFileStatus::damaged;
    }
    return WorldFileStatus::sound;
}

std::vector<uint8_t> SavedWorld::write(const CameraModel &camera, const Mapper::Knowledge &knowledge, const Map &map,
                                       const GravityEstimator &gravity, const SurfaceTracker &surfaces,
                                       std::span<const uint8_t> attachment) {
    WorldFileWriter file;
    const auto add = [&](WorldSection name, auto body) {
        ArchiveWriter archive;
        body(archive);
        file.add(name, archive.bytes());
    };
    add(WorldSection::camera, [&](ArchiveWriter &archive) {
        transfer_camera(archive, camera);
        transfer_knowledge(archive, knowledge);
    });
    const Map settled = map.settled(kFarthest);
    add(WorldSection::map, [&](ArchiveWriter &archive) { Map::transfer(archive, settled); });
    add(WorldSection::up, [&](ArchiveWriter &archive) { GravityEstimator::transfer(archive, gravity); });
    add(WorldSection::surfaces, [&](ArchiveWriter &archive) { surfaces.save(archive); });
    file.add(WorldSection::attachment, attachment);
    add(WorldSection::edges, [&](ArchiveWriter &archive) {
        surfaces.save_edges(archive);
        surfaces.save_hanging(archive);
    });
    return file.finish();
}

bool is_same_size(const CameraModel &saved, const CameraModel &now) {
    return saved.width == now.width && saved.height == now.height;
}

bool is_same_camera(const CameraModel &saved, const CameraModel &now, bool is_guess) {
    if (!is_same_size(saved, now)) return false;
    const bool bends_are_guesses = is_guess && is_bend_all(saved) && is_bend_all(now);
    const bool has_same_lens =
        saved.distortion == now.distortion && std::equal(std::begin(saved.k), std::end(saved.k), std::begin(now.k),
                                                         [](double a, double b) { return std::abs(a - b) <= 1e-6; });
    if (!bends_are_guesses && !has_same_lens) return false;
    const double focal = is_guess ? kGuessSpread : std::log1p(kFocalSpread);
    const double middle = (is_guess ? kGuessedMiddleSpread : kMiddleSpread) * now.width;
    return std::abs(std::log(saved.fx / now.fx)) < focal && std::abs(std::log(saved.fy / now.fy)) < focal &&
           std::abs(saved.cx - now.cx) < middle && std::abs(saved.cy - now.cy) < middle;
}

}  // namespace foothold
