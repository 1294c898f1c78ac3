#include "frontend/rotation_alignment.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "geometry/se3.h"

namespace foothold {

void Thumbnail::build(const ImagePyramid &pyramid) {
    int level = 0;
    while (level + 1 < pyramid.level_count() && pyramid.level(level + 1).width >= kWidth) ++level;
    const ImageView &image = pyramid.level(level);
    // Mean of the pixels that each cell covers: the level is at least as large, so every cell holds one.
    float small[kHeight][kWidth];
    for (int row = 0; row < kHeight; ++row) {
        const int top = row * image.height / kHeight;
        const int bottom = std::max(top + 1, (row + 1) * image.height / kHeight);
        for (int column = 0; column < kWidth; ++column) {
            const int left = column * image.width / kWidth;
            const int right = std::max(left + 1, (column + 1) * image.width / kWidth);
            int sum = 0;
            for (int y = top; y < bottom; ++y) {
                const uint8_t *p = image.data + static_cast<ptrdiff_t>(y) * image.stride;
                for (int x = left; x < right; ++x) sum += p[x];
            }
            small[row][column] = static_cast<float>(sum) / static_cast<float>((bottom - top) * (right - left));
        }
    }
    value.resize(kWidth * kHeight);
    double sum = 0;
    // The binomial filter (1 4 6 4 1) both ways; edge cells are repeated.
    constexpr float kWeights[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};
    float across[kHeight][kWidth];
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            across[y][x] = 0;
            for (int k = -2; k <= 2; ++k) across[y][x] += kWeights[k + 2] * small[y][std::clamp(x + k, 0, kWidth - 1)];
        }
    }
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            float blurred = 0;
            for (int k = -2; k <= 2; ++k) blurred += kWeights[k + 2] * across[std::clamp(y + k, 0, kHeight - 1)][x];
            sum += value[y * kWidth + x] = blurred;
        }
    }
    const float mean = static_cast<float>(sum / (kWidth * kHeight));
    for (float &v : value) v -= mean;
}

float correlation(const Thumbnail &a, const Thumbnail &b) {
    double aa = 1e-6, bb = 1e-6, ab = 0;
    for (size_t i = 0; i < a.value.size(); ++i) {
        aa += a.value[i] * a.value[i];
        bb += b.value[i] * b.value[i];
        ab += a.value[i] * b.value[i];
    }
    return static_cast<float>(ab / std::sqrt(aa * bb));
}

RotationAlignment align_rotation(const Thumbnail &reference, const Thumbnail &current, const CameraModel &camera,
                                 const Eigen::Matrix3d &start) {
    constexpr int kWidth = Thumbnail::kWidth, kHeight = Thumbnail::kHeight;
    // Lens distortion is far below a thumbnail's pixel for a prediction's purposes.
    const double fx = camera.fx * kWidth / camera.width, fy = camera.fy * kHeight / camera.height;
    const double cx = (camera.cx + 0.5) * kWidth / camera.width - 0.5;
    const double cy = (camera.cy + 0.5) * kHeight / camera.height - 0.5;
    struct Sample {
        Eigen::Vector3d bearing;
        Eigen::Vector3d jacobian;
        float value;
    };
    std::vector<Sample> samples;
    samples.reserve(kWidth * kHeight / 2);
    Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
    for (int y = 1; y < kHeight - 1; ++y) {
        for (int x = 1 + (y & 1); x < kWidth - 1; x += 2) {
            const float *p = reference.value.data() + y * kWidth + x;
            const double gx = 0.5 * (p[1] - p[-1]), gy = 0.5 * (p[kWidth] - p[-kWidth]);
            Sample sample;
            sample.bearing = Eigen::Vector3d((x - cx) / fx, (y - cy) / fy, 1);
            const double u = sample.bearing.x() * fx, v = sample.bearing.y() * fy;
            Eigen::Matrix<double, 2, 3> by_point;
            by_point << fx, 0, -u, 0, fy, -v;
            // Template warped by exp(w): d pixel / d w = -by_point · hat(bearing).
            sample.jacobian = -(Eigen::RowVector2d(gx, gy) * by_point * hat(sample.bearing)).transpose();
            sample.value = p[0];
            hessian += sample.jacobian * sample.jacobian.transpose();
            samples.push_back(sample);
        }
    }
    RotationAlignment result;
    result.rotation = start;
    const Eigen::LDLT<Eigen::Matrix3d> factor(hessian + 1e-3 * Eigen::Matrix3d::Identity());
    for (int iteration = 0; iteration < 15; ++iteration) {
        Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
        double aa = 1e-6, bb = 1e-6, ab = 0;
        int count = 0;
        for (const Sample &sample : samples) {
            const Eigen::Vector3d p = result.rotation * sample.bearing;
            if (p.z() < 0.1) continue;
            const double x = fx * p.x() / p.z() + cx, y = fy * p.y() / p.z() + cy;
            if (!(x >= 0 && y >= 0 && x < kWidth - 1 && y < kHeight - 1)) continue;
            const int xi = static_cast<int>(x), yi = static_cast<int>(y);
            const float ax = static_cast<float>(x - xi), ay = static_cast<float>(y - yi);
            const float *q = current.value.data() + yi * kWidth + xi;
            const float value =
                (1 - ay) * ((1 - ax) * q[0] + ax * q[1]) + ay * ((1 - ax) * q[kWidth] + ax * q[kWidth + 1]);
            const float residual = value - sample.value;
            const double weight = 1 / (1 + residual * residual / 400.0);
            gradient += weight * residual * sample.jacobian;
            aa += value * value;
            bb += sample.value * sample.value;
            ab += value * sample.value;
            ++count;
        }
        if (count < static_cast<int>(samples.size()) / 4) break;
        result.correlation = static_cast<float>(ab / std::sqrt(aa * bb));
        const Eigen::Vector3d step = factor.solve(gradient);
        if (!step.allFinite()) break;
        result.rotation = result.rotation * so3_exp(-step);
        if (step.norm() * fx < 0.01) break;
    }
    return result;
}

}  // namespace foothold
