/// A half-line in the world: origin in metres, direction of length one.
public struct Ray: Hashable, Sendable {
    public var origin: SIMD3<Double>
    public var direction: SIMD3<Double>

    public init(origin: SIMD3<Double>, direction: SIMD3<Double>) {
        self.origin = origin
        self.direction = direction.normalized
    }

    public func point(at distance: Double) -> SIMD3<Double> { origin + direction * distance }

    /// Distance along the ray to the plane, or nil where it runs parallel to it or away from it.
    public func distance(toPlaneThrough point: SIMD3<Double>, normal: SIMD3<Double>) -> Double? {
        let slope = direction.dot(normal)
        guard abs(slope) > 1e-9 else { return nil }
        let distance = (point - origin).dot(normal) / slope
        return distance > 0 ? distance : nil
    }
}
