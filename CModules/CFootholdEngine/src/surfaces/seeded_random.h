// A small seeded generator (SplitMix64), the same on every machine.
#pragma once

#include <cstdint>

namespace foothold {

class SeededRandom {
public:
    explicit SeededRandom(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    /// Uniform in 0 ..< count.
    int below(int count) { return static_cast<int>((next() >> 32) * static_cast<uint64_t>(count) >> 32); }

    uint64_t state() const { return state_; }

private:
    uint64_t state_;
};

}  // namespace foothold
