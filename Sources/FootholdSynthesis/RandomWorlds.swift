import Foundation

extension World {
    /// A world of a kind, a different one for every seed.
    public static func random(seed: UInt64, kind: Kind) -> World {
        var random = SeededRandom(seed: seed ^ 0x5EED_0FA3_00D0)
        switch kind {
        case .desk: return desk(&random)
        case .room: return room(&random)
        case .planarOnly: return ground(&random)
        case .sparse: return sparse(&random)
        case .blank: return blank(&random)
        case .stairs: return stairs(&random)
        case .shelf: return shelf(&random)
        case .attic: return attic(&random)
        case .ramp: return ramp(&random)
        }
    }

    static func pattern(
        _ random: inout SeededRandom, _ kinds: [SurfacePattern.Kind], _ tone: ClosedRange<Double>
    ) -> SurfacePattern {
        let kind = kinds[random.integer(0...(kinds.count - 1))]
        return SurfacePattern(kind, tone: random.uniform(tone), seed: UInt32(truncatingIfNeeded: random.next()))
    }

    /// Hangs a poster or a page on each of these walls, at a place and in a size of the ranges, metres; places are from the
    /// wall's middle.
    mutating func hangPictures(
        on walls: [String], across: ClosedRange<Double> = -0.8...0.8, up: ClosedRange<Double> = 0.1...0.4,
        width: ClosedRange<Double> = 0.4...0.8, height: ClosedRange<Double> = 0.35...0.6,
        _ random: inout SeededRandom
    ) {
        for wall in walls {
            addPicture(
                on: wall, at: SIMD2(random.uniform(across), random.uniform(up)), width: random.uniform(width),
                height: random.uniform(height), pattern: Self.pattern(&random, [.poster, .page], 0.5...0.5))
        }
    }

    private static func desk(_ random: inout SeededRandom) -> World {
        var world = World(kind: .desk)
        world.addShell(
            size: SIMD3(5, 2.6, 4.4), floor: pattern(&random, [.wood, .carpet, .tiles], 0.25...0.4),
            walls: pattern(&random, [.plaster], 0.55...0.75))
        let height = random.uniform(0.70...0.76)
        let size = SIMD3(random.uniform(1.2...1.7), 0.035, random.uniform(0.7...0.9))
        let middle = SIMD3(random.uniform(-0.6...0.6), height - size.y, random.uniform(-1.6 ... -1.2))
        for x in [-1.0, 1.0] {
            for z in [-1.0, 1.0] {
                world.addBox(
                    "leg", foot: SIMD3(middle.x + x * (size.x / 2 - 0.04), 0, middle.z + z * (size.z / 2 - 0.04)),
                    size: SIMD3(0.05, height - size.y, 0.05), angle: 0, top: SurfacePattern(.plain, tone: 0.2, seed: 1),
                    sides: SurfacePattern(.plain, tone: 0.2, seed: 2))
            }
        }
        world.addBox(
            "desk", foot: middle, size: size, angle: 0, top: pattern(&random, [.wood], 0.35...0.6),
            sides: pattern(&random, [.wood], 0.3...0.45), hasUnderside: true)
        let top = SIMD3(middle.x, height, middle.z)
        world.furnish(top: top, size: SIMD2(size.x, size.z), &random)
        world.hangPictures(
            on: ["wall_back", "wall_back", "wall_left", "wall_right"], across: -1.5...1.5, up: 0...0.4,
            width: 0.35...0.7, height: 0.35...0.8, &random)
        world.focus = top
        world.viewingDistance = 0.75...1.2
        world.freeSpace = (SIMD3(-2.2, height + 0.3, middle.z - 0.1), SIMD3(2.2, 2.2, 1.9))
        return world
    }

    /// Puts things onto a table top, one in each cell of a loose grid so that they don't meet.
    private mutating func furnish(top: SIMD3<Double>, size: SIMD2<Double>, _ random: inout SeededRandom) {
        let columns = max(3, Int(size.x / 0.36))
        let cell = SIMD2(size.x / Double(columns), size.y / 2)
        for row in 0..<2 {
            for column in 0..<columns {
                let angle = random.uniform(-0.6...0.6)
                let at =
                    top
                    + SIMD3(
                        (Double(column) + 0.5) * cell.x - size.x / 2 + random.uniform(-0.03...0.03), 0,
                        (Double(row) + 0.5) * cell.y - size.y / 2 + random.uniform(-0.03...0.03))
                switch random.integer(0...7) {
                case 0, 1:
                    addBox(
                        "book", foot: at, size: SIMD3(0.24, random.uniform(0.02...0.06), 0.17), angle: angle,
                        top: Self.pattern(&random, [.poster, .page], 0.4...0.4),
                        sides: Self.pattern(&random, [.fabric], 0.6...0.8))
                case 2:
                    addBox(
                        "carton", foot: at,
                        size: SIMD3(
                            random.uniform(0.14...0.24), random.uniform(0.1...0.22), random.uniform(0.12...0.2)),
                        angle: angle, top: Self.pattern(&random, [.cardboard], 0.4...0.55),
                        sides: Self.pattern(&random, [.cardboard], 0.4...0.55))
                case 3:
                    addCylinder(
                        foot: at, radius: random.uniform(0.035...0.05), height: random.uniform(0.08...0.14),
                        pattern: Self.pattern(&random, [.poster, .fabric], 0.4...0.7))
                case 4:
                    addSphere(
                        restingOn: at, radius: random.uniform(0.04...0.08),
                        pattern: Self.pattern(&random, [.tiles, .poster], 0.4...0.7))
                case 5:
                    addBox(
                        "keyboard", foot: at, size: SIMD3(0.3, 0.02, 0.13), angle: angle * 0.3,
                        top: Self.pattern(&random, [.keys], 0.12...0.25),
                        sides: SurfacePattern(.plain, tone: 0.1, seed: 3))
                default:
                    addSheet(
                        on: at, width: 0.21, depth: 0.297, angle: angle,
                        pattern: Self.pattern(&random, [.page], 0.8...0.8))
                }
            }
        }
    }

    private static func room(_ random: inout SeededRandom) -> World {
        var world = World(kind: .room)
        let size = SIMD3(random.uniform(5.5...6.5), random.uniform(2.5...2.8), random.uniform(4.8...5.6))
        world.addShell(
            size: size, floor: pattern(&random, [.wood, .tiles], 0.25...0.45),
            walls: pattern(&random, [.plaster], 0.5...0.7))
        world.addSheet(
            on: SIMD3(random.uniform(-0.5...0.5), 0, 0), width: 2.2, depth: 1.5, angle: random.uniform(-0.2...0.2),
            pattern: pattern(&random, [.carpet], 0.25...0.4))
        world.addBox(
            "cabinet", foot: SIMD3(random.uniform(-1...1), 0, -size.z / 2 + 0.25),
            size: SIMD3(1.3, random.uniform(0.75...1.0), 0.45), angle: 0,
            top: pattern(&random, [.wood], 0.3...0.5), sides: pattern(&random, [.wood], 0.3...0.5))
        let table = SIMD3(random.uniform(-1.2 ... -0.6), 0.0, random.uniform(-0.9 ... -0.4))
        world.addBox(
            "table", foot: table, size: SIMD3(1.2, 0.72, 0.8), angle: random.uniform(-0.3...0.3),
            top: pattern(&random, [.wood, .fabric], 0.4...0.6), sides: pattern(&random, [.fabric], 0.3...0.5))
        world.addCylinder(
            foot: table + SIMD3(0.1, 0.72, 0), radius: 0.09, height: 0.24,
            pattern: pattern(&random, [.poster], 0.5...0.5))
        world.addBox(
            "sofa", foot: SIMD3(size.x / 2 - 0.5, 0, random.uniform(-0.6...0.6)), size: SIMD3(0.85, 0.42, 1.8),
            angle: 0, top: pattern(&random, [.fabric], 0.3...0.6), sides: pattern(&random, [.fabric], 0.3...0.6))
        for _ in 0..<random.integer(2...4) {
            let side = random.uniform(0.3...0.5)
            let (x, z) = (0.3...1.5, -1.6 ... -0.9)
            let drawn = SIMD3(random.uniform(x), 0, random.uniform(z))
            let size = SIMD3(side, random.uniform(0.25...0.5), side)
            let angle = random.uniform(-0.8...0.8)
            let (top, sides) = (pattern(&random, [.cardboard], 0.4...0.55), pattern(&random, [.cardboard], 0.4...0.55))
            guard let foot = world.freeFoot(drawn, x: x, z: z, size: size, angle: angle) else { continue }
            world.addBox("carton", foot: foot, size: size, angle: angle, top: top, sides: sides)
        }
        let (x, z) = (-0.2...0.3, -0.4...0.1)
        let drawn = SIMD3(random.uniform(x), 0, random.uniform(z))
        let print = pattern(&random, [.poster], 0.5...0.5)
        if let foot = world.freeFoot(drawn, x: x, z: z, size: SIMD3(repeating: 0.26), angle: 0) {
            world.addSphere(restingOn: foot, radius: 0.13, pattern: print)
        }
        world.hangPictures(
            on: ["wall_back", "wall_back", "wall_left", "wall_left", "wall_right", "wall_front"], across: -1.8...1.8,
            up: 0.05...0.4, width: 0.5...1.1, height: 0.4...0.8, &random)
        world.focus = SIMD3(0, 0.45, -0.9)
        world.viewingDistance = 2.0...3.0
        world.freeSpace = (SIMD3(-size.x / 2 + 0.4, 1.1, 0.1), SIMD3(size.x / 2 - 1.1, 1.9, size.z / 2 - 0.3))
        world.finestTexel = 0.002
        return world
    }

    /// The place drawn for a thing that stands on the floor, or another one where it would stick in something; nil where
    /// none is found. Other places come from a stream of their own, so that the rest of the world is the same whether
    /// or not a thing had to move.
    private func freeFoot(
        _ drawn: SIMD3<Double>, x: ClosedRange<Double>, z: ClosedRange<Double>, size: SIMD3<Double>, angle: Double
    ) -> SIMD3<Double>? {
        var foot = drawn
        var elsewhere = SeededRandom(seed: drawn.x.bitPattern)
        for _ in 0..<200 {
            if isFree(foot: foot, size: size, angle: angle) { return foot }
            foot = SIMD3(elsewhere.uniform(x), 0, elsewhere.uniform(z))
        }
        return nil
    }

    private static func ground(_ random: inout SeededRandom) -> World {
        var world = World(kind: .planarOnly)
        world.addQuad(
            "ground", center: .zero, right: .unitX, up: -.unitZ, width: 6, height: 6,
            pattern: pattern(&random, [.tiles, .wood, .carpet], 0.35...0.5))
        for _ in 0..<10 {
            world.addSheet(
                on: SIMD3(random.uniform(-1...1), 0, random.uniform(-1...1)), width: random.uniform(0.2...0.4),
                depth: random.uniform(0.2...0.5), angle: random.uniform(0...6),
                pattern: pattern(&random, [.page, .poster], 0.5...0.5))
        }
        world.viewingDistance = 0.9...1.4
        world.freeSpace = (SIMD3(-1.5, 0.6, -1.5), SIMD3(1.5, 1.6, 1.5))
        return world
    }

    private static func sparse(_ random: inout SeededRandom) -> World {
        var world = World(kind: .sparse)
        world.addShell(
            size: SIMD3(5, 2.6, 4.4), floor: pattern(&random, [.plaster], 0.35...0.5),
            walls: pattern(&random, [.plain], 0.6...0.75))
        world.addBox(
            "table", foot: SIMD3(0, 0, -1.2), size: SIMD3(1.4, 0.73, 0.8), angle: 0,
            top: pattern(&random, [.plaster], 0.7...0.8), sides: pattern(&random, [.plain], 0.5...0.6))
        let top = SIMD3(0, 0.73, -1.2)
        world.addBox(
            "carton", foot: top + SIMD3(random.uniform(-0.4 ... -0.2), 0, 0), size: SIMD3(0.2, 0.14, 0.16),
            angle: random.uniform(-0.5...0.5), top: pattern(&random, [.cardboard], 0.4...0.5),
            sides: pattern(&random, [.cardboard], 0.4...0.5))
        world.addCylinder(
            foot: top + SIMD3(random.uniform(0.1...0.4), 0, 0.05), radius: 0.045, height: 0.1,
            pattern: pattern(&random, [.fabric], 0.3...0.6))
        world.focus = top
        world.viewingDistance = 0.8...1.2
        world.freeSpace = (SIMD3(-2.2, 1.0, -1.2), SIMD3(2.2, 2.2, 1.9))
        return world
    }

    private static func blank(_ random: inout SeededRandom) -> World {
        var world = World(kind: .blank)
        world.addShell(
            size: SIMD3(5, 2.6, 4.4), floor: pattern(&random, [.plain], 0.5...0.6),
            walls: pattern(&random, [.plain], 0.6...0.75))
        world.addBox(
            "table", foot: SIMD3(0, 0, -1.2), size: SIMD3(2.4, 0.73, 1.6), angle: 0,
            top: pattern(&random, [.plain], 0.7...0.8), sides: pattern(&random, [.plain], 0.5...0.6))
        world.focus = SIMD3(0, 0.73, -1.2)
        world.viewingDistance = 0.8...1.2
        world.freeSpace = (SIMD3(-2.2, 1.0, -1.2), SIMD3(2.2, 2.2, 1.9))
        return world
    }
}
