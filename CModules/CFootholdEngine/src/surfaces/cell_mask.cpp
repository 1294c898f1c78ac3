#include "surfaces/cell_mask.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace foothold {
namespace {

/// Adds a row of `words` words moved by `shift` cells towards higher columns (negative: towards lower ones).
void add_moved(const uint64_t *row, int words, int shift, uint64_t *out) {
    const int whole = std::abs(shift) / 64, part = std::abs(shift) % 64;
    for (int i = 0; i + whole < words; ++i) {
        if (shift > 0) {
            out[i + whole] |= row[i] << part;
            if (part > 0 && i + whole + 1 < words) out[i + whole + 1] |= row[i] >> (64 - part);
        } else {
            out[i] |= row[i + whole] >> part;
            if (part > 0 && i + whole + 1 < words) out[i] |= row[i + whole + 1] << (64 - part);
        }
    }
}

/// Half the width of a disc, so far above or below its middle.
int half_width(int radius, int away) { return static_cast<int>(std::lround(std::sqrt(radius * radius - away * away))); }

}  // namespace

int CellMask::count() const {
    int count = 0;
    for (const uint64_t word : bits_) count += std::popcount(word);
    return count;
}

CellMask &CellMask::operator|=(const CellMask &other) {
    for (size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
    return *this;
}

CellMask &CellMask::operator&=(const CellMask &other) {
    for (size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
    return *this;
}

CellMask &CellMask::operator-=(const CellMask &other) {
    for (size_t i = 0; i < bits_.size(); ++i) bits_[i] &= ~other.bits_[i];
    return *this;
}

uint64_t CellMask::last_word() const { return width_ % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (width_ % 64)) - 1; }

CellMask CellMask::complement() const {
    CellMask result(width_, height_);
    for (int row = 0; row < height_; ++row) {
        for (int i = 0; i < words_; ++i) {
            result.row_at(row)[i] = ~row_at(row)[i] & (i + 1 == words_ ? last_word() : ~uint64_t{0});
        }
    }
    return result;
}

CellMask CellMask::dilated(int radius) const {
    CellMask result(width_, height_);
    std::vector<uint64_t> wide(words_);
    for (int row = 0; row < height_; ++row) {
        const uint64_t *here = row_at(row);
        if (std::all_of(here, here + words_, [](uint64_t word) { return word == 0; })) continue;
        // From the disc's narrow ends to its middle, the row grows wider.
        std::copy(here, here + words_, wide.begin());
        int width = 0;
        for (int away = radius; away >= 0; --away) {
            for (const int needed = half_width(radius, away); width < needed;) {
                ++width;
                add_moved(here, words_, width, wide.data());
                add_moved(here, words_, -width, wide.data());
            }
            wide.back() &= last_word();
            for (const int to : {row - away, row + away}) {
                if (to < 0 || to >= height_) continue;
                uint64_t *out = result.row_at(to);
                for (int i = 0; i < words_; ++i) out[i] |= wide[i];
            }
        }
    }
    return result;
}

CellMask CellMask::eroded(int radius) const { return complement().dilated(radius).complement(); }

}  // namespace foothold
