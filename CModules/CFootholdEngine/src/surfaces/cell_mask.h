// A yes or no for each cell of a grid, 64 cells to a word: growing and shrinking by discs is a matter of shifts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foothold {

class CellMask {
public:
    CellMask(int width, int height)
        : width_(width), height_(height), words_((width + 63) / 64), bits_(static_cast<size_t>(words_) * height, 0) {}

    int width() const { return width_; }
    int height() const { return height_; }
    bool at(int column, int row) const { return row_at(row)[column / 64] >> (column % 64) & 1; }
    void set(int column, int row) { row_at(row)[column / 64] |= uint64_t{1} << (column % 64); }
    void reset(int column, int row) { row_at(row)[column / 64] &= ~(uint64_t{1} << (column % 64)); }
    int count() const;

    CellMask &operator|=(const CellMask &other);
    CellMask &operator&=(const CellMask &other);
    /// Takes away what the other mask holds.
    CellMask &operator-=(const CellMask &other);

    /// Every cell within a disc of this radius (cells; across, as far as whole cells reach) around one of the mask's.
    CellMask dilated(int radius) const;
    /// Every cell whose disc holds nothing but the mask's; what lies outside the grid counts as the mask's.
    CellMask eroded(int radius) const;
    /// Gaps narrower than the disc filled.
    CellMask closed(int radius) const { return dilated(radius).eroded(radius); }
    /// What is narrower than the disc taken away.
    CellMask opened(int radius) const { return eroded(radius).dilated(radius); }

private:
    const uint64_t *row_at(int row) const { return bits_.data() + static_cast<size_t>(row) * words_; }
    uint64_t *row_at(int row) { return bits_.data() + static_cast<size_t>(row) * words_; }
    CellMask complement() const;
    /// The cells of a row's last word that lie within the width.
    uint64_t last_word() const;

    int width_ = 0, height_ = 0;
    int words_ = 0;
    /// Row by row; what lies beyond the width is 0.
    std::vector<uint64_t> bits_;
};

}  // namespace foothold
