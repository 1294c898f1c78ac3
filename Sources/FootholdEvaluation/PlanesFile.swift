import Foundation

/// A sequence folder's `planes.json`.
struct PlanesFile: Decodable {
    struct Plane: Decodable {
        struct Seen: Decodable { var depthFrames: Int }

        var id: Int
        var label: String?
        var normal: [Double]
        var point: [Double]
        var polygon: [[Double]]
        var areaM2: Double
        var seen: Seen?
    }

    /// Metres: what is wider is in another unit, and no room.
    private static let widest = 500.0
    /// Metres, and of its width: how far its corners may be from a plane.
    private static let roughness = 0.05, shareOfWidth = 0.01

    var planes: [Plane]

    /// - Throws: an error that names the first plane that can't be one.
    static func truePlanes(at url: URL) throws(EvaluationError) -> [TruePlane] {
        var planes: [TruePlane] = []
        for plane in try FileText.decode(PlanesFile.self, at: url).planes {
            do throws(Flaw) {
                planes.append(try truePlane(plane))
            } catch {
                throw .unreadable(path: url.path, reason: "plane \(plane.id) \(error.text)")
            }
        }
        return planes
    }

    private struct Flaw: Error { var text: String }

    private static func truePlane(_ plane: Plane) throws(Flaw) -> TruePlane {
        let corners = plane.polygon.compactMap { SIMD3($0) }
        guard let normal = SIMD3(plane.normal), let point = SIMD3(plane.point), corners.count == plane.polygon.count,
            corners.count > 2
        else { throw Flaw(text: "has no normal, point and polygon of three numbers each") }
        guard normal.length > 1e-6 else { throw Flaw(text: "has a normal without a direction") }
        let width = corners.map { $0.distance(to: corners[0]) }.max() ?? 0
        guard width <= widest, (point - corners[0]).length <= widest else {
            throw Flaw(text: "is \(Int(min(width, 1e9).rounded())) m wide: coordinates are in metres")
        }
        let result = TruePlane(
            id: plane.id, label: plane.label ?? "plane \(plane.id)", normal: normal, point: point, polygon: corners,
            area: plane.areaM2, seenDepthFrames: plane.seen?.depthFrames)
        guard corners.allSatisfy({ abs(result.signedDistance(of: $0)) <= roughness + shareOfWidth * width }) else {
            throw Flaw(text: "has corners that don't lie on it")
        }
        guard result.area > 0, PlaneGrid(result).inside.contains(true) else { throw Flaw(text: "has no area") }
        return result
    }
}
