#include <algorithm>
#include <cmath>
#include <queue>

#include "surfaces/outline.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

constexpr float support_step = 0.8f;
constexpr float cell_support_step = 0.5f;
constexpr float seen_through_step = -0.5f;
// Cells seen flatter than this smear over too much of a surface to say where it ends.
constexpr double flattest_view = 0.12;

/// Of a pixel, in the world; length one.
Eigen::Vector3d direction_of(const KeyframeView &view, const Eigen::Vector2d &pixel) {
    return view.world_from_camera_rotation * ray_of(view, pixel).normalized();
}

/// Where a ray of the picture meets a surface; false when it meets it from behind, too flatly or too far.
bool meet(const TrackedSurface &surface, const KeyframeView &view, const Eigen::Vector3d &direction,
          Eigen::Vector3d *out_point) {
    const double height = surface.plane().distance(view.camera_in_world);
    const double facing = surface.plane().normal.dot(direction);
    if (height <= 0 || facing > -flattest_view) return false;
    const double distance = -height / facing;
    if (distance > 4 * surface.distance) return false;
    *out_point = view.camera_in_world + distance * direction;
    return true;
}

/// Calls `visit(local)` for points of the surface that a square of the picture covers, about one a grid cell.
template <typename Visit>
void cover(const TrackedSurface &surface, const KeyframeView &view, const Eigen::Vector2d &center, double half,
           Visit visit) {
    Eigen::Vector2d corners[4];
    const Eigen::Vector2d offsets[4] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    for (int i = 0; i < 4; ++i) {
        Eigen::Vector3d point;
        if (!meet(surface, view, direction_of(view, center + offsets[i]), &point)) return;
        corners[i] = surface.to_local(point);
    }
    const double longest = std::max((corners[0] - corners[2]).norm(), (corners[1] - corners[3]).norm());
    if (longest > 0.3 * surface.distance) return;
    const int steps = std::clamp(static_cast<int>(std::ceil(longest / surface.grid.cell_size())), 1, 8);
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < steps; ++j) {
            const double s = (i + 0.5) / steps, t = (j + 0.5) / steps;
            visit(Eigen::Vector2d((1 - t) * ((1 - s) * corners[0] + s * corners[1]) +
                                  t * ((1 - s) * corners[3] + s * corners[2])));
        }
    }
}

}  // namespace

void SurfaceTracker::State::deposit_evidence(const KeyframeView &newest) {
    std::vector<bool> in_view(points.size(), false);
    for (const Observation &observation : newest.observations) {
        const int index = index_of(observation.point_id);
        if (index >= 0) in_view[index] = true;
    }
    Owned all = points_by_owner();
    for (TrackedSurface &surface : tracked) {
        std::vector<SurfaceMember> members;
        for (const int i : all[surface.shown.id]) {
            const Eigen::Vector2d local = surface.to_local(points[i].position);
            const bool known = surface.has_member(points[i].id);
            if (!known || in_view[i]) surface.grid.add(local, support_step);
            members.push_back({points[i].id, local});
        }
        surface.members = std::move(members);
        surface.sort_members();
    }
}

void SurfaceTracker::State::note_seen_through(const KeyframeView &newest) {
    for (const Observation &observation : newest.observations) {
        const int index = index_of(observation.point_id);
        if (index < 0) continue;
        const SurfacePoint &point = points[index];
        const Eigen::Vector3d ray = point.position - newest.camera_in_world;
        for (TrackedSurface &surface : tracked) {
            if (point.owner == surface.shown.id) continue;
            const Plane &plane = surface.plane();
            const double front = plane.distance(newest.camera_in_world);
            const double behind = surely_behind(point, plane, noise_scale);
            if (behind <= 0 || front <= 0) continue;
            const Eigen::Vector3d crossing = newest.camera_in_world + ray * (front / (front + behind));
            surface.grid.add(surface.to_local(crossing), seen_through_step);
        }
    }
}

void SurfaceTracker::State::note_cells(const KeyframeView &newest) {
    for (const SeenPatch &patch : dense.seen()) {
        const int index = index_of(dense.points()[patch.point].id);
        if (index < 0) continue;
        const SurfacePoint &point = points[index];
        const Eigen::Vector3d direction = direction_of(newest, patch.pixel);
        for (TrackedSurface &surface : tracked) {
            if (point.owner == surface.shown.id) {
                // Pieces that hang over the edge match too: only their middle is sure.
                cover(surface, newest, patch.pixel, 0.5 * patch.half_side,
                      [&](const Eigen::Vector2d &local) { surface.grid.add(local, cell_support_step); });
                dense.explain(patch.point, surface.plane().normal);
                continue;
            }
            if (surely_behind(point, surface.plane(), noise_scale) <= 0) continue;
            Eigen::Vector3d crossing;
            if (!meet(surface, newest, direction, &crossing)) continue;
            if (!surface.grid.is_inside(surface.grid.cell(surface.to_local(crossing)))) continue;
            cover(surface, newest, patch.pixel, patch.half_side,
                  [&](const Eigen::Vector2d &local) { surface.grid.add(local, seen_through_step); });
        }
    }
}

void SurfaceTracker::State::spread_over_blank(const KeyframeView &newest) {
    // From cells known to show a surface over cells that look the same: plain tables and walls.
    const CellGrid &cells = dense.cells();
    if (cells.cells.empty()) return;
    constexpr float same_luma = 5;
    constexpr int farthest = 14;
    struct Reached {
        int column, row, steps;
        int surface;
    };
    std::vector<int> reached(cells.cells.size(), -1);
    std::queue<Reached> open;
    for (int row = 0; row < cells.rows; ++row) {
        for (int column = 0; column < cells.columns; ++column) {
            const int dense_index = cells.at(column, row).point;
            if (dense_index < 0) continue;
            const int index = index_of(dense.points()[dense_index].id);
            if (index < 0) continue;
            for (size_t s = 0; s < tracked.size(); ++s) {
                if (points[index].owner == tracked[s].shown.id) open.push({column, row, 0, static_cast<int>(s)});
            }
        }
    }
    while (!open.empty()) {
        const Reached at = open.front();
        open.pop();
        if (at.steps == farthest) continue;
        const float luma = cells.at(at.column, at.row).mean_luma;
        const int neighbours[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (const auto &step : neighbours) {
            const int column = at.column + step[0], row = at.row + step[1];
            if (column < 0 || row < 0 || column >= cells.columns || row >= cells.rows) continue;
            const PictureCell &cell = cells.at(column, row);
            int &claimed = reached[static_cast<size_t>(row) * cells.columns + column];
            // Leaving a textured cell its brightness says nothing; between plain ones it must stay.
            if (!cell.is_blank || claimed >= 0) continue;
            if (at.steps > 0 && std::abs(cell.mean_luma - luma) > same_luma) continue;
            claimed = at.surface;
            TrackedSurface &surface = tracked[at.surface];
            Eigen::Vector3d point;
            if (!meet(surface, newest, direction_of(newest, CellGrid::center(column, row)), &point)) continue;
            cover(surface, newest, CellGrid::center(column, row), 0.5 * CellGrid::size,
                  [&](const Eigen::Vector2d &local) { surface.grid.add_blank(local); });
            open.push({column, row, at.steps + 1, at.surface});
        }
    }
}

}  // namespace foothold
