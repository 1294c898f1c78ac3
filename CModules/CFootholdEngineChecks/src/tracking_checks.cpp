#include "tracking_checks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frontend/corners.h"
#include "frontend/noise_filter.h"
#include "frontend/patch.h"
#include "frontend/rotation_alignment.h"
#include "mapping/map.h"
#include "pictures.h"
#include "random_numbers.h"
#include "tracking/point_finder.h"

using namespace foothold;
using foothold::checks::Picture;
using foothold::checks::RandomNumbers;
using foothold::checks::Texture;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Two pictures of one texture, and a patch near their middles.
struct PatchPair {
    Picture host, current;
    ImagePyramid host_pyramid, current_pyramid;
    HostedPoint point;
    Eigen::Matrix2d current_from_host;
    Eigen::Vector2d truth;
    Eigen::Vector2d start_direction;

    /// Pictures `side` wide and high.
    PatchPair(uint64_t seed, int side, const fh_check_alignment_options &options)
        : host(side, side), current(side, side) {
        RandomNumbers random(seed);
        // Smooth enough that interpolation hardly errs; strangers are told apart by detail.
        const bool is_stranger = options.wrong_texture != 0;
        const double finest = is_stranger ? 3 : 9;
        const int octaves = is_stranger ? 4 : 2;
        const Texture texture(random.seed(), finest, octaves, 95);
        const Texture other(random.seed(), finest, octaves, 95);
        const Texture &shown = is_stranger ? other : texture;
        current_from_host = options.scale * Eigen::Rotation2Dd(options.angle_rad).toRotationMatrix();
        host.paint([&](int x, int y) { return texture.at(x, y) + options.noise * random.gaussian(); });
        // The best corner near the middle, as the engine would choose.
        CornerDetector detector;
        const std::vector<Eigen::Vector2d> &corners = detector.detect(host.view(), {}, 1, 1, side / 2 - 24);
        const Eigen::Vector2d middle = corners.empty() ? Eigen::Vector2d(side / 2, side / 2) : corners.front();
        truth = middle + Eigen::Vector2d(options.shift_x, options.shift_y);
        start_direction = random.vector2().normalized();
        const Eigen::Matrix2d host_from_current = current_from_host.inverse();
        current.paint([&](int x, int y) {
            const Eigen::Vector2d p = middle + host_from_current * (Eigen::Vector2d(x, y) - truth);
            return options.gain * shown.at(p.x(), p.y()) + options.offset + options.noise * random.gaussian();
        });
        host_pyramid.build(host.view());
        current_pyramid.build(current.view());
        point.host_raw_pixel = middle;
        point.patch.extract(host_pyramid, middle);
    }
};

/// Of two pictures of the same size.
double rms_difference(const ImageView &first, const ImageView &second) {
    double sum = 0;
    for (int y = 0; y < first.height; ++y) {
        for (int x = 0; x < first.width; ++x) {
            const double difference = first.data[y * first.stride + x] - second.data[y * second.stride + x];
            sum += difference * difference;
        }
    }
    return std::sqrt(sum / (first.width * first.height));
}

double nearest(const std::vector<Eigen::Vector2d> &points, const std::vector<Eigen::Vector2d> &others) {
    double best = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector2d &a : points) {
        for (const Eigen::Vector2d &b : others) {
            if (&a != &b) best = std::min(best, (a - b).norm());
        }
    }
    return best;
}

}  // namespace

void fh_check_alignment(uint64_t seed, const fh_check_alignment_options *options,
                        fh_check_alignment_report *out_report) {
    *out_report = {};
    const PatchPair pair(seed, 128, *options);
    fh_template patch;
    out_report->built = sample_template(pair.point.patch, pair.current_from_host, options->level, &patch);
    if (out_report->built == 0) return;
    const double scale = 1.0 / (1 << options->level);
    Eigen::Vector2f pixel = (scale * pair.truth + options->start_error * pair.start_direction).cast<float>();
    const AlignmentResult result = align(patch, pair.current_pyramid, options->level, 20, 0.005f, 10, &pixel);
    out_report->converged = result.converged;
    out_report->iterations = result.iterations;
    out_report->error_pixels = (pixel.cast<double>() / scale - pair.truth).norm();
    out_report->correlation = result.correlation;
    out_report->gain = result.gain;
}

int32_t fh_check_find_point(uint64_t seed, const fh_check_alignment_options *options, int32_t start_level,
                            double minimum_correlation, double *out_error_pixels) {
    const PatchPair pair(seed, 208, *options);
    const Eigen::Vector2d predicted = pair.truth + options->start_error * pair.start_direction;
    TemplateCache cache;
    const FoundPoint found = find_point(0, pair.point, pair.current_from_host, pair.current_pyramid, predicted,
                                        start_level, static_cast<float>(minimum_correlation), &cache);
    *out_error_pixels = (found.pixel - pair.truth).norm();
    return found.found && found.level == 0 ? 1 : 0;
}

int32_t fh_check_template_is_built(int32_t texture) {
    const Texture rich(5, 7, 3);
    Picture picture(128, 128);
    picture.paint([&](int x, int y) {
        if (texture == 0) return 120.0;
        if (texture == 1) return 120 + 60 * std::tanh(0.7 * (x - 63.6));
        return rich.at(x, y);
    });
    ImagePyramid pyramid;
    pyramid.build(picture.view());
    HostPatch host;
    host.extract(pyramid, Eigen::Vector2d(64, 64));
    fh_template patch;
    return sample_template(host, Eigen::Matrix2d::Identity(), 0, &patch) ? 1 : 0;
}

void fh_check_corners(uint64_t seed, int32_t wanted, double spacing, int32_t margin,
                      fh_check_corners_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    const Texture texture(random.seed(), 6, 3);
    Picture rich(320, 240), even(320, 240), squares(320, 240);
    rich.paint([&](int x, int y) { return texture.at(x, y); });
    even.paint([](int, int) { return 90.0; });
    // Bright squares on a dark ground, turned a little, so that corners lie at all places between pixels.
    constexpr double kSquare = 40;
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(random.uniform(0.1, 0.3)).toRotationMatrix();
    const auto soft_step = [](double place) {
        const double pixels_from_edge = kSquare / std::numbers::pi * std::sin(std::numbers::pi * place);
        return 0.5 + 0.5 * std::tanh(pixels_from_edge);
    };
    squares.paint([&](int x, int y) {
        const Eigen::Vector2d p = turn * Eigen::Vector2d(x, y) / kSquare;
        return 60 + 140 * soft_step(p.x()) * soft_step(p.y());
    });
    CornerDetector detector;
    const std::vector<Eigen::Vector2d> first = detector.detect(rich.view(), {}, wanted, spacing, margin);
    out_report->count = static_cast<int32_t>(first.size());
    out_report->texture_share = detector.texture_share();
    out_report->nearest_neighbour = nearest(first, first);
    out_report->nearest_edge = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector2d &p : first) {
        out_report->nearest_edge =
            std::min({out_report->nearest_edge, p.x(), p.y(), rich.width - 1 - p.x(), rich.height - 1 - p.y()});
    }
    CornerDetector fresh;
    out_report->is_deterministic = detector.detect(rich.view(), {}, wanted, spacing, margin) == first &&
                                   fresh.detect(rich.view(), {}, wanted, spacing, margin) == first;
    const std::vector<Eigen::Vector2d> taken(first.begin(), first.begin() + std::min<size_t>(20, first.size()));
    out_report->nearest_taken = nearest(detector.detect(rich.view(), taken, wanted, spacing, margin), taken);
    out_report->count_with_none_wanted =
        static_cast<int32_t>(detector.detect(rich.view(), {}, 0, spacing, margin).size());
    std::vector<fh_corner> all;
    for (const Eigen::Vector2d &p : detector.detect(rich.view(), {}, std::numeric_limits<int>::max(), 0, margin))
        all.push_back({static_cast<int32_t>(p.x()), static_cast<int32_t>(p.y())});
    std::vector<float> scores(all.size());
    const ImageView rich_view = rich.view();
    fh_shi_tomasi(&rich_view, all.data(), static_cast<int32_t>(all.size()), scores.data());
    out_report->all = static_cast<int32_t>(all.size());
    for (size_t i = 1; i < all.size(); ++i) out_report->after_worse += scores[i] > scores[i - 1];
    const std::vector<Eigen::Vector2d> sparse = detector.detect(squares.view(), {}, wanted, spacing, margin);
    out_report->count_of_sparse = static_cast<int32_t>(sparse.size());
    out_report->nearest_neighbour_of_sparse = nearest(sparse, sparse);
    for (const Eigen::Vector2d &p : sparse) {
        const Eigen::Vector2d in_squares = turn * p / kSquare;
        const Eigen::Vector2d corner = in_squares.array().round();
        out_report->astray += kSquare * (in_squares - corner).norm() > 3;
    }
    detector.detect(even.view(), {}, wanted, spacing, margin);
    out_report->texture_share_of_even = detector.texture_share();
}

namespace {

/// What a camera sees of a far surrounding after it turned.
void paint_surrounding(const Texture &texture, const Eigen::Matrix3d &world_from_camera, const CameraModel &camera,
                       Picture *picture) {
    picture->paint([&](int x, int y) {
        const Eigen::Vector3d ray = world_from_camera * camera.normalise(Eigen::Vector2d(x, y)).homogeneous();
        return texture.at(std::atan2(ray.x(), ray.z()), ray.y() / ray.head<3>().norm());
    });
}

Thumbnail thumbnail_of(const Picture &picture) {
    ImagePyramid pyramid;
    pyramid.build(picture.view());
    Thumbnail thumbnail;
    thumbnail.build(pyramid);
    return thumbnail;
}

}  // namespace

void fh_check_turning(uint64_t seed, double degrees, double *out_error_degrees, double *out_correlation) {
    RandomNumbers random(seed);
    const CameraModel camera = checks::plain_camera(320, 240);
    const Texture texture(random.seed(), 0.05, 4);
    const Eigen::Matrix3d start = random.rotation(0.2);
    const Eigen::Matrix3d current_from_reference = random.rotation(degrees * kDegree);
    Picture reference(320, 240), current(320, 240);
    paint_surrounding(texture, start, camera, &reference);
    paint_surrounding(texture, start * current_from_reference.transpose(), camera, &current);
    const RotationAlignment result =
        align_rotation(thumbnail_of(reference), thumbnail_of(current), camera, Eigen::Matrix3d::Identity());
    *out_error_degrees = turn_between(result.rotation, current_from_reference) / kDegree;
    *out_correlation = result.correlation;
}

void fh_check_noise(uint64_t seed, double sigma, double *out_measured, double *out_left, int32_t *out_filtered) {
    RandomNumbers random(seed);
    const checks::Texture texture(seed, 12, 3, 60);
    checks::Picture clean(320, 240), noisy(320, 240);
    clean.paint([&](int x, int y) { return texture.at(x, y); });
    noisy.paint([&](int x, int y) { return texture.at(x, y) + sigma * random.gaussian(); });
    NoiseFilter filter;
    const ImageView seen = filter.clean(noisy.view());
    *out_measured = filter.noise();
    *out_filtered = seen.data != noisy.luma.data();
    *out_left = rms_difference(seen, clean.view());
}

double fh_check_smoothed_noise(uint64_t seed, double sigma) {
    RandomNumbers random(seed);
    const checks::Texture texture(seed, 12, 3, 60);
    checks::Picture noisy(320, 240);
    NoiseFilter filter;
    ImagePyramid pyramids[2];
    for (ImagePyramid &pyramid : pyramids) {
        noisy.paint([&](int x, int y) { return texture.at(x, y) + sigma * random.gaussian(); });
        const ImageView seen = filter.clean(noisy.view());
        pyramid.build(seen, filter.left_at_half_size());
    }
    return pyramids[0].smoothed_noise() * std::sqrt(2) / rms_difference(pyramids[0].level(1), pyramids[1].level(1));
}

double fh_check_turning_of_strangers(uint64_t seed) {
    RandomNumbers random(seed);
    const CameraModel camera = checks::plain_camera(320, 240);
    Picture reference(320, 240), current(320, 240);
    paint_surrounding(Texture(random.seed(), 0.05, 4), Eigen::Matrix3d::Identity(), camera, &reference);
    paint_surrounding(Texture(random.seed(), 0.05, 4), Eigen::Matrix3d::Identity(), camera, &current);
    return align_rotation(thumbnail_of(reference), thumbnail_of(current), camera, Eigen::Matrix3d::Identity())
        .correlation;
}
