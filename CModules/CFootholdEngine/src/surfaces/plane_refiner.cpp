#include "surfaces/plane_refiner.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fh_affine.h"
#include "geometry/median.h"
#include "surfaces/lens_free_picture.h"

namespace foothold {
namespace {

/// Pixels between samples of a piece.
constexpr double spacing = 1.5;
/// Grey levels from the middle's at which a sample counts a third: it may be of something else.
constexpr float typical_difference = 25;
/// Variance of a piece, in that of the noise: below this there's nothing to compare.
constexpr double least_variance = 2;
constexpr int rounds = 3;
/// Of these the normals that are likely are tried in the first ones only.
constexpr int rounds_of_directions = 2;
/// A plane is believed where pictures agree so well with it, and so much worse where it's moved by so many pixels.
constexpr double least_score = 0.75, least_drop = 0.06, drop_reach = 1.5;
/// Pixels to which a plane's place is known then.
constexpr double place_sigma = 0.2;
/// How much a plane may do better in all pictures than in those that agreed best with another one.
constexpr double hidden_gain = 0.1;
/// Pixels at a piece's edge within which planes are one.
constexpr double same_pixels = 0.1;
/// How far squares beside each other may lie from each other's plane to be of one, and what a square's own slope counts
/// beside theirs (square pixels).
constexpr double one_plane_pixels = 1, own_slope_weight = 12;
/// Sine of the least angle between a ray and a plane, and how much the other picture may show it larger or smaller.
constexpr double least_sine = 0.12, most_magnification = 3;

constexpr double piece_reach = 3 * spacing;

}  // namespace

double PlaneRefiner::uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-52 - 1; }

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
    return difference.x() + piece_reach * (difference.y() + difference.z()) < same_pixels * pixel_;
}

void PlaneRefiner::describe(const cv::Mat &picture, double grey_noise, Square *square) const {
    const fh_image image = {picture.data, picture.cols, picture.rows, static_cast<int32_t>(picture.step)};
    const fh_point middle = {static_cast<float>(square->middle.x()), static_cast<float>(square->middle.y())};
    constexpr float step[4] = {spacing, 0, 0, spacing};
    int16_t samples[side * row_length] = {};
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
        Row &weights = square->weights[y];
        weights = (-(row(y) - own).abs() / typical_difference).exp();
        weights[side] = 0;
        sum += weights.sum();
    }
    for (int y = 0; y < side; ++y) {
        square->weights[y] /= sum;
        mean += (square->weights[y] * row(y)).sum();
        square_mean += (square->weights[y] * row(y).square()).sum();
    }
    const float variance = square_mean - mean * mean;
    square->is_textured = variance > least_variance * grey_noise * grey_noise;
    square->deviation = std::sqrt(std::max(variance, 0.0f));
    for (int y = 0; y < side; ++y) square->centred[y] = square->weights[y] * (row(y) - mean);
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
    const Eigen::Vector2d reach = piece_reach * step.cwiseAbs().rowwise().sum();
    const Eigen::Vector2d last(other.picture.cols - 1, other.picture.rows - 1);
    if (!((center - reach).minCoeff() >= 0 && (last - center - reach).minCoeff() >= 0)) return nothing;
    const fh_image image = {other.picture.data, other.picture.cols, other.picture.rows,
                            static_cast<int32_t>(other.picture.step)};
    const Eigen::Matrix<float, 2, 2, Eigen::RowMajor> steps = (spacing * step).cast<float>();
    int16_t samples[side * row_length];
    for (int y = 0; y < side; ++y) samples[y * row_length + side] = 0;
    if (fh_affine_sample(&image, {static_cast<float>(center.x()), static_cast<float>(center.y())}, steps.data(), side,
                         side, samples, row_length, nullptr) != FH_KERNEL_OK) {
        return nothing;
    }
    Row mean = Row::Zero(), square_mean = Row::Zero(), cross = Row::Zero();
    for (int y = 0; y < side; ++y) {
        const Row values =
            Eigen::Map<const Eigen::Array<int16_t, row_length, 1>>(samples + y * row_length).cast<float>() / 64;
        const Row weighted = square.weights[y] * values;
        mean += weighted;
        square_mean += weighted * values;
        cross += square.centred[y] * values;
    }
    const float variance = square_mean.sum() - mean.sum() * mean.sum();
    return variance > 1e-3f ? cross.sum() / (square.deviation * std::sqrt(variance)) : -1;
}

double PlaneRefiner::score(const Square &square, const Plane &plane, double least, std::array<int, 3> *out_best) const {
    const double across = plane.y() * camera_.fx, down = plane.z() * camera_.fy;
    const Eigen::Vector2d at = camera_.normalise(square.middle);
    const Eigen::Vector3d normal(across, down, plane.x() - across * at.x() - down * at.y());
    if (!(plane.x() > least_sine * normal.norm() * at.homogeneous().norm())) return -1;
    std::array<double, 3> values = {-1, -1, -1};
    std::array<int, 3> best = square.best;
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
    const std::array<int, 3> before = square.best;
    best = {-1, -1, -1};
    for (int k = 0; k < first; ++k) look(before[static_cast<size_t>(k)]);
    if (seen >= 2 && 0.5 * (values[0] + values[1]) < least - hidden_gain) return -1;
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

void PlaneRefiner::attempt(const Plane &plane, Square *square) {
    ++attempts_;
    std::array<int, 3> best;
    const double value = score(*square, plane, square->score, &best);
    if (!(value > square->score)) return;
    square->score = value;
    square->plane = plane;
    square->best = best;
    square->changed = attempts_;
}

void PlaneRefiner::start(std::span<const SweptCell> cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
        if (!(cells[i].sigma > 0) || !squares_[i].is_textured) continue;
        const Eigen::Vector2d slope = cells[i].has_wide_slope ? cells[i].wide_slope : cells[i].slope;
        attempt(Plane(cells[i].inverse_depth, slope.x(), slope.y()), &squares_[i]);
    }
}

void PlaneRefiner::spread(int column, int row) {
    // The nearest ones, and some beyond what may lie between.
    static constexpr int around[12][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1},
                                          {-1, 1}, {1, 1}, {-3, 0}, {3, 0}, {0, -3},  {0, 3}};
    Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
    for (const auto &step : around) {
        const int x = column + step[0], y = row + step[1];
        if (x < 0 || y < 0 || x >= columns_ || y >= rows_) continue;
        const Square &other = squares_[static_cast<size_t>(y) * columns_ + x];
        // What was tried before is no better now.
        if (other.score < 0 || other.changed <= square.visited) continue;
        const Plane plane = taken_over(other, square);
        if (square.score < 0 || !are_alike(plane, square.plane)) attempt(plane, &square);
    }
    square.visited = attempts_;
}

void PlaneRefiner::vary(Square *square) {
    for (const double size : {1.0, 0.5, 0.25}) {
        attempt(square->plane * (1 + size * pixel_ * uniform() / square->plane.x()), square);
        // Its normal in the camera's axes, turned by up to some thirty degrees.
        const Eigen::Vector2d at = camera_.normalise(square->middle);
        const double across = square->plane.y() * camera_.fx, down = square->plane.z() * camera_.fy;
        Eigen::Vector3d normal(across, down, square->plane.x() - across * at.x() - down * at.y());
        normal.normalize();
        for (int k = 0; k < 3; ++k) normal[k] += 0.5 * size * uniform();
        const double facing = normal.dot(at.homogeneous());
        const double inverse_depth = square->plane.x() + 0.3 * size * pixel_ * uniform();
        if (facing <= 0) continue;
        attempt(Plane(1, normal.x() / (camera_.fx * facing), normal.y() / (camera_.fy * facing)) * inverse_depth,
                square);
    }
}

bool PlaneRefiner::settle(Square *square) {
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
        attempt(moved(std::clamp(0.5 * (farther - nearer) / bend, -0.5, 0.5) * reach), square);
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

void PlaneRefiner::refine(std::span<const ViewPair> pairs, double grey_noise,
                          std::span<const Eigen::Vector3d> directions, std::span<SweptCell> cells) {
    if (pairs.size() < 2 || cells.empty()) return;
    const KeyframeView &newest = *pairs[0].from;
    const auto picture_of = [](const KeyframeView &view) {
        return without_lens(view, view.luma, view.luma_camera.width, view.luma_camera.height, view.stride, 1);
    };
    camera_ = newest.luma_camera;
    camera_.distortion = Distortion::none;
    columns_ = camera_.width / DepthSweep::cell_size;
    rows_ = static_cast<int>(cells.size()) / columns_;
    random_ = SeededRandom(1);
    attempts_ = 0;
    const auto matrix_of = [](const CameraModel &camera) {
        Eigen::Matrix3d matrix;
        matrix << camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1;
        return matrix;
    };
    const Eigen::Matrix3d ray_of_pixel = matrix_of(camera_).inverse();
    others_.clear();
    std::vector<double> baselines;
    for (const ViewPair &pair : pairs) {
        const Eigen::Matrix3d pixel_of_ray = matrix_of(pair.to->luma_camera);
        others_.push_back({picture_of(*pair.to), pixel_of_ray * pair.to_from_rotation * ray_of_pixel,
                           pixel_of_ray * pair.to_from_translation});
        baselines.push_back(pair.to_from_translation.norm());
    }
    pixel_ = 1 / (camera_.focal() * median(baselines));
    directions_.clear();
    for (const Eigen::Vector3d &direction : directions) {
        const Eigen::Vector3d by_pixel = ray_of_pixel.transpose() * direction;
        directions_.emplace_back(by_pixel.z(), by_pixel.x(), by_pixel.y());
    }
    const cv::Mat own = picture_of(newest);
    squares_.assign(cells.size(), Square());
    for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) {
            Square &square = squares_[static_cast<size_t>(row) * columns_ + column];
            square.middle = DepthSweep::middle(column, row);
            describe(own, grey_noise, &square);
        }
    }
    start(cells);
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < columns_ * rows_; ++k) {
            // To and fro, so that planes spread both ways.
            const int i = round % 2 == 0 ? k : columns_ * rows_ - 1 - k;
            Square &square = squares_[static_cast<size_t>(i)];
            if (!square.is_textured) continue;
            spread(i % columns_, i / columns_);
            if (square.score < 0) continue;
            if (round < rounds_of_directions) {
                for (const Eigen::Vector3d &direction : directions_) {
                    attempt(turned(square, direction, square.plane.x()), &square);
                }
            }
            vary(&square);
        }
    }
    for (Square &square : squares_) square.is_known = square.score >= least_score && settle(&square);
    for (size_t i = 0; i < cells.size(); ++i) {
        const Square &square = squares_[i];
        if (!square.is_known) continue;
        SweptCell &cell = cells[i];
        cell.inverse_depth = square.plane.x();
        cell.slope = square.plane.tail<2>();
        cell.wide_slope = slope_around(static_cast<int>(i) % columns_, static_cast<int>(i) / columns_);
        cell.has_wide_slope = true;
        cell.sigma = place_sigma * pixel_;
    }
}

}  // namespace foothold
