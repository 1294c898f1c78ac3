import CAssimp
import Foundation

/// What a model file holds.
public struct ModelInfo: Hashable, Sendable {
    /// Metres: width (x), height (y), depth (z), as the file has it.
    public let size: SIMD3<Double>
    public let triangleCount: Int
}

/// Reads glTF and OBJ files through Assimp.
enum ModelFile {
    /// Standing on its origin; metres.
    static func load(path: String) throws -> Mesh {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw RenderingError("The model \(path) doesn't exist: give a glTF or OBJ file, or box, chair or cylinder.")
        }
        let steps =
            aiProcess_Triangulate.rawValue | aiProcess_GenSmoothNormals.rawValue | aiProcess_SortByPType.rawValue
            | aiProcess_JoinIdenticalVertices.rawValue | aiProcess_PreTransformVertices.rawValue
            | aiProcess_FlipUVs.rawValue
        guard let scene = aiImportFile(path, steps) else {
            let reason = String(cString: aiGetErrorString()).split(separator: "\n").first.map(String.init) ?? ""
            throw RenderingError(
                "The model \(path) can't be read (\(reason.trimmingCharacters(in: .whitespaces))): "
                    + "give a glTF or OBJ file.")
        }
        defer { aiReleaseImport(scene) }
        var mesh = Mesh()
        for index in 0..<Int(scene.pointee.mNumMeshes) {
            guard let part = scene.pointee.mMeshes[index] else { continue }
            append(part.pointee, of: scene.pointee, to: &mesh)
        }
        guard !mesh.indices.isEmpty else {
            throw RenderingError("The model \(path) has no triangles to draw: export it with its mesh.")
        }
        let bounds = mesh.bounds
        let size = bounds.high - bounds.low
        guard size.max() > 0, size.max().isFinite else {
            throw RenderingError("The model \(path) has no size: its points all lie in one place.")
        }
        return mesh.standing()
    }

    private static func append(_ part: aiMesh, of scene: aiScene, to mesh: inout Mesh) {
        guard part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE.rawValue != 0, let positions = part.mVertices else {
            return
        }
        let base = UInt32(mesh.vertices.count)
        let color = baseColor(scene.mMaterials[Int(part.mMaterialIndex)])
        for index in 0..<Int(part.mNumVertices) {
            let p = positions[index]
            let n = part.mNormals.map { $0[index] } ?? aiVector3D(x: 0, y: 1, z: 0)
            var vertexColor = color
            if let colors = part.mColors.0 {
                vertexColor *= SIMD3(colors[index].r, colors[index].g, colors[index].b)
            }
            mesh.vertices.append(
                Mesh.Vertex(
                    position: SIMD3(p.x, p.y, p.z), normal: SIMD3(n.x, n.y, n.z), color: SIMD4(vertexColor, 1)))
        }
        for index in 0..<Int(part.mNumFaces) {
            let face = part.mFaces[index]
            guard face.mNumIndices == 3 else { continue }
            for corner in 0..<3 { mesh.indices.append(base + face.mIndices[corner]) }
        }
    }

    /// sRGB. Light grey where the material says none.
    private static func baseColor(_ material: UnsafeMutablePointer<aiMaterial>?) -> SIMD3<Float> {
        guard let material else { return SIMD3(repeating: 0.8) }
        var color = aiColor4D(r: 0.8, g: 0.8, b: 0.8, a: 1)
        // AI_MATKEY_BASE_COLOR, then AI_MATKEY_COLOR_DIFFUSE; these macros don't come through to Swift.
        if aiGetMaterialColor(material, "$clr.base", 0, 0, &color) != aiReturn_SUCCESS {
            _ = aiGetMaterialColor(material, "$clr.diffuse", 0, 0, &color)
        }
        // Materials are linear.
        let linear = SIMD3(color.r, color.g, color.b).clamped(lowerBound: .zero, upperBound: .one)
        return SIMD3(pow(linear.x, 1 / 2.2), pow(linear.y, 1 / 2.2), pow(linear.z, 1 / 2.2))
    }
}
