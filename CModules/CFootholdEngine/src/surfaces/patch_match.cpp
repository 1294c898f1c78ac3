#include "surfaces/patch_match.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fh_affine.h"

namespace foothold {
namespace {

constexpr int patch_area = patch_side * patch_side;
constexpr int largest_strip = (patch_side + 2 * largest_search) * patch_side;
using PatchVector = Eigen::Matrix<float, patch_area, 1>;
constexpr double pose_noise_pixels = 0.1;
constexpr double weakest_correlation = 0.75;
// Of what a perfect match of so noisy a patch would have.
constexpr double weakest_share = 0.85;
constexpr double least_expected_correlation = 0.55;
// Moving by the whole depth must move the picture by this many pixels, or depth can't be told.
constexpr double least_parallax_pixels = 6;

/// Samples columns (along `u`) of `patch_side` rows (along `v`) around `center`; false when they leave the picture.
bool sample(const KeyframeView &view, const Eigen::Vector2d &center, const Eigen::Vector2d &u, const Eigen::Vector2d &v,
            int half_columns, float *out) {
    const fh_image picture = {view.luma, view.luma_camera.width, view.luma_camera.height, view.stride};
    const Eigen::Vector2d reach = half_columns * u.cwiseAbs() + patch_radius * v.cwiseAbs();
    const Eigen::Vector2d last(picture.width - 1, picture.height - 1);
    if (!((center - reach).minCoeff() >= 0 && (last - center - reach).minCoeff() >= 0)) return false;
    // The kernel's columns are the patch's rows.
    const Eigen::Matrix<float, 4, 1> step = Eigen::Vector4d(v.x(), u.x(), v.y(), u.y()).cast<float>();
    const fh_point middle = {static_cast<float>(center.x()), static_cast<float>(center.y())};
    const int columns = 2 * half_columns + 1;
    int16_t samples[largest_strip];
    if (fh_affine_sample(&picture, middle, step.data(), patch_side, columns, samples, patch_side, nullptr) !=
        FH_KERNEL_OK) {
        return false;
    }
    for (int i = 0; i < columns * patch_side; ++i) out[i] = static_cast<float>(samples[i]) * (1.0f / 64);
    return true;
}

/// In steps along the patch's columns and rows: where its changes from column to column lie.
Eigen::Vector2d middle_of_changes(const PatchVector &values) {
    using Column = Eigen::Matrix<float, patch_side, 1>;
    const Eigen::Map<const Eigen::Matrix<float, patch_side, patch_side>> columns(values.data());
    const Column offsets = Column::LinSpaced(-patch_radius, patch_radius);
    Column by_row = Column::Zero();
    float along = 0;
    for (int c = 1; c + 1 < patch_side; ++c) {
        const Column weights = (columns.col(c + 1) - columns.col(c - 1)).cwiseAbs2();
        by_row += weights;
        along += static_cast<float>(c - patch_radius) * weights.sum();
    }
    return Eigen::Vector2d(along, offsets.dot(by_row)) / (1e-6 + by_row.sum());
}

}  // namespace

ViewPair::ViewPair(const KeyframeView &from_, const KeyframeView &to_) : from(&from_), to(&to_) {
    to_from_rotation = to_.world_from_camera_rotation.transpose() * from_.world_from_camera_rotation;
    to_from_translation = to_.world_from_camera_rotation.transpose() * (from_.camera_in_world - to_.camera_in_world);
}

Eigen::Matrix3d ViewPair::pixel_matrix() const {
    return to->luma_camera.matrix() * to_from_rotation * from->luma_camera.matrix().inverse();
}

Eigen::Vector3d ViewPair::pixel_shift() const { return to->luma_camera.matrix() * to_from_translation; }

bool ViewPair::project(const Eigen::Vector3d &point, Eigen::Vector2d *out_pixel) const {
    return to->luma_camera.project(to_from_rotation * point + to_from_translation, -2 * largest_search, out_pixel);
}

PatchMatch match_patch(const ViewPair &pair, const PatchHypothesis &hypothesis, int search, double grey_noise) {
    PatchMatch match;
    const double rho = hypothesis.inverse_depth;
    if (rho <= 0 || hypothesis.inverse_depth_right <= 0 || hypothesis.inverse_depth_below <= 0) return match;
    Eigen::Vector2d center, right, below, nearer;
    constexpr double nudge = 0.02;
    if (!pair.project(hypothesis.ray / rho, &center) ||
        !pair.project(hypothesis.ray_right / hypothesis.inverse_depth_right, &right) ||
        !pair.project(hypothesis.ray_below / hypothesis.inverse_depth_below, &below) ||
        !pair.project(hypothesis.ray / (rho * (1 + nudge)), &nearer)) {
        return match;
    }
    const Eigen::Vector2d along = (nearer - center) / (nudge * rho);
    const double pixels_per_inverse_depth = along.norm();
    if (pixels_per_inverse_depth * rho < least_parallax_pixels) return match;
    Eigen::Matrix2d to_from;
    to_from.col(0) = (right - center) / patch_lever;
    to_from.col(1) = (below - center) / patch_lever;
    const double magnification = to_from.determinant();
    if (!(magnification > 0.35 && magnification < 2.8)) return match;
    // The patch is laid out along the epipolar line of the other picture, so that one strip serves all shifts.
    const Eigen::Vector2d u = along / pixels_per_inverse_depth;
    const Eigen::Vector2d v(-u.y(), u.x());
    const Eigen::Matrix2d from_to = to_from.inverse();
    if (from_to.cwiseAbs().maxCoeff() > 3) return match;
    float patch[patch_area], strip[largest_strip];
    search = std::min(search, largest_search);
    if (!sample(*pair.from, hypothesis.pixel, from_to * u, from_to * v, patch_radius, patch)) return match;
    Eigen::Map<PatchVector> values(patch);
    constexpr int inner = patch_area - 2 * patch_side;
    const double slope = 0.25 * (values.segment<inner>(2 * patch_side) - values.segment<inner>(0)).squaredNorm();
    // What the noise lets the shift be known to.
    const double noise_pixels = grey_noise / std::sqrt(std::max(slope, 1e-6));
    if (noise_pixels > 0.35) {
        match.outcome = PatchOutcome::featureless;
        return match;
    }
    // Near the border the search is cut short rather than given up.
    while (!sample(*pair.to, center, u, v, patch_radius + search, strip)) {
        search /= 2;
        if (search < 2) return match;
    }
    values.array() -= values.mean();
    const float square = values.squaredNorm();
    const double signal = std::max(0.0, square / patch_area - grey_noise * grey_noise);
    const double expected = signal / std::max(1e-6, signal + grey_noise * grey_noise);
    match.expected_correlation = expected;
    if (expected < least_expected_correlation) {
        match.outcome = PatchOutcome::featureless;
        return match;
    }
    const int shifts = 2 * search + 1;
    // Neighbouring windows share their columns' sums.
    using Columns = Eigen::Matrix<float, patch_side, Eigen::Dynamic>;
    Eigen::Array<float, 2 * largest_search + patch_side, 1> sums, squares;
    const Eigen::Map<const Columns> columns(strip, patch_side, shifts + patch_side - 1);
    for (int c = 0; c < columns.cols(); ++c) {
        sums[c] = columns.col(c).sum();
        squares[c] = columns.col(c).squaredNorm();
    }
    float correlation[2 * largest_search + 1];
    for (int s = 0; s < shifts; ++s) {
        const Eigen::Map<const PatchVector> window(strip + static_cast<ptrdiff_t>(s) * patch_side);
        const float sum = sums.segment<patch_side>(s).sum();
        const float variance = squares.segment<patch_side>(s).sum() - sum * sum / patch_area;
        correlation[s] = variance > patch_area * 1.0f ? values.dot(window) / std::sqrt(square * variance) : 0.0f;
    }
    const int best = static_cast<int>(std::max_element(correlation, correlation + shifts) - correlation);
    match.correlation = correlation[best];
    if (match.correlation < std::min(weakest_correlation, weakest_share * expected)) {
        match.outcome = PatchOutcome::different;
        return match;
    }
    // Correlations of noisy patches vary by chance.
    const double chance = (1 - match.correlation * match.correlation) / patch_side;
    const float margin = static_cast<float>(std::max(0.06, 1.5 * chance));
    float rival = -1;
    for (int s = 0; s < shifts; ++s) {
        if (std::abs(s - best) > 2) rival = std::max(rival, correlation[s]);
    }
    const bool flat = best > 1 && best < shifts - 2 &&
                      std::min(correlation[best - 2], correlation[best + 2]) > correlation[best] - 0.02f;
    if (best == 0 || best == shifts - 1 || rival > static_cast<float>(match.correlation) - margin || flat) {
        match.outcome = PatchOutcome::ambiguous;
        return match;
    }
    const double left = correlation[best - 1], middle = correlation[best], right_side = correlation[best + 1];
    const double curvature = left - 2 * middle + right_side;
    const double fraction = curvature < -1e-6 ? std::clamp(0.5 * (left - right_side) / curvature, -0.5, 0.5) : 0.0;
    match.shift = best - search + fraction;
    match.inverse_depth = rho + match.shift / pixels_per_inverse_depth;
    match.sigma = std::hypot(std::max(noise_pixels, 0.1), pose_noise_pixels) / pixels_per_inverse_depth;
    const Eigen::Vector2d steps = middle_of_changes(values);
    match.middle = from_to * (steps.x() * u + steps.y() * v);
    match.outcome = match.inverse_depth > 0.2 * rho ? PatchOutcome::found : PatchOutcome::ambiguous;
    return match;
}

}  // namespace foothold
