import FootholdRendering
import FootholdScene
import Foundation
import Testing

@Suite struct ModelFileTests {
    private func write(_ files: [String: Data]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
        return folder
    }

    /// A box of 0.4 × 0.3 × 0.2 m that doesn't stand on its origin.
    static let objectFile = """
        mtllib paint.mtl
        v 1 2 3
        v 1.4 2 3
        v 1.4 2.3 3
        v 1 2.3 3
        v 1 2 3.2
        v 1.4 2 3.2
        v 1.4 2.3 3.2
        v 1 2.3 3.2
        usemtl green
        f 1 4 3 2
        f 5 6 7 8
        f 1 2 6 5
        f 2 3 7 6
        f 3 4 8 7
        f 4 1 5 8
        """

    /// A square of 1 m on the ground with a texture, its points inside the file.
    private func squareFile(picture: Data) -> String {
        let positions: [Float] = [-0.5, 0, -0.5, 0.5, 0, -0.5, 0.5, 0, 0.5, -0.5, 0, 0.5]
        let textures: [Float] = [0, 0, 1, 0, 1, 1, 0, 1]
        let indices: [UInt16] = [0, 2, 1, 0, 3, 2]
        var bytes = Data()
        positions.withUnsafeBytes { bytes.append(contentsOf: $0) }
        textures.withUnsafeBytes { bytes.append(contentsOf: $0) }
        indices.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return """
            {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2,
                                         "material": 0}]}],
             "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
             "textures": [{"source": 0}],
             "images": [{"uri": "data:image/png;base64,\(picture.base64EncodedString())"}],
             "buffers": [{"byteLength": \(bytes.count),
                          "uri": "data:application/octet-stream;base64,\(bytes.base64EncodedString())"}],
             "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                             {"buffer": 0, "byteOffset": 48, "byteLength": 32},
                             {"buffer": 0, "byteOffset": 80, "byteLength": 12}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                            "min": [-0.5, 0, -0.5], "max": [0.5, 0, 0.5]},
                           {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
                           {"bufferView": 2, "componentType": 5123, "count": 6, "type": "SCALAR"}]}
            """
    }

    /// Left half red, right half blue.
    private func twoColorPNG() throws -> Data {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: url) }
        let row = (0..<32).flatMap { $0 < 16 ? [220, 20, 20, 255] : [20, 20, 220, 255] as [UInt8] }
        try writePNG(
            path: url.path, rgba: (0..<32).flatMap { _ in row }, width: 32, height: 32)
        return try Data(contentsOf: url)
    }

    @Test func anObjectFileIsReadWithItsSizeAndDrawnInItsColor() throws {
        let paint = "newmtl green\nKd 0.05 0.5 0.08\n"
        let folder = try write(["box.obj": Data(Self.objectFile.utf8), "paint.mtl": Data(paint.utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("box.obj").path
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let info = try renderer.loadModel(path: path)
        #expect(info.size.distance(to: SIMD3(0.4, 0.3, 0.2)) < 1e-5)
        #expect(info.triangleCount >= 12)

        // Its underside's middle is its origin, whatever the file's coordinates were.
        let object = PlacedObject(
            id: 1, name: "thing", model: path, size: info.size, worldFromObject: .identity, isProvisional: false)
        let overlay = Overlay(
            worldFromCamera: Cameras.looking(from: SIMD3(0, 0.15, 1.2), at: SIMD3(0, 0.15, 0)),
            intrinsics: .guess(width: 320, height: 240), objects: [object])
        let picture = Pixels(try renderer.render(Pictures.gray(128, width: 320, height: 240), overlay: overlay))
        let green = (0..<240).flatMap { y in
            (0..<320).filter { picture[$0, y].y > picture[$0, y].x + 25 }.map { SIMD2($0, y) }
        }
        #expect(green.count > 2000)
        let low = green.reduce(green[0], pointwiseMin)
        let high = green.reduce(green[0], pointwiseMax)
        #expect(abs(low.x + high.x - 319) <= 2)
        #expect(abs(low.y + high.y - 239) <= 2)
    }

    @Test func aTextureInsideAGLTFFileIsDrawn() throws {
        let text = squareFile(picture: try twoColorPNG())
        let folder = try write(["square.gltf": Data(text.utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("square.gltf").path
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let info = try renderer.loadModel(path: path)
        #expect(info.size.distance(to: SIMD3(1, 0, 1)) < 1e-5)
        let object = PlacedObject(
            id: 1, name: "square", model: path, size: info.size, worldFromObject: .identity, isProvisional: false)
        let overlay = Overlay(
            worldFromCamera: Cameras.looking(from: SIMD3(0, 1.2, 0.6), at: .zero),
            intrinsics: .guess(width: 320, height: 240), objects: [object])
        let picture = Pixels(try renderer.render(Pictures.gray(128, width: 320, height: 240), overlay: overlay))
        let (left, right) = (picture[130, 120], picture[190, 120])
        #expect(left.x > left.z + 80)
        #expect(right.z > right.x + 80)
    }

    @Test func whatCannotBeReadIsToldInOneLine() throws {
        let folder = try write([
            "text.obj": Data("hello, this is a letter".utf8), "broken.gltf": Data("{\"asset\":".utf8),
            "empty.glb": Data(),
        ])
        defer { try? FileManager.default.removeItem(at: folder) }
        let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
        for name in ["text.obj", "broken.gltf", "empty.glb", "missing.glb", ""] {
            let path = folder.appendingPathComponent(name).path
            let error = #expect(throws: RenderingError.self) { try renderer.loadModel(path: path) }
            #expect(error?.message.contains(path) == true)
            #expect(error?.message.contains("\n") == false)
            #expect((error?.message.count ?? 0) < path.count + 300)
        }
    }

    @Test(arguments: [("1000", "1000 metres"), ("1e30", "more than a billion metres")])
    func aModelInMillimetresIsNamed(side: String, size: String) throws {
        let text = "v 0 0 0\nv \(side) 0 0\nv 0 0.5 0\nf 1 2 3\n"
        let folder = try write(["chair.obj": Data(text.utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("chair.obj").path
        let error = #expect(throws: RenderingError.self) { try ModelInfo(path: path) }
        #expect(error?.message.contains(path) == true && error?.message.contains(size) == true, "\(error as Any)")
    }

    @Test func anObjectWhoseModelIsMissingStopsTheDrawing() throws {
        let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
        let object = PlacedObject(
            id: 1, name: "x", model: "nowhere.glb", size: .one, worldFromObject: .identity, isProvisional: false)
        let overlay = Overlay(
            worldFromCamera: Pose(position: SIMD3(0, 0, 3)), intrinsics: .guess(width: 64, height: 48),
            objects: [object])
        let frame = Pictures.gray(0, width: 64, height: 48)
        #expect(throws: RenderingError.self) { try renderer.render(frame, overlay: overlay) }
        // And the renderer goes on.
        #expect(try renderer.render(frame, overlay: Overlay(intrinsics: overlay.intrinsics)).overlayOpacity == 0)
    }
}
