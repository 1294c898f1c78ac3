/// Gathers the parts of a glTF 2.0 file; indices that it hands out are glTF's own.
struct GLTFBuilder {
    private enum Target: Int {
        case vertices = 34962
        case indices = 34963
    }

    private enum Component: Int {
        case float = 5126
        case unsignedInt = 5125
    }

    private enum Primitive: Int {
        case lineStrip = 3
        case triangles = 4
    }

    private struct Material {
        var name: String
        var color: SIMD3<Double>
        var opacity: Double
    }

    /// Finished JSON objects, in the order of their indices.
    private var nodes: [(inout JSONText) -> Void] = []
    private var meshes: [(inout JSONText) -> Void] = []
    private var cameras: [(inout JSONText) -> Void] = []
    private var animations: [(inout JSONText) -> Void] = []
    private var accessors: [(inout JSONText) -> Void] = []
    private var views: [(inout JSONText) -> Void] = []
    private var materials: [Material] = []
    private var roots: [Int] = []
    private var binary: [UInt8] = []

    mutating func material(named name: String, color: SIMD3<Double>, opacity: Double) -> Int {
        if let known = materials.firstIndex(where: { $0.name == name }) { return known }
        materials.append(Material(name: name, color: color, opacity: opacity))
        return materials.count - 1
    }

    mutating func addMesh(_ mesh: Mesh, name: String, material: Int) -> Int {
        let position = addVectors(mesh.positions, target: .vertices, withBounds: true)
        let normal = addVectors(mesh.normals, target: .vertices, withBounds: false)
        let indices = addIndices(mesh.indices)
        return addPrimitive(
            name: name, mode: .triangles, attributes: [("POSITION", position), ("NORMAL", normal)], indices: indices,
            material: material)
    }

    mutating func addLineStrip(_ points: [SIMD3<Double>], name: String, material: Int) -> Int {
        let position = addVectors(points, target: .vertices, withBounds: true)
        return addPrimitive(
            name: name, mode: .lineStrip, attributes: [("POSITION", position)], indices: nil, material: material)
    }

    mutating func addCamera(verticalFieldOfViewRadians: Double, aspectRatio: Double) -> Int {
        cameras.append { json in
            json.string("type", "perspective")
            json.object("perspective") { json in
                json.number("yfov", verticalFieldOfViewRadians)
                json.number("aspectRatio", aspectRatio)
                json.number("znear", 0.01)
                json.number("zfar", 100)
            }
        }
        return cameras.count - 1
    }

    mutating func addNode(name: String, matrix: [Double]? = nil, mesh: Int? = nil, children: [Int] = []) -> Int {
        nodes.append { json in
            json.string("name", name)
            if let matrix { json.numbers("matrix", matrix) }
            if let mesh { json.integer("mesh", mesh) }
            if !children.isEmpty { json.array("children") { for child in children { $0.integer(nil, child) } } }
        }
        return nodes.count - 1
    }

    /// A node that can be animated, and so must not have a matrix.
    mutating func addNode(name: String, pose: Pose, camera: Int) -> Int {
        nodes.append { json in
            json.string("name", name)
            json.vector("translation", pose.position)
            json.numbers("rotation", [pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w])
            json.integer("camera", camera)
        }
        return nodes.count - 1
    }

    mutating func addRoot(_ node: Int) { roots.append(node) }

    mutating func addAnimation(of node: Int, along path: [SessionWriter.TimedPose]) {
        let seconds = path.map { Double($0.timestampNanoseconds) / 1e9 }
        let time = addScalars(seconds)
        let translation = addVectors(path.map(\.worldFromCamera.position), target: nil, withBounds: false)
        let rotation = addRotations(path.map(\.worldFromCamera.rotation))
        animations.append { json in
            json.string("name", "camera")
            json.array("samplers") { json in
                for output in [translation, rotation] {
                    json.object { json in
                        json.integer("input", time)
                        json.string("interpolation", "LINEAR")
                        json.integer("output", output)
                    }
                }
            }
            json.array("channels") { json in
                for (sampler, property) in ["translation", "rotation"].enumerated() {
                    json.object { json in
                        json.integer("sampler", sampler)
                        json.object("target") { json in
                            json.integer("node", node)
                            json.string("path", property)
                        }
                    }
                }
            }
        }
    }

    func glb(sceneName: String) -> [UInt8] {
        var text = document(sceneName: sceneName)
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: (4 - text.count % 4) % 4))
        var file: [UInt8] = []
        let binaryLength = binary.isEmpty ? 0 : 8 + binary.count
        append(0x4654_6C67, to: &file)
        append(2, to: &file)
        append(UInt32(12 + 8 + text.count + binaryLength), to: &file)
        append(UInt32(text.count), to: &file)
        append(0x4E4F_534A, to: &file)
        file += text
        if !binary.isEmpty {
            append(UInt32(binary.count), to: &file)
            append(0x004E_4942, to: &file)
            file += binary
        }
        return file
    }

    private func document(sceneName: String) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.object("asset") { json in
                json.string("version", "2.0")
                json.string("generator", "Foothold")
            }
            json.integer("scene", 0)
            json.array("scenes") { json in
                json.object { json in
                    json.string("name", sceneName)
                    // glTF allows no empty lists.
                    if !roots.isEmpty { json.array("nodes") { for root in roots { $0.integer(nil, root) } } }
                }
            }
            Self.list("nodes", nodes, in: &json)
            Self.list("meshes", meshes, in: &json)
            Self.list("cameras", cameras, in: &json)
            Self.list("animations", animations, in: &json)
            Self.list("materials", materials.map(Self.text), in: &json)
            Self.list("accessors", accessors, in: &json)
            Self.list("bufferViews", views, in: &json)
            if !binary.isEmpty {
                json.array("buffers") { $0.object { $0.integer("byteLength", binary.count) } }
            }
        }
        return json.bytes
    }

    private static func list(_ key: String, _ items: [(inout JSONText) -> Void], in json: inout JSONText) {
        guard !items.isEmpty else { return }
        json.array(key) { json in
            for item in items { json.object(nil, item) }
        }
    }

    private static func text(_ material: Material) -> (inout JSONText) -> Void {
        { json in
            json.string("name", material.name)
            json.object("pbrMetallicRoughness") { json in
                json.numbers(
                    "baseColorFactor", [material.color.x, material.color.y, material.color.z, material.opacity])
                json.number("metallicFactor", 0)
                json.number("roughnessFactor", 0.9)
            }
            if material.opacity < 1 { json.string("alphaMode", "BLEND") }
            json.boolean("doubleSided", true)
        }
    }

    private mutating func addPrimitive(
        name: String, mode: Primitive, attributes: [(String, Int)], indices: Int?, material: Int
    ) -> Int {
        meshes.append { json in
            json.string("name", name)
            json.array("primitives") { json in
                json.object { json in
                    json.object("attributes") { json in
                        for (key, accessor) in attributes { json.integer(key, accessor) }
                    }
                    if let indices { json.integer("indices", indices) }
                    json.integer("material", material)
                    json.integer("mode", mode.rawValue)
                }
            }
        }
        return meshes.count - 1
    }

    // MARK: Binary data

    private mutating func addVectors(_ vectors: [SIMD3<Double>], target: Target?, withBounds: Bool) -> Int {
        let floats = vectors.map { SIMD3<Float>($0) }
        var bounds: (lower: SIMD3<Float>, upper: SIMD3<Float>)?
        if withBounds, let first = floats.first {
            bounds = floats.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
        }
        return addAccessor(
            floats.flatMap { [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern] }, count: floats.count,
            component: .float, type: "VEC3", target: target,
            lower: bounds.map { [$0.lower.x, $0.lower.y, $0.lower.z] },
            upper: bounds.map { [$0.upper.x, $0.upper.y, $0.upper.z] })
    }

    private mutating func addRotations(_ rotations: [Rotation]) -> Int {
        let words = rotations.flatMap { [Float($0.x), Float($0.y), Float($0.z), Float($0.w)].map(\.bitPattern) }
        return addAccessor(words, count: rotations.count, component: .float, type: "VEC4", target: nil)
    }

    private mutating func addScalars(_ values: [Double]) -> Int {
        let floats = values.map { Float($0) }
        return addAccessor(
            floats.map(\.bitPattern), count: floats.count, component: .float, type: "SCALAR", target: nil,
            lower: floats.min().map { [$0] }, upper: floats.max().map { [$0] })
    }

    private mutating func addIndices(_ indices: [Int]) -> Int {
        addAccessor(
            indices.map { UInt32($0) }, count: indices.count, component: .unsignedInt, type: "SCALAR", target: .indices)
    }

    private mutating func addAccessor(
        _ words: [UInt32], count: Int, component: Component, type: String, target: Target?, lower: [Float]? = nil,
        upper: [Float]? = nil
    ) -> Int {
        let offset = binary.count
        for word in words { append(word, to: &binary) }
        views.append { json in
            json.integer("buffer", 0)
            json.integer("byteOffset", offset)
            json.integer("byteLength", 4 * words.count)
            if let target { json.integer("target", target.rawValue) }
        }
        let view = views.count - 1
        accessors.append { json in
            json.integer("bufferView", view)
            json.integer("componentType", component.rawValue)
            json.integer("count", count)
            json.string("type", type)
            // Bounds must equal the stored single-precision numbers, so they are written in full.
            if let lower { json.floats("min", lower) }
            if let upper { json.floats("max", upper) }
        }
        return accessors.count - 1
    }

    private func append(_ word: UInt32, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
