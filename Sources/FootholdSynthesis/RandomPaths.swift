import Foundation

extension CameraPath {
    /// How the camera moves.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Sideways around what it looks at: what a person is asked to do.
        case sideways
        /// Through the free space, looking about.
        case walking
        /// Towards what it looks at and back.
        case forward
        /// On the spot: no depth can be learned.
        case turning
        /// On the spot for the first part, then sideways.
        case turningThenSideways
        /// On a stand.
        case still
        /// Sideways with a violent shake in the middle third.
        case shaking
        /// The same with the shake at the beginning.
        case shakingFirst
        /// Once around the free space looking outwards, and on until the beginning is seen again.
        case loop
    }

    /// A path of a style through a world, a different one for every seed.
    ///
    /// - Parameter duration: seconds.
    public static func random(seed: UInt64, style: Style, in world: World, duration: Double) -> CameraPath {
        var random = SeededRandom(seed: seed ^ 0xCA3E_5A11_0B5E_55ED)
        let interval = 0.5
        let count = max(1, Int((duration / interval).rounded(.up))) + 3
        let start = random.uniform(-0.5...0.5)
        let direction: Double = random.chance(0.5) ? 1 : -1
        let distance = random.uniform(world.viewingDistance)
        let elevation = random.uniform(0.5...0.75)
        var points: [ControlPoint] = []
        var wander = Wander(&random)
        var walker = world.middleOfFreeSpace + SIMD3(random.uniform(-0.8...0.8), 0, random.uniform(0...0.6))
        walker.y = random.uniform(1.35...1.6)
        var heading = random.uniform(-0.4...0.4) + (direction > 0 ? 0 : Double.pi)
        let turnEnd = max(2, duration * 0.4)
        let standing = world.place(azimuth: start, elevation: elevation, distance: distance)
        for index in 0..<count {
            let t = (Double(index) - 1) * interval
            let drift = wander.next(&random)
            func around(_ azimuth: Double, _ reach: Double) -> ControlPoint {
                let place = world.place(azimuth: azimuth, elevation: elevation + 0.25 * drift.y, distance: reach)
                return ControlPoint(
                    position: place, lookingAt: world.focus + drift * SIMD3(0.3, 0.05, 0.12), roll: 0.08 * drift.z)
            }
            switch style {
            case .loop:
                // A fifth of the round is seen twice.
                let angle = start + direction * 2 * Double.pi * 1.2 * t / max(duration, 1)
                let outwards = SIMD3(sin(angle), 0, cos(angle))
                let middle = world.middleOfFreeSpace
                let reach = 0.8 * min(0.9, (world.freeSpace.upper - world.freeSpace.lower).z / 2)
                let place = world.clampedToFreeSpace(
                    SIMD3(middle.x, 1.5 + 0.05 * drift.y, middle.z) + reach * outwards)
                points.append(
                    ControlPoint(
                        position: place, lookingAt: place + 2 * outwards + SIMD3(0, -0.6 + 0.2 * drift.z, 0),
                        roll: 0.06 * drift.x))
            case .still: points.append(ControlPoint(position: standing, lookingAt: world.focus))
            case .sideways, .shaking, .shakingFirst:
                points.append(around(start + direction * sweep(t), distance * (1 + 0.12 * drift.x)))
            case .forward:
                let share = 0.5 - 0.5 * cos(2 * Double.pi * t / max(duration, 4))
                points.append(around(start, distance * (1.25 - 0.5 * share)))
            case .turningThenSideways where t > turnEnd:
                points.append(around(start + direction * sweep(t - turnEnd), distance))
            case .turning, .turningThenSideways:
                var point = around(start, distance)
                point.position = standing
                // To both sides, and back when the sideways movement begins.
                let period = style == .turning ? 6 : turnEnd
                point.yaw += direction * 0.45 * sin(2 * Double.pi * t / period)
                points.append(point)
            case .walking:
                walker += SIMD3(cos(heading), 0, sin(heading)) * (0.45 * interval)
                walker = world.clampedToFreeSpace(walker)
                if world.isAtEdge(walker) { heading += 1.1 }
                heading += random.uniform(-0.35...0.35)
                points.append(
                    ControlPoint(
                        position: walker + SIMD3(0, 0.05 * drift.y, 0),
                        lookingAt: world.focus + drift * SIMD3(1.0, 0.3, 0.4), roll: 0.06 * drift.z))
            }
        }
        return CameraPath(
            controlPoints: unwrapped(points), interval: interval,
            tremors: tremors(style, duration, &random))
    }

    /// Radians around the focus after `t` seconds: about a quarter of a metre per second, back and forth.
    private static func sweep(_ t: Double) -> Double { 0.55 * sin(2 * Double.pi * t / 11) }

    /// Yaw without jumps of a whole turn.
    private static func unwrapped(_ points: [ControlPoint]) -> [ControlPoint] {
        var result = points
        for index in result.indices.dropFirst() {
            let difference = result[index].yaw - result[index - 1].yaw
            result[index].yaw -= 2 * Double.pi * (difference / (2 * Double.pi)).rounded()
        }
        return result
    }

    private static func tremors(_ style: Style, _ duration: Double, _ random: inout SeededRandom) -> [Tremor] {
        guard style != .still else { return [] }
        // On the spot a person still sways a little; a camera on the spot must not, or depth could be learned.
        let sways = style != .turning && style != .turningThenSideways
        var tremors: [Tremor] = []
        for channel in sways ? 0..<6 : 3..<6 {
            for _ in 0..<2 {
                tremors.append(
                    Tremor(
                        channel: channel, amplitude: channel < 3 ? 0.0012 : 0.0016,
                        frequencyHertz: random.uniform(1.2...4.5), phaseRadians: random.uniform(0...6.28)))
            }
        }
        if style == .shaking || style == .shakingFirst {
            let third = duration / 3
            for channel in 3..<6 {
                tremors.append(
                    Tremor(
                        channel: channel, amplitude: random.uniform(0.05...0.09),
                        frequencyHertz: random.uniform(3.5...5.5), phaseRadians: random.uniform(0...6.28),
                        interval: style == .shaking ? third...(2 * third) : -1...third))
            }
        }
        return tremors
    }
}

/// A slow random walk that stays near zero, each coordinate about −1…1.
private struct Wander {
    private var value: SIMD3<Double>

    init(_ random: inout SeededRandom) { value = random.gaussianVector(0.4) }

    mutating func next(_ random: inout SeededRandom) -> SIMD3<Double> {
        value = value * 0.85 + random.gaussianVector(0.22)
        return pointwiseMin(pointwiseMax(value, SIMD3(repeating: -1)), SIMD3(repeating: 1))
    }
}

extension World {
    /// A place that sees the focus from a side and a height, inside the free space.
    fileprivate func place(azimuth: Double, elevation: Double, distance: Double) -> SIMD3<Double> {
        let level = distance * cos(elevation)
        return clampedToFreeSpace(
            focus + SIMD3(level * sin(azimuth), distance * sin(elevation), level * cos(azimuth)))
    }

    fileprivate func clampedToFreeSpace(_ p: SIMD3<Double>) -> SIMD3<Double> {
        pointwiseMin(pointwiseMax(p, freeSpace.lower), freeSpace.upper)
    }

    fileprivate func isAtEdge(_ p: SIMD3<Double>) -> Bool {
        p.x <= freeSpace.lower.x || p.x >= freeSpace.upper.x || p.z <= freeSpace.lower.z || p.z >= freeSpace.upper.z
    }

    fileprivate var middleOfFreeSpace: SIMD3<Double> { (freeSpace.lower + freeSpace.upper) / 2 }
}
