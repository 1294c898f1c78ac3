/// Plain polygons in the plane.
public enum Polygon {
    /// Positive when counter-clockwise in (x, y) with x right and y up.
    public static func signedArea(_ polygon: [SIMD2<Double>]) -> Double {
        guard polygon.count > 2, var previous = polygon.last else { return 0 }
        var twice = 0.0
        for point in polygon {
            twice += previous.cross(point)
            previous = point
        }
        return twice / 2
    }

    /// Even–odd rule; works for concave outlines.
    public static func contains(_ polygon: [SIMD2<Double>], _ point: SIMD2<Double>) -> Bool {
        guard var a = polygon.last else { return false }
        var inside = false
        for b in polygon {
            if (a.y > point.y) != (b.y > point.y),
                point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
            {
                inside.toggle()
            }
            a = b
        }
        return inside
    }

    /// The point of the outline nearest to the given one; nil for an empty outline.
    public static func nearestPoint(_ polygon: [SIMD2<Double>], to point: SIMD2<Double>) -> SIMD2<Double>? {
        guard var a = polygon.last else { return nil }
        var best = a
        for b in polygon {
            let edge = b - a
            let lengthSquared = edge.dot(edge)
            let t = lengthSquared > 0 ? min(1, max(0, (point - a).dot(edge) / lengthSquared)) : 0
            let candidate = a + edge * t
            if candidate.distance(to: point) < best.distance(to: point) { best = candidate }
            a = b
        }
        return best
    }
}
