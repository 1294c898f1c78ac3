/// `surfaces.json`: the surfaces at the end of a session, in the world's coordinates.
enum SurfacesFile {
    static func text(_ surfaces: [PlaneAnchor], scale: ScaleEstimate?) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.scale(scale ?? ScaleEstimate(source: .assumed, confidence: 0))
            json.array("surfaces") { json in
                for surface in surfaces.sorted(by: { $0.id < $1.id }) {
                    json.object { json in
                        json.integer("id", surface.id)
                        json.string("alignment", surface.alignment.rawValue)
                        json.string("classification", surface.classification.rawValue)
                        json.vector("center", surface.center)
                        json.vector("normal", surface.normal)
                        json.array("boundary") { json in
                            for point in surface.boundaryInWorld { json.vector(nil, point, decimals: 6) }
                        }
                        json.numbers("extent", [surface.extent.x, surface.extent.y], decimals: 6)
                        json.seconds("firstSeen", nanoseconds: surface.firstSeenNanoseconds)
                        json.seconds("lastUpdated", nanoseconds: surface.lastUpdatedNanoseconds)
                    }
                }
            }
        }
        json.endLine()
        return json.bytes
    }
}
