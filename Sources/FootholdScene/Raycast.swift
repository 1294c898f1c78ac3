/// A question: where does this ray meet something real?
public struct RaycastQuery: Hashable, Sendable {
    public enum Target: String, Hashable, Sendable {
        /// Within the outline of a surface that was found.
        case existingPlaneGeometry
        /// On the endless continuation of a surface that was found.
        case existingPlaneInfinite
        /// On a plane guessed from the points near the ray, where no surface is confirmed yet.
        case estimatedPlane
    }

    public var ray: Ray
    public var target: Target

    public init(ray: Ray, target: Target) {
        self.ray = ray
        self.target = target
    }
}

public struct RaycastResult: Hashable, Sendable {
    public var target: RaycastQuery.Target
    /// Metres from the ray's origin.
    public var distance: Double
    public var pointInWorld: SIMD3<Double>
    public var normal: SIMD3<Double>
    /// The surface that was met; nil for an estimated plane.
    public var surfaceID: Int?
    /// 0…1.
    public var confidence: Double

    public init(
        target: RaycastQuery.Target, distance: Double, pointInWorld: SIMD3<Double>, normal: SIMD3<Double>,
        surfaceID: Int?, confidence: Double
    ) {
        self.target = target
        self.distance = distance
        self.pointInWorld = pointInWorld
        self.normal = normal
        self.surfaceID = surfaceID
        self.confidence = confidence
    }
}

/// Something that answers raycasts: the session with its points, or plain surfaces.
public protocol Raycasting {
    /// Nearest first.
    func raycast(_ query: RaycastQuery) -> [RaycastResult]
}

/// Raycasts against a list of surfaces only; never answers `estimatedPlane`.
public struct SurfaceRaycaster: Raycasting, Sendable {
    public var surfaces: [PlaneAnchor]

    public init(surfaces: [PlaneAnchor]) { self.surfaces = surfaces }

    public func raycast(_ query: RaycastQuery) -> [RaycastResult] {
        guard query.target != .estimatedPlane else { return [] }
        return surfaces.compactMap { surface -> RaycastResult? in
            // Only the side that was seen can be met.
            guard query.ray.direction.dot(surface.normal) < 0,
                let distance = query.ray.distance(toPlaneThrough: surface.center, normal: surface.normal)
            else { return nil }
            let point = query.ray.point(at: distance)
            if query.target == .existingPlaneGeometry {
                let local = surface.worldFromSurface.inverse * point
                guard surface.contains(localPoint: SIMD2(local.x, local.z)) else { return nil }
            }
            return RaycastResult(
                target: query.target, distance: distance, pointInWorld: point, normal: surface.normal,
                surfaceID: surface.id, confidence: surface.confidence)
        }.sorted { $0.distance < $1.distance }
    }
}
