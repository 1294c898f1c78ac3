import Foundation

/// A plane that is known without its extent, from a sequence folder's `planes_reference.json`.
public struct ReferencePlane: Hashable, Sendable {
    public var label: String
    /// Length one; either side.
    public var normal: SIMD3<Double>
    /// `normal` · x of its points, metres.
    public var distance: Double

    public init(label: String, normal: SIMD3<Double>, distance: Double) {
        self.label = label
        let length = normal.length
        self.normal = normal / length
        self.distance = distance / length
    }
}

/// How well the surface that lies nearest to a reference plane agrees with it.
public struct ReferencePlaneScore: Hashable, Sendable, Codable {
    public var label: String
    /// Nil when no surface lies near it.
    public var surfaceID: Int?
    public var angleDegrees: Double?
    /// Between the plane and the middle of the surface's outline.
    public var offsetCentimetres: Double?

    /// Within 3° and 5 cm.
    public var isFound: Bool { (angleDegrees ?? .infinity) <= 3 && (offsetCentimetres ?? .infinity) <= 5 }
}

extension ReferencePlaneScore {
    /// Further away, a surface stands for something else.
    private static let farthestDegrees = 15.0
    private static let farthestCentimetres = 20.0

    /// - Parameter surfaces: already in the reference's world.
    static func score(_ planes: [ReferencePlane], surfaces: [SessionRecord.Surface]) -> [ReferencePlaneScore] {
        planes.map { plane in
            let near = surfaces.compactMap { surface -> ReferencePlaneScore? in
                guard !surface.boundary.isEmpty else { return nil }
                let middle = surface.boundary.reduce(.zero, +) / Double(surface.boundary.count)
                let cosine = abs(surface.normal.dot(plane.normal))
                let angle = acos(min(1, cosine)) * 180 / .pi
                let offset = abs(middle.dot(plane.normal) - plane.distance) * 100
                guard angle <= farthestDegrees, offset <= farthestCentimetres else { return nil }
                return ReferencePlaneScore(
                    label: plane.label, surfaceID: surface.id, angleDegrees: angle, offsetCentimetres: offset)
            }
            // Degrees and centimetres weigh as the bounds of `isFound` do.
            func distance(_ score: ReferencePlaneScore) -> Double {
                max((score.angleDegrees ?? 0) / 3, (score.offsetCentimetres ?? 0) / 5)
            }
            return near.min { distance($0) < distance($1) } ?? ReferencePlaneScore(label: plane.label)
        }
    }
}

struct ReferencePlanesFile: Decodable {
    struct Plane: Decodable {
        var label: String
        var normal: [Double]
        var d: Double
    }

    var planes: [Plane]

    var referencePlanes: [ReferencePlane] {
        planes.compactMap { plane in
            guard let normal = SIMD3(plane.normal), normal.length > 1e-9 else { return nil }
            return ReferencePlane(label: plane.label, normal: normal, distance: plane.d)
        }
    }
}
