import FootholdExport
import Foundation
import Testing

/// Reads a GLB by the specification, knowing nothing of how it was written.
private struct GLB {
    var document: [String: Any]
    var binary: Data

    init(_ data: Data) throws {
        func word(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(data[data.startIndex + offset + $1]) << (8 * $1) }
        }
        try #require(data.count >= 20)
        #expect(word(0) == 0x4654_6C67)
        #expect(word(4) == 2)
        #expect(word(8) == data.count)
        let length = word(12)
        #expect(word(16) == 0x4E4F_534A)
        #expect(length % 4 == 0)
        document = try #require(
            try JSONSerialization.jsonObject(with: data.subdata(in: 20..<(20 + length))) as? [String: Any])
        let rest = 20 + length
        if rest < data.count {
            #expect(word(rest + 4) == 0x004E_4942)
            #expect(word(rest) == data.count - rest - 8)
            binary = data.subdata(in: (rest + 8)..<data.count)
        } else {
            binary = Data()
        }
    }

    func list(_ key: String) -> [[String: Any]] { document[key] as? [[String: Any]] ?? [] }

    /// The words of an accessor, as raw 32-bit values.
    func words(_ accessor: Int) throws -> [UInt32] {
        let description = list("accessors")[accessor]
        let view = list("bufferViews")[try #require(description["bufferView"] as? Int)]
        let offset = try #require(view["byteOffset"] as? Int)
        let width = ["SCALAR": 1, "VEC3": 3, "VEC4": 4][description["type"] as? String ?? ""] ?? 0
        let count = try #require(description["count"] as? Int) * width
        #expect(view["byteLength"] as? Int == 4 * count)
        try #require(offset + 4 * count <= binary.count)
        return (0..<count).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(binary[offset + 4 * index + $1]) << UInt32(8 * $1) }
        }
    }

    func vectors(_ accessor: Int) throws -> [SIMD3<Double>] {
        let floats = try words(accessor).map { Double(Float(bitPattern: $0)) }
        return stride(from: 0, to: floats.count, by: 3).map { SIMD3(floats[$0], floats[$0 + 1], floats[$0 + 2]) }
    }
}

@Suite struct SceneFileTests {
    private func scene() throws -> GLB {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        return try GLB(try Data(contentsOf: out.appendingPathComponent("scene.glb")))
    }

    private func primitive(_ glb: GLB, _ mesh: Int) throws -> [String: Any] {
        try #require((glb.list("meshes")[mesh]["primitives"] as? [[String: Any]])?.first)
    }

    @Test func holdsSurfacesObjectsPathAndCamera() throws {
        let glb = try scene()
        #expect((glb.document["asset"] as? [String: Any])?["version"] as? String == "2.0")
        let names = glb.list("nodes").compactMap { $0["name"] as? String }
        #expect(names.contains("surface 7 table"))
        #expect(names.contains("object 3 chair"))
        #expect(names.contains("camera path"))
        #expect(names.contains("camera"))
        #expect((glb.list("buffers").first?["byteLength"] as? Int) == glb.binary.count)
        // Every node is reached exactly once from the scene.
        let roots = try #require(glb.list("scenes").first?["nodes"] as? [Int])
        let reached = roots + roots.flatMap { glb.list("nodes")[$0]["children"] as? [Int] ?? [] }
        #expect(reached.sorted() == Array(names.indices))
    }

    @Test func concaveSurfaceIsTriangulatedWithItsAreaFacingTheNormal() throws {
        let glb = try scene()
        let mesh = try primitive(glb, 0)
        let attributes = try #require(mesh["attributes"] as? [String: Int])
        let positions = try glb.vectors(try #require(attributes["POSITION"]))
        let indices = try glb.words(try #require(mesh["indices"] as? Int)).map { Int($0) }
        #expect(indices.count == 12)
        var total = 0.0
        for triangle in stride(from: 0, to: indices.count, by: 3) {
            let (a, b, c) = (
                positions[indices[triangle]], positions[indices[triangle + 1]], positions[indices[triangle + 2]]
            )
            let area = (b - a).cross(c - a) / 2
            #expect(area.y > 0)
            total += area.y
        }
        #expect(abs(total - 3) < 1e-6)
        let material = glb.list("materials")[try #require(mesh["material"] as? Int)]
        #expect(material["doubleSided"] as? Bool == true)
        #expect(material["alphaMode"] as? String == "BLEND")
        #expect(glb.list("nodes")[0]["matrix"] as? [Double] != nil)
    }

    @Test func objectsAreClosedAndFaceOutwards() throws {
        let glb = try scene()
        let mesh = try primitive(glb, 1)
        let attributes = try #require(mesh["attributes"] as? [String: Int])
        let positions = try glb.vectors(try #require(attributes["POSITION"]))
        let indices = try glb.words(try #require(mesh["indices"] as? Int)).map { Int($0) }
        // Divergence theorem: the volume of the chair's parts, positive when all triangles face outwards.
        var volume = 0.0
        for triangle in stride(from: 0, to: indices.count, by: 3) {
            let (a, b, c) = (
                positions[indices[triangle]], positions[indices[triangle + 1]], positions[indices[triangle + 2]]
            )
            volume += a.dot(b.cross(c)) / 6
        }
        let legs = 4 * 0.05 * 0.05 * (0.45 - 0.045)
        let seatAndBack = 0.5 * 0.045 * 0.5 + 0.5 * 0.45 * 0.045
        #expect(abs(volume - legs - seatAndBack) < 1e-6)
        #expect(positions.map(\.y).max().map { abs($0 - 0.9) < 1e-6 } == true)
        #expect(positions.map(\.y).min() == 0)
    }

    @Test func boundsOfPositionsAreExact() throws {
        let glb = try scene()
        for (index, accessor) in glb.list("accessors").enumerated() {
            guard let lower = accessor["min"] as? [Double], lower.count == 3 else { continue }
            let positions = try glb.vectors(index)
            for axis in 0..<3 { #expect(positions.map { $0[axis] }.min().map { Float($0) } == Float(lower[axis])) }
        }
    }

    @Test func cameraMovesAlongThePath() throws {
        let glb = try scene()
        let animation = try #require(glb.list("animations").first)
        let samplers = try #require(animation["samplers"] as? [[String: Any]])
        let positions = try glb.vectors(try #require(samplers[0]["output"] as? Int))
        #expect(positions.count == 3)
        #expect(positions[2].distance(to: Fixture.pose(3).position) < 1e-6)
        let line = try #require(
            glb.list("meshes").compactMap { ($0["primitives"] as? [[String: Any]])?.first }
                .first { $0["mode"] as? Int == 3 })
        let attributes = try #require(line["attributes"] as? [String: Int])
        #expect(try glb.vectors(try #require(attributes["POSITION"])) == positions)
        let camera = try #require(glb.list("cameras").first?["perspective"] as? [String: Double])
        #expect(abs(try #require(camera["yfov"]) - 2 * atan(240.0 / 520)) < 1e-8)
    }

    @Test func anEmptySessionIsStillAValidScene() throws {
        let scratch = try Scratch()
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        let writer = try SessionWriter(folder: folder)
        try writer.finish(refined: [], surfaces: [], objects: [], measurements: SessionMeasurements())
        try folder.commit()
        let glb = try GLB(try Data(contentsOf: scratch.url.appendingPathComponent("out/scene.glb")))
        #expect(glb.list("scenes").count == 1)
        #expect(glb.document["nodes"] == nil)
        #expect(glb.binary.isEmpty)
    }

    @Test(arguments: [
        [SIMD2(0.0, 0), SIMD2(1.0, 0), SIMD2(1.0, 1), SIMD2(0.0, 1)],
        [SIMD2(0.0, 0), SIMD2(0.0, 1), SIMD2(1.0, 1), SIMD2(1.0, 0)],
        [SIMD2(0.0, 0), SIMD2(2.0, 0), SIMD2(2.0, 2), SIMD2(1.0, 0.1), SIMD2(0.0, 2)],
        [SIMD2(0.0, 0), SIMD2(1.0, 0), SIMD2(2.0, 0), SIMD2(2.0, 1), SIMD2(1.0, 1), SIMD2(0.0, 1)],
    ])
    func trianglesCoverTheOutlineWhateverItsWinding(boundary: [SIMD2<Double>]) throws {
        let scratch = try Scratch()
        var surface = Fixture.table
        surface.boundary = boundary
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        let writer = try SessionWriter(folder: folder)
        try writer.finish(refined: [], surfaces: [surface], objects: [], measurements: SessionMeasurements())
        try folder.commit()
        let glb = try GLB(try Data(contentsOf: scratch.url.appendingPathComponent("out/scene.glb")))
        let mesh = try primitive(glb, 0)
        let attributes = try #require(mesh["attributes"] as? [String: Int])
        let positions = try glb.vectors(try #require(attributes["POSITION"]))
        let indices = try glb.words(try #require(mesh["indices"] as? Int)).map { Int($0) }
        var total = 0.0
        for triangle in stride(from: 0, to: indices.count, by: 3) {
            let (a, b, c) = (
                positions[indices[triangle]], positions[indices[triangle + 1]], positions[indices[triangle + 2]]
            )
            let area = (b - a).cross(c - a).y / 2
            #expect(area >= 0)
            total += area
        }
        #expect(abs(total - surface.area) < 1e-6)
    }
}
