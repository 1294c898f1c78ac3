// Numbers to bytes and back, little-endian whatever the machine. The same function describes both ways: it is called
// with a writer, which takes its argument as it is, or with a reader, which checks everything that it gives.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "geometry/se3.h"

namespace foothold {

/// Lengths of a map beyond this make no sense: its unit is about the distance of what was seen first.
inline constexpr double kFarthest = 1e4;

class ArchiveWriter {
public:
    static constexpr bool reads = false;

    const std::vector<uint8_t> &bytes() const { return bytes_; }

    /// A whole number, in as many bytes as its type has.
    template <typename Int>
    void whole(const Int &value, int64_t, int64_t) {
        put(static_cast<uint64_t>(value), sizeof(Int));
    }
    void truth(bool value) { put(value ? 1 : 0, 1); }
    template <typename Enum>
    void choice(const Enum &value, Enum) {
        put(static_cast<uint64_t>(value), 1);
    }
    /// Eight bytes.
    void real(double value, double, double) { put(std::bit_cast<uint64_t>(value), 8); }
    /// Four bytes: for what was measured, not for what is computed on with.
    void brief(double value, double, double) { put(std::bit_cast<uint32_t>(static_cast<float>(value)), 4); }
    void raw(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    template <typename Element, typename Body>
    void list(const std::vector<Element> &elements, size_t, size_t, Body body) {
        put(elements.size(), 4);
        for (const Element &element : elements) body(element);
    }
    template <typename Element, typename Body>
    void list(const std::vector<Element> &elements, size_t most, size_t least_bytes, Body body, const Element &) {
        list(elements, most, least_bytes, body);
    }

private:
    void put(uint64_t value, size_t size) {
        for (size_t i = 0; i < size; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }

    std::vector<uint8_t> bytes_;
};

/// After the first thing that is wrong, everything reads as nothing and `is_sound` is false.
class ArchiveReader {
public:
    static constexpr bool reads = true;

    explicit ArchiveReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    bool is_sound() const { return is_sound_; }
    bool is_at_end() const { return bytes_.empty(); }
    void refuse() {
        is_sound_ = false;
        bytes_ = {};
    }
    void require(bool condition) {
        if (!condition) refuse();
    }

    template <typename Int>
    void whole(Int &value, int64_t low, int64_t high) {
        // Narrow numbers keep their sign.
        const auto read = static_cast<int64_t>(static_cast<Int>(take(sizeof(Int))));
        require(read >= low && read <= high);
        value = is_sound_ ? static_cast<Int>(read) : static_cast<Int>(low);
    }
    void truth(bool &value) {
        const uint64_t read = take(1);
        require(read <= 1);
        value = is_sound_ && read == 1;
    }
    template <typename Enum>
    void choice(Enum &value, Enum last) {
        const uint64_t read = take(1);
        require(read <= static_cast<uint64_t>(last));
        value = is_sound_ ? static_cast<Enum>(read) : Enum{};
    }
    void real(double &value, double low, double high) { value = checked(std::bit_cast<double>(take(8)), low, high); }
    template <typename Float>
    void brief(Float &value, double low, double high) {
        const auto read = std::bit_cast<float>(static_cast<uint32_t>(take(4)));
        value = static_cast<Float>(checked(read, low, high));
    }
    void raw(std::span<uint8_t> bytes) {
        require(bytes.size() <= bytes_.size());
        if (!is_sound_) return std::fill(bytes.begin(), bytes.end(), uint8_t{0});
        std::copy_n(bytes_.begin(), bytes.size(), bytes.begin());
        bytes_ = bytes_.subspan(bytes.size());
    }

    /// At most `most` elements, each of which takes at least `least_bytes`: a wrong count asks for no memory. They are
    /// filled in from `blank`.
    template <typename Element, typename Body>
    void list(std::vector<Element> &elements, size_t most, size_t least_bytes, Body body,
              const Element &blank = Element()) {
        const uint64_t count = take(4);
        require(count <= most && count * least_bytes <= bytes_.size());
        elements.clear();
        if (!is_sound_) return;
        elements.resize(count, blank);
        for (Element &element : elements) {
            body(element);
            if (!is_sound_) return;
        }
    }

private:
    uint64_t take(size_t size) {
        require(size <= bytes_.size());
        if (!is_sound_) return 0;
        uint64_t value = 0;
        for (size_t i = 0; i < size; ++i) value |= static_cast<uint64_t>(bytes_[i]) << (8 * i);
        bytes_ = bytes_.subspan(size);
        return value;
    }
    double checked(double value, double low, double high) {
        // False for what is no number, too.
        require(value >= low && value <= high);
        return is_sound_ ? value : low;
    }

    std::span<const uint8_t> bytes_;
    bool is_sound_ = true;
};

template <typename Archive, typename Vector>
void transfer_vector(Archive &archive, Vector &vector, double farthest) {
    for (int i = 0; i < vector.size(); ++i) archive.real(vector[i], -farthest, farthest);
}

template <typename Archive, typename Vector>
void transfer_brief_vector(Archive &archive, Vector &vector, double farthest) {
    for (int i = 0; i < vector.size(); ++i) archive.brief(vector[i], -farthest, farthest);
}

/// A direction of length one.
template <typename Archive, typename Vector>
void transfer_unit(Archive &archive, Vector &unit) {
    transfer_vector(archive, unit, 1.001);
    if constexpr (Archive::reads) {
        archive.require(std::abs(unit.norm() - 1) < 1e-3);
        if (!archive.is_sound()) unit.setUnit(0);
    }
}

template <typename Archive, typename Matrix>
void transfer_rotation(Archive &archive, Matrix &rotation) {
    for (int i = 0; i < 9; ++i) archive.real(rotation.data()[i], -1.001, 1.001);
    if constexpr (Archive::reads) {
        const double skewness = (rotation * rotation.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
        archive.require(skewness < 1e-3 && rotation.col(0).cross(rotation.col(1)).dot(rotation.col(2)) > 0);
        if (!archive.is_sound()) rotation.setIdentity();
    }
}

template <typename Archive, typename Pose>
void transfer_pose(Archive &archive, Pose &pose) {
    transfer_rotation(archive, pose.rotation);
    transfer_vector(archive, pose.translation, kFarthest);
}

}  // namespace foothold
