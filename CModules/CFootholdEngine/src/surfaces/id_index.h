// Where the things with these ids are in a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foothold {

/// Hashes ids into one block of memory, which it keeps: filling it anew at every update allocates nothing.
class IdIndex {
public:
    void clear() {
        for (Entry &entry : entries_) entry.index = -1;
        count_ = 0;
    }

    /// The index of an id, or -1.
    int32_t find(int64_t id) const { return entries_.empty() ? -1 : entries_[place_of(id)].index; }

    /// Gives an id an index (not negative); one that has one keeps it.
    void add(int64_t id, int32_t index) {
        int32_t &held = at(id);
        if (held < 0) held = index;
    }

    /// The index of an id, to be set at once: it's -1 when the id is new.
    int32_t &at(int64_t id) {
        if (2 * (count_ + 1) > entries_.size()) grow();
        Entry &entry = entries_[place_of(id)];
        count_ += entry.index < 0;
        entry.id = id;
        return entry.index;
    }

private:
    struct Entry {
        int64_t id = 0;
        int32_t index = -1;
    };

    /// Of an id's entry, or of the free one where it belongs.
    size_t place_of(int64_t id) const {
        const size_t mask = entries_.size() - 1;
        // Fibonacci hashing: the high bits of the product are well mixed.
        size_t place = (static_cast<uint64_t>(id) * 0x9E3779B97F4A7C15u) >> 32 & mask;
        while (entries_[place].index >= 0 && entries_[place].id != id) place = (place + 1) & mask;
        return place;
    }

    void grow() {
        const std::vector<Entry> before = std::move(entries_);
        entries_.assign(before.empty() ? 1024 : 2 * before.size(), Entry());
        for (const Entry &entry : before) {
            if (entry.index >= 0) entries_[place_of(entry.id)] = entry;
        }
    }

    /// A power of two of them, at least half of them free.
    std::vector<Entry> entries_;
    size_t count_ = 0;
};

}  // namespace foothold
