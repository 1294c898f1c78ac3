#include "surfaces/plane_refiner.h"

#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "fh_affine.h"
#include "geometry/median.h"
#include "second_thread.h"
#include "surfaces/lens_free_picture.h"
#include "surfaces/seeded_random.h"

namespace foothold {
namespace {

/// Pixels between samples of a piece, in half-size pictures and in those of twice the size.
constexpr double spacing_of_squares = 1.5, spacing_of_quarters = 1;
/// Grey levels from the middle's at which a sample counts a third: it may be of something else.
constexpr float typical_difference = 25;
/// Variance of a piece, in that of the noise: below this there's nothing to compare.
constexpr double least_variance = 2;
constexpr int rounds_of_squares = 3, rounds_of_quarters = 2;
/// A plane is believed where pictures agree so well with it, and so much worse where it's moved by so many pixels.
constexpr double least_score = 0.75, least_drop = 0.06, drop_reach = 1.5;
/// Pixels to which a plane's place is known then.
constexpr double place_sigma = 0.2;
/// Pixels at a piece's edge within which planes are one.
constexpr double same_pixels = 0.3;
/// How far squares beside each other may lie from each other's plane to be of one, and what a square's own slope counts
/// beside theirs (square pixels).
constexpr double one_plane_pixels = 1, own_slope_weight = 12;
/// Sine of the least angle between a ray and a plane, and how much the other picture may show it larger or smaller.
constexpr double least_sine = 0.12, most_magnification = 3;
/// Sizes of random changes: of a pixel, and of a turn by some thirty degrees.
constexpr double changes[] = {1, 0.25};
/// Columns and rows from a square to those whose planes it takes over: the nearest ones, and some beyond what may lie
/// between.
constexpr int around[12][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1},
                               {-1, 1}, {1, 1}, {-3, 0}, {3, 0}, {0, -3},  {0, 3}};
/// How many squares of a row are visited before the first of the next: one more than the farthest step aside to another
/// row, so that all that one thread would visit before a square are visited before it by two, too.
constexpr int lead = 2;
static_assert(std::all_of(std::begin(around), std::end(around),
                          [](const auto &step) { return step[1] == 0 || (step[0] < lead && step[0] > -lead); }));
/// Squares of a row after which the next one is told how far it is.
constexpr int told_at_once = 8;
/// What squares start with is told by no visit.
constexpr int before_visits = 1;

/// What it is when it has come so far.
int wait_for(int needed, const std::atomic<int> &count) {
    int known = count.load();
    for (; known < needed; known = count.load()) count.wait(known);
    return known;
}

/// -1 ..< 1.
double uniform(SeededRandom *random) { return static_cast<double>(random->next() >> 11) * 0x1p-52 - 1; }

/// A square and those around it lie on its plane, within so much inverse depth.
bool is_on_plane_of_all_around(std::span<const SweptCell> cells, int columns, int column, int row, double tolerance) {
    const int rows = static_cast<int>(cells.size()) / columns;
    const SweptCell &cell = cells[static_cast<size_t>(row) * columns + column];
    for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows - 1); ++y) {
        for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns - 1); ++x) {
            const SweptCell &other = cells[static_cast<size_t>(y) * columns + x];
            const Eigen::Vector2d away = DepthSweep::middle(x, y) - DepthSweep::middle(column, row);
            const double off = other.inverse_depth - cell.inverse_depth - cell.widest_slope().dot(away);
            if (!(other.sigma > 0) || std::abs(off) > tolerance) return false;
        }
    }
    return true;
}

}  // namespace

PlaneRefiner::Plane PlaneRefiner::turned(const Square &square, const Eigen::Vector3d &normal, double inverse_depth) {
    const double at_middle = normal.x() + normal.tail<2>().dot(square.middle);
    return Plane(1, normal.y() / at_middle, normal.z() / at_middle) * inverse_depth;
}

PlaneRefiner::Plane PlaneRefiner::taken_over(const Square &other, const Square &square) const {
    Plane plane = other.plane;
    plane.x() += plane.tail<2>().dot(square.middle - other.middle);
    return plane;
}

bool PlaneRefiner::are_alike(const Plane &a, const Plane &b) const {
    const Plane difference = (a - b).cwiseAbs();
    constexpr int samples_to_edge = FH_PIECE_SIDE / 2;
    const double reach = samples_to_edge * spacing_;
    return difference.x() + reach * (difference.y() + difference.z()) < same_pixels * pixel_;
}

void PlaneRefiner::lay_squares(int columns, size_t count, double scale, Eigen::Vector2d (*middle)(int, int)) {
    columns_ = columns;
    rows_ = static_cast<int>(count) / columns;
    squares_.assign(count, Square());
    for (int i = 0; i < static_cast<int>(count); ++i) {
        Square &square = squares_[static_cast<size_t>(i)];
        square.middle = scale * middle(i % columns, i / columns);
        square.ray = camera_.normalise(square.middle).homogeneous();
        square.ray_length = square.ray.norm();
    }
}

void PlaneRefiner::describe(Square *square) const {
    const fh_image image = {own_.data, own_.cols, own_.rows, static_cast<int32_t>(own_.step)};
    const fh_point middle = {static_cast<float>(square->middle.x()), static_cast<float>(square->middle.y())};
    const float spacing = static_cast<float>(spacing_), step[4] = {spacing, 0, 0, spacing};
    constexpr int side = FH_PIECE_SIDE, row_length = FH_PIECE_STRIDE;
    using Row = Eigen::Array<float, row_length, 1>;
    int16_t samples[side * row_length] = {};
    const auto part = [](float(&of)[side * row_length], int y) { return Eigen::Map<Row>(of + y * row_length); };
    fh_piece &piece = square->piece;
    int32_t outside = 0;
    square->is_textured =
        fh_affine_sample(&image, middle, step, side, side, samples, row_length, &outside) == FH_KERNEL_OK &&
        outside == 0;
    if (!square->is_textured) return;
    const auto row = [&](int y) -> Row {
        return Eigen::Map<const Eigen::Array<int16_t, row_length, 1>>(samples + y * row_length).cast<float>() / 64;
    };
    const float own = row(side / 2)[side / 2];
    float sum = 0, mean = 0, square_mean = 0;
    for (int y = 0; y < side; ++y) {
        auto weights = part(piece.weights, y);
        weights = (-(row(y) - own).abs() / typical_difference).exp();
        weights[side] = 0;
        sum += weights.sum();
    }
    for (int y = 0; y < side; ++y) {
        auto weights = part(piece.weights, y);
        weights /= sum;
        mean += (weights * row(y)).sum();
        square_mean += (weights * row(y).square()).sum();
    }
    const float variance = square_mean - mean * mean;
    square->is_textured = variance > least_variance * grey_noise_ * grey_noise_;
    piece.deviation = std::sqrt(std::max(variance, 0.0f));
    for (int y = 0; y < side; ++y) part(piece.centred, y) = part(piece.weights, y) * (row(y) - mean);
}

double PlaneRefiner::correlation(const Square &square, const Plane &plane, const Other &other) const {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const Eigen::Vector3d seen = other.matrix * square.middle.homogeneous() + other.shift * plane.x();
    if (!(seen.z() > 0)) return nothing;
    const Eigen::Vector2d center = seen.hnormalized();
    Eigen::Matrix2d step;
    for (int k = 0; k < 2; ++k) {
        const Eigen::Vector3d change = other.matrix.col(k) + other.shift * plane[1 + k];
        step.col(k) = (change.head<2>() - center * change.z()) / seen.z();
    }
    const double magnification = step.determinant();
    if (!(magnification > 1 / most_magnification && magnification < most_magnification)) return nothing;
    const Eigen::Matrix<float, 2, 2, Eigen::RowMajor> steps = (spacing_ * step).cast<float>();
    float value = 0;
    const fh_point point = {static_cast<float>(center.x()), static_cast<float>(center.y())};
    return fh_piece_correlate(&square.piece, &other.picture, point, steps.data(), &value) == FH_KERNEL_OK ? value
                                                                                                          : nothing;
}

Eigen::Vector3d PlaneRefiner::normal_of(const Square &square, const Plane &plane) const {
    const double across = plane.y() * camera_.fx, down = plane.z() * camera_.fy;
    return {across, down, plane.x() - across * square.ray.x() - down * square.ray.y()};
}

double PlaneRefiner::score(const Square &square, const Plane &plane, double least, std::array<int, 3> *out_best) const {
    if (!(plane.x() > least_sine * normal_of(square, plane).norm() * square.ray_length)) return -1;
    std::array<double, 3> values = {-1, -1, -1};
    std::array<int, 3> best = {-1, -1, -1};
    int seen = 0;
    const auto look = [&](int index) {
        double value = correlation(square, plane, others_[static_cast<size_t>(index)]);
        if (std::isnan(value)) return;
        ++seen;
        for (size_t k = 0; k < values.size(); ++k) {
            if (!(value > values[k])) continue;
            std::swap(value, values[k]);
            std::swap(index, best[k]);
        }
    };
    const int count = static_cast<int>(others_.size());
    const auto first = std::min(count, 3);
    const std::array<int, 3> &before = square.best;
    // Those that agreed best with what is there: where they agree less with this, the others aren't asked.
    for (int k = 0; k < first; ++k) {
        look(before[static_cast<size_t>(k)]);
        if (seen == k + 1 && std::accumulate(values.begin(), values.begin() + seen, 0.0) < least * seen) return -1;
    }
    for (int index = 0; index < count; ++index) {
        if (std::find(before.begin(), before.begin() + first, index) == before.begin() + first) look(index);
    }
    if (seen < 2) return -1;
    // Where fewer than three were seen, others wait their turn behind them.
    for (size_t k = 0; k < best.size(); ++k) {
        for (int index = 0; best[k] < 0 && index < count; ++index) {
            if (std::find(best.begin(), best.end(), index) == best.end()) best[k] = index;
        }
        best[k] = std::max(best[k], 0);
    }
    *out_best = best;
    return seen >= 5 ? (values[0] + values[1] + values[2]) / 3 : 0.5 * (values[0] + values[1]);
}

void PlaneRefiner::attempt(const Plane &plane, int visit_number, Square *square) const {
    std::array<int, 3> best;
    const double value = score(*square, plane, square->score, &best);
    if (!(value > square->score)) return;
    square->score = value;
    square->plane = plane;
    square->best = best;
    square->changed = visit_number;
}

void PlaneRefiner::give(const Plane &plane, Square *square) {
    square->plane = plane;
    square->is_given = true;
    square->score = 1;
    square->changed = before_visits;
}

void PlaneRefiner::start_row(int row, std::span<const SweptCell> cells, std::span<const uint8_t> is_settled) {
    for (int column = 0; column < columns_; ++column) {
        const size_t i = static_cast<size_t>(row) * columns_ + column;
        Square &square = squares_[i];
        const bool is_swept = cells[i].sigma > 0;
        // What hardly has texture fits much by chance, and tells a plain table otherwise than its edges do.
        if (!is_settled.empty() && !is_swept) continue;
        const Eigen::Vector2d &slope = cells[i].widest_slope();
        const Plane plane(cells[i].inverse_depth, slope.x(), slope.y());
        const bool is_given =
            !is_settled.empty() &&
            (is_settled[i] || is_on_plane_of_all_around(cells, columns_, column, row, one_plane_pixels * pixel_));
        if (is_given) {
            give(plane, &square);
            continue;
        }
        describe(&square);
        if (is_swept && square.is_textured) attempt(plane, before_visits, &square);
    }
}

void PlaneRefiner::spread(int column, int row, int visit_number) {
    Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
    for (const auto &step : around) {
        const int x = column + step[0], y = row + step[1];
        if (x < 0 || y < 0 || x >= columns_ || y >= rows_) continue;
        const Square &other = squares_[static_cast<size_t>(y) * columns_ + x];
        // What was tried before is no better now.
        if (other.score < 0 || other.changed <= square.visited) continue;
        const Plane plane = taken_over(other, square);
        if (square.score < 0 || !are_alike(plane, square.plane)) attempt(plane, visit_number, &square);
    }
    square.visited = visit_number;
}

void PlaneRefiner::vary(int visit_number, Square *square) const {
    // By visits, since two threads don't make them one after the other.
    SeededRandom random(static_cast<uint64_t>(visit_number));
    for (const double size : changes) {
        attempt(square->plane * (1 + size * pixel_ * uniform(&random) / square->plane.x()), visit_number, square);
        // Its normal in the camera's axes, turned by up to some thirty degrees.
        Eigen::Vector3d normal = normal_of(*square, square->plane).normalized();
        for (int k = 0; k < 3; ++k) normal[k] += 0.5 * size * uniform(&random);
        const double facing = normal.dot(square->ray);
        const double inverse_depth = square->plane.x() + 0.3 * size * pixel_ * uniform(&random);
        if (facing <= 0) continue;
        attempt(Plane(1, normal.x() / (camera_.fx * facing), normal.y() / (camera_.fy * facing)) * inverse_depth,
                visit_number, square);
    }
}

bool PlaneRefiner::settle(Square *square) const {
    double reach = drop_reach * pixel_;
    for (int k = 0; k < 2; ++k, reach *= 0.6) {
        std::array<int, 3> best;
        const double inverse_depth = square->plane.x();
        const auto moved = [&](double by) -> Plane { return square->plane * ((inverse_depth + by) / inverse_depth); };
        const double nearer = score(*square, moved(reach), -1, &best);
        const double farther = score(*square, moved(-reach), -1, &best);
        if (k == 0 && std::max(nearer, farther) > square->score - least_drop) return false;
        const double bend = nearer + farther - 2 * square->score;
        if (!(bend < 0)) break;
        attempt(moved(std::clamp(0.5 * (farther - nearer) / bend, -0.5, 0.5) * reach), square->changed, square);
    }
    return true;
}

Eigen::Vector2d PlaneRefiner::slope_around(int column, int row) const {
    const Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
    // Its own slope counts as what squares around it would tell that lie on its plane.
    Eigen::Matrix2d a = own_slope_weight * Eigen::Matrix2d::Identity();
    Eigen::Vector2d b = Eigen::Vector2d::Zero();
    for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows_ - 1); ++y) {
        for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns_ - 1); ++x) {
            const Square &other = squares_[static_cast<size_t>(y) * columns_ + x];
            if (!other.is_known) continue;
            const Eigen::Vector2d away = other.middle - square.middle;
            const double off = other.plane.x() - square.plane.x() - square.plane.tail<2>().dot(away);
            const double other_off = off + (square.plane - other.plane).tail<2>().dot(away);
            if (std::max(std::abs(off), std::abs(other_off)) > one_plane_pixels * pixel_) continue;
            a += away * away.transpose();
            b += away * off;
        }
    }
    return square.plane.tail<2>() + a.inverse() * b;
}

void PlaneRefiner::prepare(std::span<const ViewPair> pairs, double grey_noise,
                           std::span<const Eigen::Vector3d> directions) {
    const KeyframeView &newest = *pairs[0].from;
    own_ = without_lens(newest);
    grey_noise_ = grey_noise;
    camera_ = newest.luma_camera;
    camera_.distortion = Distortion::none;
    const Eigen::Matrix3d ray_of_pixel = camera_.matrix().inverse();
    others_.clear();
    std::vector<double> baselines;
    for (const ViewPair &pair : pairs) {
        const cv::Mat numbers = pairs_without_lens(*pair.to);
        const fh_piece_picture picture = {numbers.ptr<uint16_t>(), numbers.cols, numbers.rows, numbers.cols};
        others_.push_back({numbers, picture, pair.pixel_matrix(), pair.pixel_shift()});
        baselines.push_back(pair.to_from_translation.norm());
    }
    pixel_ = 1 / (camera_.focal() * median(baselines));
    directions_.clear();
    for (const Eigen::Vector3d &direction : directions) {
        const Eigen::Vector3d by_pixel = ray_of_pixel.transpose() * direction;
        directions_.emplace_back(by_pixel.z(), by_pixel.x(), by_pixel.y());
    }
}

void PlaneRefiner::visit(int column, int row, int round, int number) {
    Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
    if (!square.is_textured) return;
    spread(column, row, number);
    if (square.score < 0) return;
    // Later they hardly ever fit better than what was found.
    if (round == 0) {
        for (const Eigen::Vector3d &direction : directions_) {
            attempt(turned(square, direction, square.plane.x()), number, &square);
        }
    }
    vary(number, &square);
}

void PlaneRefiner::pass(int round) {
    // To and fro, so that planes spread both ways.
    const bool is_back = round % 2 == 1;
    const int first_visit = before_visits + 1 + round * columns_ * rows_;
    // Of each row, how many are done.
    std::vector<std::atomic<int>> done(static_cast<size_t>(rows_));
    // If it threw, another thread would wait for its row for ever.
    share_rows(second_, rows_, [&](int k) noexcept {
        std::atomic<int> &own = done[static_cast<size_t>(k)];
        int before = k == 0 ? columns_ : 0;
        for (int j = 0; j < columns_; ++j) {
            const int needed = std::min(j + lead, columns_);
            if (before < needed) before = wait_for(needed, done[static_cast<size_t>(k) - 1]);
            visit(is_back ? columns_ - 1 - j : j, is_back ? rows_ - 1 - k : k, round, first_visit + k * columns_ + j);
            if ((j + 1) % told_at_once != 0 && j + 1 < columns_) continue;
            own.store(j + 1);
            own.notify_one();
        }
    });
}

void PlaneRefiner::search(int rounds) {
    for (int round = 0; round < rounds; ++round) pass(round);
    share_rows(second_, rows_, [&](int row) {
        for (int column = 0; column < columns_; ++column) {
            Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
            square.is_known = square.is_given || (square.score >= least_score && settle(&square));
        }
    });
}

void PlaneRefiner::tell(double scale, std::span<SweptCell> out) const {
    for (size_t i = 0; i < out.size(); ++i) {
        const Square &square = squares_[i];
        if (!square.is_known || square.is_given) continue;
        SweptCell &cell = out[i];
        cell.inverse_depth = square.plane.x();
        cell.slope = scale * square.plane.tail<2>();
        cell.wide_slope = scale * slope_around(static_cast<int>(i) % columns_, static_cast<int>(i) / columns_);
        cell.has_wide_slope = true;
        cell.sigma = place_sigma * pixel_;
    }
}

void PlaneRefiner::refine(std::span<const ViewPair> pairs, double grey_noise,
                          std::span<const Eigen::Vector3d> directions, int columns, std::span<const uint8_t> is_settled,
                          std::span<SweptCell> cells) {
    if (pairs.size() < 2 || cells.empty()) return;
    spacing_ = spacing_of_squares;
    prepare(pairs, grey_noise, directions);
    lay_squares(columns, cells.size(), 1, DepthSweep::middle);
    share_rows(second_, rows_, [&](int row) { start_row(row, cells, is_settled); });
    search(rounds_of_squares);
    tell(1, cells);
}

void PlaneRefiner::start_quarters_of_row(int row, std::span<const SweptCell> cells,
                                         std::span<const uint8_t> is_settled) {
    const int columns = columns_ / 2;
    // In half-size pixels, as squares are told.
    const double tolerance = 2 * one_plane_pixels * pixel_;
    for (int column = 0; column < columns; ++column) {
        const size_t whole = static_cast<size_t>(row) * columns + column;
        const SweptCell &cell = cells[whole];
        const bool is_given = is_settled[whole] || is_on_plane_of_all_around(cells, columns, column, row, tolerance);
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int x = 2 * column + quarter % 2, y = 2 * row + quarter / 2;
            Square &square = squares_[static_cast<size_t>(y) * columns_ + x];
            if (!is_given) describe(&square);
            if (!(cell.sigma > 0)) continue;
            const Eigen::Vector2d slope = cell.widest_slope();
            const Eigen::Vector2d away = DepthSweep::middle_of_quarter(x, y) - DepthSweep::middle(column, row);
            const Plane plane(cell.inverse_depth + slope.dot(away), slope.x() / 2, slope.y() / 2);
            if (square.is_textured) {
                attempt(plane, before_visits, &square);
            } else if (is_given) {
                give(plane, &square);
            }
        }
    }
}

void PlaneRefiner::refine_quarters(std::span<const ViewPair> pairs, double grey_noise,
                                   std::span<const Eigen::Vector3d> directions, int columns,
                                   std::span<const SweptCell> cells, std::span<const uint8_t> is_settled,
                                   std::span<SweptCell> quarters) {
    if (pairs.size() < 2 || cells.empty()) return;
    spacing_ = spacing_of_quarters;
    prepare(pairs, grey_noise, directions);
    lay_squares(2 * columns, quarters.size(), 2, DepthSweep::middle_of_quarter);
    share_rows(second_, rows_ / 2, [&](int row) { start_quarters_of_row(row, cells, is_settled); });
    search(rounds_of_quarters);
    tell(2, quarters);
}

}  // namespace foothold
