// Over which plain places surfaces go on.
#include <algorithm>
#include <cmath>
#include <queue>

#include "surfaces/blank_regions.h"
#include "surfaces/picture_square.h"
#include "surfaces/surface_sight.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {
namespace {

/// Relative to distance: nothing plain is seen farther behind what bounds the place.
constexpr double hidden_by_bound = 0.01;
/// Of the points around a plain region that lie on a surface: so many behind it may be seen past its edges.
constexpr double few_beyond = 0.5;

}  // namespace

bool SurfaceTracker::State::is_denied_by(std::span<const int> border, const TrackedSurface &surface) const {
    const auto count_border = [&](auto &&holds) {
        return std::count_if(border.begin(), border.end(), [&](int dense_index) {
            const int index = index_of_dense[dense_index];
            return index >= 0 && holds(points[index]);
        });
    };
    const auto count_on = [&](const TrackedSurface &candidate) {
        return count_border([&](const SurfacePoint &point) { return point.owner == candidate.shown.id; });
    };
    // What bounds a plain region lies on its surface or stands before it: where much is seen behind a carton's plane,
    // the plain wall beside the carton isn't a part of the carton.
    const auto own = count_on(surface);
    const auto behind = count_border([&](const SurfacePoint &point) {
        return point.owner != surface.shown.id && surely_behind(point, surface.plane(), noise_scale);
    });
    if (static_cast<double>(behind) > few_beyond * static_cast<double>(own)) return true;
    // Before a laptop the white desk goes on, which lies over the laptop's plane there: slopes are rare.
    return surface.constraint() == GravityConstraint::none &&
           std::any_of(tracked.begin(), tracked.end(), [&](const TrackedSurface &other) {
               return other.is_confirmed && other.constraint() != GravityConstraint::none && count_on(other) > own;
           });
}

void SurfaceTracker::State::spread_over_blank(const KeyframeView &newest, const BlankRegions &regions) {
    // From cells known to show a surface over cells that look the same: plain tables and walls.
    const CellGrid &cells = dense.cells();
    if (cells.cells.empty()) return;
    constexpr int farthest = 14;
    struct Reached {
        int column, row, steps;
        int surface;
    };
    const std::vector<SurfaceSight> sights = sights_from(newest);
    std::vector<int> bounds;
    for (size_t s = 0; s < tracked.size(); ++s) {
        if (tracked[s].bounds_place) bounds.push_back(static_cast<int>(s));
    }
    // The wall hides where a table's plane goes on.
    const auto is_hidden = [&](const Eigen::Vector3d &ray, int surface) {
        const double near = -tracked[surface].plane().normal.dot(ray) / sights[surface].height();
        return std::any_of(bounds.begin(), bounds.end(), [&](int bound) {
            if (bound == surface || sights[bound].height() <= 0) return false;
            return -tracked[bound].plane().normal.dot(ray) / sights[bound].height() > (1 + hidden_by_bound) * near;
        });
    };
    enum class Verdict : uint8_t { open, possible, denied };
    std::vector<Verdict> verdicts(static_cast<size_t>(regions.count()) * tracked.size(), Verdict::open);
    const auto is_denied = [&](int region, int surface) {
        Verdict &verdict = verdicts[static_cast<size_t>(region) * tracked.size() + surface];
        if (verdict == Verdict::open)
            verdict = is_denied_by(regions.border(region), tracked[surface]) ? Verdict::denied : Verdict::possible;
        return verdict == Verdict::denied;
    };
    std::vector<int> reached(cells.cells.size(), -1);
    std::queue<Reached> open;
    for (int row = 0; row < cells.rows; ++row) {
        for (int column = 0; column < cells.columns; ++column) {
            const int dense_index = cells.at(column, row).point;
            if (dense_index < 0) continue;
            const int index = index_of_dense[dense_index];
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
            if (at.steps > 0 && std::abs(cell.mean_luma - luma) > PlainRegions::same_luma) continue;
            const Eigen::Vector2d center = CellGrid::center(column, row);
            const Eigen::Vector3d ray = world_ray_of(newest, center);
            if (is_hidden(ray, at.surface)) continue;
            // Who came first and may not have it keeps it from the others, too: a floor would take what stands on it.
            claimed = at.surface;
            if (is_denied(regions.region_at(column, row), at.surface)) continue;
            TrackedSurface &surface = tracked[at.surface];
            Eigen::Vector2d place;
            if (!sights[at.surface].meet(ray, &place)) continue;
            cover(surface, sights[at.surface], corner_rays(newest, center, 0.5 * CellGrid::size),
                  [&](const Eigen::Vector2d &local) { surface.grid.add_blank(local); });
            open.push({column, row, at.steps + 1, at.surface});
        }
    }
}

}  // namespace foothold
