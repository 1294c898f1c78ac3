#include "surface_rooms.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "surface_checks.h"

namespace foothold::checks {
namespace {

constexpr double degree = std::numbers::pi / 180;

Panel level(const Eigen::Vector3d &center, double half_x, double half_z) {
    Panel panel;
    panel.center = center;
    panel.half_u = half_x;
    panel.half_v = half_z;
    return panel;
}

Panel upright(const Eigen::Vector3d &center, double half_x, double half_y) {
    Panel panel;
    panel.center = center;
    panel.v = Eigen::Vector3d::UnitY();
    panel.normal = Eigen::Vector3d::UnitZ();
    panel.half_u = half_x;
    panel.half_v = half_y;
    return panel;
}

std::vector<Panel> furnished() {
    std::vector<Panel> panels;
    panels.push_back(level({0, 0, 0}, 1.6, 1.2));
    panels.push_back(upright({0, 0.9, -1.2}, 1.6, 0.9));
    panels.push_back(level({-0.5, 0.74, -0.5}, 0.5, 0.35));
    panels.back().points_per_square_metre = 150;
    Panel ramp = level({0.75, 0.5, -0.4}, 0.4, 0.4);
    ramp.normal = Eigen::AngleAxisd(20 * degree, Eigen::Vector3d::UnitX()) * Eigen::Vector3d::UnitY();
    ramp.v = Eigen::AngleAxisd(20 * degree, Eigen::Vector3d::UnitX()) * Eigen::Vector3d::UnitZ();
    ramp.points_per_square_metre = 150;
    panels.push_back(ramp);
    return panels;
}

}  // namespace

SyntheticRoom make_room(int32_t kind, uint64_t seed, double parameter) {
    std::vector<Panel> panels;
    RoomOptions options;
    options.seed = seed;
    switch (kind) {
        case FH_CHECK_ROOM_FURNISHED:
        case FH_CHECK_ROOM_WOBBLING:
            panels = furnished();
            options.start = {-0.9, 1.6, 2.2};
            options.end = {0.9, 1.5, 2.0};
            options.target = {0, 0.5, -0.5};
            if (kind == FH_CHECK_ROOM_WOBBLING) options.wobble = parameter;
            break;
        case FH_CHECK_ROOM_TWO_HEIGHTS:
            panels.push_back(level({-0.3, 0.70, 0}, 0.28, 0.3));
            panels.push_back(level({0.3, 0.70 + parameter, 0}, 0.28, 0.3));
            for (Panel &panel : panels) panel.points_per_square_metre = 250;
            options.start = {-0.4, 1.7, 1.15};
            options.end = {0.4, 1.65, 1.1};
            options.target = {0, 0.7, 0};
            break;
        case FH_CHECK_ROOM_TWO_BOXES:
        case FH_CHECK_ROOM_SMALL_BOXES:
            if (kind == FH_CHECK_ROOM_SMALL_BOXES) {
                panels = {level({-0.2, 0.35, 0}, 0.18, 0.3), level({0.06, 0.35 + parameter, 0}, 0.08, 0.3)};
            } else {
                panels = {level({-0.3, 0.35, 0}, 0.22, 0.45), parameter > 0
                                                                  ? level({0.06, 0.35 + parameter, 0}, 0.12, 0.45)
                                                                  : level({0.01, 0.35 - parameter, 0}, 0.1, 0.25)};
            }
            for (Panel &panel : panels) panel.points_per_square_metre = kind == FH_CHECK_ROOM_SMALL_BOXES ? 600 : 400;
            options.start = {-0.4, 2.2, 1.9};
            options.end = {0.4, 2.15, 1.85};
            options.target = {0, 0.35, 0};
            break;
        case FH_CHECK_ROOM_KEYBOARD:
            panels.push_back(level({0, 0.74, 0}, 0.5, 0.35));
            panels.push_back(level({0, 0.74 + std::abs(parameter), 0.1}, 0.21, parameter > 0 ? 0.08 : 0.16));
            for (Panel &panel : panels) panel.points_per_square_metre = 700;
            options.start = {-0.4, 1.55, 0.9};
            options.end = {0.4, 1.5, 0.85};
            options.target = {0, 0.74, 0};
            break;
        case FH_CHECK_ROOM_CLUTTER:
            options.clutter = 500;
            options.clutter_low = {-0.6, 0.4, -0.6};
            options.clutter_high = {0.6, 1.1, 0.4};
            break;
        case FH_CHECK_ROOM_SLICE: {
            Panel slice = level({0, 0.75, 0}, 0.3, 0.12);
            slice.points_per_square_metre = 500;
            slice.role = parameter > 0 ? Panel::Role::unwanted : Panel::Role::wanted;
            slice.is_open = true;
            panels.push_back(slice);
            options.clutter = static_cast<int>(parameter);
            options.clutter_low = {-0.5, 0.35, -0.5};
            options.clutter_high = {0.5, 1.05, 0.3};
            break;
        }
        case FH_CHECK_ROOM_MIRROR: {
            // The wall around the mirror, in four strips; beyond it the mirrored floor.
            const double z = -0.5;
            if (parameter == 4) {
                options.pixel_noise = 0.3;
                panels.push_back(upright({-0.9, 1.0, z}, 0.9, 0.75));
                panels.back().points_per_square_metre = 1000;
                panels.push_back(level({0.6, 0.55, -2.0}, 0.5, 0.5));
                panels.back().points_per_square_metre = 20;
                panels.back().role = Panel::Role::unwanted;
                options.start = {-0.4, 1.35, 1.2};
                options.end = {0.4, 1.3, 1.1};
                options.target = {0, 1.0, -0.5};
                break;
            }
            if (parameter != 1) panels.push_back(upright({0, 1.5, z}, 0.8, 0.25));
            if (parameter != 2) panels.push_back(upright({0, 0.5, z}, 0.8, 0.25));
            panels.push_back(upright({-0.6, 1.0, z}, 0.2, 0.25));
            panels.push_back(upright({0.6, 1.0, z}, 0.2, 0.25));
            for (Panel &panel : panels) {
                panel.points_per_square_metre = 200;
                panel.role = Panel::Role::unwanted;
            }
            // Scored as one: the whole wall, mirror and all.
            Panel wall = upright({0, 1.0, z}, 0.8, 0.75);
            wall.points_per_square_metre = 0;
            wall.is_open = true;
            panels.push_back(wall);
            Panel beyond = level({0, 0.55, -1.3}, 0.9, 0.6);
            beyond.points_per_square_metre = parameter == 3 ? 800 : 400;
            beyond.role = Panel::Role::unwanted;
            panels.push_back(beyond);
            if (parameter == 3) {
                options.clutter = 600;
                options.clutter_low = {-0.7, 0.6, -0.35};
                options.clutter_high = {0.7, 1.0, 0};
            }
            options.start = {-0.4, 1.35, 1.2};
            options.end = {0.4, 1.3, 1.1};
            options.target = {0, 1.0, -0.5};
            break;
        }
        case FH_CHECK_ROOM_PLAIN_TABLE: {
            Panel table = level({0, 0.74, 0}, 0.6, 0.35);
            table.contrast = 0;
            table.brightness = 200;
            table.points_per_square_metre = parameter < 2 ? 0 : 40;
            panels.push_back(table);
            Panel keyboard = level({-0.2, 0.744, 0.1}, 0.2, 0.07);
            keyboard.points_per_square_metre = 900;
            keyboard.role = Panel::Role::unwanted;
            if (parameter < 2) panels.push_back(keyboard);
            Panel paper = level({0.3, 0.741, -0.1}, 0.1, 0.14);
            paper.points_per_square_metre = 900;
            paper.role = Panel::Role::unwanted;
            if (parameter < 2) panels.push_back(paper);
            Panel floor = level({0, 0, 0}, 3, 3);
            floor.points_per_square_metre = 0;
            floor.brightness = 60;
            floor.contrast = 25;
            floor.role = Panel::Role::allowed;
            panels.push_back(floor);
            options.renders_pictures = parameter > 0;
            if (parameter == 2) {
                options.clutter = 500;
                options.clutter_low = {-0.35, 0.78, -0.2};
                options.clutter_high = {0.35, 0.95, 0.2};
            }
            if (parameter == 3) {
                constexpr double turn = 20 * degree, half = 0.14;
                const Eigen::AngleAxisd tilt(turn, Eigen::Vector3d::UnitX());
                Panel deck = level({0.05, 0.74 + half * std::sin(turn), -0.12}, 0.18, half);
                deck.normal = tilt * deck.normal;
                deck.v = tilt * deck.v;
                deck.contrast = 0;
                deck.points_per_square_metre = 60;
                panels.push_back(deck);
                Panel keys = deck;
                keys.center += 0.002 * deck.normal - 0.04 * deck.v;
                keys.half_u = 0.15;
                keys.half_v = 0.08;
                keys.contrast = 40;
                keys.points_per_square_metre = 3000;
                keys.role = Panel::Role::unwanted;
                panels.push_back(keys);
            }
            options.start = {-0.25, 1.45, 0.75};
            options.end = {0.25, 1.4, 0.7};
            options.target = {0, 0.74, 0};
            break;
        }
        case FH_CHECK_ROOM_TAKEN_AWAY: {
            Panel table = level({0, 0.74, 0}, 0.4, 0.3);
            table.points_per_square_metre = 300;
            table.last_keyframe = 13;
            table.role = Panel::Role::unwanted;
            panels.push_back(table);
            Panel floor = level({0, 0, 0}, 1.2, 1.2);
            floor.points_per_square_metre = 150;
            panels.push_back(floor);
            options.keyframes = 32;
            options.start = {-0.4, 1.7, 1.0};
            options.end = {0.4, 1.65, 0.9};
            options.target = {0, 0.4, 0};
            break;
        }
        case FH_CHECK_ROOM_TWO_PARTS: {
            for (double x : {-0.4, 0.4}) {
                panels.push_back(level({x, 0.74, 0}, 0.2, 0.3));
                panels.back().role = Panel::Role::unwanted;
            }
            panels.push_back(level({0, 0.74, 0}, 0.22, 0.3));
            panels.back().first_keyframe = 10;
            panels.back().role = Panel::Role::unwanted;
            for (Panel &panel : panels) panel.points_per_square_metre = 250;
            Panel whole = level({0, 0.74, 0}, 0.6, 0.3);
            whole.points_per_square_metre = 0;
            whole.is_open = true;
            panels.push_back(whole);
            options.start = {-0.3, 1.5, 1.0};
            options.end = {0.3, 1.45, 0.9};
            options.target = {0, 0.74, 0};
            break;
        }
        case FH_CHECK_ROOM_PARTED_WALL: {
            if (parameter > 0) {
                for (const double x : {-0.85, 0.85}) panels.push_back(upright({x, 0.9, 0}, 0.45, 0.6));
                panels.push_back(upright({0, 0.9, -0.8}, 1.4, 0.6));
            } else {
                panels.push_back(upright({0, 0.9, 0}, 1.3, 0.6));
                panels.push_back(upright({0, 0.9, 0.3}, 0.35, 0.8));
            }
            for (Panel &panel : panels) panel.points_per_square_metre = 250;
            options.start = {-0.4, 1.0, 1.9};
            options.end = {0.4, 0.95, 1.8};
            options.target = {0, 0.9, 0};
            break;
        }
        case FH_CHECK_ROOM_LEG:
            for (const double turn : {-0.25, 0.25}) {
                const Eigen::AngleAxisd to_side(turn * std::numbers::pi, Eigen::Vector3d::UnitY());
                const bool is_cabinet = parameter == 1;
                const double width = is_cabinet ? 0.3 : parameter == 2 ? 0.12 : 0.06;
                if (is_cabinet && turn < 0) continue;
                Panel side = upright(Eigen::Vector3d(0, 0.35, 0), 0.5 * width, 0.35);
                side.u = to_side * side.u;
                side.normal = to_side * side.normal;
                side.center += side.u * std::copysign(0.5 * width, turn);
                side.points_per_square_metre = is_cabinet ? 300 : 1200;
                panels.push_back(side);
            }
            options.clutter = 8;
            options.clutter_low = {-0.1, 0, -0.05};
            options.clutter_high = {0.1, 0.7, 0.05};
            options.start = {-0.4, 1.2, 1.2};
            options.end = {0.4, 1.15, 1.1};
            options.target = {0, 0.4, 0};
            break;
        case FH_CHECK_ROOM_PLAIN_WALL: {
            Panel wall = upright({0, 1, 0}, 1.1, 0.7);
            wall.contrast = 0;
            wall.brightness = 190;
            wall.points_per_square_metre = 0;
            panels.push_back(wall);
            for (const Eigen::Vector3d &place : {Eigen::Vector3d(-0.6, 1.1, 0.004), Eigen::Vector3d(0.1, 0.8, 0.004),
                                                 Eigen::Vector3d(0.6, 1.2, 0.004)}) {
                Panel poster = upright(place, 0.15, 0.2);
                poster.points_per_square_metre = 600;
                poster.role = Panel::Role::unwanted;
                panels.push_back(poster);
            }
            if (parameter > 0) {
                panels.push_back(level({0, 0.4, 0.4}, 0.9, 0.4));
                panels.back().brightness = 190;
                panels.back().points_per_square_metre = 300;
            }
            Panel beyond = upright({0, 1, -1.5}, 4, 3);
            beyond.points_per_square_metre = 0;
            beyond.brightness = 70;
            beyond.contrast = 25;
            beyond.role = Panel::Role::allowed;
            if (!(parameter > 0)) panels.push_back(beyond);
            options.renders_pictures = true;
            options.start = {-0.3, 1.05, 2.2};
            options.end = {0.3, 1, 2.1};
            options.target = {0, 1, 0};
            break;
        }
        case FH_CHECK_ROOM_CROSSING: {
            constexpr double turn = 10 * degree, half = 0.3;
            panels.push_back(level({0, 0.74, 0}, 0.5, 0.4));
            const Eigen::AngleAxisd tilt(turn, Eigen::Vector3d::UnitX());
            Panel other = level({0, 0.74 + (parameter > 0 ? half * std::sin(turn) : 0), 0}, half, half);
            other.normal = tilt * other.normal;
            other.v = tilt * other.v;
            if (!(parameter > 0)) other.role = Panel::Role::unwanted;
            panels.push_back(other);
            for (Panel &panel : panels) {
                panel.points_per_square_metre = 250;
                // What can't be is seen through the table, and the table through it.
                panel.is_open = !(parameter > 0);
            }
            options.start = {-0.4, 1.6, 1.1};
            options.end = {0.4, 1.55, 1.0};
            options.target = {0, 0.74, 0};
            break;
        }
        case FH_CHECK_ROOM_CORNERWISE: {
            Panel table = level({0, 0.74, 0}, 0.35, 0.35);
            const Eigen::AngleAxisd corner_wise(45 * degree, Eigen::Vector3d::UnitY());
            table.u = corner_wise * table.u;
            table.v = corner_wise * table.v;
            table.points_per_square_metre = 250;
            panels.push_back(table);
            panels.push_back(level({0, 0, -0.3}, 1.5, 1.5));
            panels.back().points_per_square_metre = 250;
            panels.back().role = Panel::Role::allowed;
            options.clutter = 500;
            options.clutter_low = {-0.15, 0.8, -0.2};
            options.clutter_high = {0.15, 0.95, 0.2};
            options.keyframes = 40;
            options.start = {-0.4, 1.55, 1.1};
            options.end = {0.4, 1.5, 1.0};
            options.target = {0, 0.74, 0};
            break;
        }
        case FH_CHECK_ROOM_ROUND_BIN: {
            const int sides = parameter > 0 ? 4 : 24;
            constexpr double radius = 0.25, half_height = 0.2;
            for (int i = 0; i < sides; ++i) {
                const double angle = 2 * std::numbers::pi * i / sides;
                const Eigen::AngleAxisd turn(angle, Eigen::Vector3d::UnitY());
                Panel side = upright(turn * Eigen::Vector3d(0, 0, radius), radius * std::tan(std::numbers::pi / sides),
                                     half_height);
                side.center.y() = half_height;
                side.u = turn * side.u;
                side.normal = turn * side.normal;
                side.points_per_square_metre = 2500;
                // Of a box the side that faces the camera is to be found.
                side.role = sides > 4 ? Panel::Role::unwanted : i == 0 ? Panel::Role::wanted : Panel::Role::allowed;
                panels.push_back(side);
            }
            panels.push_back(level({0, 0, 0}, 1.2, 1.2));
            options.keyframes = 40;
            options.start = {-0.4, 0.9, 1.3};
            options.end = {0.4, 0.85, 1.2};
            options.target = {0, 0.2, 0};
            break;
        }
        case FH_CHECK_ROOM_TWO_FLOORS: {
            // What lies between them is hidden by a counter, whose top is wanted, too.
            for (const double x : {-1.6, 1.6}) {
                panels.push_back(level({x, parameter > 0 && x > 0 ? parameter : 0, 0}, 0.6, 0.9));
                panels.back().role = parameter > 0 ? Panel::Role::wanted : Panel::Role::unwanted;
            }
            panels.push_back(level({0, 0.9, 0}, 0.9, 0.4));
            for (Panel &panel : panels) panel.points_per_square_metre = 250;
            if (!(parameter > 0)) {
                panels.push_back(level({0, 0, 0}, 2.2, 0.9));
                panels.back().points_per_square_metre = 0;
                panels.back().is_open = true;
            }
            options.start = {-0.5, 1.7, 2.6};
            options.end = {0.5, 1.65, 2.5};
            options.target = {0, 0.3, 0};
            break;
        }
        default:
            break;
    }
    return {panels, options};
}

}  // namespace foothold::checks
