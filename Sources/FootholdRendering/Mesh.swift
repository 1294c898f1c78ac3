import FootholdScene
import Foundation

/// Triangles with colour. Local frame: Y up, the origin in the middle of the underside; metres.
struct Mesh {
    struct Vertex {
        var position: SIMD3<Float>
        var normal: SIMD3<Float>
        /// sRGB, 0…1; the fourth is how much of the surroundings the vertex sees (ambient occlusion).
        var color: SIMD4<Float>
        var textureCoordinate: SIMD2<Float> = .zero
    }

    var vertices: [Vertex] = []
    /// Three a triangle, counter-clockwise seen from outside.
    var indices: [UInt32] = []
    /// 0 matt … 1 glossy.
    var gloss = 0.25
    var texture: Picture?

    /// RGBA, rows packed.
    struct Picture {
        var pixels: [UInt8]
        var width: Int
        var height: Int
    }

    var bounds: (low: SIMD3<Float>, high: SIMD3<Float>) { [self].bounds }

    mutating func append(_ other: Mesh) {
        let base = UInt32(vertices.count)
        vertices += other.vertices
        indices += other.indices.map { $0 + base }
    }

    func transformed(_ change: (inout Vertex) -> Void) -> Mesh {
        var result = self
        for index in result.vertices.indices { change(&result.vertices[index]) }
        return result
    }

    func standing() -> Mesh { [self].standing()[0] }

    /// Splits edges longer than `limit` in half, again and again. An edge is split the same way for both triangles
    /// that share it, so no gaps open. Lenses bend straight edges, and occlusion is kept at vertices: both need this.
    func subdivided(edgesLongerThan limit: Float) -> Mesh {
        var result = self
        for _ in 0..<8 {
            let before = result.indices.count
            result = result.splitOnce(limit * limit)
            if result.indices.count == before { break }
        }
        return result
    }

    private func splitOnce(_ limitSquared: Float) -> Mesh {
        var result = self
        result.indices.removeAll(keepingCapacity: true)
        var middles: [UInt64: UInt32] = [:]
        func middle(_ a: UInt32, _ b: UInt32) -> UInt32? {
            let (va, vb) = (vertices[Int(a)], vertices[Int(b)])
            let edge = va.position - vb.position
            guard (edge * edge).sum() > limitSquared else { return nil }
            let key = UInt64(min(a, b)) << 32 | UInt64(max(a, b))
            if let known = middles[key] { return known }
            let index = UInt32(result.vertices.count)
            let normal = va.normal + vb.normal
            let length = (normal * normal).sum().squareRoot()
            result.vertices.append(
                Vertex(
                    position: (va.position + vb.position) / 2, normal: length > 1e-6 ? normal / length : va.normal,
                    color: (va.color + vb.color) / 2,
                    textureCoordinate: (va.textureCoordinate + vb.textureCoordinate) / 2))
            middles[key] = index
            return index
        }
        for start in stride(from: 0, to: indices.count - 2, by: 3) {
            let corners = (indices[start], indices[start + 1], indices[start + 2])
            Self.split(
                corners,
                (middle(corners.0, corners.1), middle(corners.1, corners.2), middle(corners.2, corners.0)),
                into: &result.indices)
        }
        return result
    }

    /// One triangle becomes one to four, by which of its edges have a middle.
    private static func split(
        _ corners: (UInt32, UInt32, UInt32), _ middles: (UInt32?, UInt32?, UInt32?), into indices: inout [UInt32]
    ) {
        let (a, b, c) = corners
        switch middles {
        case (nil, nil, nil): indices += [a, b, c]
        case (let ab?, nil, nil): indices += [a, ab, c, ab, b, c]
        case (nil, let bc?, nil): indices += [a, b, bc, a, bc, c]
        case (nil, nil, let ca?): indices += [a, b, ca, ca, b, c]
        case (let ab?, let bc?, nil): indices += [ab, b, bc, a, ab, bc, a, bc, c]
        case (nil, let bc?, let ca?): indices += [bc, c, ca, a, b, bc, a, bc, ca]
        case (let ab?, nil, let ca?): indices += [a, ab, ca, ab, b, c, ab, c, ca]
        case (let ab?, let bc?, let ca?): indices += [a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]
        }
    }
}

/// A model of several meshes, each with its own texture.
extension [Mesh] {
    var bounds: (low: SIMD3<Float>, high: SIMD3<Float>) {
        let vertices = lazy.flatMap(\.vertices)
        guard let first = vertices.first else { return (.zero, .zero) }
        return vertices.reduce((first.position, first.position)) {
            (pointwiseMin($0.0, $1.position), pointwiseMax($0.1, $1.position))
        }
    }

    /// Moves the origin to the middle of the underside.
    func standing() -> [Mesh] {
        let (low, high) = bounds
        let middle = (low + high) / 2
        let origin = SIMD3(middle.x, low.y, middle.z)
        return map { mesh in mesh.transformed { $0.position -= origin } }
    }
}
