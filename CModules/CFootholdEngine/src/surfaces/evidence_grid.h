// What is known about each small square of a surface: seen to be there, or seen through.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace foothold {

/// A grid in a surface's local (x, z) that grows with what is seen, up to a fixed number of cells: then the cells
/// double in size, so that memory stays bounded.
class EvidenceGrid {
public:
    EvidenceGrid() = default;
    explicit EvidenceGrid(double cell_size) : cell_size_(cell_size) {}

    double cell_size() const { return cell_size_; }
    int width() const { return width_; }
    int height() const { return height_; }
    /// Of column 0, row 0: its place in local (x, z), counted in cells.
    const Eigen::Vector2i &first_cell() const { return base_; }
    bool empty() const { return width_ == 0; }

    /// Adds log-odds for the surface being there (positive) or not (negative) to the cell at a local point. Positive
    /// evidence makes the grid grow; negative evidence outside it is dropped.
    void add(const Eigen::Vector2d &local, float log_odds);
    /// Log-odds at a local point; 0 (unknown) outside the grid.
    float at(const Eigen::Vector2d &local) const;

    /// True when the cell at a local point lies well inside what is supported, not at its edge.
    bool is_amid_supported(const Eigen::Vector2d &local) const;

    /// True when there is support to both sides of a local point (along x) and beyond it along z, each in a band
    /// as wide as `half_width` either way.
    bool is_framed(const Eigen::Vector2d &local, double half_width) const;

    /// Column and row of the cell that holds a local point; may lie outside the grid.
    Eigen::Vector2i cell(const Eigen::Vector2d &local) const;
    /// The middle of a cell in local (x, z).
    Eigen::Vector2d cell_center(int column, int row) const;
    /// Notes that the cell looks just like its supported neighbours: no evidence by itself, but it may be filled in.
    void add_blank(const Eigen::Vector2d &local);
    /// True when a cell at a local point or beside it looks just like supported ones.
    bool is_blank_near(const Eigen::Vector2d &local) const;
    bool is_blank(int column, int row) const { return blank_[static_cast<size_t>(row) * width_ + column] >= 2; }
    /// Of the cells that show the surface, the share of those that look just like their neighbours.
    double plain_share() const;
    float value(int column, int row) const { return values_[static_cast<size_t>(row) * width_ + column]; }
    bool is_inside(const Eigen::Vector2i &cell) const {
        return cell.x() >= 0 && cell.y() >= 0 && cell.x() < width_ && cell.y() < height_;
    }

    /// Adds another grid's evidence, but for what of it looked plain; `rotation` and `translation` take its local
    /// points (x, z) to this one's.
    void absorb(const EvidenceGrid &other, const Eigen::Matrix2d &rotation, const Eigen::Vector2d &translation);

    /// As it is in other axes; `rotation` takes a local point (x, z) to where it is in them.
    void turn(const Eigen::Matrix2d &rotation);

    /// Forgets all evidence.
    void clear();
    void rescale(double scale) { cell_size_ *= scale; }

    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

    static constexpr float supported = 0.5f;
    static constexpr float contradicted = -1.0f;

private:
    static constexpr int largest_side = 256;
    /// Of a cell's log-odds, either way.
    static constexpr float limit = 4;

    void grow_to(const Eigen::Vector2i &cell);
    void coarsen();

    double cell_size_ = 0.03;
    /// Cell coordinates of column 0, row 0.
    Eigen::Vector2i base_ = Eigen::Vector2i::Zero();
    int width_ = 0;
    int height_ = 0;
    std::vector<float> values_;
    std::vector<uint8_t> blank_;
};

}  // namespace foothold
