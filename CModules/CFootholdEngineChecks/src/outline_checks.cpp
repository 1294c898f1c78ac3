#include "outline_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "pictures.h"
#include "random_numbers.h"
#include "surfaces/cell_mask.h"
#include "surfaces/edge_votes.h"
#include "surfaces/outline.h"
#include "surfaces/polygon.h"
#include "surfaces/polygon_rows.h"
#include "surfaces/surface_sight.h"

using namespace foothold;

namespace {

int differing_cells(const CellMask &mask, const cv::Mat &picture) {
    int differing = 0;
    for (int row = 0; row < mask.height(); ++row) {
        for (int column = 0; column < mask.width(); ++column) {
            differing += mask.at(column, row) != (picture.at<uint8_t>(row, column) != 0);
        }
    }
    return differing;
}

constexpr double edge_cell = 0.02;
const Eigen::Vector2d sheet_half(0.2, 0.15);

bool is_on_sheet(const Eigen::Vector2d &local) { return ((local.cwiseAbs() - sheet_half).array() < 0).all(); }

/// What is taken for the sheet, with ten cells around it.
FineMask taken_for_sheet(double grown, double shifted) {
    FineMask mask;
    mask.piece_size = edge_cell / pieces_per_cell;
    constexpr int around = 10 * pieces_per_cell;
    const Eigen::Vector2i half = (sheet_half / mask.piece_size).cast<int>();
    mask.first = -half - Eigen::Vector2i::Constant(around);
    mask.inside = cv::Mat::zeros(2 * (half.y() + around), 2 * (half.x() + around), CV_8U);
    for (int row = 0; row < mask.inside.rows; ++row) {
        for (int column = 0; column < mask.inside.cols; ++column) {
            const Eigen::Vector2d beside = mask.middle_of(column, row) - Eigen::Vector2d(shifted * edge_cell, 0);
            const Eigen::Vector2d beyond = beside.cwiseAbs() - sheet_half;
            if (beyond.maxCoeff() < grown * edge_cell) mask.inside.at<uint8_t>(row, column) = 255;
        }
    }
    return mask;
}

double overlap_with_sheet(const FineMask &mask) {
    int both = 0, any = 0;
    for (int row = 0; row < mask.inside.rows; ++row) {
        for (int column = 0; column < mask.inside.cols; ++column) {
            const bool is_taken = mask.inside.at<uint8_t>(row, column) != 0;
            const bool is_there = is_on_sheet(mask.middle_of(column, row));
            both += is_taken && is_there;
            any += is_taken || is_there;
        }
    }
    return static_cast<double>(both) / any;
}

/// Looks at the middle of the sheet, which lies level, from a random side.
KeyframeView look_at_sheet(checks::RandomNumbers &random) {
    KeyframeView view;
    view.luma_camera = checks::plain_camera(320, 240);
    view.luma_camera.distortion = Distortion::radial_tangential;
    view.luma_camera.k[0] = -0.1;
    const double side = random.uniform(0, 2 * std::numbers::pi), rise = random.uniform(0.5, 1.2);
    const Eigen::Vector3d back(std::cos(rise) * std::cos(side), std::sin(rise), std::cos(rise) * std::sin(side));
    view.camera_in_world = random.uniform(0.9, 1.1) * back;
    view.world_from_camera_rotation = checks::level_camera(-back);
    return view;
}

/// How often a polygon turns around a point.
int turns_around(const std::vector<Eigen::Vector2d> &polygon, const Eigen::Vector2d &point) {
    double angle = 0;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Eigen::Vector2d a = polygon[i] - point, b = polygon[(i + 1) % polygon.size()] - point;
        angle += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
    }
    return static_cast<int>(std::lround(angle / (2 * std::numbers::pi)));
}

}  // namespace

void fh_check_simple_polygon(uint64_t seed, fh_check_simple_report *out_report) {
    checks::RandomNumbers random(seed);
    *out_report = {};
    size_t first = 0, second = 0;
    Eigen::Vector2d place;
    for (int trial = 0; trial < 2000; ++trial) {
        constexpr double side = 12;
        std::vector<Eigen::Vector2d> line(3 + trial % 30);
        for (Eigen::Vector2d &p : line)
            p = Eigen::Vector2d(random.uniform(0, side), random.uniform(0, side)).array().floor();
        out_report->met_before += find_meeting(line, &first, &second, &place);
        const std::vector<Eigen::Vector2d> simple = simple_polygon(line);
        bool is_wrong = find_meeting(simple, &first, &second, &place) || (!simple.empty() && simple.size() < 3);
        int way = 0;
        for (int i = 0; i < 100 && !is_wrong; ++i) {
            const int turns = turns_around(simple, {random.uniform(0, side), random.uniform(0, side)});
            is_wrong = std::abs(turns) > 1 || turns * way < 0;
            if (turns != 0) way = turns;
        }
        out_report->wrong += is_wrong;
        std::vector<Eigen::Vector2d> star;
        for (int i = 0; i < 20; ++i) {
            const double angle = 2 * std::numbers::pi * (i + random.uniform(0, 0.9)) / 20;
            star.push_back(random.uniform(1, 5) * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
        }
        out_report->changed += simple_polygon(star) != star;
    }
    // Its waist lies at (0, 0).
    const std::vector<Eigen::Vector2d> left = simple_polygon({{-3, -1.5}, {1, 0.5}, {1, -0.5}, {-3, 1.5}});
    out_report->hourglass = std::abs(signed_area(left));
}

double fh_check_widened_polygon(double by) {
    double largest = 0;
    const auto compare = [&](std::vector<Eigen::Vector2d> polygon, double area) {
        for (int way = 0; way < 2; ++way) {
            largest = std::max(largest, std::abs(std::abs(signed_area(widened(polygon, by))) - area));
            std::reverse(polygon.begin(), polygon.end());
        }
    };
    compare({{0, 0}, {3, 0}, {3, 2}, {0, 2}}, (3 + 2 * by) * (2 + 2 * by));
    compare({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, (2 + 2 * by) * (2 + 2 * by) - 1);
    return largest;
}

double fh_check_outline_of_square(int32_t side, double widening) {
    FineMask mask;
    mask.piece_size = 1;
    mask.inside = cv::Mat::zeros(side + 8, side + 8, CV_8U);
    mask.inside(cv::Rect(4, 4, side, side)) = 255;
    return trace_outline(mask, {.smoothness = 0.75, .widening = widening}).area;
}

double fh_check_outline_of_two(int32_t second) {
    constexpr int side = 12 * pieces_per_cell, gap = 3 * pieces_per_cell;
    FineMask mask;
    mask.piece_size = 1;
    mask.inside = cv::Mat::zeros(2 * side, 4 * side, CV_8U);
    mask.inside(cv::Rect(gap, gap, side, side)) = 255;
    const int other = second * pieces_per_cell;
    if (other > 0) mask.inside(cv::Rect(2 * gap + side, gap, other, other)) = 255;
    const Outline outline = trace_outline(mask);
    return outline.polygon.size() < 3 ? -1 : outline.area / (side * side);
}

int32_t fh_check_edges(uint64_t seed, double grown, double shifted, double contrast, int32_t views,
                       fh_check_edge_report *out_report) {
    checks::RandomNumbers random(seed);
    const checks::Texture texture(random.seed(), 0.05, 3, 6);
    const EdgeZone zone(taken_for_sheet(grown, shifted));
    out_report->before = overlap_with_sheet(zone.extent);
    EdgeVotes edges;
    for (int i = 0; i < views; ++i) {
        KeyframeView view = look_at_sheet(random);
        checks::Picture picture(view.luma_camera.width, view.luma_camera.height);
        picture.paint([&](int x, int y) {
            const Eigen::Vector3d ray =
                view.world_from_camera_rotation * view.luma_camera.normalise({x, y}).homogeneous();
            const Eigen::Vector3d p = view.camera_in_world - ray * (view.camera_in_world.y() / ray.y());
            const Eigen::Vector2d local(p.x(), p.z());
            return texture.at(p.x(), p.z()) + (is_on_sheet(local) ? contrast : 0) + 1.5 * random.gaussian();
        });
        view.luma = picture.luma.data();
        view.stride = picture.width;
        const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
        edges.add(zone, {-camera_from_world * view.camera_in_world, camera_from_world.col(0), camera_from_world.col(2)},
                  view);
    }
    const FineMask mask = edges.apply(zone);
    out_report->after = overlap_with_sheet(mask);
    out_report->area_after = mask.area() / (4 * sheet_half.prod());
    out_report->views = edges.views();
    return 0;
}

int32_t fh_check_cell_mask(uint64_t seed, int32_t width, int32_t height) {
    checks::RandomNumbers random(seed);
    int differing = 0;
    for (int radius = 1; radius <= 9; ++radius) {
        CellMask mask(width, height);
        cv::Mat picture = cv::Mat::zeros(height, width, CV_8U);
        const double share = random.uniform(0.02, 0.98);
        for (int row = 0; row < height; ++row) {
            for (int column = 0; column < width; ++column) {
                if (!random.chance(share)) continue;
                mask.set(column, row);
                picture.at<uint8_t>(row, column) = 255;
            }
        }
        const cv::Mat disc = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(2 * radius + 1, 2 * radius + 1));
        const auto compare = [&](const CellMask &changed, int operation) {
            cv::Mat expected;
            cv::morphologyEx(picture, expected, operation, disc);
            differing += differing_cells(changed, expected) + std::abs(changed.count() - cv::countNonZero(expected));
        };
        compare(mask.dilated(radius), cv::MORPH_DILATE);
        compare(mask.eroded(radius), cv::MORPH_ERODE);
        compare(mask.closed(radius), cv::MORPH_CLOSE);
        compare(mask.opened(radius), cv::MORPH_OPEN);
    }
    return differing;
}

void fh_check_polygon_rows(uint64_t seed, fh_check_polygon_report *out_report) {
    *out_report = {};
    checks::RandomNumbers random(seed);
    for (int p = 0; p < 200; ++p) {
        std::vector<Eigen::Vector2d> polygon;
        for (int corners = 3 + p % 60; corners > 0; --corners) polygon.push_back(random.vector2());
        // Upright and level edges.
        for (size_t i = 0; p % 2 == 0 && i + 1 < polygon.size(); i += 2)
            polygon[i + 1][i / 2 % 2] = polygon[i][i / 2 % 2];
        const PolygonRows rows(polygon);
        for (int q = 0; q < 200; ++q) {
            Eigen::Vector2d point = random.vector2();
            // With level edges it might lie on one, and so neither inside nor outside.
            if (p % 2 != 0 && q % 2 == 0) point.y() = polygon[q % polygon.size()].y();
            double turned = 0;
            for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
                const Eigen::Vector2d a = polygon[j] - point, b = polygon[i] - point;
                turned += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
            }
            const bool is_inside = std::lround(turned / (2 * std::numbers::pi)) % 2 != 0;
            ++(is_inside ? out_report->inside : out_report->outside);
            out_report->differing += rows.contains(point) != is_inside;
        }
    }
    const PolygonRows none;
    out_report->differing += none.contains(Eigen::Vector2d::Zero());
    out_report->differing += PolygonRows({{0, 1}, {1, 1}, {2, 1}}).contains({1, 1});
    out_report->differing += PolygonRows({{0, 0}, {1, 0}, {0, 1}}).contains({NAN, NAN});
}

void fh_check_sight(uint64_t seed, fh_check_sight_report *out_report) {
    *out_report = {};
    checks::RandomNumbers random(seed);
    for (int s = 0; s < 100; ++s) {
        PlaneFit fit;
        fit.plane.normal = random.direction();
        fit.centroid = random.vector();
        fit.plane.offset = fit.plane.normal.dot(fit.centroid);
        const double distance = random.uniform(0.3, 3);
        const TrackedSurface surface(fit, fit, GravityConstraint::none, random.vector(), Eigen::Vector3d::UnitY(),
                                     distance);
        for (const double side : {1.0, -1.0}) {
            const double height = side * random.uniform(0.1, 2);
            const Eigen::Vector3d beside = random.vector();
            const Eigen::Vector3d camera =
                fit.centroid + height * fit.plane.normal + beside - fit.plane.normal * fit.plane.normal.dot(beside);
            const SurfaceSight sight(surface, camera);
            for (int r = 0; r < 100; ++r) {
                const Eigen::Vector3d ray = random.uniform(0.1, 9) * random.vector();
                const double sine = -fit.plane.normal.dot(ray.normalized());
                // By the angle between ray and plane, in the world.
                const bool is_met = height > 0 && sine >= 0.12 && height / sine <= 4 * distance;
                Eigen::Vector2d local;
                const bool is_taken = sight.meet(ray, &local);
                out_report->misjudged += is_taken != is_met;
                ++(is_taken ? out_report->met : out_report->refused);
                if (!is_taken) continue;
                const Eigen::Vector3d crossing = camera + height / sine * ray.normalized();
                out_report->error = std::max(out_report->error, (surface.shown.to_world(local) - crossing).norm());
            }
        }
    }
}

void fh_check_axes(uint64_t seed, double roll, double up_sigma, fh_check_axes_report *out_report) {
    *out_report = {};
    checks::RandomNumbers random(seed);
    PlaneFit fit;
    const Eigen::Vector3d up = random.direction();
    fit.plane.normal = up.unitOrthogonal();
    fit.centroid = random.vector();
    fit.plane.offset = fit.plane.normal.dot(fit.centroid);
    const Eigen::Vector3d taken_for_up = Eigen::AngleAxisd(roll, fit.plane.normal) * up;
    TrackedSurface wall(fit, fit, GravityConstraint::vertical, random.vector(), taken_for_up, 2);
    // Seen on the left, seen through on the right, and plain below; each is a rectangle in the axes that it has.
    enum Kind { seen, seen_through, plain, other };
    const auto kind_at = [](const Eigen::Vector2d &local, double margin) {
        const auto is_in = [&](double left, double right, double top, double bottom) {
            return local.x() > left + margin && local.x() < right - margin && local.y() > top + margin &&
                   local.y() < bottom - margin;
        };
        if (is_in(-1, 0.2, -0.6, 0.6)) return seen;
        if (is_in(0.2, 1.1, -0.6, 0.6)) return seen_through;
        return is_in(-1, 1.1, 0.6, 0.9) ? plain : other;
    };
    const double cell = wall.grid.cell_size();
    for (double x = -1.5; x < 1.5; x += cell) {
        for (double z = -1.5; z < 1.5; z += cell) {
            const Eigen::Vector2d local(x, z);
            const Kind kind = kind_at(local, 0);
            if (kind != other && kind != plain) wall.grid.add(local, 2);
            if (kind == seen_through) wall.grid.add(local, -4);
            for (int look = 0; kind == plain && look < 2; ++look) wall.grid.add_blank(local);
        }
    }
    std::vector<Eigen::Vector3d> members, corners;
    for (int i = 0; i < 50; ++i) {
        const Eigen::Vector2d local = random.vector2();
        wall.members.push_back({i, local});
        members.push_back(wall.shown.to_world(local));
    }
    wall.take_outline({{{-1, 0.9}, {1.1, 0.9}, {1.1, -0.6}, {-1, -0.6}}, 2.1 * 1.5});
    for (const Eigen::Vector2d &corner : wall.shown.boundary) corners.push_back(wall.shown.to_world(corner));
    const TrackedSurface before = wall;

    wall.level_axes(up, up_sigma);

    out_report->roll = 2 * std::asin(0.5 * (wall.shown.world_from_surface_rotation.col(2) + up).norm());
    for (size_t i = 0; i < corners.size(); ++i) {
        const double moved = (wall.shown.to_world(wall.shown.boundary[i]) - corners[i]).norm();
        out_report->corner_moved = std::max(out_report->corner_moved, moved);
    }
    for (size_t i = 0; i < members.size(); ++i) {
        const double moved = (wall.shown.to_world(wall.members[i].local) - members[i]).norm();
        out_report->member_moved = std::max(out_report->member_moved, moved);
    }
    int inside = 0, outside = 0;
    for (int i = 0; i < 20000; ++i) {
        const Eigen::Vector2d was = 1.5 * random.vector2();
        const Eigen::Vector2d local = wall.to_local(before.shown.to_world(was));
        const Kind kind = kind_at(was, 1.5 * cell);
        const bool is_beside = kind == other && kind_at(was, -1.5 * cell) != other;
        if (is_beside) continue;
        const float value = wall.grid.at(local);
        const Eigen::Vector2i place = wall.grid.cell(local);
        const bool is_plain = wall.grid.is_inside(place) && wall.grid.is_blank(place.x(), place.y());
        const Kind found = is_plain ? plain : value > 0 ? seen : value < 0 ? seen_through : other;
        ++(kind == other ? outside : inside);
        (kind == other ? out_report->invented : out_report->lost) += found != kind;
    }
    out_report->lost /= inside;
    out_report->invented /= outside;
}

int32_t fh_check_outline_of_places(int32_t points_on_large, int32_t points_on_small, int32_t joins_all) {
    constexpr double cell = 0.02;
    EvidenceGrid grid(cell);
    const auto middle_of = [&](int column, int row) {
        return Eigen::Vector2d(Eigen::Vector2d(column + 0.5, row + 0.5) * cell);
    };
    for (int row = 0; row < 20; ++row) {
        for (int column = 0; column < 40; ++column) {
            if (column < 20 || (column >= 30 && row < 10)) grid.add(middle_of(column, row), 1);
        }
    }
    for (int row = 0; row < 20; ++row) {
        for (int column = 20; column < 30; ++column) grid.add(middle_of(column, row), -1);
    }
    std::vector<Eigen::Vector2d> points;
    points.reserve(static_cast<size_t>(points_on_large) + points_on_small);
    for (int i = 0; i < points_on_large; ++i) points.push_back(middle_of(5 + i % 10, 5 + i / 10));
    for (int i = 0; i < points_on_small; ++i) points.push_back(middle_of(32 + i % 5, 2 + i / 5));
    const auto nowhere = [](const Eigen::Vector2d &) { return false; };
    const Outline outline = trace_outline(extent_of(grid, points, {2 * cell, 2 * cell, 0, joins_all != 0}, nowhere));
    const PolygonRows rows(outline.polygon);
    return (rows.contains(middle_of(10, 10)) ? 1 : 0) + (rows.contains(middle_of(35, 5)) ? 2 : 0);
}

int32_t fh_check_outline_of_disc(double radius, double *out_area, double *out_farthest) {
    constexpr double cell = 0.02;
    EvidenceGrid grid(cell);
    const int reach = static_cast<int>(radius) + 2;
    // Not at the middle of a cell.
    const Eigen::Vector2d middle(0.3 * cell, 0.1 * cell);
    for (int row = -reach; row <= reach; ++row) {
        for (int column = -reach; column <= reach; ++column) {
            const Eigen::Vector2d at = Eigen::Vector2d(column + 0.5, row + 0.5) * cell;
            if ((at - middle).norm() < radius * cell) grid.add(at, 1);
        }
    }
    const Outline outline =
        trace_outline(extent_of(grid, {}, {2 * cell, 2 * cell, 0}, [](const Eigen::Vector2d &) { return false; }));
    if (outline.polygon.size() < 3) return -1;
    *out_area = outline.area / (std::numbers::pi * radius * radius * cell * cell);
    *out_farthest = 0;
    for (const Eigen::Vector2d &corner : outline.polygon) {
        *out_farthest = std::max(*out_farthest, std::abs((corner - middle).norm() / cell - radius));
    }
    return 0;
}

double fh_check_most_reach(uint64_t seed, double height, int32_t is_level, int32_t bounds_place) {
    checks::RandomNumbers random(seed);
    PlaneFit fit;
    fit.plane.normal = is_level ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    TrackedSurface strip(fit, fit, is_level ? GravityConstraint::horizontal : GravityConstraint::vertical,
                         Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), 2);
    strip.bounds_place = bounds_place != 0;
    for (int i = 0; i < 200; ++i) {
        const double stray = i % 40 == 0 ? 0.5 : 0;
        strip.members.push_back({i, {random.uniform(-0.5, 0.5), random.uniform(0, height) + stray}});
    }
    return strip.most_reach();
}
