#include "surfaces/surface_classifier.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

void set(Surface &surface, SurfaceClass classification, double confidence) {
    surface.classification = classification;
    surface.classification_confidence = confidence * surface.confidence;
}

double height_of(const Surface &surface, const Eigen::Vector3d &up) { return up.dot(surface.to_world(surface.center)); }

/// The floor: the lowest level surface, well below the eye, and large, or carrying something clearly higher.
Surface *find_floor(std::span<Surface *const> surfaces, const ClassifierContext &context) {
    Surface *lowest = nullptr;
    for (Surface *surface : surfaces) {
        if (surface->alignment != SurfaceAlignment::horizontal_up) continue;
        if (!lowest || height_of(*surface, context.up) < height_of(*lowest, context.up)) lowest = surface;
    }
    if (!lowest) return nullptr;
    const double height = height_of(*lowest, context.up);
    const double below_eye = context.camera_height - height;
    if (below_eye <= 0) return nullptr;
    if (context.scale_is_metric) {
        // Standing or sitting people hold a camera 0.9 to 2 m above the floor, and 0.2 to 0.8 m above a table.
        if (below_eye < 0.85 || below_eye > 2.5) return nullptr;
        return lowest->area > 0.5 || below_eye > 1.1 ? lowest : nullptr;
    }
    // Without a metre: something level stands clearly above it, on the way to the eye, and isn't just a thing that
    // lies on a table.
    for (Surface *surface : surfaces) {
        if (surface == lowest || surface->alignment != SurfaceAlignment::horizontal_up) continue;
        const double rise = height_of(*surface, context.up) - height;
        const bool is_furniture = rise > 0.4 * below_eye && rise < below_eye && surface->area > 0.03 * lowest->area;
        if (is_furniture && lowest->area > 0.5 * surface->area) return lowest;
    }
    return nullptr;
}

}  // namespace

void classify_surfaces(std::span<Surface *const> surfaces, const ClassifierContext &context) {
    Surface *floor = find_floor(surfaces, context);
    const double floor_height = floor ? height_of(*floor, context.up) : 0;
    const double eye = floor ? context.camera_height - floor_height : 0;
    for (Surface *surface : surfaces) {
        set(*surface, SurfaceClass::unknown, 0);
        const double height = height_of(*surface, context.up);
        const double longer = surface->extent.maxCoeff(), shorter = surface->extent.minCoeff();
        switch (surface->alignment) {
            case SurfaceAlignment::horizontal_up: {
                if (surface == floor) {
                    set(*surface, SurfaceClass::floor, context.scale_is_metric ? 0.9 : 0.7);
                    break;
                }
                if (!context.scale_is_metric) {
                    if (!floor || eye <= 0) break;
                    const double rise = (height - floor_height) / eye;
                    if (rise > 0.35 && rise < 0.7 && surface->area > 0.1 * eye * eye) {
                        set(*surface, SurfaceClass::table, 0.5);
                    }
                    break;
                }
                const double rise = height - floor_height;
                if (floor && rise > 0.34 && rise < 0.56 && surface->area > 0.06 && surface->area < 1.2 &&
                    shorter > 0.22) {
                    set(*surface, SurfaceClass::seat, 0.6);
                } else if (floor && rise > 0.6 && rise < 1.15 && surface->area > 0.15 && shorter > 0.25) {
                    set(*surface, SurfaceClass::table, 0.8);
                } else if (!floor) {
                    const double below_eye = context.camera_height - height;
                    if (surface->area > 0.25 && shorter > 0.3 && below_eye > 0.15 && below_eye < 0.75) {
                        set(*surface, SurfaceClass::table, 0.6);
                    }
                }
                break;
            }
            case SurfaceAlignment::horizontal_down:
                if (context.scale_is_metric) {
                    const bool high = floor ? height - floor_height > 1.9 : height - context.camera_height > 0.5;
                    if (high && surface->area > 0.5) set(*surface, SurfaceClass::ceiling, 0.8);
                } else if (floor && height - floor_height > 1.25 * eye) {
                    set(*surface, SurfaceClass::ceiling, 0.5);
                }
                break;
            case SurfaceAlignment::vertical: {
                // A wall is large, and reaches above the eye or rises far from the floor.
                const double unit = context.scale_is_metric ? 1.0 : eye > 0 ? eye / usual_eye_height : 0;
                if (unit <= 0 || longer < 0.8 * unit || surface->area < 0.5 * unit * unit) break;
                double low = 1e300, high = -1e300;
                for (const Eigen::Vector2d &p : surface->boundary) {
                    const double h = context.up.dot(surface->to_world(p));
                    low = std::min(low, h);
                    high = std::max(high, h);
                }
                const bool tall = floor ? high - floor_height > 1.3 * unit : high > context.camera_height;
                if (tall) set(*surface, SurfaceClass::wall, floor ? 0.8 : 0.6);
                break;
            }
            case SurfaceAlignment::other:
                break;
        }
    }
}

}  // namespace foothold
