import CAssimp
import FootholdScene
import Foundation

/// What a model file holds.
public struct ModelInfo: Hashable, Sendable {
    /// Metres: width (x), height (y), depth (z), as the file has it.
    public let size: SIMD3<Double>
    public let triangleCount: Int
    /// Metres. A chair in millimetres is larger, a tower isn't.
    private static let largest = 200.0

    init(size: SIMD3<Double>, triangleCount: Int) {
        self.size = size
        self.triangleCount = triangleCount
    }

    /// Reads a glTF or OBJ file without drawing it.
    ///
    /// - Throws: `RenderingError` when there is no such file, it can't be read, or it's too large to be in metres.
    public init(path: String) throws {
        let meshes = try ModelFile.load(path: path)
        let (low, high) = meshes.bounds
        size = SIMD3<Double>(high - low)
        let widest = size.max()
        guard widest <= Self.largest else {
            let metres = widest < 1e9 ? "\(Int(widest.rounded()))" : "more than a billion"
            throw RenderingError(
                "The model \(ShownText.name(path)) is \(metres) metres large: is it in millimetres? Metres are asked for."
            )
        }
        triangleCount = meshes.reduce(0) { $0 + $1.indices.count / 3 }
    }
}

/// Reads glTF and OBJ files through Assimp.
enum ModelFile {
    /// One mesh for each of the file's, standing together on their origin; metres.
    static func load(path: String) throws -> [Mesh] {
        let text: Data?
        do {
            try RegularFile.check(path)
            text = try OBJText.isName(path) ? OBJText.readable(RegularFile.bytes(path)) : nil
        } catch let fault as OBJText.Fault {
            throw RenderingError(
                "The model \(ShownText.name(path)) can't be read (line \(fault.line): \(fault.reason)): export it again."
            )
        } catch {
            switch error as? RegularFile.Failure ?? .unreadable {
            case .missing:
                throw RenderingError(
                    "The model \(ShownText.name(path)) doesn't exist: give a glTF or OBJ file, or box, chair or cylinder."
                )
            case .notAFile:
                throw RenderingError(
                    "The model \(ShownText.name(path)) is a folder, device or pipe: give a glTF or OBJ file.")
            case .unreadable, .tooLarge:
                throw RenderingError("The model \(ShownText.name(path)) can't be read: check its permissions.")
            }
        }
        let steps =
            aiProcess_Triangulate.rawValue | aiProcess_GenSmoothNormals.rawValue | aiProcess_SortByPType.rawValue
            | aiProcess_JoinIdenticalVertices.rawValue | aiProcess_PreTransformVertices.rawValue
            | aiProcess_FlipUVs.rawValue
        guard let scene = ModelFileAccess.importing(path, as: text, { aiImportFileEx(path, steps, $0) }) else {
            let reason = String(cString: aiGetErrorString()).split(whereSeparator: \.isNewline).first ?? ""
            throw RenderingError(
                "The model \(ShownText.name(path)) can't be read (\(reason.trimmingCharacters(in: .whitespaces))): "
                    + "give a glTF or OBJ file.")
        }
        defer { aiReleaseImport(scene) }
        var textures = ModelTextures(
            scene: scene.pointee, folder: URL(fileURLWithPath: path).deletingLastPathComponent())
        let meshes = (0..<Int(scene.pointee.mNumMeshes)).compactMap { index -> Mesh? in
            guard let part = scene.pointee.mMeshes[index] else { return nil }
            let material = scene.pointee.mMaterials[Int(part.pointee.mMaterialIndex)]
            var mesh = mesh(part.pointee, color: baseColor(material))
            mesh.texture = textures.picture(of: material)
            return mesh.indices.isEmpty ? nil : mesh
        }
        guard !meshes.isEmpty else {
            throw RenderingError("The model \(ShownText.name(path)) has no triangles to draw: export it with its mesh.")
        }
        let (low, high) = meshes.bounds
        let extent = (high - low).max()
        guard extent > 0, extent.isFinite else {
            throw RenderingError("The model \(ShownText.name(path)) has no size: its points all lie in one place.")
        }
        return finished(meshes.standing(), extent: extent)
    }

    /// Cells small enough for a lens to bend, and shaded corners where that costs little.
    private static func finished(_ meshes: [Mesh], extent: Float) -> [Mesh] {
        let fine = meshes.map { $0.subdivided(edgesLongerThan: extent / 10) }
        var whole = Mesh()
        for mesh in meshes { whole.append(mesh) }
        let vertexCount = fine.reduce(0) { $0 + $1.vertices.count }
        guard vertexCount * whole.indices.count / 3 < 600_000 else { return fine }
        return fine.map { $0.withAmbientOcclusion(from: whole) }
    }

    private static func mesh(_ part: aiMesh, color: SIMD3<Float>) -> Mesh {
        var mesh = Mesh()
        guard part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE.rawValue != 0, let positions = part.mVertices else {
            return mesh
        }
        for index in 0..<Int(part.mNumVertices) {
            let p = positions[index]
            let n = part.mNormals.map { $0[index] } ?? aiVector3D(x: 0, y: 1, z: 0)
            let t = part.mTextureCoords.0.map { $0[index] } ?? aiVector3D(x: 0, y: 0, z: 0)
            let own = part.mColors.0.map { SIMD3($0[index].r, $0[index].g, $0[index].b) } ?? .one
            mesh.vertices.append(
                Mesh.Vertex(
                    position: SIMD3(p.x, p.y, p.z), normal: SIMD3(n.x, n.y, n.z), color: SIMD4(color * own, 1),
                    textureCoordinate: SIMD2(t.x, t.y)))
        }
        for index in 0..<Int(part.mNumFaces) where part.mFaces[index].mNumIndices == 3 {
            for corner in 0..<3 { mesh.indices.append(part.mFaces[index].mIndices[corner]) }
        }
        return mesh
    }

    /// sRGB. Light grey where the material says none.
    private static func baseColor(_ material: UnsafeMutablePointer<aiMaterial>?) -> SIMD3<Float> {
        guard let material else { return SIMD3(repeating: 0.8) }
        var color = aiColor4D(r: 0.6, g: 0.6, b: 0.6, a: 1)
        // AI_MATKEY_BASE_COLOR, then AI_MATKEY_COLOR_DIFFUSE; these macros don't come through to Swift.
        if aiGetMaterialColor(material, "$clr.base", 0, 0, &color) != aiReturn_SUCCESS {
            _ = aiGetMaterialColor(material, "$clr.diffuse", 0, 0, &color)
        }
        // Materials are linear.
        let linear = SIMD3(color.r, color.g, color.b).clamped(lowerBound: .zero, upperBound: .one)
        return SIMD3(pow(linear.x, 1 / 2.2), pow(linear.y, 1 / 2.2), pow(linear.z, 1 / 2.2))
    }
}
