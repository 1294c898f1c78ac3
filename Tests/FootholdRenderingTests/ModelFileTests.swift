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

    /// A triangle of 1 × 0.5 m in the ground's plane, in every way to write it.
    @Test(arguments: [
        "v .5 0 0\nv 1.5 0 0\nv .5 0 .5\nf 1 2 3\n", "v -.5 +.0 0.\nv +.5 0 0\nv -0.5 0 5.e-1\nf 1 2 3\n",
        "v 1. 0 0\nv 2. 0 0\nv 1. 0 +5E-1\nf -3 -2 -1\n",
        "v +1.5e-3 0 0\r\nv +1001.5e-3 0 0\r\nv .0015 0 .05e1\r\nf 1 2 3",
        "# made by hand\n  v\t0 0 0 # the first\nv 1 0 \\\n 0\nv 0 0 .5 #.x\n\nf 1 \\\r\n 2 3 # f 1 2 x\n",
        "v 0 0 0 .5 .5 .5\nv 1 0 0 1 0 0\nv 0 0 .5 0 .25 1.\nvt .5 .5\nvn 0 1. .0\nf 1/1/1 2//1 3/1\n",
        "o v #1\ng .x\nv 0 0 0 1.\nv 1 0 0 1\nv 0 0 .5 1\nf 1 2 3\np 1\n",
    ])
    func numbersOfAnObjectFileAreReadInEveryForm(text: String) throws {
        let folder = try write(["sail.obj": Data(text.utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }
        let info = try ModelInfo(path: folder.appendingPathComponent("sail.obj").path)
        #expect(info.size.distance(to: SIMD3(1, 0, 0.5)) < 1e-6, "\(info.size)")
    }

    @Test(arguments: [
        ("v 0 0 0\nv 1x 0 0\n", "line 2: “1x” is not a number"), ("v 0,5 0 0\n", "line 1: “0,5” is not a number"),
        ("v 0 0 \\\n\t--1\n", "line 2: “--1” is not a number"), ("\r\n\r\nv 1e 0 0", "line 3: “1e” is not a number"),
        ("\rv 0 0 0x10\r", "line 2: “0x10” is not a number"), ("v nan 0 0\n", "line 1: “nan” is not a number"),
        ("v . 0 0\n", "line 1: “.” is not a number"), ("v 0 0 inf\n", "line 1: “inf” is not a number"),
        ("v 0 0 0\nvt 1.5d-3 0\n", "line 2: “1.5d-3” is not a number"), ("vn 0 0 a\n", "line 1: “a” is not a number"),
        ("v 0 0\n", "line 1: a point has three numbers, and not 2"), ("vn 0 0\n", "line 1: a normal has three numbers"),
        ("v 0 0 0\nf 1 1 x\n", "line 2: “x” is not the number of a point"),
        ("v 0 0 0\nf 1 1 0\n", "line 2: “0” is not the number of a point"),
        ("v 0 0 0\nf 1 1 1/2/3/4\n", "line 2: “1/2/3/4” is not the number of a point"),
        ("v 0 0 0\nf 1 1 /1\n", "line 2: “/1” is not the number of a point"),
    ])
    func whatIsNoNumberIsRefusedWithItsLine(text: String, words: String) throws {
        let folder = try write(["sail.OBJ": Data(text.utf8)])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("sail.OBJ").path
        let error = #expect(throws: RenderingError.self) { try ModelInfo(path: path) }
        #expect(error?.message.contains(path) == true && error?.message.contains(words) == true, "\(error as Any)")
        #expect(error?.message.contains { $0.isNewline } == false)
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
