#include "tracking/point_finder.h"

namespace foothold {

bool affine_warp(const HostedPoint &point, const Eigen::Vector3d &host_bearing, double inverse_depth,
                 const SE3 &current_from_host, const CameraModel &camera, Eigen::Matrix2d *out_warp,
                 Eigen::Vector2d *out_pixel) {
    const auto seen_at = [&](const Eigen::Vector3d &bearing, Eigen::Vector2d *pixel) {
        const double nearer = 1 + point.slant.dot((bearing - host_bearing).head<2>());
        const Eigen::Vector3d p =
            current_from_host.rotation * bearing + nearer * inverse_depth * current_from_host.translation;
        if (p.z() < 1e-3) return false;
        *pixel = camera.pixel(p.head<2>() / p.z());
        return pixel->allFinite();
    };
    if (!seen_at(host_bearing, out_pixel)) return false;
    constexpr double kStep = 4;
    // Neighbouring pixels' rows are exposed at nearly the same time: what a rolling shutter does to the point, it does
    // to them.
    const Eigen::Vector2d rolled = host_bearing.head<2>() - camera.normalise(point.host_raw_pixel);
    for (int axis = 0; axis < 2; ++axis) {
        Eigen::Vector2d moved = point.host_raw_pixel;
        moved[axis] += kStep;
        Eigen::Vector2d pixel;
        if (!seen_at((camera.normalise(moved) + rolled).homogeneous(), &pixel)) return false;
        out_warp->col(axis) = (pixel - *out_pixel) / kStep;
    }
    return true;
}

FoundPoint find_point(int point_index, const HostedPoint &point, const Eigen::Matrix2d &current_from_host,
                      const ImagePyramid &pyramid, const Eigen::Vector2d &predicted, int start_level,
                      float minimum_correlation, TemplateCache *cache) {
    FoundPoint result;
    Eigen::Vector2d position = predicted;
    const int top =
        std::min(std::max(start_level, point.level), std::min(pyramid.level_count(), HostPatch::kLevels) - 1);
    for (int level = top; level >= point.level; --level) {
        const fh_template *patch = cache->get(point_index, point, current_from_host, level);
        if (patch == nullptr) {
            if (level == point.level) return result;
            continue;
        }
        const double scale = 1.0 / (1 << level);
        Eigen::Vector2f pixel = (position * scale).cast<float>();
        const bool finest = level == point.level;
        const AlignmentResult aligned =
            align(*patch, pyramid, level, finest ? 12 : 8, finest ? 0.01f : 0.05f, level == top ? 10.0f : 4.0f, &pixel);
        const bool agrees = aligned.correlation > (finest ? minimum_correlation : 0.6f);
        if (level > point.level + 1) {
            // A coarse level only guides; where it finds nothing, the next one starts from the prediction.
            if (agrees) position = pixel.cast<double>() / scale;
            continue;
        }
        if (!agrees) {
            if (finest) return result;
            continue;
        }
        position = pixel.cast<double>() / scale;
        result.found = true;
        result.level = level;
        result.pixel = position;
        result.correlation = aligned.correlation;
    }
    return result;
}

}  // namespace foothold
