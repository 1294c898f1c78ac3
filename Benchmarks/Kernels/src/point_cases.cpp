// Kernels that work on lists.
#include <fh_descriptors.h>
#include <fh_lens.h>
#include <fh_reprojection.h>

#include <algorithm>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>

#include "cases.h"

namespace foothold::benchmarks {

namespace {

constexpr int kCount = 1000;
constexpr float kReach = 40;

struct State {
    std::vector<fh_descriptor> queries, candidates;
    std::vector<fh_point> query_points, candidate_points;
    std::vector<fh_match> matches;
    std::vector<uint8_t> scratch;
    cv::Mat opencv_queries, opencv_candidates, near;
    std::vector<std::vector<cv::DMatch>> opencv_matches;
    cv::BFMatcher matcher{cv::NORM_HAMMING};

    fh_lens radial = {FH_LENS_RADIAL_TANGENTIAL, 500, 505, 320, 240, {-0.28, 0.09, 0.001, -0.0007, -0.01}};
    fh_lens fisheye = {FH_LENS_FISHEYE, 300, 301, 320, 240, {-0.02, 0.01, -0.004, 0.001, 0}};
    std::vector<double> pixels, places, numbers;
    cv::Mat camera, radial_k, fisheye_camera, fisheye_k;
    std::vector<cv::Point2d> opencv_pixels, opencv_places;
    std::vector<cv::Point3d> opencv_points;

    std::vector<double> x, y, z, u, v, by_pose, by_point;
    std::vector<uint8_t> in_front;
    fh_pinhole pinhole = {500, 505, 320, 240};
    fh_camera_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

    State() {
        cv::RNG random(3);
        const auto number = [&](double low, double high) { return random.uniform(low, high); };
        const auto place = [&] { return fh_point{random.uniform(0.0f, 640.0f), random.uniform(0.0f, 480.0f)}; };
        const auto word = [&] { return static_cast<uint64_t>(random.next()) << 32 | random.next(); };
        opencv_queries.create(kCount, 32, CV_8U);
        opencv_candidates.create(kCount, 32, CV_8U);
        for (int i = 0; i < kCount; ++i) {
            fh_descriptor one = {{word(), word(), word(), word()}}, other = one;
            other.words[i % 4] ^= word() & word();
            queries.push_back(one);
            candidates.push_back(other);
            std::copy_n(reinterpret_cast<const uint8_t *>(one.words), 32, opencv_queries.ptr(i));
            std::copy_n(reinterpret_cast<const uint8_t *>(other.words), 32, opencv_candidates.ptr(i));
            query_points.push_back(place());
            candidate_points.push_back(place());
        }
        // As corner finders give them: by rows.
        std::sort(candidate_points.begin(), candidate_points.end(),
                  [](const fh_point &a, const fh_point &b) { return a.y < b.y; });
        near.create(kCount, kCount, CV_8U);
        for (int q = 0; q < kCount; ++q) {
            for (int c = 0; c < kCount; ++c) {
                const fh_point a = query_points[static_cast<size_t>(q)], b = candidate_points[static_cast<size_t>(c)];
                near.at<uint8_t>(q, c) = std::abs(a.x - b.x) <= kReach && std::abs(a.y - b.y) <= kReach;
            }
        }
        matches.resize(kCount);
        scratch.resize(fh_match_scratch_size(kCount));
        for (int i = 0; i < kCount; ++i) {
            pixels.insert(pixels.end(), {number(40, 600), number(40, 440)});
            opencv_pixels.emplace_back(pixels[pixels.size() - 2], pixels.back());
            z.push_back(number(1, 6));
            x.push_back(number(-0.6, 0.6) * z.back());
            y.push_back(number(-0.4, 0.4) * z.back());
            u.push_back(number(0, 640));
            v.push_back(number(0, 480));
            opencv_points.emplace_back(x.back(), y.back(), z.back());
            places.insert(places.end(), {x.back() / z.back(), y.back() / z.back()});
        }
        numbers.resize(2 * kCount);
        by_pose.resize(FH_POSE_DERIVATIVES * kCount);
        by_point.resize(FH_POINT_DERIVATIVES * kCount);
        in_front.resize(kCount);
        camera = (cv::Mat_<double>(3, 3) << 500, 0, 320, 0, 505, 240, 0, 0, 1);
        fisheye_camera = (cv::Mat_<double>(3, 3) << 300, 0, 320, 0, 301, 240, 0, 0, 1);
        radial_k = cv::Mat(1, 5, CV_64F, radial.k).clone();
        fisheye_k = cv::Mat(1, 4, CV_64F, fisheye.k).clone();
    }

    fh_observations Seen() const { return {x.data(), y.data(), z.data(), u.data(), v.data(), nullptr, kCount}; }
};

}  // namespace

void AddPointCases(std::vector<Case> *cases) {
    const auto state = std::make_shared<State>();
    State *const s = state.get();
    const auto add = [&](const char *name, const char *peer, const std::function<void()> &ours,
                         const std::function<void()> &opencv) {
        cases->push_back({name, std::to_string(kCount) + " points", peer, [state, ours] { ours(); },
                          opencv ? std::function<void()>([state, opencv] { opencv(); }) : nullptr});
    };
    add(
        "match all with all", "BFMatcher::knnMatch",
        [=] {
            fh_match_all(s->queries.data(), kCount, s->candidates.data(), kCount, s->matches.data(), s->scratch.data(),
                         s->scratch.size());
        },
        [=] { s->matcher.knnMatch(s->opencv_queries, s->opencv_candidates, s->opencv_matches, 2); });
    add(
        "match within 40 pixels", "BFMatcher::knnMatch, masked",
        [=] {
            fh_match_near(s->queries.data(), s->query_points.data(), kCount, s->candidates.data(),
                          s->candidate_points.data(), kCount, kReach, s->matches.data(), s->scratch.data(),
                          s->scratch.size());
        },
        [=] { s->matcher.knnMatch(s->opencv_queries, s->opencv_candidates, s->opencv_matches, 2, s->near); });
    add(
        "undistort, radial", "undistortPoints",
        [=] { fh_lens_undistort(&s->radial, s->pixels.data(), kCount, s->numbers.data()); },
        [=] { cv::undistortPoints(s->opencv_pixels, s->opencv_places, s->camera, s->radial_k); });
    add(
        "undistort, fisheye", "fisheye::undistortPoints",
        [=] { fh_lens_undistort(&s->fisheye, s->pixels.data(), kCount, s->numbers.data()); },
        [=] { cv::fisheye::undistortPoints(s->opencv_pixels, s->opencv_places, s->fisheye_camera, s->fisheye_k); });
    add(
        "distort, radial", "projectPoints",
        [=] { fh_lens_distort(&s->radial, s->places.data(), kCount, s->numbers.data()); },
        [=] {
            const cv::Vec3d zero(0, 0, 0);
            cv::projectPoints(s->opencv_points, zero, zero, s->camera, s->radial_k, s->opencv_places);
        });
    add(
        "residuals and derivatives", "",
        [=] {
            const fh_observations seen = s->Seen();
            fh_reproject(&s->pinhole, &s->pose, &seen, s->numbers.data(), s->numbers.data() + kCount,
                         s->in_front.data(), s->by_pose.data(), s->by_point.data());
        },
        nullptr);
    add(
        "normal equations of a pose", "",
        [=] {
            const fh_observations seen = s->Seen();
            fh_normal_equations equations;
            fh_pose_equations(&s->pinhole, &s->pose, &seen, FH_ROBUST_CAUCHY, 3, &equations);
        },
        nullptr);
}

}  // namespace foothold::benchmarks
