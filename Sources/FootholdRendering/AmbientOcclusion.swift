import Foundation

extension Mesh {
    /// Darkens vertices that see little of their surroundings: corners, undersides, and what is close to the floor.
    ///
    /// Rays in fixed directions over each vertex's hemisphere, up to a third of the mesh's size away; what they hit
    /// (the occluder, or the surface that the mesh stands on) counts less with its distance.
    ///
    /// - Parameter occluder: the same shape with few triangles: the cost is vertices × triangles.
    func withAmbientOcclusion(from occluder: Mesh) -> Mesh {
        let (low, high) = occluder.bounds
        let reach = (high - low).max() / 3
        let triangles = stride(from: 0, to: occluder.indices.count - 2, by: 3).map { start in
            let corners = (0..<3).map { occluder.vertices[Int(occluder.indices[start + $0])].position }
            return Triangle(corners[0], corners[1], corners[2])
        }
        let directions = Self.sphere(64)
        return transformed { vertex in
            let normal = vertex.normal
            let origin = vertex.position + normal * (reach * 0.02)
            let near = triangles.filter { $0.isWithin(reach, of: origin) }
            var open: Float = 0
            var total: Float = 0
            for direction in directions {
                let weight = (direction * normal).sum()
                guard weight > 0.05 else { continue }
                var distance = reach
                if direction.y < 0 { distance = min(distance, max(0, origin.y) / -direction.y) }
                for triangle in near {
                    if let hit = triangle.distance(from: origin, along: direction), hit < distance { distance = hit }
                }
                total += weight
                open += weight * distance / reach
            }
            vertex.color.w = total > 0 ? open / total : 1
        }
    }

    /// Directions spread evenly over the sphere (Fibonacci lattice).
    private static func sphere(_ count: Int) -> [SIMD3<Float>] {
        (0..<count).map { index in
            let y = 1 - (Double(index) + 0.5) / Double(count) * 2
            let radius = (1 - y * y).squareRoot()
            let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
            return SIMD3(Float(cos(angle) * radius), Float(y), Float(sin(angle) * radius))
        }
    }

    private struct Triangle {
        let a, ab, ac, middle: SIMD3<Float>
        let radius: Float

        init(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) {
            self.a = a
            ab = b - a
            ac = c - a
            middle = (a + b + c) / 3
            let spread = [a, b, c].map { corner in
                let offset = corner - (a + b + c) / 3
                return (offset * offset).sum()
            }
            radius = (spread.max() ?? 0).squareRoot()
        }

        func isWithin(_ reach: Float, of point: SIMD3<Float>) -> Bool {
            let offset = middle - point
            let limit = reach + radius
            return (offset * offset).sum() < limit * limit
        }

        /// Möller and Trumbore's test (1997).
        func distance(from origin: SIMD3<Float>, along direction: SIMD3<Float>) -> Float? {
            let p = cross(direction, ac)
            let determinant = (ab * p).sum()
            guard abs(determinant) > 1e-12 else { return nil }
            let offset = origin - a
            let u = (offset * p).sum() / determinant
            guard u >= 0, u <= 1 else { return nil }
            let q = cross(offset, ab)
            let v = (direction * q).sum() / determinant
            guard v >= 0, u + v <= 1 else { return nil }
            let distance = (ac * q).sum() / determinant
            return distance > 1e-6 ? distance : nil
        }

        private func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
    }
}
