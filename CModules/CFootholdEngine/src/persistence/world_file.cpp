#include "persistence/world_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace foothold {

namespace {

constexpr char kMagic[] = {'F', 'H', 'W', 'O', 'R', 'L', 'D', '\n'};
constexpr size_t kHeaderSize = 32;
constexpr size_t kSectionHeaderSize = 16;

constexpr std::array<uint32_t, 256> make_checksum_table() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0);
        table[i] = value;
    }
    return table;
}

constexpr std::array<uint32_t, 256> kChecksumTable = make_checksum_table();

void put(std::vector<uint8_t> &out, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

uint64_t number(std::span<const uint8_t> bytes, size_t offset, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= static_cast<uint64_t>(bytes[offset + i]) << (8 * i);
    return value;
}

}  // namespace

uint32_t checksum(std::span<const uint8_t> bytes) {
    uint32_t value = ~0u;
    for (const uint8_t byte : bytes) value = (value >> 8) ^ kChecksumTable[(value ^ byte) & 0xFF];
    return ~value;
}

void WorldFileWriter::add(WorldSection name, std::span<const uint8_t> contents) {
    put(sections_, static_cast<uint32_t>(name), 4);
    put(sections_, checksum(contents), 4);
    put(sections_, contents.size(), 8);
    sections_.insert(sections_.end(), contents.begin(), contents.end());
    ++count_;
}

std::vector<uint8_t> WorldFileWriter::finish() {
    std::vector<uint8_t> file(std::begin(kMagic), std::end(kMagic));
    file.reserve(kHeaderSize + sections_.size());
    put(file, kWorldFileVersion, 4);
    put(file, count_, 4);
    put(file, kHeaderSize + sections_.size(), 8);
    put(file, checksum(file), 4);
    put(file, 0, 4);
    file.insert(file.end(), sections_.begin(), sections_.end());
    return file;
}

WorldFileStatus WorldFile::open(std::span<const uint8_t> bytes) {
    if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) {
        return WorldFileStatus::not_a_world;
    }
    if (bytes.size() < kHeaderSize || checksum(bytes.first(24)) != number(bytes, 24, 4)) {
        return WorldFileStatus::damaged;
    }
    version = static_cast<uint32_t>(number(bytes, 8, 4));
    if (version > kWorldFileVersion) return WorldFileStatus::too_new;
    const uint32_t count = version == 1 ? kWorldSections - 1 : kWorldSections;
    if (version < 1 || number(bytes, 12, 4) != count || number(bytes, 16, 8) != bytes.size() ||
        number(bytes, 28, 4) != 0) {
        return WorldFileStatus::damaged;
    }
    bytes = bytes.subspan(kHeaderSize);
    for (uint32_t name = 0; name < count; ++name) {
        if (bytes.size() < kSectionHeaderSize || number(bytes, 0, 4) != name) return WorldFileStatus::damaged;
        const uint64_t length = number(bytes, 8, 8);
        if (length > bytes.size() - kSectionHeaderSize) return WorldFileStatus::damaged;
        sections[name] = bytes.subspan(kSectionHeaderSize, length);
        if (checksum(sections[name]) != number(bytes, 4, 4)) return WorldFileStatus::damaged;
        bytes = bytes.subspan(kSectionHeaderSize + length);
    }
    return bytes.empty() ? WorldFileStatus::sound : WorldFileStatus::damaged;
}

}  // namespace foothold
