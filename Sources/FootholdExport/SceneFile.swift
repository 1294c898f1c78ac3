import Foundation

/// `scene.glb`: the surfaces, the placed objects, the camera and its path as a glTF 2.0 binary
/// (Khronos, "glTF 2.0 Specification", §4.4 "GLB File Format Specification").
struct SceneFile {
    var surfaces: [PlaneAnchor]
    var objects: [PlacedObject]
    var path: [SessionWriter.TimedPose]
    var intrinsics: CameraIntrinsics?

    func glb() -> [UInt8] {
        var scene = GLTFBuilder()
        addSurfaces(to: &scene)
        addObjects(to: &scene)
        addCameraPath(to: &scene)
        return scene.glb(sceneName: "Foothold session")
    }

    private func addSurfaces(to scene: inout GLTFBuilder) {
        let usable = surfaces.sorted { $0.id < $1.id }.filter { $0.boundary.count > 2 }
        guard !usable.isEmpty else { return }
        var nodes: [Int] = []
        for surface in usable {
            let material = scene.material(
                named: surface.classification.rawValue, color: Self.color(of: surface.classification), opacity: 0.45)
            let name = "surface \(surface.id) \(surface.classification.rawValue)"
            let mesh = scene.addMesh(.surface(surface), name: name, material: material)
            nodes.append(scene.addNode(name: name, matrix: surface.worldFromSurface.matrixColumns, mesh: mesh))
        }
        scene.addRoot(scene.addNode(name: "surfaces", children: nodes))
    }

    private func addObjects(to scene: inout GLTFBuilder) {
        guard !objects.isEmpty else { return }
        let material = scene.material(named: "object", color: SIMD3(0.80, 0.36, 0.15), opacity: 1)
        var nodes: [Int] = []
        for object in objects.sorted(by: { $0.id < $1.id }) {
            let name = "object \(object.id) \(object.name)"
            let mesh = scene.addMesh(.object(object), name: name, material: material)
            nodes.append(scene.addNode(name: name, matrix: object.worldFromObject.matrixColumns, mesh: mesh))
        }
        scene.addRoot(scene.addNode(name: "objects", children: nodes))
    }

    private func addCameraPath(to scene: inout GLTFBuilder) {
        guard let first = path.first else { return }
        if path.count > 1 {
            let material = scene.material(named: "camera path", color: SIMD3(0.1, 0.4, 0.9), opacity: 1)
            let line = scene.addLineStrip(path.map(\.worldFromCamera.position), name: "camera path", material: material)
            scene.addRoot(scene.addNode(name: "camera path", mesh: line))
        }
        guard let intrinsics else { return }
        let camera = scene.addCamera(
            verticalFieldOfViewRadians: 2 * atan(Double(intrinsics.height) / (2 * intrinsics.fy)),
            aspectRatio: Double(intrinsics.width) * intrinsics.fy / (Double(intrinsics.height) * intrinsics.fx))
        let node = scene.addNode(name: "camera", pose: first.worldFromCamera, camera: camera)
        scene.addRoot(node)
        if path.count > 1 { scene.addAnimation(of: node, along: path) }
    }

    private static func color(of classification: PlaneAnchor.Classification) -> SIMD3<Double> {
        switch classification {
        case .floor: SIMD3(0.35, 0.65, 0.45)
        case .wall: SIMD3(0.45, 0.55, 0.80)
        case .ceiling: SIMD3(0.75, 0.75, 0.80)
        case .table: SIMD3(0.85, 0.65, 0.30)
        case .seat: SIMD3(0.75, 0.45, 0.65)
        case .unknown: SIMD3(0.60, 0.60, 0.60)
        }
    }
}
