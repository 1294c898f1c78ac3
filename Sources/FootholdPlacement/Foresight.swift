import FootholdScene
import Foundation

/// What a held object was doing at the last frame, for seeing ahead where that leads.
struct Course: Hashable, Sendable {
    var nanoseconds: Int64
    /// Where the finger wants the object, in the world.
    var point: SIMD3<Double>?
    /// Natural logarithm of the size that the fingers ask for.
    var size: Double?
}

extension PlacementSession {
    /// Announces, shortly before it is due, what the movement of the fingers will lead to if it goes on like this: the
    /// limit of the reach or of the size, a refusal, or another object (R7).
    mutating func foresee(_ context: PlacementContext) -> PlacementOutput {
        guard let held = manipulation, let index = index(of: held.objectID) else { return PlacementOutput() }
        let course = Course(nanoseconds: now, point: held.drag?.wish, size: held.sizeWish)
        guard let last = held.course, now > last.nanoseconds else {
            if held.course == nil { manipulation?.course = course }
            return PlacementOutput()
        }
        manipulation?.course = course
        let elapsed = Double(now - last.nanoseconds) / 1e9
        let horizon = configuration.headsUpSeconds
        var output = PlacementOutput()
        if let point = course.point, let lastPoint = last.point {
            let velocity = (point - lastPoint) / elapsed
            if let camera = context.worldFromCamera?.position,
                let time = Self.time(
                    from: camera.distance(to: point),
                    rate: (camera.distance(to: point) - camera.distance(to: lastPoint)) / elapsed,
                    to: configuration.maximumDistance * 0.999), time <= horizon
            {
                output += announce(.reach, .warning, inSeconds: time)
            }
            if velocity.length > 0.02, let time = timeToContact(index, from: point, velocity, horizon, context) {
                output += announce(.contact, .impact, inSeconds: time, intensity: 0.4)
            }
        }
        if let size = course.size, let lastSize = last.size {
            let range = standing[index].template.scaling.range
            let rate = (size - lastSize) / elapsed
            let border =
                rate > 0 ? log(range.upperBound) + Manipulation.give : log(range.lowerBound) - Manipulation.give
            if let time = Self.time(from: size, rate: rate, to: border), time <= horizon {
                output += announce(.size, Self.kind(atSizeLimitOf: standing[index].template), inSeconds: time)
            }
        }
        return output
    }

    /// Furniture refuses; a toy is merely at its limit.
    static func kind(atSizeLimitOf template: ObjectTemplate) -> FeedbackEvent.Kind {
        let range = template.scaling.range
        return range.lowerBound == range.upperBound ? .error : .warning
    }

    /// Seconds until a value that changes steadily reaches a border; nil when it doesn't, or is past it.
    private static func time(from value: Double, rate: Double, to border: Double) -> Double? {
        let distance = border - value
        guard rate != 0, distance / rate > 0 else { return nil }
        return distance / rate
    }

    private func timeToContact(
        _ index: Int, from point: SIMD3<Double>, _ velocity: SIMD3<Double>, _ horizon: Double,
        _ context: PlacementContext
    ) -> Double? {
        let object = standing[index]
        let ground = ground(under: object, surface(object.surfaceID, in: context))
        let others = obstacles(for: object, near: point, on: ground, within: velocity.length * horizon)
        guard !others.isEmpty else { return nil }
        var footprint = footprint(of: object, on: ground)
        let start = ground.inverse * point
        let way = ground.rotation.inverse * velocity
        for step in 0...10 {
            let time = horizon * Double(step) / 10
            footprint.center = SIMD2(start.x + way.x * time, start.z + way.z * time)
            if others.contains(where: { footprint.separation(from: $0) != nil }) { return step == 0 ? nil : time }
        }
        return nil
    }

    /// Announces a limit once for each time that it is reached.
    private mutating func announce(
        _ limit: Manipulation.Limit, _ kind: FeedbackEvent.Kind, inSeconds seconds: Double, intensity: Double = 1
    ) -> PlacementOutput {
        guard var held = manipulation, !held.limits.contains(limit) else { return PlacementOutput() }
        // A movement that hesitates before a limit isn't announced again and again.
        if let last = held.announced[limit], self.seconds(since: last) < 0.5 { return PlacementOutput() }
        held.announced[limit] = now
        manipulation = held
        var output = PlacementOutput()
        output.feedback.append(
            event(kind, held.objectID, intensity: intensity, dueIn: max(1, Int64(seconds * 1e9))))
        return output
    }
}
