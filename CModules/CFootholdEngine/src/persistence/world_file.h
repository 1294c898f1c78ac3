// The envelope of a saved world: sections, each with its length and checksum, behind a header with its own.
//
//     0  8 bytes  "FHWORLD\n"
//     8  u32      version
//    12  u32      number of sections
//    16  u64      length of the whole
//    24  u32      CRC-32 of bytes 0…23
//    28  u32      zero
//    32           sections: u32 name, u32 CRC-32 of the contents, u64 length of the contents, contents
//
// All numbers are little-endian. Every version begins like this, so that an older program can say that it is too old.
// Version 1 has no section of edges, and is read as if nothing were known of them; version 2 doesn't tell what hangs
// from the edges of tops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace foothold {

enum class WorldFileStatus {
    sound,
    /// Something else altogether.
    not_a_world,
    /// Cut off, changed, or holding what makes no sense.
    damaged,
    too_new,
    other_camera,
};

enum class WorldSection : uint32_t { camera, map, up, surfaces, attachment, edges };

inline constexpr uint32_t kWorldFileVersion = 3;
inline constexpr int kWorldSections = 6;

/// CRC-32 as in zip and PNG files.
uint32_t checksum(std::span<const uint8_t> bytes);

class WorldFileWriter {
public:
    /// Each section once, in the order of the names.
    void add(WorldSection name, std::span<const uint8_t> contents);
    std::vector<uint8_t> finish();

private:
    std::vector<uint8_t> sections_;
    uint32_t count_ = 0;
};

/// The contents of all sections; views into the file.
struct WorldFile {
    std::span<const uint8_t> sections[kWorldSections];
    uint32_t version = 0;

    std::span<const uint8_t> operator[](WorldSection name) const { return sections[static_cast<int>(name)]; }
    WorldFileStatus open(std::span<const uint8_t> bytes);
};

}  // namespace foothold
