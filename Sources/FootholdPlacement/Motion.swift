import FootholdScene
import Foundation

/// The speed at which to close a distance so that neither the limits nor the brakes are exceeded.
private func approachSpeed(distance: Double, limits: MotionLimits) -> Double {
    // 0.7 of the acceleration is kept for braking, the rest for following a target that moves.
    min(limits.speed, limits.response * distance, (1.4 * limits.acceleration * distance).squareRoot())
}

/// A point that goes to a target with bounded speed and acceleration. Stepped on a fixed grid of time, so that what
/// happens doesn't depend on the frame rate.
struct PointMotion: Hashable, Sendable {
    /// Nanoseconds of one step.
    static let stepNanoseconds: Int64 = 4_000_000
    static let stepSeconds = Double(stepNanoseconds) / 1e9

    var position: SIMD3<Double>
    var velocity = SIMD3<Double>.zero
    var target: SIMD3<Double>

    init(_ position: SIMD3<Double>) {
        self.position = position
        target = position
    }

    var isAtRest: Bool { position == target && velocity == .zero }

    /// - Parameter detour: where to head first; the target when nil.
    mutating func step(
        _ limits: MotionLimits, braking: Double, towards detour: SIMD3<Double>? = nil,
        dt: Double = PointMotion.stepSeconds
    ) {
        let error = (detour ?? target) - position
        let distance = error.length
        let squaredSpeed = velocity.lengthSquared
        // What is faster than its present limit (just let go of, for instance) may brake as hard as anything may.
        let acceleration =
            squaredSpeed > limits.speed * limits.speed ? max(limits.acceleration, braking) : limits.acceleration
        let largest = acceleration * dt
        if detour == nil && distance < 2e-5 && squaredSpeed <= largest * largest {
            position = target
            velocity = .zero
            return
        }
        let pace = distance > 0 ? approachSpeed(distance: distance, limits: limits) / distance : 0
        var change = error * pace - velocity
        let squaredChange = change.lengthSquared
        if squaredChange > largest * largest { change *= largest / squaredChange.squareRoot() }
        velocity += change
        position += velocity * dt
    }

    /// Takes the point elsewhere at once, as the finger does that holds it.
    mutating func jump(to point: SIMD3<Double>) {
        position = point
        target = point
        velocity = .zero
    }
}

/// The same for a single number: an angle, the logarithm of a size.
struct ScalarMotion: Hashable, Sendable {
    var value: Double
    var velocity = 0.0
    var target: Double

    init(_ value: Double) {
        self.value = value
        target = value
    }

    var isAtRest: Bool { value == target && velocity == 0 }

    mutating func step(_ limits: MotionLimits, dt: Double = PointMotion.stepSeconds) {
        let error = target - value
        let largest = limits.acceleration * dt
        if abs(error) < 5e-5 && abs(velocity) <= largest {
            value = target
            velocity = 0
            return
        }
        let speed = approachSpeed(distance: abs(error), limits: limits)
        velocity += min(largest, max(-largest, (error < 0 ? -speed : speed) - velocity))
        value += velocity * dt
    }
}

/// A direction that turns to another with bounded rate, and the frame that is carried along with it without twisting.
struct UprightMotion: Hashable, Sendable {
    /// Y is the direction.
    private(set) var frame: Rotation
    private(set) var up: SIMD3<Double>
    var targetUp: SIMD3<Double>
    private var velocity = 0.0

    /// - Parameter frame: its Y axis is the direction to begin with.
    init(frame: Rotation, up: SIMD3<Double>) {
        self.up = up.normalized
        targetUp = self.up
        self.frame = frame.withUp(self.up)
    }

    var isAtRest: Bool { up == targetUp }

    mutating func step(_ limits: MotionLimits, dt: Double = PointMotion.stepSeconds) {
        guard !isAtRest else { return }
        let axis = up.cross(targetUp)
        let angle = atan2(axis.length, up.dot(targetUp))
        let largest = limits.acceleration * dt
        let desired = approachSpeed(distance: angle, limits: limits)
        velocity += min(largest, max(-largest, desired - velocity))
        if angle < 1e-6 || velocity * dt >= angle {
            velocity = 0
            set(up: targetUp)
        } else {
            let direction = axis.length > 1e-12 ? axis : up.anyPerpendicular
            set(up: Rotation(axis: direction, angleRadians: velocity * dt) * up)
        }
    }

    /// Takes on a direction at once.
    mutating func set(up newUp: SIMD3<Double>) {
        frame = (Rotation(from: up, to: newUp) * frame).withUp(newUp.normalized)
        up = newUp.normalized
    }
}

extension Rotation {
    /// The nearest rotation whose Y axis is exactly `up`, so that rounding never adds up to a lean.
    func withUp(_ up: SIMD3<Double>) -> Rotation {
        Rotation(from: self * .unitY, to: up) * self
    }

    /// The rotation with Y along `up` and Z as near as possible to `forward`.
    static func upright(up: SIMD3<Double>, forward: SIMD3<Double>) -> Rotation {
        let y = up.normalized
        let flat = forward - y * forward.dot(y)
        let z = flat.length > 1e-6 * forward.length && flat.length > 0 ? flat.normalized : y.anyPerpendicular
        return Rotation(columns: y.cross(z), y, z)
    }
}
