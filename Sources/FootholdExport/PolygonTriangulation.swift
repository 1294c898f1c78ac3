/// Cuts a simple polygon, concave or not, into triangles by clipping ears.
enum PolygonTriangulation {
    /// Indices into `polygon`, three a triangle, wound counter-clockwise in (x, y) whatever the polygon's own winding.
    /// Where the outline crosses itself the triangles may overlap, but their number is always the same.
    static func triangles(of polygon: [SIMD2<Double>]) -> [Int] {
        guard polygon.count > 2 else { return [] }
        var remaining = Array(polygon.indices)
        if Polygon.signedArea(polygon) < 0 { remaining.reverse() }
        var triangles: [Int] = []
        triangles.reserveCapacity(3 * (polygon.count - 2))
        while remaining.count > 3 {
            let ear = earPosition(in: remaining, of: polygon) ?? flattestPosition(in: remaining, of: polygon)
            triangles += corner(ear, in: remaining)
            remaining.remove(at: ear)
        }
        return triangles + remaining
    }

    private static func corner(_ position: Int, in ring: [Int]) -> [Int] {
        [ring[(position + ring.count - 1) % ring.count], ring[position], ring[(position + 1) % ring.count]]
    }

    /// Twice the signed area of a corner's triangle.
    private static func turn(_ corner: [Int], _ polygon: [SIMD2<Double>]) -> Double {
        let (a, b, c) = (polygon[corner[0]], polygon[corner[1]], polygon[corner[2]])
        return (b - a).cross(c - a)
    }

    private static func earPosition(in ring: [Int], of polygon: [SIMD2<Double>]) -> Int? {
        ring.indices.first { position in
            let triangle = corner(position, in: ring)
            guard turn(triangle, polygon) > 0 else { return false }
            return !ring.contains { !triangle.contains($0) && isInside(polygon[$0], triangle, polygon) }
        }
    }

    private static func isInside(_ point: SIMD2<Double>, _ triangle: [Int], _ polygon: [SIMD2<Double>]) -> Bool {
        let corners = triangle.map { polygon[$0] }
        // A point that coincides with a corner (an outline that touches itself) does not block the ear.
        guard !corners.contains(point) else { return false }
        return (0..<3).allSatisfy { (corners[($0 + 1) % 3] - corners[$0]).cross(point - corners[$0]) >= 0 }
    }

    /// For outlines without an ear (degenerate or crossing): the corner whose loss changes the area least.
    private static func flattestPosition(in ring: [Int], of polygon: [SIMD2<Double>]) -> Int {
        ring.indices.min {
            abs(turn(corner($0, in: ring), polygon)) < abs(turn(corner($1, in: ring), polygon))
        } ?? 0
    }
}
