import Foundation

/// Triangles with one normal a vertex, in a local frame whose Y is up.
struct Mesh: Equatable {
    var positions: [SIMD3<Double>] = []
    var normals: [SIMD3<Double>] = []
    /// Three a triangle, counter-clockwise seen from outside.
    var indices: [Int] = []

    /// A surface's outline, in the surface's local frame.
    static func surface(_ surface: PlaneAnchor) -> Mesh {
        // Counter-clockwise seen from the normal's side is counter-clockwise in (z, x).
        let outline = surface.boundary.map { SIMD2($0.y, $0.x) }
        return Mesh(
            positions: surface.boundary.map { SIMD3($0.x, 0, $0.y) },
            normals: Array(repeating: .unitY, count: surface.boundary.count),
            indices: PolygonTriangulation.triangles(of: outline))
    }

    /// - Parameter origin: the corner with the smallest coordinates.
    mutating func appendBox(origin: SIMD3<Double>, size: SIMD3<Double>) {
        for axis in 0..<3 {
            for side in [0.0, 1.0] {
                var normal = SIMD3<Double>.zero
                normal[axis] = side * 2 - 1
                let (u, v) = side > 0 ? ((axis + 1) % 3, (axis + 2) % 3) : ((axis + 2) % 3, (axis + 1) % 3)
                let first = positions.count
                for (a, b) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                    var corner = origin
                    corner[axis] += side * size[axis]
                    corner[u] += a * size[u]
                    corner[v] += b * size[v]
                    positions.append(corner)
                    normals.append(normal)
                }
                indices += [0, 1, 2, 0, 2, 3].map { first + $0 }
            }
        }
    }

    /// A box that stands on the origin.
    static func box(_ size: SIMD3<Double>) -> Mesh {
        var mesh = Mesh()
        mesh.appendBox(origin: SIMD3(-size.x / 2, 0, -size.z / 2), size: size)
        return mesh
    }

    /// An upright (elliptic) cylinder that stands on the origin.
    static func cylinder(_ size: SIMD3<Double>, segments: Int = 32) -> Mesh {
        var mesh = Mesh()
        let radius = SIMD3(size.x / 2, 0, size.z / 2)
        let directions = (0..<segments).map { segment -> SIMD3<Double> in
            let angle = 2 * Double.pi * Double(segment) / Double(segments)
            return SIMD3(sin(angle), 0, cos(angle))
        }
        for direction in directions {
            let normal = SIMD3(direction.x / max(radius.x, 1e-9), 0, direction.z / max(radius.z, 1e-9)).normalized
            mesh.positions += [direction * radius, direction * radius + SIMD3(0, size.y, 0)]
            mesh.normals += [normal, normal]
        }
        for segment in 0..<segments {
            let (a, b) = (2 * segment, 2 * ((segment + 1) % segments))
            mesh.indices += [a, b, b + 1, a, b + 1, a + 1]
        }
        for (height, normal) in [(0.0, -SIMD3<Double>.unitY), (size.y, .unitY)] {
            let first = mesh.positions.count
            mesh.positions += directions.map { $0 * radius + SIMD3(0, height, 0) }
            mesh.normals += Array(repeating: normal, count: segments)
            for segment in 1..<(segments - 1) {
                let fan = [first, first + segment, first + segment + 1]
                mesh.indices += height > 0 ? fan : fan.reversed()
            }
        }
        return mesh
    }

    /// A plain chair that stands on the origin and faces +z: four legs, a seat at half its height, a back.
    static func chair(_ size: SIMD3<Double>) -> Mesh {
        var mesh = Mesh()
        let leg = min(size.x, size.z) * 0.1
        let seatHeight = size.y * 0.5
        let thickness = size.y * 0.05
        let corner = SIMD3(-size.x / 2, 0, -size.z / 2)
        for x in [0, size.x - leg] {
            for z in [0, size.z - leg] {
                mesh.appendBox(origin: corner + SIMD3(x, 0, z), size: SIMD3(leg, seatHeight - thickness, leg))
            }
        }
        mesh.appendBox(
            origin: corner + SIMD3(0, seatHeight - thickness, 0), size: SIMD3(size.x, thickness, size.z))
        mesh.appendBox(
            origin: corner + SIMD3(0, seatHeight, 0), size: SIMD3(size.x, size.y - seatHeight, thickness))
        return mesh
    }

    /// The built-in shapes; any other model is shown by the box that it fills.
    static func object(_ object: PlacedObject) -> Mesh {
        let size = object.size * object.scale
        switch object.model {
        case "cylinder": return cylinder(size)
        case "chair": return chair(size)
        default: return box(size)
        }
    }
}
