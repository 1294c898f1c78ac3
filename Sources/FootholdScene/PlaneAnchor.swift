/// A real flat surface that was found, in ARKit's shape.
public struct PlaneAnchor: Hashable, Sendable, Identifiable {
    public enum Alignment: String, Hashable, Sendable {
        /// Facing up, like a floor or a table.
        case horizontal
        /// Facing down, like a ceiling.
        case horizontalDown
        case vertical
        case other
    }

    public enum Classification: String, Hashable, Sendable {
        case floor, wall, ceiling, table, seat, unknown
    }

    /// Stable over the session.
    public let id: Int
    public var alignment: Alignment
    public var classification: Classification
    /// The local frame: Y is the surface's normal towards the side that was seen, x–z its surface,
    /// the origin a point of it that stays put while the outline grows.
    public var worldFromSurface: Pose
    /// The middle of the outline in local (x, z), metres.
    public var localCenter: SIMD2<Double>
    /// Metres along the local x and z axes.
    public var extent: SIMD2<Double>
    /// The outline in local (x, z), metres, counter-clockwise seen from the normal's side; may be concave. Pieces that
    /// something before the surface parts are joined by a narrow bridge.
    public var boundary: [SIMD2<Double>]
    /// 0…1.
    public var confidence: Double
    public var firstSeenNanoseconds: Int64
    public var lastUpdatedNanoseconds: Int64

    public init(
        id: Int, alignment: Alignment, classification: Classification, worldFromSurface: Pose,
        localCenter: SIMD2<Double> = .zero, extent: SIMD2<Double>, boundary: [SIMD2<Double>], confidence: Double,
        firstSeenNanoseconds: Int64, lastUpdatedNanoseconds: Int64
    ) {
        self.id = id
        self.alignment = alignment
        self.classification = classification
        self.worldFromSurface = worldFromSurface
        self.localCenter = localCenter
        self.extent = extent
        self.boundary = boundary
        self.confidence = confidence
        self.firstSeenNanoseconds = firstSeenNanoseconds
        self.lastUpdatedNanoseconds = lastUpdatedNanoseconds
    }

    public var normal: SIMD3<Double> { worldFromSurface.rotation * .unitY }
    /// The middle of the surface in the world.
    public var center: SIMD3<Double> { worldFromSurface * SIMD3(localCenter.x, 0, localCenter.y) }

    /// The outline in the world.
    public var boundaryInWorld: [SIMD3<Double>] {
        boundary.map { worldFromSurface * SIMD3($0.x, 0, $0.y) }
    }

    /// Square metres (or square units of the session's scale) within the outline.
    public var area: Double { abs(Polygon.signedArea(boundary)) }

    /// True when the point (local x, z) lies within the outline.
    public func contains(localPoint: SIMD2<Double>) -> Bool { Polygon.contains(boundary, localPoint) }
}

/// What happened to a surface.
public enum SurfaceEvent: Hashable, Sendable {
    case added(PlaneAnchor)
    case updated(PlaneAnchor)
    /// `id` is gone; what stood on it belongs to `into` now.
    case merged(id: Int, into: PlaneAnchor)
    case removed(id: Int)
}
