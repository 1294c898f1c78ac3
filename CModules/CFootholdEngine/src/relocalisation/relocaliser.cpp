#include "relocalisation/relocaliser.h"

#include <algorithm>
#include <opencv2/calib3d.hpp>

namespace foothold {

namespace {

/// Hamming distance of the 256 bits that the same place may have, and how much nearer than the next it must be.
constexpr int kLargestDistance = 64;
constexpr double kDistinct = 0.85;
constexpr int kFewestMatches = 10;
constexpr double kInlierPixels = 4;

/// Three-point samples with refinement of the best (OpenCV's USAC): half the time of plain RANSAC, and finds more.
cv::UsacParams how_to_search() {
    cv::UsacParams params;
    params.maxIterations = 400;
    params.threshold = kInlierPixels;
    params.confidence = 0.999;
    params.score = cv::SCORE_METHOD_MSAC;
    params.loMethod = cv::LOCAL_OPTIM_INNER_LO;
    params.loIterations = 5;
    params.loSampleSize = 12;
    params.randomGeneratorState = 7;
    return params;
}

}  // namespace

void Relocaliser::match(const Map &map, const CameraModel &camera) {
    const std::vector<DescribedCorner> &corners = describer_.corners();
    queries_.clear();
    for (const DescribedCorner &corner : corners) queries_.push_back(corner.descriptor);
    candidates_.clear();
    for (size_t i = 0; i < map.points.size(); ++i) {
        if (map.points[i].state == PointState::mature) candidates_.push_back(static_cast<int>(i));
    }
    const auto candidate_count = static_cast<int32_t>(candidates_.size());
    observations_.clear();
    matches_.resize(queries_.size());
    scratch_.resize(fh_match_scratch_size(candidate_count));
    // Levels are matched apart: a point's two descriptors would else be each other's second best.
    for (int level = 0; level < kDescribedLevels; ++level) {
        known_.clear();
        for (const int index : candidates_) known_.push_back(map.points[index].descriptors[level]);
        fh_match_all(queries_.data(), static_cast<int32_t>(queries_.size()), known_.data(), candidate_count,
                     matches_.data(), scratch_.data(), scratch_.size());
        for (size_t i = 0; i < matches_.size(); ++i) {
            const fh_match &found = matches_[i];
            if (found.best < 0 || found.best_distance > kLargestDistance ||
                found.best_distance > kDistinct * found.second_distance) {
                continue;
            }
            PoseObservation o;
            o.point_in_world = map.position_in_world(map.points[candidates_[found.best]]);
            o.pixel = map.centred(camera, corners[i].pixel);
            observations_.push_back(o);
        }
    }
}

std::vector<SE3> Relocaliser::propose_from_points(const Map &map, const CameraModel &camera,
                                                  const ImagePyramid &pyramid) {
    describer_.look_at(pyramid);
    match(map, camera);
    if (static_cast<int>(observations_.size()) < kFewestMatches) return {};
    std::vector<cv::Point3d> points;
    std::vector<cv::Point2d> pixels;
    for (const PoseObservation &o : observations_) {
        points.emplace_back(o.point_in_world.x(), o.point_in_world.y(), o.point_in_world.z());
        pixels.emplace_back(o.pixel.x(), o.pixel.y());
    }
    cv::Mat lens = (cv::Mat_<double>(3, 3) << map.focal, 0, 0, 0, map.focal, 0, 0, 0, 1);
    cv::Mat rotation_vector, translation;
    std::vector<int> inliers;
    if (!cv::solvePnPRansac(points, pixels, lens, cv::noArray(), rotation_vector, translation, inliers,
                            how_to_search()) ||
        static_cast<int>(inliers.size()) < kFewestMatches) {
        return {};
    }
    const SE3 camera_from_world{
        so3_exp(Eigen::Vector3d(rotation_vector.at<double>(0), rotation_vector.at<double>(1),
                                rotation_vector.at<double>(2))),
        Eigen::Vector3d(translation.at<double>(0), translation.at<double>(1), translation.at<double>(2))};
    SE3 pose = camera_from_world.inverse();
    std::vector<PoseObservation> agreeing;
    for (const int index : inliers) agreeing.push_back(observations_[index]);
    // Corners of levels 1 and 2 are only known to a pixel or two.
    if (!optimise_pose(agreeing, map.focal, 1.0, 4.0, &pose).succeeded) return {};
    return {pose};
}

std::vector<SE3> Relocaliser::propose_from_keyframes(const Map &map, const CameraModel &camera,
                                                     const Thumbnail &thumbnail, int most) const {
    std::vector<std::pair<float, int>> order;
    for (size_t i = 0; i < map.keyframes.size(); ++i) {
        if (map.keyframes[i].thumbnail.value.empty()) continue;
        order.emplace_back(-correlation(map.keyframes[i].thumbnail, thumbnail), static_cast<int>(i));
    }
    std::sort(order.begin(), order.end());
    std::vector<SE3> poses;
    for (size_t i = 0; i < std::min(order.size(), static_cast<size_t>(most)); ++i) {
        const Keyframe &keyframe = map.keyframes[order[i].second];
        const RotationAlignment turned =
            align_rotation(keyframe.thumbnail, thumbnail, camera, Eigen::Matrix3d::Identity());
        if (turned.correlation < 0.5f) continue;
        const SE3 &from = keyframe.world_from_camera;
        poses.push_back(SE3{from.rotation * turned.rotation.transpose(), from.translation});
    }
    return poses;
}

}  // namespace foothold
