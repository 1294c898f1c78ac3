import Foundation

/// Rooms whose surfaces lie close above each other, face down or slope.
extension World {
    /// A flight of stairs from wall to wall, seen from its foot: treads and risers, each parallel to the next.
    static func stairs(_ random: inout SeededRandom) -> World {
        var world = World(kind: .stairs)
        let size = SIMD3(random.uniform(1.8...2.4), 3.2, 6.4)
        world.addShell(
            size: size, floor: pattern(&random, [.wood, .tiles], 0.25...0.45),
            walls: pattern(&random, [.plaster], 0.5...0.7))
        let (rise, tread) = (random.uniform(0.15...0.18), random.uniform(0.27...0.31))
        let start = -random.uniform(0.4...0.8)
        let looks: [SurfacePattern.Kind] = [[.wood], [.carpet], [.tiles]][random.integer(0...2)]
        for step in 0..<6 {
            let (height, z) = (Double(step + 1) * rise, start - Double(step) * tread)
            world.addQuad(
                "riser_\(step)", center: SIMD3(0, height - rise / 2, z), right: .unitX, up: .unitY, width: size.x,
                height: rise, pattern: pattern(&random, looks, 0.35...0.55))
            // The last one is a landing that goes on to the wall.
            let depth = step < 5 ? tread : z + size.z / 2
            world.addQuad(
                "tread_\(step)", center: SIMD3(0, height, z - depth / 2), right: .unitX, up: -.unitZ, width: size.x,
                height: depth, pattern: pattern(&random, looks, 0.35...0.55))
        }
        world.hangPictures(on: ["wall_back", "wall_left", "wall_right"], &random)
        world.focus = SIMD3(0, 2 * rise, start - 2 * tread)
        world.viewingDistance = 1.6...2.2
        world.freeSpace = (SIMD3(-size.x / 2 + 0.3, 1.1, start + 0.6), SIMD3(size.x / 2 - 0.3, 1.9, 2.9))
        return world
    }

    /// An open shelf: boards above each other, seen from above or from below, with things on them.
    static func shelf(_ random: inout SeededRandom) -> World {
        var world = World(kind: .shelf)
        let depth = 4.6
        world.addShell(
            size: SIMD3(5, 2.6, depth), floor: pattern(&random, [.wood, .tiles, .carpet], 0.25...0.4),
            walls: pattern(&random, [.plaster], 0.5...0.7))
        let size = SIMD3(random.uniform(1.1...1.5), 0.025, random.uniform(0.34...0.42))
        let foot = SIMD3(random.uniform(-0.4...0.4), 0, -depth / 2 + size.z / 2)
        let looks: [SurfacePattern.Kind] = random.chance(0.5) ? [.wood] : [.fabric]
        for x in [-1.0, 1.0] {
            world.addBox(
                "side", foot: foot + SIMD3(x * (size.x + 0.03) / 2, 0, 0), size: SIMD3(0.03, 2.0, size.z), angle: 0,
                top: pattern(&random, looks, 0.4...0.5), sides: pattern(&random, looks, 0.4...0.5))
        }
        let spacing = random.uniform(0.38...0.44)
        for board in 0..<5 {
            let height = 0.12 + Double(board) * spacing
            let at = foot + SIMD3(0, height - size.y, 0)
            world.addBox(
                "board_\(board)", foot: at, size: size, angle: 0, top: pattern(&random, looks, 0.4...0.6),
                sides: pattern(&random, looks, 0.35...0.5), hasUnderside: true)
            for column in 0..<3 where random.chance(0.55) {
                let thing = SIMD3(random.uniform(0.16...0.24), random.uniform(0.12...0.24), random.uniform(0.14...0.2))
                let place = SIMD3(
                    (Double(column) - 1) * size.x / 3, height, random.uniform(-0.04...0.04))
                world.addBox(
                    "carton", foot: foot + place, size: thing, angle: random.uniform(-0.3...0.3),
                    top: pattern(&random, [.cardboard, .poster], 0.4...0.6),
                    sides: pattern(&random, [.cardboard, .poster], 0.4...0.6))
            }
        }
        world.hangPictures(on: ["wall_back", "wall_left", "wall_right"], &random)
        world.focus = foot + SIMD3(0, 1.0, size.z / 2)
        world.viewingDistance = 1.3...1.8
        world.freeSpace = (SIMD3(-2.1, 1.0, foot.z + size.z / 2 + 0.6), SIMD3(2.1, 1.8, 2.0))
        return world
    }

    /// Under a roof: two boarded slopes over low walls, and furniture below.
    static func attic(_ random: inout SeededRandom) -> World {
        var world = World(kind: .attic)
        let (width, depth, knee) = (4.4, 5.0, random.uniform(0.8...1.1))
        let pitch = random.uniform(0.65...0.85)
        let floor = pattern(&random, [.wood, .carpet], 0.25...0.4)
        let walls = pattern(&random, [.plaster], 0.5...0.7)
        world.addQuad("floor", center: .zero, right: .unitX, up: -.unitZ, width: width, height: depth, pattern: floor)
        for (side, label) in [(-1.0, "left"), (1.0, "right")] {
            world.addQuad(
                "wall_\(label)", center: SIMD3(side * width / 2, knee / 2, 0), right: .unitZ * side, up: .unitY,
                width: depth, height: knee, pattern: walls)
            let along = SIMD3(-side * cos(pitch), sin(pitch), 0)
            let length = width / 2 / cos(pitch)
            world.addQuad(
                "roof_\(label)", center: SIMD3(side * width / 2, knee, 0) + along * (length / 2),
                right: .unitZ * side, up: along, width: depth, height: length,
                pattern: pattern(&random, [.wood], 0.4...0.6))
        }
        // Its upper corners lie behind the roof.
        let ridge = knee + width / 2 * tan(pitch)
        for (z, label) in [(-1.0, "back"), (1.0, "front")] {
            world.addQuad(
                "wall_\(label)", center: SIMD3(0, ridge / 2, z * depth / 2), right: .unitX * -z, up: .unitY,
                width: width, height: ridge, pattern: walls)
        }
        world.addBox(
            "table", foot: SIMD3(random.uniform(-0.5...0.1), 0, random.uniform(-1.4 ... -1.0)),
            size: SIMD3(1.2, 0.72, 0.7), angle: random.uniform(-0.3...0.3),
            top: pattern(&random, [.wood, .fabric], 0.4...0.6), sides: pattern(&random, [.fabric], 0.3...0.5))
        world.addBox(
            "carton", foot: SIMD3(random.uniform(1.1...1.4), 0, random.uniform(-1.2 ... -0.6)),
            size: SIMD3(0.5, random.uniform(0.35...0.5), 0.4), angle: random.uniform(-0.5...0.5),
            top: pattern(&random, [.cardboard], 0.4...0.55), sides: pattern(&random, [.cardboard], 0.4...0.55))
        world.hangPictures(on: ["wall_back"], &random)
        world.focus = SIMD3(random.uniform(-0.3...0.3), 1.0, -1.6)
        world.viewingDistance = 2.4...3.0
        world.freeSpace = (SIMD3(-1.2, 1.1, 0.1), SIMD3(1.2, 1.8, 2.1))
        return world
    }

    /// A ramp and a tilted drawing board beside a level table.
    static func ramp(_ random: inout SeededRandom) -> World {
        var world = World(kind: .ramp)
        world.addShell(
            size: SIMD3(5.5, 2.7, 5), floor: pattern(&random, [.wood, .tiles], 0.25...0.45),
            walls: pattern(&random, [.plaster], 0.5...0.7))
        let (slope, length, width) = (random.uniform(0.17...0.4), random.uniform(1.4...1.8), random.uniform(0.9...1.1))
        let foot = SIMD3(random.uniform(-1.4 ... -1.0), 0, random.uniform(-0.8 ... -0.6))
        let along = SIMD3(0, sin(slope), -cos(slope))
        world.addQuad(
            "ramp", center: foot + along * (length / 2), right: .unitX, up: along, width: width, height: length,
            pattern: pattern(&random, [.wood, .carpet], 0.35...0.55))
        let table = SIMD3(random.uniform(0.7...1.1), 0, random.uniform(-1.2 ... -0.9))
        let height = random.uniform(0.7...0.76)
        world.addBox(
            "table", foot: table, size: SIMD3(1.3, height, 0.8), angle: 0, top: pattern(&random, [.wood], 0.4...0.6),
            sides: pattern(&random, [.fabric], 0.3...0.5))
        let tilt = random.uniform(0.3...0.6)
        let up = SIMD3(0, sin(tilt), -cos(tilt))
        world.addQuad(
            "board", center: table + SIMD3(random.uniform(-0.2...0.2), height, 0.25) + up * 0.3, right: .unitX, up: up,
            width: 0.8, height: 0.6, pattern: pattern(&random, [.page, .poster], 0.5...0.7))
        world.hangPictures(on: ["wall_back", "wall_left", "wall_right"], &random)
        world.focus = SIMD3(0, 0.5, -1)
        world.viewingDistance = 2.0...2.6
        world.freeSpace = (SIMD3(-2, 1.1, 0.2), SIMD3(2, 1.8, 2.1))
        return world
    }
}
