import Foundation

/// A corridor that leads round a block back to its beginning: only there does the camera see anything twice.
public struct CorridorRound: Sendable {
    /// Of the outer walls, metres.
    private static let size = SIMD3(9.0, 2.6, 7.0)
    private static let width = 1.8
    private static let speed = 0.7
    public let seed: UInt64
    /// Half of each wall hangs full of the same pictures in the same places as the other half.
    public var hasTwinWalls: Bool
    /// How often the camera goes round.
    public var rounds: Double

    public init(seed: UInt64, rounds: Double = 1.2, hasTwinWalls: Bool = false) {
        self.seed = seed
        self.rounds = rounds
        self.hasTwinWalls = hasTwinWalls
    }

    public func sequence(width: Int, height: Int, framesPerSecond: Double = 30) -> SyntheticSequence {
        var camera = SyntheticCamera()
        camera.framesPerSecond = framesPerSecond
        let focal = Double(max(width, height)) * 0.7
        return SyntheticSequence(
            world: world, path: path,
            intrinsics: CameraIntrinsics(
                width: width, height: height, fx: focal, fy: focal, cx: Double(width - 1) / 2,
                cy: Double(height - 1) / 2),
            camera: camera, seed: seed &+ 2)
    }

    private var world: World {
        var random = SeededRandom(seed: seed ^ 0x100_9C10_5ED0)
        func pattern(_ kind: SurfacePattern.Kind, _ tone: Double) -> SurfacePattern {
            SurfacePattern(kind, tone: tone, seed: UInt32(truncatingIfNeeded: random.next()))
        }
        var world = World(kind: .room)
        let size = Self.size
        world.addShell(size: size, floor: pattern(.wood, 0.35), walls: pattern(.plaster, 0.6))
        let core = SIMD3(size.x - 2 * Self.width, size.y, size.z - 2 * Self.width)
        world.addBox(
            "core", foot: .zero, size: core, angle: 0, top: pattern(.plain, 0.5), sides: pattern(.plaster, 0.55))
        let walls: [(name: String, length: Double)] = [
            ("wall_back", size.x), ("wall_right", size.z), ("wall_front", size.x), ("wall_left", size.z),
            ("core.back", core.x), ("core.right", core.z), ("core.front", core.x), ("core.left", core.z),
        ]
        for wall in walls {
            let hanging = random.next()
            var own = SeededRandom(seed: hanging)
            let count = 2 * Int(wall.length / 1.6)
            for index in 0..<count {
                // The second half is hung by the same numbers as the first.
                if hasTwinWalls && index == count / 2 { own = SeededRandom(seed: hanging) }
                let middle = (Double(index) + 0.5) * wall.length / Double(count) - wall.length / 2
                world.addPicture(
                    on: wall.name, at: SIMD2(middle + own.uniform(-0.08...0.08), own.uniform(-0.3...0.4)),
                    width: own.uniform(0.35...0.55), height: own.uniform(0.4...0.9),
                    pattern: SurfacePattern(
                        own.chance(0.6) ? .poster : .page, tone: 0.5, seed: UInt32(truncatingIfNeeded: own.next())))
            }
        }
        world.viewingDistance = 0.8...3
        world.finestTexel = 0.002
        return world
    }

    /// Along the middle of the corridor with a view ahead and to the outer wall.
    private var path: CameraPath {
        var random = SeededRandom(seed: seed ^ 0xAA7_4000)
        let interval = 0.5
        let half = SIMD2(Self.size.x - Self.width, Self.size.z - Self.width) / 2
        let corner = 0.75
        let straight = SIMD2(2 * half.x - 2 * corner, 2 * half.y - 2 * corner)
        let bend = corner * .pi / 2
        let around = 2 * (straight.x + straight.y) + 4 * bend
        let count = Int((rounds * around / (Self.speed * interval)).rounded()) + 3
        let outwards = random.uniform(0.5...0.65)
        var points: [CameraPath.ControlPoint] = []
        for index in 0..<count {
            // Counter-clockwise seen from above, from the middle of the front side on.
            var way = (Double(index) - 1) * Self.speed * interval + straight.x / 2
            var (heading, place) = (0.0, SIMD2(-half.x + corner, half.y))
            var side = 0
            way = way.truncatingRemainder(dividingBy: around)
            if way < 0 { way += around }
            while true {
                let length = side.isMultiple(of: 2) ? straight.x : straight.y
                let ahead = SIMD2(cos(heading), -sin(heading))
                let left = SIMD2(-sin(heading), -cos(heading))
                if way < length {
                    place += way * ahead
                    break
                }
                way -= length
                place += length * ahead
                if way < bend {
                    let turned = way / corner
                    place += corner * (sin(turned) * ahead + (1 - cos(turned)) * left)
                    heading += turned
                    break
                }
                way -= bend
                place += corner * (ahead + left)
                heading += .pi / 2
                side += 1
            }
            let look = heading - outwards + random.uniform(-0.06...0.06)
            points.append(
                CameraPath.ControlPoint(
                    position: SIMD3(place.x, 1.5 + random.uniform(-0.04...0.04), place.y),
                    yaw: look - .pi / 2,
                    pitch: -0.06 + random.uniform(-0.03...0.03), roll: random.uniform(-0.02...0.02)))
        }
        // Yaw goes on growing: the spline mustn't turn back.
        for index in points.indices.dropFirst() {
            while points[index].yaw < points[index - 1].yaw - .pi { points[index].yaw += 2 * .pi }
        }
        return CameraPath(controlPoints: points, interval: interval)
    }
}
