import FootholdEvaluation
import FootholdExport
import Foundation

/// A folder of its own for one test, removed afterwards.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }
}

func fixture(_ name: String) throws -> URL {
    guard let folder = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
    return folder.appendingPathComponent("Fixtures").appendingPathComponent(name)
}

/// A small room with exact truth: a floor, a wall and a table, and a camera that walks sideways looking at them.
struct Room {
    static let intrinsics = CameraIntrinsics(width: 320, height: 240, fx: 260, fy: 260, cx: 159.5, cy: 119.5)
    static let frameCount = 120

    struct Plane {
        var id: Int
        var label: String
        /// Counter-clockwise seen from the free side.
        var polygon: [SIMD3<Double>]

        var normal: SIMD3<Double> { (polygon[1] - polygon[0]).cross(polygon[2] - polygon[1]).normalized }
        var area: Double { (polygon[1] - polygon[0]).length * (polygon[2] - polygon[1]).length }
    }

    static let planes = [
        Plane(
            id: 0, label: "floor",
            polygon: [SIMD3(-2, 0, 1), SIMD3(2, 0, 1), SIMD3(2, 0, -2), SIMD3(-2, 0, -2)]),
        Plane(
            id: 1, label: "wall",
            polygon: [SIMD3(-2, 0, -2), SIMD3(2, 0, -2), SIMD3(2, 2.5, -2), SIMD3(-2, 2.5, -2)]),
        Plane(
            id: 2, label: "table",
            polygon: [
                SIMD3(-0.5, 0.7, -0.6), SIMD3(0.5, 0.7, -0.6), SIMD3(0.5, 0.7, -1.2), SIMD3(-0.5, 0.7, -1.2),
            ]),
    ]

    static func seconds(_ index: Int) -> Double { Double(index) / 30 }
    static func nanoseconds(_ index: Int) -> Int64 { Int64((seconds(index) * 1e9).rounded()) }

    /// With the public camera axes.
    static func truePose(_ index: Int) -> Pose {
        let t = seconds(index)
        let yaw = Rotation(axis: .unitY, angleRadians: 0.1 * sin(t))
        let pitch = Rotation(axis: .unitX, angleRadians: -0.45 + 0.05 * cos(1.3 * t))
        return Pose(
            rotation: yaw * pitch, position: SIMD3(0.5 * sin(0.7 * t), 1.4 + 0.1 * sin(1.1 * t), 0.8 + 0.1 * t))
    }

    /// Writes a sequence folder without depth pictures.
    static func writeSequence(to scratch: Scratch, name: String, failures: String = "[]") throws {
        var rows = "t,px,py,pz,qx,qy,qz,qw\n"
        for index in 0..<frameCount {
            let pose = truePose(index).flippingCameraAxes
            let (p, q) = (pose.position, pose.rotation)
            let numbers = [seconds(index), p.x, p.y, p.z, q.x, q.y, q.z, q.w].map { String(format: "%.9f", $0) }
            rows += numbers.joined(separator: ",") + "\n"
        }
        try scratch.write(rows, to: "\(name)/groundtruth.csv")
        try scratch.write(
            #"{"width":320,"height":240,"fx":260,"fy":260,"cx":159.5,"cy":119.5,"distortion_model":"none"}"#,
            to: "\(name)/intrinsics.json")
        let list = planes.map { plane in
            let n = plane.normal
            let polygon = plane.polygon.map { "[\($0.x),\($0.y),\($0.z)]" }.joined(separator: ",")
            let point = plane.polygon[0]
            return #"{"id":\#(plane.id),"label":"\#(plane.label)","normal":[\#(n.x),\#(n.y),\#(n.z)],"#
                + #""point":[\#(point.x),\#(point.y),\#(point.z)],"polygon":[\#(polygon)],"area_m2":\#(plane.area)}"#
        }
        try scratch.write(#"{"planes":[\#(list.joined(separator: ","))]}"#, to: "\(name)/planes.json")
        try scratch.write(#"{"intervals":\#(failures)}"#, to: "\(name)/events.json")
    }
}

/// What a session says about the room, perfect unless changed: in a world of its own, turned, moved and scaled.
struct RoomSession {
    /// Metres of the truth per unit of the session.
    var scale = 2.5
    var turn = Rotation(axis: .unitY, angleRadians: 1.1)
    var shift = SIMD3(3.0, -0.5, 1.0)
    var scaleSource = ScaleEstimate.Source.assumed
    var metresPerUnit: Double?
    var firstTracked = 6
    var surfaceFrame = 20
    /// True planes that are found, in the truth's world.
    var found = Room.planes
    /// Those that are known after all was looked at once more; nil where that isn't done.
    var foundInReview: [Room.Plane]?
    /// Changes a frame's camera after it is exact, in the camera's own frame.
    var poseError: (Int) -> Pose = { _ in .identity }
    /// Public axes: where the object is put, in the truth's world.
    var objectPosition: SIMD3<Double>? = SIMD3(0.1, 0.7, -0.8)
    /// Where the object is eased to, a tenth of the way a frame, and settles; it was provisional before.
    var objectEnd: SIMD3<Double>?
    var hints: [(HintCause, Double, Double?)] = []

    func inSession(_ point: SIMD3<Double>) -> SIMD3<Double> { turn.inverse * ((point - shift) / scale) }

    func inSession(_ pose: Pose) -> Pose {
        Pose(rotation: turn.inverse * pose.rotation, position: inSession(pose.position))
    }

    func surface(_ plane: Room.Plane) -> PlaneAnchor {
        let corners = plane.polygon.map(inSession)
        let center = corners.reduce(.zero, +) / Double(corners.count)
        let normal = turn.inverse * plane.normal
        let pose = Pose(rotation: Rotation(from: .unitY, to: normal), position: center)
        let boundary = corners.map { corner -> SIMD2<Double> in
            let local = pose.inverse * corner
            return SIMD2(local.x, local.z)
        }
        return PlaneAnchor(
            id: plane.id + 10, alignment: .other, classification: .unknown, worldFromSurface: pose,
            extent: SIMD2(1, 1), boundary: boundary, confidence: 1, firstSeenNanoseconds: 0,
            lastUpdatedNanoseconds: 0)
    }

    func write(to url: URL) throws {
        let folder = try OutputFolder(at: url)
        let writer = try SessionWriter(folder: folder)
        let surfaces = found.map(surface)
        for index in 0..<Room.frameCount {
            let isTracked = index >= firstTracked
            let time = Room.nanoseconds(index)
            try writer.write(
                FrameResult(
                    frameIndex: index, timestampNanoseconds: time,
                    trackingState: isTracked ? .normal : .limited(.initializing),
                    worldFromCamera: isTracked ? inSession(Room.truePose(index) * poseError(index)) : nil,
                    intrinsics: Room.intrinsics, light: LightEstimate(intensity: 0.5),
                    scale: ScaleEstimate(source: scaleSource, confidence: 1, metresPerUnit: metresPerUnit),
                    diagnostics: FrameDiagnostics(),
                    surfaceEvents: index == surfaceFrame ? surfaces.map { .added($0) } : [],
                    surfaces: index >= surfaceFrame ? surfaces : []))
            if index == surfaceFrame, let objectPosition {
                let object = PlacedObject(
                    id: 1, name: "box", model: "box", size: SIMD3(0.1, 0.1, 0.1),
                    worldFromObject: Pose(rotation: .identity, position: inSession(objectPosition)),
                    isProvisional: objectEnd != nil)
                try writer.write(ObjectEvent(kind: .placed, object: object), timestampNanoseconds: time)
            }
            if let objectPosition, let objectEnd, index > surfaceFrame, index <= surfaceFrame + 10 {
                let share = Double(index - surfaceFrame) / 10
                let object = PlacedObject(
                    id: 1, name: "box", model: "box", size: SIMD3(0.1, 0.1, 0.1), surfaceID: 12,
                    worldFromObject: Pose(
                        rotation: .identity,
                        position: inSession(objectPosition + (objectEnd - objectPosition) * share)),
                    isProvisional: share < 1)
                try writer.write(
                    ObjectEvent(kind: share < 1 ? .moved : .settled, object: object), timestampNanoseconds: time)
            }
            for (cause, shown, hidden) in hints {
                let hint = Hint(id: Int(shown * 1000), cause: cause, text: "…", language: "en")
                if index == Int((shown * 30).rounded()) {
                    try writer.write(HintEvent.shown(hint), timestampNanoseconds: time)
                }
                if let hidden, index == Int((hidden * 30).rounded()) {
                    try writer.write(HintEvent.hidden(hint), timestampNanoseconds: time)
                }
            }
        }
        let reviewed = foundInReview.map { $0.map(surface) }
        if let reviewed {
            let time = Room.nanoseconds(Room.frameCount)
            try writer.write(.reviewed, timestampNanoseconds: time)
            for anchor in reviewed where !surfaces.contains(where: { $0.id == anchor.id }) {
                try writer.write(SurfaceEvent.added(anchor), timestampNanoseconds: time)
            }
            for anchor in surfaces where !reviewed.contains(where: { $0.id == anchor.id }) {
                try writer.write(SurfaceEvent.removed(id: anchor.id), timestampNanoseconds: time)
            }
            if objectPosition != nil {
                let object = PlacedObject(
                    id: 1, name: "box", model: "box", size: SIMD3(0.1, 0.1, 0.1),
                    worldFromObject: Pose(rotation: .identity, position: inSession(SIMD3(9, 9, 9))),
                    isProvisional: false)
                try writer.write(ObjectEvent(kind: .moved, object: object), timestampNanoseconds: time)
            }
        }
        try writer.finish(
            refined: [], surfaces: reviewed ?? surfaces, objects: [],
            measurements: SessionMeasurements(
                stages: [StageTiming(name: "engine", mean: 0.8, median: 0.7, p99: 3)], decodeMilliseconds: 0.4))
        try folder.commit()
    }

    /// Writes the session beside the room's truth and scores it.
    func evaluate(failures: String = "[]", referencePlanes: String? = nil) throws -> EvaluationReport {
        let scratch = try Scratch()
        try Room.writeSequence(to: scratch, name: "room", failures: failures)
        if let referencePlanes { try scratch.write(referencePlanes, to: "room/planes_reference.json") }
        let out = scratch.url.appendingPathComponent("out")
        try write(to: out)
        return try Evaluator.evaluate(outputFolder: out, sequenceFolder: scratch.url.appendingPathComponent("room"))
    }
}
