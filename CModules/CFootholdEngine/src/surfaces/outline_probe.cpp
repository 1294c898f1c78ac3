// Looks at the pieces of the newest picture that an outline covers without much evidence: do they show the surface, or
// something before or behind it?
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

// Log-odds. In made-up rooms pieces wholly on a plane fit it 200 times as often as pieces off it, and those differ ten
// times as often; at an edge, which both see, it's four times and once. To differ says little a time: what doesn't fit
// because of its texture has no chance to make up for it.
constexpr float fits_step = 0.4f;
constexpr float differs_step = -0.35f;
/// At the picture's rim there's no second look: what fits one other picture is enough for large surfaces.
constexpr float fits_once_step = EvidenceGrid::supported;
/// Evidence that needs no more proof.
constexpr float settled = 2;
/// Half-size pixels between the places looked at.
constexpr int spacing = CellGrid::size / 2;
/// Relative to the surface's distance: so far outside an outline it's looked at too.
constexpr double reach = 0.06;
/// Relative to distance².
constexpr double large_surface = 0.1;

struct Place {
    /// Among all places, row by row.
    size_t index = 0;
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    /// In the camera's axes, z = 1.
    Eigen::Vector3d ray = Eigen::Vector3d::UnitZ();
};

/// The middle of a place, pixels.
double middle_of(int place) { return place * spacing + 0.5 * (spacing - 1); }

/// Every second place of the picture, like a chessboard; the others have their turn the next time.
std::vector<Place> places_of(const CameraModel &camera, int64_t turn) {
    std::vector<Place> places;
    const int columns = camera.width / spacing;
    for (int row = 0; row < camera.height / spacing; ++row) {
        for (int column = 0; column < columns; ++column) {
            if ((column + row + turn) % 2 != 0) continue;
            Place place;
            place.index = static_cast<size_t>(row) * columns + column;
            place.pixel << middle_of(column), middle_of(row);
            place.ray = camera.normalise(place.pixel).homogeneous();
            places.push_back(place);
        }
    }
    return places;
}

/// What of the picture may show a surface or what lies so far beside it, pixels.
Eigen::AlignedBox2d frame_of(const TrackedSurface &surface, double margin, const KeyframeView &view) {
    Eigen::AlignedBox2d frame;
    const Eigen::AlignedBox2d everything(Eigen::Vector2d::Zero(),
                                         Eigen::Vector2d(view.luma_camera.width, view.luma_camera.height));
    // A lens bends straight edges, and what lies behind the camera has no place.
    if (view.luma_camera.distortion != Distortion::none) return everything;
    for (const Eigen::Vector2d &corner : surface.shown.boundary) {
        for (const double side : {-margin, margin}) {
            for (const double way : {-margin, margin}) {
                const Eigen::Vector3d p =
                    view.world_from_camera_rotation.transpose() *
                    (surface.shown.to_world(corner + Eigen::Vector2d(side, way)) - view.camera_in_world);
                if (!(p.z() > 1e-3 * surface.distance)) return everything;
                frame.extend(view.luma_camera.pixel(p.hnormalized()));
            }
        }
    }
    return frame;
}

}  // namespace

std::vector<int> SurfaceTracker::State::nearest_seen(const KeyframeView &newest) const {
    const int columns = newest.luma_camera.width / spacing, rows = newest.luma_camera.height / spacing;
    std::vector<int> nearest(static_cast<size_t>(columns) * rows, -1);
    const auto distance = [&](int index) { return (points[index].position - newest.camera_in_world).squaredNorm(); };
    const auto places = [](double middle, double half, int end) {
        // Those whose middles lie within.
        const double first = (middle - half - middle_of(0)) / spacing, last = (middle + half - middle_of(0)) / spacing;
        return std::pair(std::max(0, static_cast<int>(std::ceil(first))),
                         std::min(end - 1, static_cast<int>(std::floor(last))));
    };
    for (const SeenPatch &patch : dense.seen()) {
        const int index = index_of_dense[patch.point];
        if (index < 0) continue;
        const auto [left, right] = places(patch.pixel.x(), patch.half_side, columns);
        const auto [top, bottom] = places(patch.pixel.y(), patch.half_side, rows);
        for (int row = top; row <= bottom; ++row) {
            for (int column = left; column <= right; ++column) {
                int &shown = nearest[static_cast<size_t>(row) * columns + column];
                if (shown < 0 || distance(index) < distance(shown)) shown = index;
            }
        }
    }
    return nearest;
}

void SurfaceTracker::State::probe_outlines(const KeyframeView &newest) {
    if (!dense.can_probe()) return;
    const std::vector<Place> places = places_of(newest.luma_camera, probings++);
    const std::vector<int> nearest = nearest_seen(newest);
    for (TrackedSurface &surface : tracked) {
        if (surface.shown.boundary.size() < 3) continue;
        const SurfaceSight sight(surface, newest.camera_in_world);
        if (sight.height() <= 0) continue;
        const double margin = reach * surface.distance;
        const Eigen::Vector3d normal = newest.world_from_camera_rotation.transpose() * surface.plane().normal;
        const bool is_large = surface.shown.area > large_surface * surface.distance * surface.distance;
        const auto local_at = [&](const Eigen::Vector3d &ray) {
            return sight.place(newest.world_from_camera_rotation * ray);
        };
        const Eigen::AlignedBox2d frame = frame_of(surface, margin, newest);
        for (const Place &place : places) {
            if (!frame.contains(place.pixel)) continue;
            const double facing = -normal.dot(place.ray);
            if (facing <= 0) continue;
            const double depth = sight.height() / facing;
            const Eigen::Vector2d local = local_at(place.ray);
            const float value = surface.grid.at(local);
            if (value > settled || value < -settled || !surface.is_near_outline(local, margin)) continue;
            const int before = nearest[place.index];
            // What something known stands before shows that, whether the surface goes on behind it or not.
            if (before >= 0 && points[before].owner != surface.shown.id &&
                surface.plane().distance(points[before].position) > 0 &&
                surely_off(points[before], surface.plane(), noise_scale)) {
                continue;
            }
            Eigen::Vector2d seen_at;
            const PictureFit fit = dense.probe(place.pixel, surface.plane().normal, 1 / depth, &seen_at);
            if (fit == PictureFit::fits || (fit == PictureFit::fits_once && is_large)) {
                surface.grid.add(local_at(ray_of(newest, seen_at)),
                                 fit == PictureFit::fits ? fits_step : fits_once_step);
            }
            if (fit == PictureFit::differs) surface.grid.add(local, differs_step);
        }
    }
}

}  // namespace foothold
