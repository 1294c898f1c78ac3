import FootholdScene
import Foundation

/// How fast the camera goes while it looks elsewhere (R6).
struct Hurry: Sendable {
    /// Metres per second of a brisk walk. Where the metre is only assumed it may be half as long: then more.
    private static let brisk = 1.3
    private static let briskIfAssumed = 2.2
    private static let smoothingSeconds = 0.4
    /// A way that was in doubt less long ago than this tells no speed, seconds.
    private static let settling = 2.0
    /// Cosine of 45°: beyond that the camera looks aside.
    private static let ahead = 0.7

    private var last: (seconds: Double, position: SIMD3<Double>)?
    private var velocity = SIMD3<Double>.zero
    private var lastDoubt = -Double.infinity

    /// Speed relative to a brisk walk while looking aside, otherwise 0.
    mutating func update(_ result: FrameResult) -> Double {
        guard let pose = result.worldFromCamera, !result.didChangeCoordinates else {
            last = nil
            velocity = .zero
            return 0
        }
        defer { last = (result.seconds, pose.position) }
        // The pose goes over to a corrected way faster than anybody walks.
        if result.trackingState != .normal || result.correction != nil { lastDoubt = result.seconds }
        guard let last, result.seconds > last.seconds else { return 0 }
        let elapsed = result.seconds - last.seconds
        var now = (pose.position - last.position) / elapsed
        // Up and down is not walking.
        now.y = 0
        let share = 1 - exp(-elapsed / Self.smoothingSeconds)
        velocity += (now - velocity) * share
        var view = pose.rotation * -.unitZ
        view.y = 0
        let speed = velocity.length
        guard result.seconds - lastDoubt >= Self.settling, speed > 0.1, view.length > 0.1,
            view.normalized.dot(velocity / speed) < Self.ahead
        else { return 0 }
        return result.scale.knownMetresPerUnit.map { speed * $0 / Self.brisk } ?? speed / Self.briskIfAssumed
    }
}

/// How near the known surface ahead is. Where the metre is only assumed, it is compared with how far away surfaces were
/// at first, since nobody starts right in front of one.
struct Reach: Sendable {
    /// Metres at which people usually hold a camera before a table.
    private static let usual = 0.7
    private static let none = 10.0
    /// The usual distance in this session, in its own units; slowly forgotten when it was less.
    private var farthest: Double?
    /// Losing track right before a surface doesn't make it go away.
    private var last: (seconds: Double, value: Double)?
    private static let memorySeconds = 3.0

    /// Distance relative to the usual one.
    mutating func update(_ result: FrameResult) -> Double {
        if result.didChangeCoordinates { (farthest, last) = (nil, nil) }
        guard result.worldFromCamera != nil else {
            return last.flatMap { result.seconds - $0.seconds < Self.memorySeconds ? $0.value : nil } ?? Self.none
        }
        let value = measured(result)
        last = (result.seconds, value)
        return value
    }

    private mutating func measured(_ result: FrameResult) -> Double {
        guard let camera = result.worldFromCamera, !result.surfaces.isEmpty else { return Self.none }
        let ray = Ray(origin: camera.position, direction: camera.rotation * -.unitZ)
        let query = RaycastQuery(ray: ray, target: .existingPlaneGeometry)
        let hits = SurfaceRaycaster(surfaces: result.surfaces).raycast(query)
        guard let distance = hits.first?.distance else { return Self.none }
        if let metre = result.scale.knownMetresPerUnit { return min(Self.none, distance * metre / Self.usual) }
        farthest = max(farthest ?? distance, distance)
        return min(Self.none, distance / min(farthest ?? distance, 3 * Self.usual))
    }
}
