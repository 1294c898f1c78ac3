import Foundation

/// A path that moves slowly sideways around what a world has to show, and may visit another place for a while.
struct FailurePath {
    /// Somewhere else to look at.
    struct Visit {
        /// Where the camera is, and what it looks at.
        var position: SIMD3<Double>
        var target: SIMD3<Double>
        /// When it has arrived, and when it leaves; seconds.
        var from: Double
        var until: Double
        /// Seconds of the way there, and back.
        var way = 1.8
        /// Metres and direction of swaying there, and seconds from one end to the other and back.
        var sway: SIMD3<Double> = .zero
        var swaySeconds = 5.0

        /// 0 away, 1 there; smooth.
        func presence(_ t: Double) -> Double {
            let x = min(min(1, (t - from) / way + 1), 1 + (until - t) / way)
            guard x > 0 else { return 0 }
            return x * x * (3 - 2 * x)
        }
    }

    static func make(
        in world: World, seed: UInt64, duration: Double, visit: Visit? = nil, tremors: [CameraPath.Tremor] = [],
        sweep: (from: Double, until: Double, radians: Double, hertz: Double)? = nil
    ) -> CameraPath {
        var random = SeededRandom(seed: seed ^ 0xFA11_0BA7)
        let start = random.uniform(-0.35...0.35)
        let side: Double = random.chance(0.5) ? 1 : -1
        let distance = random.uniform(world.viewingDistance)
        let elevation = random.uniform(0.5...0.7)
        let phases = (0..<4).map { _ in random.uniform(0...6.28) }
        let interval = 0.2
        let count = Int((duration / interval).rounded(.up)) + 4
        let points = (0..<count).map { index -> CameraPath.ControlPoint in
            let t = (Double(index) - 1) * interval
            // About a quarter of a metre a second, back and forth.
            let azimuth = start + side * 0.5 * sin(2 * Double.pi * t / 10)
            let reach = distance * (1 + 0.08 * sin(0.7 * t + phases[0]))
            let height = elevation + 0.08 * sin(0.5 * t + phases[1])
            let level = reach * cos(height)
            var position =
                world.focus + SIMD3(level * sin(azimuth), reach * sin(height), level * cos(azimuth))
            position = pointwiseMin(pointwiseMax(position, world.freeSpace.lower), world.freeSpace.upper)
            var target = world.focus + SIMD3(0.15 * sin(0.6 * t + phases[2]), 0, 0.08 * sin(0.8 * t + phases[3]))
            if let visit {
                let w = visit.presence(t)
                let there = visit.sway * sin(2 * Double.pi * (t - visit.from) / visit.swaySeconds)
                position += (visit.position + there - position) * w
                target += (visit.target + there - target) * w
            }
            var point = CameraPath.ControlPoint(
                position: position, lookingAt: target, roll: 0.04 * sin(0.9 * t + phases[1]))
            if let sweep, t >= sweep.from, t <= sweep.until {
                point.yaw += sweep.radians * sin(2 * Double.pi * sweep.hertz * (t - sweep.from))
            }
            return point
        }
        return CameraPath(
            controlPoints: points, interval: interval, tremors: hand(&random) + tremors)
    }

    /// The tremor of a hand.
    private static func hand(_ random: inout SeededRandom) -> [CameraPath.Tremor] {
        (0..<6).map { channel in
            CameraPath.Tremor(
                channel: channel, amplitude: channel < 3 ? 0.0012 : 0.0016, frequencyHertz: random.uniform(1.2...4.5),
                phaseRadians: random.uniform(0...6.28))
        }
    }
}
