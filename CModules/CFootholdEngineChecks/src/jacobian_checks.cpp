#include "jacobian_checks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <vector>

#include "geometry/camera_model.h"
#include "geometry/radial_lens.h"
#include "geometry/rolling_shutter.h"
#include "geometry/se3.h"
#include "initialisation/rotation_fit.h"
#include "mapping/map.h"
#include "optimisation/pose_optimiser.h"
#include "optimisation/reprojection.h"
#include "pictures.h"
#include "random_numbers.h"
#include "surfaces/round_strip.h"
#include "tracking/point_finder.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

using Vector6 = Eigen::Matrix<double, 6, 1>;

template <typename A, typename B>
void keep_worst(double &worst, const A &derivative, const B &reference) {
    const double size = std::max(1e-3, reference.cwiseAbs().maxCoeff());
    worst = std::max(worst, (derivative - reference).cwiseAbs().maxCoeff() / size);
}

Vector6 along(int axis, double step) {
    Vector6 delta = Vector6::Zero();
    delta[axis] = step;
    return delta;
}

}  // namespace

void fh_check_reprojection_jacobians(uint64_t seed, int32_t trials, fh_check_jacobian_report *out_report) {
    *out_report = {};
    RandomNumbers random(seed);
    constexpr double kStep = 1e-6;
    for (int trial = 0; trial < trials; ++trial) {
        const double focal = random.uniform(200, 900);
        const SE3 host{random.rotation(random.uniform(0, 3)), random.vector()};
        const SE3 target{host.rotation * random.rotation(random.uniform(0, 0.5)),
                         host.translation + 0.3 * random.vector()};
        const Eigen::Vector2d host_pixel(random.uniform(-320, 320), random.uniform(-240, 240));
        const double inverse_depth = random.uniform(0.1, 1.5);
        Reprojection exact;
        if (!exact.evaluate(host, host_pixel, inverse_depth, target, focal) || exact.scaled_depth < 0.2) continue;
        const auto pixel = [&](const SE3 &h, double rho, const SE3 &t, double f) {
            Reprojection r;
            r.evaluate(h, host_pixel, rho, t, f);
            return r.pixel;
        };
        Eigen::Matrix<double, 2, 6> by_host, by_target;
        for (int axis = 0; axis < 6; ++axis) {
            const Vector6 up = along(axis, kStep), down = along(axis, -kStep);
            by_host.col(axis) = (pixel(updated(host, up), inverse_depth, target, focal) -
                                 pixel(updated(host, down), inverse_depth, target, focal)) /
                                (2 * kStep);
            by_target.col(axis) = (pixel(host, inverse_depth, updated(target, up), focal) -
                                   pixel(host, inverse_depth, updated(target, down), focal)) /
                                  (2 * kStep);
        }
        const Eigen::Vector2d by_depth =
            (pixel(host, inverse_depth + kStep, target, focal) - pixel(host, inverse_depth - kStep, target, focal)) /
            (2 * kStep);
        const Eigen::Vector2d by_focal = (pixel(host, inverse_depth, target, focal * std::exp(kStep)) -
                                          pixel(host, inverse_depth, target, focal * std::exp(-kStep))) /
                                         (2 * kStep);
        Eigen::Matrix2d by_host_pixel;
        for (int axis = 0; axis < 2; ++axis) {
            Reprojection up, down;
            const Eigen::Vector2d step = kStep * focal * Eigen::Vector2d::Unit(axis);
            up.evaluate(host, host_pixel + step, inverse_depth, target, focal);
            down.evaluate(host, host_pixel - step, inverse_depth, target, focal);
            by_host_pixel.col(axis) = (up.pixel - down.pixel) / (2 * kStep * focal);
        }
        keep_worst(out_report->by_host_pixel, exact.by_host_pixel, by_host_pixel);
        keep_worst(out_report->by_host, exact.by_host, by_host);
        keep_worst(out_report->by_target, exact.by_target, by_target);
        keep_worst(out_report->by_inverse_depth, exact.by_inverse_depth, by_depth);
        keep_worst(out_report->by_log_focal, exact.by_log_focal, by_focal);
        ++out_report->trials;
    }
}

double fh_check_lens_rates(uint64_t seed, int32_t trials, double *out_round_trip_pixels, double *out_unchanged_pixels) {
    RandomNumbers random(seed);
    constexpr double kStep = 1e-5;
    double worst = *out_round_trip_pixels = *out_unchanged_pixels = 0;
    for (int trial = 0; trial < trials; ++trial) {
        CameraModel camera = checks::plain_camera(640, 480);
        camera.fx = camera.fy = random.uniform(300, 900);
        const Bend bend =
            random.chance(0.2) ? Bend(0, 0) : Bend(random.uniform(-0.2, 0.2), random.uniform(-0.02, 0.02));
        const Eigen::Vector2d center = 8 * random.vector2();
        const auto lens = [&](const Bend &by, const Eigen::Vector2d &around) {
            CameraModel other = camera;
            set_bend(by, &other);
            set_center(around, &other);
            return other;
        };
        const CameraModel here = lens(bend, center);
        const Eigen::Vector2d centred(random.uniform(-300, 300), random.uniform(-220, 220));
        const auto seen_with = [&](const Bend &by, const Eigen::Vector2d &around) -> Eigen::Vector2d {
            return LensChange(here, lens(by, around))(centred);
        };
        const auto compare = [&](const Eigen::Vector2d &rate, const Eigen::Vector2d &after,
                                 const Eigen::Vector2d &before) {
            const Eigen::Vector2d wanted = (after - before) / (2 * kStep);
            worst = std::max(worst, (rate - wanted).norm() / std::max(1.0, wanted.norm()));
        };
        const double radius = half_diagonal(camera);
        for (int axis = 0; axis < 2; ++axis) {
            const Eigen::Vector2d step = kStep * Eigen::Vector2d::Unit(axis);
            compare(bend_rate(centred, bend, radius).col(axis), seen_with(bend + step, center),
                    seen_with(bend - step, center));
            compare(center_rate(centred, bend, radius).col(axis), seen_with(bend, center + step),
                    seen_with(bend, center - step));
        }
        const CameraModel other = lens({0.1, 0.01}, -center);
        *out_round_trip_pixels = std::max(*out_round_trip_pixels,
                                          (LensChange(other, here)(LensChange(here, other)(centred)) - centred).norm());
        Eigen::Vector2d unbent = Eigen::Vector2d::Zero();
        const bool is_shown = unbend(bent(centred, bend, radius), bend, radius, &unbent);
        *out_round_trip_pixels = std::max(*out_round_trip_pixels, is_shown ? (unbent - centred).norm() : 1e9);
        CameraModel longer = here;
        longer.fx *= 1.2;
        longer.fy *= 1.2;
        set_bend(bend, &longer);
        const Eigen::Vector2d same = LensChange(here, longer)(centred);
        *out_unchanged_pixels = std::max(*out_unchanged_pixels, (same - centred).norm() / centred.norm());
    }
    return worst;
}

double fh_check_row_rate(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    constexpr double kStep = 1e-5, kHeight = 480;
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const double focal = random.uniform(200, 900);
        const SE3 pose{random.rotation(random.uniform(0, 3)), random.vector()};
        const Twist twist{random.vector(), random.vector()};
        const double depth = random.uniform(0.5, 4);
        const Eigen::Vector3d in_camera(random.uniform(-0.6, 0.6) * depth, random.uniform(-0.5, 0.5) * depth, depth);
        const Eigen::Vector3d point = pose * in_camera;
        // The camera as it is a moment later or earlier.
        const auto pixel = [&](double seconds) -> Eigen::Vector2d {
            const SE3 moved{pose.rotation * so3_exp(seconds * twist.angular),
                            pose.translation + seconds * (pose.rotation * twist.linear)};
            const Eigen::Vector3d p = moved.inverse() * point;
            return focal / p.z() * p.head<2>();
        };
        const Eigen::Vector2d flow = (pixel(kStep) - pixel(-kStep)) / (2 * kStep);
        const Eigen::Vector2d wanted = flow * (pixel(0).y() / kHeight);
        const Eigen::Vector2d rate = row_rate(in_camera, twist, focal, kHeight);
        worst = std::max(worst, (rate - wanted).norm() / std::max(1.0, wanted.norm()));
    }
    return worst;
}

double fh_check_circle_derivative(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    constexpr double kStep = 1e-6;
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Eigen::Vector3d circle(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.3, 3));
        // Not in its middle, where the distance has a kink.
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const Eigen::Vector2d place =
            circle.head<2>() + random.uniform(0.1, 4) * Eigen::Vector2d(std::cos(angle), std::sin(angle));
        Eigen::Vector3d derivative, reference, ignored;
        distance_from_circle(place, circle, &derivative);
        for (int i = 0; i < 3; ++i) {
            const Eigen::Vector3d step = kStep * Eigen::Vector3d::Unit(i);
            reference[i] = (distance_from_circle(place, circle + step, &ignored) -
                            distance_from_circle(place, circle - step, &ignored)) /
                           (2 * kStep);
        }
        keep_worst(worst, derivative, reference);
    }
    return worst;
}

double fh_check_pose_information(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    constexpr double kFocal = 500, kNoise = 0.7, kStep = 1e-6;
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const SE3 truth{random.rotation(random.uniform(0, 3)), random.vector()};
        const auto pixel_of = [&](const Eigen::Vector3d &point, const SE3 &pose) -> Eigen::Vector2d {
            const Eigen::Vector3d p = pose.inverse() * point;
            return kFocal / p.z() * p.head<2>();
        };
        std::vector<PoseObservation> observations(60);
        for (PoseObservation &o : observations) {
            const double depth = random.uniform(0.5, 4);
            o.point_in_world =
                truth * Eigen::Vector3d(random.uniform(-0.6, 0.6) * depth, random.uniform(-0.5, 0.5) * depth, depth);
            if (trial % 2 == 1) o.depth_spread = 0.05 * random.vector();
            o.pixel = pixel_of(o.point_in_world, truth);
        }
        SE3 pose = truth;
        const PoseOptimiserResult result = optimise_pose(observations, kFocal, kNoise, 4, &pose);
        if (!result.succeeded) return -1;
        Eigen::Matrix<double, 6, 6> information = Eigen::Matrix<double, 6, 6>::Zero();
        for (const PoseObservation &o : observations) {
            Eigen::Matrix<double, 2, 6> jacobian;
            for (int axis = 0; axis < 6; ++axis) {
                jacobian.col(axis) = (pixel_of(o.point_in_world, updated(truth, along(axis, kStep))) -
                                      pixel_of(o.point_in_world, updated(truth, along(axis, -kStep)))) /
                                     (2 * kStep);
            }
            const Eigen::Vector2d spread = (pixel_of(o.point_in_world + kStep * o.depth_spread, truth) -
                                            pixel_of(o.point_in_world - kStep * o.depth_spread, truth)) /
                                           (2 * kStep);
            const Eigen::Matrix2d covariance =
                kNoise * kNoise * Eigen::Matrix2d::Identity() + spread * spread.transpose();
            information += jacobian.transpose() * covariance.inverse() * jacobian;
        }
        keep_worst(worst, result.covariance.inverse().eval(), information);
    }
    return worst;
}

void fh_check_rotation_laws(uint64_t seed, int32_t trials, fh_check_rotation_report *out_report) {
    fh_check_rotation_report &out = *out_report;
    out = {};
    RandomNumbers random(seed);
    const auto keep = [](double &worst, double value) { worst = std::max(worst, value); };
    for (int trial = 0; trial < trials; ++trial) {
        // Lengths spread evenly over the orders of magnitude.
        const double length = std::pow(10, random.uniform(-9, std::log10(3.1)));
        const Eigen::Vector3d w = length * random.direction();
        const Eigen::Matrix3d r = so3_exp(w);
        keep(out.log_of_exp, (so3_log(r) - w).norm());
        keep(out.exp_of_log, (so3_exp(so3_log(r)) - r).norm());
        keep(out.orthonormality, (r.transpose() * r - Eigen::Matrix3d::Identity()).norm());
        keep(out.orthonormality, std::abs(r.determinant() - 1));
        const double share = random.uniform();
        keep(out.addition, (so3_exp(share * w) * so3_exp((1 - share) * w) - r).norm());
        Eigen::Matrix3d term = Eigen::Matrix3d::Identity(), series = term;
        for (int k = 1; k < 40; ++k) {
            term = term * hat(w) / k;
            series += term;
        }
        keep(out.series, (series - r).norm());
        const SE3 a{r, 3 * random.vector()}, b{random.rotation(random.uniform(0, 3)), 3 * random.vector()};
        const Eigen::Vector3d x = 3 * random.vector();
        keep(out.inverse, ((a.inverse() * a) * x - x).norm());
        keep(out.composition, ((a * b) * x - a * (b * x)).norm());
        keep(out.cross, (hat(w) * x - w.cross(x)).norm());
    }
}

int32_t fh_check_lens(int32_t distortion, const double coefficients[5], double focal,
                      fh_check_lens_report *out_report) {
    if (distortion < 0 || distortion > 2) return -1;
    *out_report = {};
    CameraModel camera;
    camera.width = 640;
    camera.height = 480;
    camera.fx = focal;
    camera.fy = 1.01 * focal;
    camera.cx = 322.3;
    camera.cy = 236.8;
    camera.distortion = static_cast<Distortion>(distortion);
    std::copy_n(coefficients, 5, camera.k);
    const cv::Mat matrix = (cv::Mat_<double>(3, 3) << camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
    const cv::Vec3d zero(0, 0, 0);
    const CameraModel half = camera.scaled(0.5);
    for (int y = 0; y < camera.height; y += 13) {
        for (int x = 0; x < camera.width; x += 13) {
            const Eigen::Vector2d pixel(x, y);
            const Eigen::Vector2d normalised = camera.normalise(pixel);
            out_report->round_trip = std::max(out_report->round_trip, (camera.pixel(normalised) - pixel).norm());
            const std::vector<cv::Point3d> point = {{2 * normalised.x(), 2 * normalised.y(), 2}};
            std::vector<cv::Point2d> projected;
            if (camera.distortion == Distortion::fisheye) {
                cv::fisheye::projectPoints(point, projected, zero, zero, matrix,
                                           cv::Vec4d(camera.k[0], camera.k[1], camera.k[2], camera.k[3]));
            } else {
                cv::projectPoints(point, zero, zero, matrix, cv::Mat(1, 5, CV_64F, camera.k), projected);
            }
            const Eigen::Vector2d theirs(projected[0].x, projected[0].y);
            out_report->against_opencv =
                std::max(out_report->against_opencv, (camera.pixel(normalised) - theirs).norm());
            Eigen::Vector2d small;
            const Eigen::Vector3d ray = normalised.homogeneous();
            if (!half.project(ray, -1, &small)) return -1;
            const Eigen::Vector2d expected = 0.5 * (pixel.array() + 0.5) - 0.5;
            out_report->scaled = std::max(out_report->scaled, (small - expected).norm());
        }
    }
    return 0;
}

void fh_check_rotation_fit(uint64_t seed, int32_t trials, double *out_exact_error, double *out_error_with_movers,
                           double *out_residual_pixels) {
    RandomNumbers random(seed);
    constexpr double kFocal = 300;
    *out_exact_error = *out_error_with_movers = *out_residual_pixels = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Eigen::Matrix3d truth = random.rotation(random.uniform(0.01, 40) * kDegree);
        std::vector<Eigen::Vector2d> host, target;
        while (host.size() < 150) {
            const Eigen::Vector2d pixel(random.uniform(-160, 160), random.uniform(-120, 120));
            const Eigen::Vector3d p = truth * Eigen::Vector3d(pixel.x() / kFocal, pixel.y() / kFocal, 1);
            if (p.z() < 0.2) continue;
            host.push_back(pixel);
            target.emplace_back(kFocal / p.z() * p.head<2>());
        }
        const RotationFit exact = fit_rotation(host, target, kFocal);
        *out_exact_error = std::max(*out_exact_error, turn_between(exact.rotation, truth));
        *out_residual_pixels = std::max(*out_residual_pixels, exact.median_residual);
        const Eigen::Vector2d moved = 15 * random.vector2().normalized();
        for (size_t i = 0; i < target.size() / 3; ++i) target[i] += moved;
        const RotationFit robust = fit_rotation(host, target, kFocal);
        *out_error_with_movers = std::max(*out_error_with_movers, turn_between(robust.rotation, truth));
    }
}

double fh_check_affine_warp(uint64_t seed, int32_t trials) {
    RandomNumbers random(seed);
    double worst = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const CameraModel camera = checks::plain_camera(640, 480);
        HostedPoint point;
        point.host_raw_pixel = {random.uniform(100, 540), random.uniform(80, 400)};
        const double inverse_depth = random.uniform(0.3, 2);
        const double angle = random.uniform(-1, 1);
        // Turned about the optical axis and nearer or further: an exact similarity.
        const double approach = random.uniform(-0.4, 0.4) / inverse_depth;
        const SE3 current_from_host{so3_exp(angle * Eigen::Vector3d::UnitZ()), Eigen::Vector3d(0, 0, approach)};
        const double scale = 1 / (1 + inverse_depth * approach);
        const Eigen::Matrix2d expected = scale * Eigen::Rotation2Dd(angle).toRotationMatrix();
        const Eigen::Vector2d center(camera.cx, camera.cy);
        const Eigen::Vector2d place = center + expected * (point.host_raw_pixel - center);
        Eigen::Matrix2d warp;
        Eigen::Vector2d pixel;
        if (!affine_warp(point, camera.normalise(point.host_raw_pixel).homogeneous(), inverse_depth, current_from_host,
                         camera, &warp, &pixel)) {
            return std::numeric_limits<double>::infinity();
        }
        worst = std::max({worst, (warp - expected).cwiseAbs().maxCoeff(), (pixel - place).norm()});
    }
    return worst;
}
