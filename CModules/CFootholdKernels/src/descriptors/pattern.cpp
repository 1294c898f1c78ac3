// The rule: both pixels of a pair are drawn about the middle with a bell-shaped density (sums of four uniform numbers;
// BRIEF, Calonder et al., 2010, found that to discriminate best), inside the disc, and not next to each other. Whole
// numbers only, so that every machine draws the same pattern.
#include "descriptors/pattern.h"

#include <cmath>

#include "dispatch/arguments.h"

namespace foothold::kernels {

namespace {

class Random {
public:
    /// Sum of four uniform numbers -kHalf … kHalf: standard deviation 6.3.
    int32_t Bell() {
        constexpr int32_t kHalf = 5;
        int32_t sum = 0;
        for (int32_t i = 0; i < 4; ++i) sum += static_cast<int32_t>(Next() >> 33) % (2 * kHalf + 1) - kHalf;
        return sum;
    }

private:
    /// SplitMix64.
    uint64_t Next() {
        state_ += 0x9E3779B97F4A7C15u;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    uint64_t state_ = 20240923;
};

struct Place {
    int32_t x, y;
};

Place DrawInDisc(Random *random) {
    for (;;) {
        const Place place = {random->Bell(), random->Bell()};
        if (place.x * place.x + place.y * place.y <= (kDiscRadius - 1) * (kDiscRadius - 1)) return place;
    }
}

uint16_t PlaceInPatch(Place place, double cosine, double sine) {
    const int32_t x = static_cast<int32_t>(std::lround(cosine * place.x - sine * place.y));
    const int32_t y = static_cast<int32_t>(std::lround(sine * place.x + cosine * place.y));
    return static_cast<uint16_t>((y + kDiscRadius) * kPatchStride + x + kDiscRadius);
}

}  // namespace

const Pattern &ThePattern() {
    static const Pattern pattern = [] {
        Pattern made;
        constexpr double kFullTurn = 6.283185307179586;
        Random random;
        for (int32_t pair = 0; pair < kPairs; ++pair) {
            Place first, second;
            int32_t dx, dy;
            do {
                first = DrawInDisc(&random);
                second = DrawInDisc(&random);
                dx = first.x - second.x;
                dy = first.y - second.y;
            } while (dx * dx + dy * dy < 9);
            for (int32_t turn = 0; turn < kPatternTurns; ++turn) {
                const double angle = kFullTurn * turn / kPatternTurns;
                made.first[turn][pair] = PlaceInPatch(first, std::cos(angle), std::sin(angle));
                made.second[turn][pair] = PlaceInPatch(second, std::cos(angle), std::sin(angle));
            }
        }
        return made;
    }();
    return pattern;
}

size_t MatchScratchBytes(int32_t candidate_count) {
    const size_t padded = RoundUp(static_cast<size_t>(candidate_count), kMatchGroup);
    const size_t boxes = RoundUp(padded / kMatchGroup, kMatchGroup);
    return padded * 32 + padded * 2 * sizeof(float) + boxes * 4 * sizeof(float);
}

}  // namespace foothold::kernels
