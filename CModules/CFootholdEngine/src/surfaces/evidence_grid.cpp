#include "surfaces/evidence_grid.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

constexpr int growth_margin = 8;

}  // namespace

Eigen::Vector2i EvidenceGrid::cell(const Eigen::Vector2d &local) const {
    return Eigen::Vector2i(static_cast<int>(std::floor(local.x() / cell_size_)),
                           static_cast<int>(std::floor(local.y() / cell_size_))) -
           base_;
}

Eigen::Vector2d EvidenceGrid::cell_center(int column, int row) const {
    return {(base_.x() + column + 0.5) * cell_size_, (base_.y() + row + 0.5) * cell_size_};
}

float EvidenceGrid::at(const Eigen::Vector2d &local) const {
    const Eigen::Vector2i c = cell(local);
    return is_inside(c) ? value(c.x(), c.y()) : 0;
}

bool EvidenceGrid::is_amid_supported(const Eigen::Vector2d &local) const {
    // A cell at a straight edge has five supported neighbours.
    constexpr int enough = 7;
    const Eigen::Vector2i middle = cell(local);
    int count = 0;
    for (int dz = -1; dz <= 1; ++dz) {
        for (int dx = -1; dx <= 1; ++dx) {
            const Eigen::Vector2i c = middle + Eigen::Vector2i(dx, dz);
            count += is_inside(c) && value(c.x(), c.y()) >= supported;
        }
    }
    return count >= enough;
}

double EvidenceGrid::plain_share() const {
    int plain = 0, all = 0;
    for (int row = 0; row < height_; ++row) {
        for (int column = 0; column < width_; ++column) {
            const bool is_plain = is_blank(column, row) && value(column, row) >= 0;
            plain += is_plain;
            all += is_plain || value(column, row) >= supported;
        }
    }
    return all > 0 ? static_cast<double>(plain) / all : 0;
}

bool EvidenceGrid::is_blank_near(const Eigen::Vector2d &local) const {
    const Eigen::Vector2i middle = cell(local);
    for (int row = std::max(0, middle.y() - 1); row < std::min(height_, middle.y() + 2); ++row) {
        for (int column = std::max(0, middle.x() - 1); column < std::min(width_, middle.x() + 2); ++column) {
            if (is_blank(column, row)) return true;
        }
    }
    return false;
}

bool EvidenceGrid::is_framed(const Eigen::Vector2d &local, double half_width) const {
    // A few cells, so that one that is wrong doesn't make a frame.
    constexpr int enough = 3;
    const Eigen::Vector2i middle = cell(local);
    const int half = std::max(1, static_cast<int>(half_width / cell_size_));
    const auto count = [&](int first_row, int end_row, int first_column, int end_column) {
        int found = 0;
        for (int row = std::max(0, first_row); row < std::min(height_, end_row) && found < enough; ++row) {
            for (int column = std::max(0, first_column); column < std::min(width_, end_column); ++column) {
                found += value(column, row) >= supported;
            }
        }
        return found;
    };
    const int top = middle.y() - half, bottom = middle.y() + half + 1;
    const int start = middle.x() - half, end = middle.x() + half + 1;
    return count(top, bottom, 0, start) >= enough && count(top, bottom, end, width_) >= enough &&
           count(bottom, height_, start, end) >= enough;
}

void EvidenceGrid::add(const Eigen::Vector2d &local, float log_odds) {
    Eigen::Vector2i c = cell(local);
    if (!is_inside(c)) {
        if (log_odds <= 0) return;
        grow_to(c);
        c = cell(local);
    }
    float &stored = values_[static_cast<size_t>(c.y()) * width_ + c.x()];
    stored = std::clamp(stored + log_odds, -limit, limit);
}

void EvidenceGrid::add_blank(const Eigen::Vector2d &local) {
    Eigen::Vector2i c = cell(local);
    if (!is_inside(c)) {
        grow_to(c);
        c = cell(local);
    }
    uint8_t &count = blank_[static_cast<size_t>(c.y()) * width_ + c.x()];
    if (count < 255) ++count;
}

void EvidenceGrid::grow_to(const Eigen::Vector2i &target) {
    Eigen::Vector2i low = width_ == 0 ? target : Eigen::Vector2i(0, 0).cwiseMin(target);
    Eigen::Vector2i high = width_ == 0 ? target : Eigen::Vector2i(width_ - 1, height_ - 1).cwiseMax(target);
    const Eigen::Vector2i needed = high - low + Eigen::Vector2i::Ones();
    if (needed.maxCoeff() > largest_side) {
        const Eigen::Vector2d point = cell_center(target.x(), target.y());
        coarsen();
        const Eigen::Vector2i again = cell(point);
        if (!is_inside(again)) grow_to(again);
        return;
    }
    for (int axis = 0; axis < 2; ++axis) {
        const int size = axis == 0 ? width_ : height_;
        const int spare = largest_side - needed[axis];
        if (low[axis] < 0 || size == 0) low[axis] -= std::min(growth_margin, spare);
        if (high[axis] >= size)
            high[axis] += std::min(growth_margin, std::max(0, largest_side - 1 - high[axis] + low[axis]));
    }
    const Eigen::Vector2i size = high - low + Eigen::Vector2i::Ones();
    std::vector<float> values(static_cast<size_t>(size.x()) * size.y(), 0.0f);
    std::vector<uint8_t> blank(values.size(), 0);
    for (int row = 0; row < height_; ++row) {
        const ptrdiff_t from = static_cast<ptrdiff_t>(row) * width_;
        const ptrdiff_t to = static_cast<ptrdiff_t>(row - low.y()) * size.x() - low.x();
        std::copy_n(values_.begin() + from, width_, values.begin() + to);
        std::copy_n(blank_.begin() + from, width_, blank.begin() + to);
    }
    values_ = std::move(values);
    blank_ = std::move(blank);
    width_ = size.x();
    height_ = size.y();
    base_ += low;
}

void EvidenceGrid::coarsen() {
    const auto half = [](int v) { return static_cast<int>(std::floor(v / 2.0)); };
    const Eigen::Vector2i base(half(base_.x()), half(base_.y()));
    const int width = half(base_.x() + width_ - 1) - base.x() + 1;
    const int height = half(base_.y() + height_ - 1) - base.y() + 1;
    std::vector<float> values(static_cast<size_t>(width) * height, 0.0f);
    std::vector<uint8_t> blank(values.size(), 0);
    for (int row = 0; row < height_; ++row) {
        for (int column = 0; column < width_; ++column) {
            const int x = half(base_.x() + column) - base.x();
            const int y = half(base_.y() + row) - base.y();
            const size_t target = static_cast<size_t>(y) * width + x;
            values[target] = std::clamp(values[target] + value(column, row), -limit, limit);
            blank[target] = std::max(blank[target], blank_[static_cast<size_t>(row) * width_ + column]);
        }
    }
    values_ = std::move(values);
    blank_ = std::move(blank);
    width_ = width;
    height_ = height;
    base_ = base;
    cell_size_ *= 2;
}

void EvidenceGrid::clear() {
    width_ = height_ = 0;
    values_.clear();
    blank_.clear();
}

void EvidenceGrid::absorb(const EvidenceGrid &other, const Eigen::Matrix2d &rotation,
                          const Eigen::Vector2d &translation) {
    for (int row = 0; row < other.height_; ++row) {
        for (int column = 0; column < other.width_; ++column) {
            const float value = other.value(column, row);
            if (value != 0) add(rotation * other.cell_center(column, row) + translation, value);
        }
    }
}

void EvidenceGrid::turn(const Eigen::Matrix2d &rotation) {
    const EvidenceGrid before = *this;
    clear();
    for (int row = 0; row < before.height_; ++row) {
        for (int column = 0; column < before.width_; ++column) {
            const size_t index = static_cast<size_t>(row) * before.width_ + column;
            if (before.values_[index] == 0 && before.blank_[index] == 0) continue;
            const Eigen::Vector2i target = cell(rotation * before.cell_center(column, row));
            if (!is_inside(target)) grow_to(target);
        }
    }
    // From here to there, so that no cell is left out.
    for (int row = 0; row < height_; ++row) {
        for (int column = 0; column < width_; ++column) {
            const Eigen::Vector2i from = before.cell(rotation.transpose() * cell_center(column, row));
            if (!before.is_inside(from)) continue;
            const size_t index = static_cast<size_t>(row) * width_ + column;
            const size_t source = static_cast<size_t>(from.y()) * before.width_ + from.x();
            values_[index] = before.values_[source];
            blank_[index] = before.blank_[source];
        }
    }
}

}  // namespace foothold
