#include "surfaces/depth_sweep.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "surfaces/lens_free_picture.h"

namespace foothold {
namespace {

/// Half-size pixels around a pixel whose mean is taken away: what's left doesn't change with the light.
constexpr int mean_side = 7;
/// Half-size pixels to a side of the window that is compared.
constexpr int window_side = 5;
/// Every so many rows of the half-size picture are swept, and so many of these are in the window.
constexpr int row_step = 2, window_rows = 3;
/// Numbers a grey level.
constexpr double gain = 2;
/// Differences count up to so many deviations of their noise.
constexpr double cap_deviations = 4;
/// In deviations of the noise a pixel and picture: what a neighbouring distance costs, any other one, and what is left
/// of that across a strong edge.
constexpr double step_cost = 0.12, jump_cost = 2.5, least_jump_cost = 0.5;
/// Grey levels a pixel of an edge that halves it.
constexpr double typical_edge = 4;
/// Pixels beyond a square that its plane is fitted to, too.
constexpr int fit_margin = 2, wide_margin = 6;
/// Of the pixels of the wider window (18 × 18), how many must lie on its plane.
constexpr int least_wide = 60;
/// In steps between distances: how far what is on a plane lies from it, what all of a square's pixels may be off by
/// together, and how surely the pictures must tell where it lies.
constexpr double fit_tolerance = 0.8, shared_error = 0.1, largest_sigma = 0.5;
/// Noise that was encoded and decoded is alike in neighbouring pixels, so that sums of it are larger than its deviation
/// tells; in a picture without any there are still whole grey levels.
constexpr double noise_of_neighbours = 2, least_noise = 1;
constexpr double least_fitting_share = 0.7;
/// Of what a plane is fitted by, in pixels: below this they lie in one row or column.
constexpr double least_determinant = 1;

/// Differences to the mean around each pixel, 128 being none.
cv::Mat without_mean(const cv::Mat &picture, int side) {
    cv::Mat mean, out;
    cv::boxFilter(picture, mean, CV_16S, {side, side}, {-1, -1}, true, cv::BORDER_REFLECT_101);
    cv::Mat wide;
    picture.convertTo(wide, CV_16S);
    cv::Mat difference = wide - mean;
    difference.convertTo(out, CV_8U, gain, 128);
    return out;
}

}  // namespace

void DepthSweep::clear() {
    has_costs_ = false;
    cells_.clear();
    quarters_.clear();
}

double DepthSweep::window_noise() const { return window_side * window_rows * gain * M_SQRT2 * noise_; }

void DepthSweep::prepare(const KeyframeView &newest, std::span<const ViewPair> pairs) {
    camera_ = newest.luma_camera;
    camera_.distortion = Distortion::none;
    width_ = camera_.width;
    height_ = camera_.height / row_step;
    const cv::Mat own = without_lens(newest);
    reference_ = without_mean(own, mean_side);
    // Across edges distances may jump.
    cv::Mat dx, dy;
    cv::Sobel(own, dx, CV_16S, 1, 0);
    cv::Sobel(own, dy, CV_16S, 0, 1);
    const double unit = window_noise();
    jumps_.resize(static_cast<size_t>(width_) * height_);
    uint16_t by_edge[2048];
    for (int i = 0; i < 2048; ++i) {
        by_edge[i] = static_cast<uint16_t>(
            std::min(unit * (least_jump_cost + jump_cost / (1 + i / (8 * typical_edge))), FH_SWEEP_COST_LIMIT - 1.0));
    }
    for (int y = 0; y < height_; ++y) {
        const int16_t *across = dx.ptr<int16_t>(y * row_step), *down = dy.ptr<int16_t>(y * row_step);
        uint16_t *out = jumps_.data() + static_cast<size_t>(y) * width_;
        for (int x = 0; x < width_; ++x) out[x] = by_edge[std::abs(across[x]) + std::abs(down[x])];
    }
    others_.clear();
    sources_.clear();
    for (const ViewPair &pair : pairs) {
        const KeyframeView &to = *pair.to;
        // The half-size picture at every half pixel, so that the nearest is near enough: the tracked one, smoothed as
        // the half-size one was, or what lies between pixels.
        constexpr double scale = 2;
        cv::Mat fine;
        if (to.full_luma) {
            cv::GaussianBlur(without_lens(to.full_size()), fine, {5, 5}, 0, 0, cv::BORDER_REFLECT_101);
        } else {
            const cv::Mat half = without_lens(to);
            const cv::Matx23d shrink(1 / scale, 0, 0, 0, 1 / scale, 0);
            cv::warpAffine(half, fine, shrink, half.size() * 2, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                           cv::BORDER_REPLICATE);
        }
        others_.push_back(without_mean(fine, 2 * mean_side - 1));
        const Eigen::DiagonalMatrix<double, 3> enlarge(scale, scale, 1);
        const Eigen::Matrix<float, 3, 3, Eigen::RowMajor> matrix = (enlarge * pair.pixel_matrix()).cast<float>();
        const Eigen::Vector3f shift = (enlarge * pair.pixel_shift()).cast<float>();
        fh_sweep_source source = {};
        const cv::Mat &picture = others_.back();
        source.image = {picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step)};
        std::copy_n(matrix.data(), 9, source.matrix);
        std::copy_n(shift.data(), 3, source.shift);
        sources_.push_back(source);
    }
}

void DepthSweep::sum_windows() {
    float distances[FH_SWEEP_DEPTHS];
    for (int d = 0; d < FH_SWEEP_DEPTHS; ++d) distances[d] = static_cast<float>(farthest_ + d * step_);
    const size_t row = static_cast<size_t>(width_) * FH_SWEEP_DEPTHS;
    costs_.resize(row * height_);
    std::vector<uint8_t> ring(row * window_rows);
    std::vector<uint16_t> column_sums(row, 0);
    constexpr int reach = window_side / 2, row_reach = window_rows / 2;
    // Rows beyond the picture's ends are taken for its outermost.
    const auto row_at = [&](int y) { return ring.data() + row * (std::clamp(y, 0, height_ - 1) % window_rows); };
    const auto fill = [&](int y) {
        fh_sweep_compare_row(reference_.ptr<uint8_t>(y * row_step), width_, y * row_step, sources_.data(),
                             static_cast<int32_t>(sources_.size()), distances, cap_, row_at(y));
    };
    for (int y = 0; y <= std::min(row_reach, height_ - 1); ++y) fill(y);
    for (int y = -row_reach; y <= row_reach; ++y) {
        const uint8_t *added = row_at(y);
        for (size_t i = 0; i < row; ++i) column_sums[i] = static_cast<uint16_t>(column_sums[i] + added[i]);
    }
    for (int y = 0; y < height_; ++y) {
        uint16_t *out = costs_.data() + row * y;
        uint16_t sum[FH_SWEEP_DEPTHS] = {};
        const auto column = [&](int x) {
            return column_sums.data() + static_cast<size_t>(std::clamp(x, 0, width_ - 1)) * FH_SWEEP_DEPTHS;
        };
        for (int x = -reach; x <= reach; ++x) {
            const uint16_t *at = column(x);
            for (int d = 0; d < FH_SWEEP_DEPTHS; ++d) sum[d] = static_cast<uint16_t>(sum[d] + at[d]);
        }
        for (int x = 0; x < width_; ++x, out += FH_SWEEP_DEPTHS) {
            std::copy_n(sum, FH_SWEEP_DEPTHS, out);
            const uint16_t *next = column(x + reach + 1), *last = column(x - reach);
            for (int d = 0; d < FH_SWEEP_DEPTHS; ++d) sum[d] = static_cast<uint16_t>(sum[d] + next[d] - last[d]);
        }
        if (y + 1 == height_) break;
        // The oldest row leaves before its place is taken.
        const uint8_t *removed = row_at(y - row_reach);
        for (size_t i = 0; i < row; ++i) column_sums[i] = static_cast<uint16_t>(column_sums[i] - removed[i]);
        if (y + row_reach + 1 < height_) fill(y + row_reach + 1);
        const uint8_t *added = row_at(y + row_reach + 1);
        for (size_t i = 0; i < row; ++i) column_sums[i] = static_cast<uint16_t>(column_sums[i] + added[i]);
    }
}

void DepthSweep::smooth() {
    const size_t row = static_cast<size_t>(width_) * FH_SWEEP_DEPTHS;
    sums_.assign(row * height_, 0);
    paths_.resize(static_cast<size_t>(width_) * FH_SWEEP_PATH);
    const double unit = window_noise();
    const auto step = static_cast<uint16_t>(std::min(unit * step_cost, FH_SWEEP_COST_LIMIT - 1.0));
    const auto go = [&](int y, bool is_sideways) {
        fh_sweep_smooth_row(costs_.data() + row * y, width_, step, jumps_.data() + static_cast<size_t>(y) * width_,
                            is_sideways, paths_.data(), sums_.data() + row * y);
    };
    fh_sweep_begin(width_, paths_.data());
    for (int y = 0; y < height_; ++y) go(y, true);
    fh_sweep_begin(width_, paths_.data());
    for (int y = height_ - 1; y >= 0; --y) go(y, false);
}

void DepthSweep::choose() {
    inverse_depths_.resize(static_cast<size_t>(width_) * height_ + FH_SWEEP_WINDOW_PADDING, 0.0f);
    for (int y = 0; y < height_; ++y) {
        const size_t at = static_cast<size_t>(y) * width_;
        fh_sweep_choose_row(sums_.data() + at * FH_SWEEP_DEPTHS, width_, inverse_depths_.data() + at);
    }
    for (float &value : inverse_depths_) value = value < 0 ? 0 : static_cast<float>(farthest_ + value * step_);
}

int DepthSweep::fit_around(int left, int top, int margin, std::initializer_list<double> gates, Eigen::Vector3d *plane,
                           int *out_inside) const {
    const float middle_x = left + 0.5f * (cell_size - 1), middle_y = top + 0.5f * (cell_size - 1);
    const auto window_of = [&](int around) {
        const int x0 = std::max(left - around, 0), x1 = std::min(left + cell_size + around, width_);
        const int y0 = std::max(top - around, 0) / row_step,
                  y1 = std::min((top + cell_size + around) / row_step, height_);
        return fh_sweep_window{inverse_depths_.data() + static_cast<size_t>(y0) * width_ + x0,
                               width_,
                               x1 - x0,
                               y1 - y0,
                               static_cast<float>(x0) - middle_x,
                               static_cast<float>(y0 * row_step) - middle_y,
                               row_step};
    };
    const auto add_near = [&](const fh_sweep_window &window, const Eigen::Vector3f &p, double gate) {
        fh_sweep_sums sums;
        fh_sweep_add_window(&window, p.data(), static_cast<float>(gate * fit_tolerance * step_), &sums);
        return sums;
    };
    const fh_sweep_window around = window_of(margin);
    int count = 0;
    Eigen::Vector3f p;
    for (const double gate : gates) {
        p = plane->cast<float>();
        const fh_sweep_sums sums = add_near(around, p, gate);
        count = static_cast<int>(sums.n);
        if (count < cell_size * cell_size / (2 * row_step)) return 0;
        Eigen::Matrix3d a, inverse;
        a << sums.n, sums.x, sums.y, sums.x, sums.xx, sums.xy, sums.y, sums.xy, sums.yy;
        bool is_wide = false;
        a.computeInverseWithCheck(inverse, is_wide, least_determinant);
        if (!is_wide) return 0;
        *plane = inverse * Eigen::Vector3d(sums.w, sums.xw, sums.yw);
        plane->x() += p.x();
    }
    if (out_inside != nullptr) *out_inside = static_cast<int>(add_near(window_of(0), p, *(gates.end() - 1)).n);
    return count;
}

bool DepthSweep::fit(int left, int top, SweptCell *cell) const {
    float values[cell_size * cell_size];
    int count = 0;
    for (int y = top / row_step; y < (top + cell_size) / row_step; ++y) {
        for (int x = left; x < left + cell_size; ++x) {
            const float value = inverse_depths_[static_cast<size_t>(y) * width_ + x];
            if (value > 0) values[count++] = value;
        }
    }
    constexpr int least = static_cast<int>(least_fitting_share * cell_size * cell_size / row_step);
    if (count < least) return false;
    std::nth_element(values, values + count / 2, values + count);
    Eigen::Vector3d plane(values[count / 2], 0, 0);
    int inside = 0;
    if (fit_around(left, top, fit_margin, {4.0, 2.0, 1.0}, &plane, &inside) == 0 || inside < least) return false;
    cell->inverse_depth = plane.x();
    cell->slope = plane.tail<2>();
    if (!(cell->inverse_depth > 0)) return false;
    return true;
}

void DepthSweep::fit_wide(int left, int top, SweptCell *cell) const {
    Eigen::Vector3d plane(cell->inverse_depth, 0, 0);
    const int wide = fit_around(left, top, wide_margin, {5.0, 2.5, 1.0}, &plane, nullptr);
    cell->has_wide_slope = wide >= least_wide && std::abs(plane.x() - cell->inverse_depth) < fit_tolerance * step_;
    cell->wide_slope = plane.tail<2>();
}

bool DepthSweep::confirm(int left, int top, SweptCell *cell) const {
    constexpr int away = 2;
    double before = 0, here = 0, after = 0;
    int count = 0;
    const double middle = 0.5 * (cell_size - 1);
    for (int y = 0; y < cell_size; y += row_step) {
        for (int x = 0; x < cell_size; ++x) {
            const double place =
                (cell->inverse_depth + cell->slope.dot(Eigen::Vector2d(x - middle, y - middle)) - farthest_) / step_;
            const int below = static_cast<int>(std::floor(place));
            if (below < away || below + away + 1 >= FH_SWEEP_DEPTHS) continue;
            const double t = place - below;
            const uint16_t *costs = costs_at(left + x, (top + y) / row_step) + below;
            here += (1 - t) * costs[0] + t * costs[1];
            before += (1 - t) * costs[-away] + t * costs[1 - away];
            after += (1 - t) * costs[away] + t * costs[1 + away];
            ++count;
        }
    }
    if (count < cell_size * cell_size / (2 * row_step)) return false;
    // Sums of windows that overlap: each difference of two pictures is in so many of them.
    const double unit = gain * M_SQRT2 * noise_;
    const double window = window_side * window_rows;
    const double deviation = window * 0.6 * unit * std::sqrt(2.0 * sources_.size() * (count + 15.0 / row_step));
    const double bend = before + after - 2 * here;
    if (bend <= 0) return false;
    const double shift = (before - after) / bend;
    const double sigma = deviation / bend;
    if (std::abs(shift) > 1 || sigma > largest_sigma) return false;
    cell->inverse_depth += shift * step_;
    cell->sigma = step_ * std::hypot(sigma, shared_error);
    return cell->inverse_depth > 0;
}

void DepthSweep::fit_cells() {
    columns_ = width_ / cell_size;
    rows_ = height_ * row_step / cell_size;
    cells_.assign(static_cast<size_t>(columns_) * rows_, SweptCell());
    quarters_.clear();
    for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) {
            SweptCell cell;
            if (fit(column * cell_size, row * cell_size, &cell) &&
                confirm(column * cell_size, row * cell_size, &cell)) {
                fit_wide(column * cell_size, row * cell_size, &cell);
                cells_[static_cast<size_t>(row) * columns_ + column] = cell;
            }
        }
    }
}

void DepthSweep::compare(std::span<const ViewPair> pairs, double nearest, double farthest, double grey_noise) {
    clear();
    if (pairs.empty() || !(nearest > farthest)) return;
    noise_ = noise_of_neighbours * std::max(grey_noise, least_noise);
    cap_ = std::clamp(static_cast<int>(gain * M_SQRT2 * noise_ * cap_deviations), 2, 63);
    farthest_ = farthest;
    step_ = (nearest - farthest) / (FH_SWEEP_DEPTHS - 1);
    prepare(*pairs[0].from, pairs);
    sum_windows();
    has_costs_ = true;
}

void DepthSweep::decide() {
    if (!has_costs_) return;
    smooth();
    choose();
    fit_cells();
}

bool DepthSweep::find(const Eigen::Vector2d &pixel, Eigen::Array2i *out_quarter) const {
    *out_quarter = (2 * (pixel.array() + 0.5) / cell_size).floor().cast<int>();
    return out_quarter->minCoeff() >= 0 && out_quarter->x() < 2 * columns_ && out_quarter->y() < 2 * rows_;
}

const SweptCell *DepthSweep::quarter(const Eigen::Array2i &place) const {
    if (quarters_.empty()) return nullptr;
    const SweptCell &found = quarters_[static_cast<size_t>(place.y()) * 2 * columns_ + place.x()];
    return found.sigma > 0 ? &found : nullptr;
}

bool DepthSweep::knows_quarter(const Eigen::Vector3d &ray) const {
    Eigen::Array2i place;
    return find(camera_.pixel(ray.head<2>() / ray.z()), &place) && quarter(place) != nullptr;
}

const SweptCell *DepthSweep::known_at(const Eigen::Array2i &place, Eigen::Vector2d *out_middle) const {
    const SweptCell *own = quarter(place);
    *out_middle = own ? middle_of_quarter(place.x(), place.y()) : middle(place.x() / 2, place.y() / 2);
    const SweptCell &cell = own ? *own : cells_[static_cast<size_t>(place.y() / 2) * columns_ + place.x() / 2];
    return cell.sigma > 0 ? &cell : nullptr;
}

std::vector<Eigen::Vector3f> DepthSweep::pieces() const {
    std::vector<Eigen::Vector3f> pieces(4 * cells_.size(), Eigen::Vector3f::Zero());
    for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
        const Eigen::Array2i place(i % (2 * columns_), i / (2 * columns_));
        Eigen::Vector2d middle;
        const SweptCell *cell = known_at(place, &middle);
        if (!cell) continue;
        const Eigen::Vector2d slope = cell->widest_slope(), away = middle_of_quarter(place.x(), place.y()) - middle;
        pieces[static_cast<size_t>(i)] =
            Eigen::Vector3d(cell->inverse_depth + slope.dot(away), slope.x(), slope.y()).cast<float>();
    }
    return pieces;
}

bool DepthSweep::measure(const Eigen::Vector3d &ray, double *out_inverse_depth, double *out_sigma,
                         Eigen::Vector3d *out_facing_in_camera) const {
    if (cells_.empty()) return false;
    const Eigen::Vector2d pixel = camera_.pixel(ray.head<2>() / ray.z());
    Eigen::Array2i place;
    if (!find(pixel, &place)) return false;
    Eigen::Vector2d middle;
    const SweptCell *cell = known_at(place, &middle);
    if (!cell) return false;
    *out_inverse_depth = cell->inverse_depth + cell->slope.dot(pixel - middle);
    *out_sigma = cell->sigma;
    *out_facing_in_camera = Eigen::Vector3d::Zero();
    if (cell->has_wide_slope) {
        // Inverse depth is linear in the ray: m · ray, for the plane of points X with m · X = 1.
        const double mx = cell->wide_slope.x() * camera_.fx, my = cell->wide_slope.y() * camera_.fy;
        const Eigen::Vector2d at = camera_.normalise(middle);
        *out_facing_in_camera = -Eigen::Vector3d(mx, my, cell->inverse_depth - mx * at.x() - my * at.y()).normalized();
    }
    return *out_inverse_depth > 0;
}

}  // namespace foothold
