import FootholdScene

/// The rectangle that an object covers on its surface, in the surface's (x, z).
struct Footprint: Hashable, Sendable {
    var center: SIMD2<Double>
    /// Half the object's width and depth, metres.
    var halfExtent: SIMD2<Double>
    /// Unit vectors of the object's x and z.
    var axisX: SIMD2<Double>
    var axisZ: SIMD2<Double>

    init(center: SIMD2<Double>, halfExtent: SIMD2<Double>, axisX: SIMD2<Double>, axisZ: SIMD2<Double>) {
        self.center = center
        self.halfExtent = halfExtent
        self.axisX = axisX
        self.axisZ = axisZ
    }

    /// - Parameter worldFromGround: a frame whose x–z plane is the surface.
    init(size: SIMD3<Double>, worldFromObject: Pose, on worldFromGround: Pose) {
        let groundFromObject = worldFromGround.inverse * worldFromObject
        let (x, _, z) = groundFromObject.rotation.columns
        func flat(_ axis: SIMD3<Double>) -> SIMD2<Double> {
            let v = SIMD2(axis.x, axis.z)
            return v.length > 0 ? v / v.length : SIMD2(1, 0)
        }
        self.init(
            center: SIMD2(groundFromObject.position.x, groundFromObject.position.z),
            halfExtent: SIMD2(size.x, size.z) / 2, axisX: flat(x), axisZ: flat(z))
    }

    /// The rectangle along the ground's axes around some of its points.
    init(around points: [SIMD2<Double>]) {
        let low = points.reduce(SIMD2(repeating: .infinity), pointwiseMin)
        let high = points.reduce(SIMD2(repeating: -.infinity), pointwiseMax)
        self.init(center: (low + high) / 2, halfExtent: (high - low) / 2, axisX: SIMD2(1, 0), axisZ: SIMD2(0, 1))
    }

    /// The share of a 5 × 5 grid over the footprint that lies within the outline.
    func support(in boundary: [SIMD2<Double>]) -> Double {
        var inside = 0
        for i in -2...2 {
            for j in -2...2 {
                // 0.9: the rim itself may stick out.
                let point =
                    center + axisX * (0.45 * Double(i) * halfExtent.x) + axisZ * (0.45 * Double(j) * halfExtent.y)
                if Polygon.contains(boundary, point) { inside += 1 }
            }
        }
        return Double(inside) / 25
    }

    /// How far `self` has to move so that it no longer overlaps `other`; nil when they don't.
    func separation(from other: Footprint) -> SIMD2<Double>? {
        var best: SIMD2<Double>?
        var smallest = Double.infinity
        let offset = center - other.center
        for axis in [axisX, axisZ, other.axisX, other.axisZ] {
            let reach = radius(along: axis) + other.radius(along: axis)
            let distance = offset.dot(axis)
            let overlap = reach - abs(distance)
            if overlap <= 0 { return nil }
            if overlap < smallest {
                smallest = overlap
                best = axis * (distance < 0 ? -overlap : overlap)
            }
        }
        return best
    }

    /// Half the footprint's width in a direction of length one.
    func radius(along axis: SIMD2<Double>) -> Double {
        halfExtent.x * abs(axisX.dot(axis)) + halfExtent.y * abs(axisZ.dot(axis))
    }
}

extension Polygon {
    /// Metres from the outline, positive within it.
    static func depth(_ polygon: [SIMD2<Double>], _ point: SIMD2<Double>) -> Double {
        guard let nearest = nearestPoint(polygon, to: point) else { return -.infinity }
        let distance = nearest.distance(to: point)
        return contains(polygon, point) ? distance : -distance
    }

    /// A point near the given one that is at least `inset` within the outline; where the polygon is too narrow for
    /// that, as deep in it as a coarse search finds.
    static func pointWithin(_ polygon: [SIMD2<Double>], near point: SIMD2<Double>, inset: Double) -> SIMD2<Double> {
        var wanted = inset
        for _ in 0..<4 {
            var candidate = point
            for _ in 0..<24 {
                if depth(polygon, candidate) >= wanted { return candidate }
                guard let edge = nearestPoint(polygon, to: candidate) else { return point }
                let outward = candidate - edge
                let distance = outward.length
                let inside = contains(polygon, candidate)
                guard distance > 1e-9 else {
                    // On the outline itself: towards the middle.
                    candidate += (centroid(polygon) - candidate) * 0.02
                    continue
                }
                candidate = edge + outward * ((inside ? 1 : -1) * (wanted * 1.02 + 1e-4) / distance)
            }
            wanted /= 2
        }
        return deepestPoint(polygon) ?? point
    }

    static func centroid(_ polygon: [SIMD2<Double>]) -> SIMD2<Double> {
        polygon.reduce(SIMD2(0, 0), +) / Double(max(1, polygon.count))
    }

    private static func deepestPoint(_ polygon: [SIMD2<Double>]) -> SIMD2<Double>? {
        guard let first = polygon.first else { return nil }
        var low = first
        var high = first
        for point in polygon {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        var best: (point: SIMD2<Double>, depth: Double)?
        let count = 16
        for i in 0...count {
            for j in 0...count {
                let fraction = SIMD2(Double(i), Double(j)) / Double(count)
                let candidate = low + (high - low) * fraction
                let depth = depth(polygon, candidate)
                if depth > best?.depth ?? 0 { best = (candidate, depth) }
            }
        }
        return best?.point
    }
}
