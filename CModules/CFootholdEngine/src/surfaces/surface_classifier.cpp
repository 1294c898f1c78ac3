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
    if (context.metre > 0) {
        // Nobody holds a camera so high above the floor that they stand on, nor so low; nor, as a rule, so high above a
        // seat.
        const double metres = below_eye / context.metre;
        if (metres < 0.7 || metres > 2.5) return nullptr;
        if (metres > 1.3 && lowest->area > 0.5 * context.metre * context.metre) return lowest;
    }
    // Something level stands clearly above it, on the way to the eye, and isn't just a thing that lies on a table.
    for (Surface *surface : surfaces) {
        if (surface == lowest || surface->alignment != SurfaceAlignment::horizontal_up) continue;
        const double rise = height_of(*surface, context.up) - height;
        const bool is_furniture = rise > 0.4 * below_eye && rise < below_eye && surface->area > 0.03 * lowest->area;
        if (is_furniture && lowest->area > 0.5 * surface->area) return lowest;
    }
    return nullptr;
}

struct Span {
    double low = 1e300, high = -1e300;
};

/// Heights of what an outline reaches.
Span heights_of(const Surface &surface, const Eigen::Vector3d &up) {
    Span span;
    for (const Eigen::Vector2d &corner : surface.boundary) {
        const double height = up.dot(surface.to_world(corner));
        span.low = std::min(span.low, height);
        span.high = std::max(span.high, height);
    }
    return span;
}

/// Whether something upright and no larger than a chair's or sofa's back rises beside what may be a seat. Without one,
/// boxes are as high and as large.
bool has_back(const Surface &seat, std::span<Surface *const> surfaces, const ClassifierContext &context) {
    const double metre = context.metre, height = height_of(seat, context.up);
    const Eigen::Vector3d middle = seat.to_world(seat.center);
    for (const Surface *back : surfaces) {
        if (back->alignment != SurfaceAlignment::vertical || back->area > metre * metre) continue;
        const Span span = heights_of(*back, context.up);
        if (span.high < height + 0.25 * metre || span.low > height + 0.35 * metre) continue;
        const Eigen::Vector3d away = back->to_world(back->center) - middle;
        const double beside = (away - away.dot(context.up) * context.up).norm();
        if (beside < 0.5 * seat.extent.maxCoeff() + 0.15 * metre) return true;
    }
    return false;
}

}  // namespace

void classify_surfaces(std::span<Surface *const> surfaces, const ClassifierContext &context) {
    Surface *floor = find_floor(surfaces, context);
    const double floor_height = floor ? height_of(*floor, context.up) : 0;
    const double eye = floor ? context.camera_height - floor_height : 0;
    const double metre = context.metre, square_metre = metre * metre;
    for (Surface *surface : surfaces) {
        set(*surface, SurfaceClass::unknown, 0);
        const double height = height_of(*surface, context.up);
        const double longer = surface->extent.maxCoeff(), shorter = surface->extent.minCoeff();
        switch (surface->alignment) {
            case SurfaceAlignment::horizontal_up: {
                if (surface == floor) {
                    set(*surface, SurfaceClass::floor, metre > 0 ? 0.9 : 0.7);
                    break;
                }
                if (metre <= 0) {
                    if (!floor || eye <= 0) break;
                    const double rise = (height - floor_height) / eye;
                    if (rise > 0.35 && rise < 0.7 && surface->area > 0.1 * eye * eye) {
                        set(*surface, SurfaceClass::table, 0.5);
                    }
                    break;
                }
                const double rise = (height - floor_height) / metre, area = surface->area / square_metre;
                const double side = shorter / metre;
                if (floor && rise > 0.34 && rise < 0.56 && side > 0.22) {
                    const bool is_bench = area > 0.5 && area < 2 && longer > 0.9 * metre;
                    const bool is_chair = area > 0.06 && area < 1 && has_back(*surface, surfaces, context);
                    if (is_bench || is_chair) set(*surface, SurfaceClass::seat, 0.6);
                } else if (floor && rise > 0.6 && rise < 1.15 && area > 0.15 && side > 0.25) {
                    set(*surface, SurfaceClass::table, 0.8);
                } else if (!floor) {
                    const double below_eye = (context.camera_height - height) / metre;
                    if (area > 0.25 && area < 2.5 && side > 0.3 && below_eye > 0.15 && below_eye < 0.75) {
                        set(*surface, SurfaceClass::table, 0.6);
                    }
                }
                break;
            }
            case SurfaceAlignment::horizontal_down:
                if (metre > 0) {
                    const double rise = height - (floor ? floor_height : context.camera_height);
                    if (rise > (floor ? 1.9 : 0.5) * metre && surface->area > 0.5 * square_metre)
                        set(*surface, SurfaceClass::ceiling, 0.8);
                } else if (floor && height - floor_height > 1.25 * eye) {
                    set(*surface, SurfaceClass::ceiling, 0.5);
                }
                break;
            case SurfaceAlignment::vertical: {
                // A wall is large, and reaches above the eye or rises far from the floor.
                const double unit = metre > 0 ? metre : eye > 0 ? eye / usual_eye_height : 0;
                if (unit <= 0 || longer < 0.8 * unit || surface->area < 0.5 * unit * unit) break;
                const double top = heights_of(*surface, context.up).high;
                const bool tall = floor ? top - floor_height > 1.3 * unit : top > context.camera_height;
                if (tall) set(*surface, SurfaceClass::wall, floor ? 0.8 : 0.6);
                break;
            }
            case SurfaceAlignment::other:
                break;
        }
    }
}

}  // namespace foothold
