import FootholdScene
import Foundation

/// Follows where the middle of the picture looks, calmly: a target has to last before the indicator changes its
/// shape, and its distance and slope are smoothed while its place in the picture stays exact.
struct ReticleTracker: Hashable, Sendable {
    private enum Shape: Hashable, Sendable {
        case searching
        case surface(PlaneAnchor.Alignment, isConfirmed: Bool)
        case unsuitable
    }

    /// How long something found, and something lost, has to last before it shows.
    private static let acquireSeconds = 0.12
    private static let releaseSeconds = 0.35
    private static let smoothingSeconds = 0.08

    private var shape = Shape.searching
    private var candidate = Shape.searching
    private var candidateNanoseconds: Int64 = 0
    private var distance: Double?
    private var up: UprightMotion?
    private var lastNanoseconds: Int64?

    mutating func update(_ context: PlacementContext, resolver: TargetResolver, isHidden: Bool) -> Reticle {
        let now = context.timestampNanoseconds
        defer { lastNanoseconds = now }
        guard let camera = context.worldFromCamera, let ray = context.ray(through: context.pictureCenter) else {
            self = ReticleTracker()
            return isHidden ? .hidden : .searching
        }
        let seen = look(ray, context, resolver)
        if seen.shape != candidate {
            candidate = seen.shape
            candidateNanoseconds = now
        }
        let wait = candidate == .searching || candidate == .unsuitable ? Self.releaseSeconds : Self.acquireSeconds
        if candidate != shape && Double(now - candidateNanoseconds) / 1e9 >= wait { shape = candidate }
        if let hit = seen.hit, seen.shape == shape { approach(hit, camera: camera, now: now) }
        if isHidden { return .hidden }
        guard shape != .searching, let distance, let up else { return .searching }
        let point = ray.point(at: distance)
        let frame =
            switch shape {
            // On a wall the frame carried along would turn with the camera; there it simply stands upright.
            case .surface(.vertical, _): Rotation.upright(up: up.up, forward: -.unitY)
            default: TargetResolver.facing(normal: up.up, at: point, camera: camera)
            }
        let pose = Pose(rotation: frame, position: point)
        switch shape {
        case .surface(let alignment, let isConfirmed):
            return .onSurface(worldFromReticle: pose, alignment: alignment, isConfirmed: isConfirmed)
        case .unsuitable:
            return .unsuitable(worldFromReticle: pose)
        case .searching:
            return .searching
        }
    }

    private func look(
        _ ray: Ray, _ context: PlacementContext, _ resolver: TargetResolver
    ) -> (shape: Shape, hit: RaycastResult?) {
        let limit = resolver.configuration.maximumDistance
        if let hit = context.raycaster.raycast(RaycastQuery(ray: ray, target: .existingPlaneGeometry)).first,
            hit.distance <= limit
        {
            let alignment = context.surfaces.first { $0.id == hit.surfaceID }?.alignment ?? Self.alignment(of: hit)
            let isFlatEnough = alignment == .horizontal || alignment == .vertical
            return (isFlatEnough ? .surface(alignment, isConfirmed: true) : .unsuitable, hit)
        }
        if let hit = context.raycaster.raycast(RaycastQuery(ray: ray, target: .estimatedPlane)).first,
            hit.distance <= limit
        {
            let alignment = Self.alignment(of: hit)
            let isSure = hit.confidence >= resolver.configuration.minimumEstimateConfidence
            return (isSure && alignment != .other ? .surface(alignment, isConfirmed: false) : .unsuitable, hit)
        }
        return (.searching, nil)
    }

    private static func alignment(of hit: RaycastResult) -> PlaneAnchor.Alignment {
        if hit.normal.y > 0.94 { return .horizontal }
        if hit.normal.y < -0.94 { return .horizontalDown }
        return abs(hit.normal.y) < 0.34 ? .vertical : .other
    }

    private mutating func approach(_ hit: RaycastResult, camera: Pose, now: Int64) {
        guard let distance, var up, let last = lastNanoseconds else {
            self.distance = hit.distance
            up = UprightMotion(
                frame: TargetResolver.facing(normal: hit.normal, at: hit.pointInWorld, camera: camera), up: hit.normal)
            return
        }
        let share = 1 - exp(-Double(now - last) / 1e9 / Self.smoothingSeconds)
        // In the logarithm, so that near and far change alike to the eye.
        self.distance = distance * pow(hit.distance / distance, share)
        let turned = Rotation.identity.interpolated(to: Rotation(from: up.up, to: hit.normal), fraction: share)
        up.set(up: turned * up.up)
        self.up = up
    }
}
