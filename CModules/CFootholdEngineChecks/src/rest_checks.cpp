#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "random_numbers.h"
#include "surface_checks.h"
#include "surfaces/plane_beneath.h"

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_plane_beneath(uint64_t seed, int32_t has_things, double *out_fit_degrees, double *out_degrees,
                               double *out_height) {
    if (out_fit_degrees == nullptr || out_degrees == nullptr || out_height == nullptr) return -1;
    RandomNumbers random(seed);
    const Eigen::Vector3d camera(0, 0.6, 0.9);
    std::vector<SurfacePoint> points;
    std::vector<int> indices;
    const auto add = [&](int count, const auto &place) {
        for (int i = 0; i < count; ++i) {
            SurfacePoint point;
            point.position = place(random.uniform(), random.uniform());
            point.view = (camera - point.position).normalized();
            point.distance = (camera - point.position).norm();
            point.sigma_along = 0.003;
            point.sigma_across = 1e-3;
            point.position += random.gaussian() * point.sigma_along * point.view;
            indices.push_back(static_cast<int>(points.size()));
            points.push_back(point);
        }
    };
    add(150, [](double a, double b) { return Eigen::Vector3d(1.2 * (a - 0.5), 0, 0.8 * (b - 0.5)); });
    if (has_things != 0) {
        // A keyboard that rises by 5° to the back, and cables above the far end.
        const double rise = std::tan(5 * std::numbers::pi / 180);
        add(300, [&](double a, double b) { return Eigen::Vector3d(0.4 * (a - 0.5), 0.14 * b * rise, 0.2 - 0.14 * b); });
        add(80, [](double a, double b) { return Eigen::Vector3d(1.2 * (a - 0.5), 0.01 + 0.05 * b, -0.35); });
    }
    const PlaneFit fit = fit_plane(points, indices, {Eigen::Vector3d::UnitY(), 0});
    if (!fit.valid) return -1;
    const Plane beneath = plane_beneath(points, indices, fit.plane, 1.1);
    const auto degrees = [](const Eigen::Vector3d &normal) {
        return angle_between(normal, Eigen::Vector3d::UnitY()) * 180 / std::numbers::pi;
    };
    *out_fit_degrees = degrees(fit.plane.normal);
    *out_degrees = degrees(beneath.normal);
    *out_height = -beneath.distance(Eigen::Vector3d::Zero());
    return 0;
}
