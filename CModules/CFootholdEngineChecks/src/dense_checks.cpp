#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "pictures.h"
#include "random_numbers.h"
#include "surface_checks.h"
#include "surfaces/blank_regions.h"
#include "surfaces/dense_map.h"
#include "surfaces/patch_match.h"

using namespace foothold;
using namespace foothold::checks;

int32_t fh_check_picture_fit(uint64_t seed, double rise, fh_check_picture_fit_report *out_report) {
    if (out_report == nullptr) return -1;
    *out_report = {};
    const CameraModel camera = plain_camera(320, 240);
    const RoomCorner corner(seed);
    std::vector<KeyframeView> keyframes;
    std::vector<Picture> pictures;
    pictures.reserve(3);
    for (int i = 0; i < 3; ++i) {
        SE3 world_from_camera;
        world_from_camera.translation << 0.6 + 0.15 * i, 1.3, 0.8;
        // Looking down at the floor: the camera's z points below the horizon, its y down.
        world_from_camera.rotation = (Eigen::AngleAxisd(-0.9, Eigen::Vector3d::UnitX()) *
                                      Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX()))
                                         .toRotationMatrix();
        pictures.emplace_back(camera.width, camera.height);
        corner.paint(world_from_camera, camera, &pictures.back());
        KeyframeView view;
        view.id = i;
        view.world_from_camera_rotation = world_from_camera.rotation;
        view.camera_in_world = world_from_camera.translation;
        view.luma_camera = camera;
        view.luma = pictures.back().luma.data();
        view.stride = camera.width;
        keyframes.push_back(view);
    }
    const KeyframeView &newest = keyframes.back();
    const auto on_floor = [&](const Eigen::Vector2d &pixel, double height) -> Eigen::Vector3d {
        const Eigen::Vector3d ray = newest.world_from_camera_rotation * camera.normalise(pixel).homogeneous();
        return newest.camera_in_world - (newest.camera_in_world.y() - height) / ray.y() * ray;
    };
    std::vector<Eigen::Vector2d> pixels;
    std::vector<MapPoint> points;
    for (int y = 20; y < camera.height - 20; y += 10) {
        for (int x = 20; x < camera.width - 20; x += 10) {
            const Eigen::Vector3d p = on_floor({x, y}, 0);
            // Floor, well away from the walls.
            if (p.x() < -0.8 || p.z() < -1.3) continue;
            pixels.emplace_back(x, y);
            MapPoint point;
            point.id = static_cast<int64_t>(points.size());
            point.position_in_world = p;
            point.sigma_m = 0.005;
            point.observation_count = 3;
            point.mean_view_direction = Eigen::Vector3d::UnitY();
            points.push_back(point);
        }
    }
    MapView view;
    view.points = points;
    view.keyframes = keyframes;
    DenseMap dense;
    dense.look(view);
    dense.compare();
    dense.measure();
    dense.revisit(view.keyframes.back());
    dense.find_new(view, [](const Eigen::Vector3d &, const Eigen::Vector3d &, std::vector<PlaneGuess> *) {}, {});
    if (!dense.can_probe()) return -1;
    for (const Eigen::Vector2d &pixel : pixels) {
        const double depth =
            newest.world_from_camera_rotation.col(2).dot(on_floor(pixel, rise) - newest.camera_in_world);
        Eigen::Vector2d place;
        switch (dense.probe(pixel, Eigen::Vector3d::UnitY(), 1 / depth, &place)) {
            case PictureFit::fits:
            case PictureFit::fits_once:
                ++out_report->fits;
                break;
            case PictureFit::differs:
                ++out_report->differs;
                break;
            case PictureFit::unknown:
                ++out_report->unknown;
                break;
        }
    }
    return 0;
}

int32_t fh_check_patch_over_edge(double offset_pixels, double *out_place_error_pixels, double *out_depth_error) {
    if (out_place_error_pixels == nullptr || out_depth_error == nullptr) return -1;
    // A bright board before a darker wall, both plain; the board's right edge is all there is to match.
    constexpr double near = 2, far = 3, step = 0.15;
    const CameraModel camera = plain_camera(160, 120);
    const double edge_pixel = 80.3, edge = near * (edge_pixel - camera.cx) / camera.fx;
    std::vector<Picture> pictures;
    std::vector<KeyframeView> views(2);
    pictures.reserve(2);
    for (int i = 0; i < 2; ++i) {
        const double shown_at = camera.cx + camera.fx * (edge - i * step) / near;
        pictures.emplace_back(camera.width, camera.height);
        // A pixel sees as much of the board as lies within it.
        pictures.back().paint([&](double x, double) { return 90 + 90 * std::clamp(shown_at - x + 0.5, 0.0, 1.0); });
        views[i].id = i;
        views[i].camera_in_world = Eigen::Vector3d(i * step, 0, 0);
        views[i].luma_camera = camera;
        views[i].luma = pictures[i].luma.data();
        views[i].stride = camera.width;
    }
    const ViewPair pair(views[0], views[1]);
    PatchHypothesis hypothesis;
    hypothesis.pixel << edge_pixel + offset_pixels, 60;
    const auto ray = [&](double right, double below) -> Eigen::Vector3d {
        return camera.normalise(hypothesis.pixel + Eigen::Vector2d(right, below)).homogeneous();
    };
    hypothesis.ray = ray(0, 0);
    hypothesis.ray_right = ray(patch_lever, 0);
    hypothesis.ray_below = ray(0, patch_lever);
    hypothesis.inverse_depth = hypothesis.inverse_depth_right = hypothesis.inverse_depth_below =
        0.5 * (1 / near + 1 / far);
    const PatchMatch match = match_patch(pair, hypothesis, 8, 1);
    if (match.outcome != PatchOutcome::found) return -1;
    *out_place_error_pixels = hypothesis.pixel.x() + match.middle.x() - edge_pixel;
    *out_depth_error = 1 / (near * match.inverse_depth) - 1;
    return 0;
}

int32_t fh_check_blank_regions(uint64_t seed) {
    RandomNumbers random(seed);
    CellGrid grid;
    grid.columns = 5 + static_cast<int>(random.uniform(0, 20));
    grid.rows = 5 + static_cast<int>(random.uniform(0, 20));
    const int count = grid.columns * grid.rows;
    grid.cells.resize(count);
    for (int i = 0; i < count; ++i) {
        PictureCell &cell = grid.cells[i];
        cell.is_blank = random.uniform() < 0.65;
        cell.mean_luma = static_cast<float>(100 + 4 * std::floor(random.uniform(0, 4)));
        if (!cell.is_blank && random.uniform() < 0.8) cell.point = i;
    }
    const auto neighbours = [&](int at) {
        std::vector<int> all;
        const int column = at % grid.columns;
        if (column > 0) all.push_back(at - 1);
        if (column + 1 < grid.columns) all.push_back(at + 1);
        if (at >= grid.columns) all.push_back(at - grid.columns);
        if (at + grid.columns < count) all.push_back(at + grid.columns);
        return all;
    };
    // Each square takes the least name around it until none changes.
    std::vector<int> names(count);
    for (int i = 0; i < count; ++i) names[i] = i;
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < count; ++i) {
            for (const int next : neighbours(i)) {
                const PictureCell &a = grid.cells[i], &b = grid.cells[next];
                if (!a.is_blank || !b.is_blank || std::abs(a.mean_luma - b.mean_luma) > PlainRegions::same_luma ||
                    names[next] >= names[i]) {
                    continue;
                }
                names[i] = names[next];
                changes = true;
            }
        }
    }
    const BlankRegions regions(grid);
    int wrong = 0, blank = 0;
    std::vector<int> region_of_name(count, -1), name_of_region(regions.count(), -1);
    std::vector<std::set<int>> borders(regions.count());
    for (int i = 0; i < count; ++i) {
        const int region = regions.region_at(i % grid.columns, i / grid.columns);
        wrong += grid.cells[i].is_blank != (region >= 0);
        if (region < 0) continue;
        ++blank;
        if (region_of_name[names[i]] < 0) region_of_name[names[i]] = region;
        if (name_of_region[region] < 0) name_of_region[region] = names[i];
        wrong += region_of_name[names[i]] != region || name_of_region[region] != names[i];
        for (const int next : neighbours(i)) {
            if (grid.cells[next].point >= 0) borders[region].insert(grid.cells[next].point);
        }
    }
    for (int region = 0; region < regions.count(); ++region) {
        const auto border = regions.border(region);
        wrong +=
            border.size() != borders[region].size() || std::set<int>(border.begin(), border.end()) != borders[region];
    }
    return blank == 0 ? -1 : wrong;
}
