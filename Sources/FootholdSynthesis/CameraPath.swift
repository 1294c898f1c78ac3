import Foundation

/// A smooth movement of a camera with exact derivatives: a uniform cubic B-spline in position and in yaw, pitch and
/// roll, and on top of it the tremor of a hand.
///
/// The rotation is yaw about +Y, then pitch about +X, then roll about +Z, with the public camera axes (looking along
/// −z). The spline passes near its control points, not through them; its acceleration has no jumps.
public struct CameraPath: Hashable, Sendable {
    /// Six numbers that describe a camera.
    public struct ControlPoint: Hashable, Sendable {
        /// Metres.
        public var position: SIMD3<Double>
        /// Radians.
        public var yaw: Double
        public var pitch: Double
        public var roll: Double

        public init(position: SIMD3<Double>, yaw: Double, pitch: Double, roll: Double = 0) {
            self.position = position
            self.yaw = yaw
            self.pitch = pitch
            self.roll = roll
        }

        /// A camera at a place that looks at another.
        public init(position: SIMD3<Double>, lookingAt target: SIMD3<Double>, roll: Double = 0) {
            let d = (target - position).normalized
            self.init(position: position, yaw: atan2(-d.x, -d.z), pitch: asin(max(-1, min(1, d.y))), roll: roll)
        }

        /// One of the six, in the order position, yaw, pitch, roll.
        fileprivate func channel(_ index: Int) -> Double {
            switch index {
            case 0...2: position[index]
            case 3: yaw
            case 4: pitch
            default: roll
            }
        }
    }

    /// One sine that is added to one of the six numbers.
    public struct Tremor: Hashable, Sendable {
        /// 0…2 position, 3 yaw, 4 pitch, 5 roll.
        public var channel: Int
        /// Metres or radians.
        public var amplitude: Double
        public var frequencyHertz: Double
        public var phaseRadians: Double
        /// When it acts, with half a second of fading in and out around it; nil for always.
        public var interval: ClosedRange<Double>?

        public init(
            channel: Int, amplitude: Double, frequencyHertz: Double, phaseRadians: Double,
            interval: ClosedRange<Double>? = nil
        ) {
            self.channel = channel
            self.amplitude = amplitude
            self.frequencyHertz = frequencyHertz
            self.phaseRadians = phaseRadians
            self.interval = interval
        }
    }

    /// A camera's state at a moment, all of it exact.
    public struct Motion: Hashable, Sendable {
        /// The public axes (x right, y up, looking along −z).
        public var worldFromCamera: Pose
        /// Metres per second, in the world.
        public var velocity: SIMD3<Double>
        /// m/s², in the world, without gravity.
        public var acceleration: SIMD3<Double>
        /// Radians per second, in the camera's own (public) axes.
        public var angularVelocity: SIMD3<Double>
    }

    public let controlPoints: [ControlPoint]
    /// Seconds from one control point to the next.
    public let interval: Double
    public let tremors: [Tremor]

    /// - Parameter controlPoints: at least four; the path lasts (count − 3) intervals.
    public init(controlPoints: [ControlPoint], interval: Double, tremors: [Tremor] = []) {
        precondition(controlPoints.count >= 4 && interval > 0, "a cubic spline needs four control points")
        precondition(tremors.allSatisfy { (0...5).contains($0.channel) }, "there are six channels")
        self.controlPoints = controlPoints
        self.interval = interval
        self.tremors = tremors
    }

    /// Seconds.
    public var duration: Double { Double(controlPoints.count - 3) * interval }

    public func pose(at seconds: Double) -> Pose { motion(at: seconds).worldFromCamera }

    /// - Parameter seconds: beyond the ends the last piece is continued.
    public func motion(at seconds: Double) -> Motion {
        var value = [Double](repeating: 0, count: 6)
        var first = value
        var second = value
        let piece = min(max(Int((seconds / interval).rounded(.down)), 0), controlPoints.count - 4)
        let u = seconds / interval - Double(piece)
        let weights = Self.weights(u)
        for channel in 0..<6 {
            for k in 0..<4 {
                let control = controlPoints[piece + k].channel(channel)
                value[channel] += weights.value[k] * control
                first[channel] += weights.first[k] * control / interval
                second[channel] += weights.second[k] * control / (interval * interval)
            }
        }
        for tremor in tremors {
            let (v, d, dd) = tremor.value(at: seconds)
            value[tremor.channel] += v
            first[tremor.channel] += d
            second[tremor.channel] += dd
        }
        let pitch = Rotation(axis: .unitX, angleRadians: value[4])
        let roll = Rotation(axis: .unitZ, angleRadians: value[5])
        let rotation = Rotation(axis: .unitY, angleRadians: value[3]) * pitch * roll
        // Each turn happens about an axis of the frame that the later ones have yet to turn.
        let rates = roll.inverse * (pitch.inverse * SIMD3(0, first[3], 0) + SIMD3(first[4], 0, 0))
        return Motion(
            worldFromCamera: Pose(rotation: rotation, position: SIMD3(value[0], value[1], value[2])),
            velocity: SIMD3(first[0], first[1], first[2]), acceleration: SIMD3(second[0], second[1], second[2]),
            angularVelocity: rates + SIMD3(0, 0, first[5]))
    }

    /// The cubic B-spline's weights and their derivatives by `u`.
    private static func weights(
        _ u: Double
    ) -> (value: SIMD4<Double>, first: SIMD4<Double>, second: SIMD4<Double>) {
        let (u2, u3) = (u * u, u * u * u)
        let v = 1 - u
        return (
            SIMD4(v * v * v, 3 * u3 - 6 * u2 + 4, -3 * u3 + 3 * u2 + 3 * u + 1, u3) / 6,
            SIMD4(-v * v, 3 * u2 - 4 * u, -3 * u2 + 2 * u + 1, u2) / 2,
            SIMD4(v, 3 * u - 2, 1 - 3 * u, u)
        )
    }
}

extension CameraPath.Tremor {
    /// The sine with its first and second derivative.
    fileprivate func value(at seconds: Double) -> (Double, Double, Double) {
        let w = 2 * Double.pi * frequencyHertz
        let (s, c) = (sin(w * seconds + phaseRadians), cos(w * seconds + phaseRadians))
        let (value, first, second) = (amplitude * s, amplitude * w * c, -amplitude * w * w * s)
        guard let interval else { return (value, first, second) }
        let (e, e1, e2) = Self.envelope(seconds, interval)
        return (value * e, first * e + value * e1, second * e + 2 * first * e1 + value * e2)
    }

    /// 0…1…0 with continuous second derivatives (6x⁵ − 15x⁴ + 10x³), which fades over half a second.
    private static func envelope(_ t: Double, _ interval: ClosedRange<Double>) -> (Double, Double, Double) {
        let fade = 0.5
        let isRising = t < (interval.lowerBound + interval.upperBound) / 2
        let x = (isRising ? t - interval.lowerBound + fade : interval.upperBound + fade - t) / fade
        if x <= 0 { return (0, 0, 0) }
        if x >= 1 { return (1, 0, 0) }
        let sign: Double = isRising ? 1 : -1
        return (
            x * x * x * (10 + x * (6 * x - 15)), sign * 30 * x * x * (1 - x) * (1 - x) / fade,
            60 * x * (1 - x) * (1 - 2 * x) / (fade * fade)
        )
    }
}
