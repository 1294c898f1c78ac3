import Foundation

/// Plain shapes with softened edges, which catch light as real edges do.
extension Mesh {
    /// A box around the origin with rounded edges; with no steps, the sharp box around it.
    ///
    /// - Parameter spacing: the longest edge of the mesh's cells, about: lenses bend straight edges, and occlusion is
    ///   kept at vertices.
    static func roundedBox(
        size: SIMD3<Float>, radius: Float, color: SIMD3<Float>, steps: Int = 2, spacing: Float = .infinity
    ) -> Mesh {
        let half = size / 2
        let radius = min(radius, half.min())
        let inner = half - SIMD3(repeating: radius)
        var mesh = Mesh()
        for axis in 0..<3 {
            for side: Float in [-1, 1] {
                let u = (axis + 1) % 3
                let v = (axis + 2) % 3
                let across = stops(half[u], inner[u], radius, steps, spacing)
                let along = stops(half[v], inner[v], radius, steps, spacing)
                let base = UInt32(mesh.vertices.count)
                for y in along {
                    for x in across {
                        var p = SIMD3<Float>.zero
                        p[axis] = side * half[axis]
                        p[u] = x
                        p[v] = y
                        let core = pointwiseMin(pointwiseMax(p, -inner), inner)
                        let offset = p - core
                        let normal = offset / max((offset * offset).sum().squareRoot(), 1e-9)
                        mesh.vertices.append(
                            Vertex(position: core + normal * radius, normal: normal, color: SIMD4(color, 1)))
                    }
                }
                mesh.addGrid(columns: across.count, rows: along.count, base: base, isFlipped: side < 0)
            }
        }
        return mesh
    }

    /// Coordinates along one side of a rounded box: dense in its roundings.
    private static func stops(
        _ half: Float, _ inner: Float, _ radius: Float, _ steps: Int, _ spacing: Float
    ) -> [Float] {
        guard steps > 0 else { return [-half, half] }
        let rounding = (1...steps).map { inner + radius * Float(tan(Double($0) / Double(steps) * .pi / 4)) }
        let cells = max(1, (2 * inner / spacing).rounded(.up))
        let flat = stride(from: Float(0), through: cells, by: 1).map { inner * (2 * $0 / cells - 1) }
        return rounding.reversed().map { -$0 } + flat + rounding
    }

    /// A shape turned about the y axis.
    ///
    /// - Parameter profile: (radius, height) from the axis around the outside to the axis again, so that the outside
    ///   is on the right when walking along it.
    /// - Parameter spacing: as for `roundedBox`.
    static func turned(
        profile: [SIMD2<Float>], color: SIMD3<Float>, segments: Int = 36, spacing: Float = .infinity
    ) -> Mesh {
        var mesh = Mesh()
        let profile = densified(profile, spacing)
        let normals = profileNormals(profile)
        for segment in 0...segments {
            let angle = Double(segment) / Double(segments) * 2 * .pi
            let (c, s) = (Float(cos(angle)), Float(sin(angle)))
            for (point, normal) in zip(profile, normals) {
                mesh.vertices.append(
                    Vertex(
                        position: SIMD3(point.x * c, point.y, point.x * s),
                        normal: SIMD3(normal.x * c, normal.y, normal.x * s), color: SIMD4(color, 1)))
            }
        }
        mesh.addGrid(columns: profile.count, rows: segments + 1, base: 0, isFlipped: false)
        return mesh
    }

    private static func densified(_ profile: [SIMD2<Float>], _ spacing: Float) -> [SIMD2<Float>] {
        var result = Array(profile.prefix(1))
        for (a, b) in zip(profile, profile.dropFirst()) {
            let edge = b - a
            let cells = max(1, ((edge * edge).sum().squareRoot() / spacing).rounded(.up))
            result += stride(from: Float(1), through: cells, by: 1).map { a + edge * ($0 / cells) }
        }
        return result
    }

    private static func profileNormals(_ profile: [SIMD2<Float>]) -> [SIMD2<Float>] {
        profile.indices.map { index in
            func normal(_ a: Int, _ b: Int) -> SIMD2<Float> {
                guard a >= 0, b < profile.count else { return .zero }
                let edge = profile[b] - profile[a]
                let length = (edge * edge).sum().squareRoot()
                return length > 1e-7 ? SIMD2(edge.y, -edge.x) / length : .zero
            }
            let sum = normal(index - 1, index) + normal(index, index + 1)
            let length = (sum * sum).sum().squareRoot()
            return length > 1e-7 ? sum / length : SIMD2(0, 1)
        }
    }

    private mutating func addGrid(columns: Int, rows: Int, base: UInt32, isFlipped: Bool) {
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let a = base + UInt32(row * columns + column)
                let c = a + UInt32(columns)
                indices += isFlipped ? [a, c, a + 1, c, c + 1, a + 1] : [a, a + 1, c, c, a + 1, c + 1]
            }
        }
    }
}
