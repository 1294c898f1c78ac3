import Foundation

/// One line of `session.jsonl`: all keys that any type of line has.
struct SessionLine: Decodable {
    var type: String
    var t: Double
    var event: String?
    var index: Int?
    var features: Int?
    var id: Int?
    var into: Int?
    var alignment: String?
    var classification: String?
    var transform: [Double]?
    var boundary: [[Double]]?
    var cause: String?
    var name: String?
    var worldFromObject: [Double]?
    var provisional: Bool?
    // The camera's keys, as in `intrinsics.json`.
    var width, height: Int?
    var fx, fy, cx, cy: Double?
    var distortionModel: String?
    var k1, k2, k3, k4, p1, p2: Double?

    var camera: CameraIntrinsics? {
        guard let width, let height, let fx, let fy, let cx, let cy else { return nil }
        return CameraFile(
            width: width, height: height, fx: fx, fy: fy, cx: cx, cy: cy, distortionModel: distortionModel,
            k1: k1, k2: k2, k3: k3, k4: k4, p1: p1, p2: p2
        ).intrinsics
    }

    var surfaceChange: SessionRecord.SurfaceChange? {
        guard let id else { return nil }
        let kind: SessionRecord.SurfaceChange.Kind
        switch event {
        case "added", "updated":
            guard let pose = transform.flatMap(Pose.init(matrixColumns:)), let boundary else { return nil }
            let surface = SessionRecord.Surface(
                id: id, alignment: alignment ?? "", classification: classification ?? "",
                normal: pose.rotation * .unitY,
                boundary: boundary.filter { $0.count == 2 }.map { pose * SIMD3($0[0], 0, $0[1]) })
            kind = event == "added" ? .added(surface) : .updated(surface)
        case "merged":
            guard let into else { return nil }
            kind = .merged(id: id, into: into)
        case "removed": kind = .removed(id: id)
        default: return nil
        }
        return SessionRecord.SurfaceChange(seconds: t, kind: kind)
    }

    var objectChange: SessionRecord.ObjectChange? {
        guard let id, let event, let pose = worldFromObject.flatMap(Pose.init(matrixColumns:)) else { return nil }
        return SessionRecord.ObjectChange(
            seconds: t, id: id, name: name ?? "", event: event, worldFromObject: pose,
            isProvisional: provisional ?? false)
    }
}

struct SurfacesFile: Decodable {
    struct Scale: Decodable {
        var source: String
        var metresPerUnit: Double?
    }

    struct Item: Decodable {
        var id: Int
        var alignment: String?
        var classification: String?
        var normal: [Double]
        var boundary: [[Double]]

        var surface: SessionRecord.Surface? {
            guard let normal = SIMD3(normal), boundary.count > 2 else { return nil }
            return SessionRecord.Surface(
                id: id, alignment: alignment ?? "", classification: classification ?? "", normal: normal,
                boundary: boundary.compactMap { SIMD3($0) })
        }
    }

    var scale: Scale?
    var surfaces: [Item]
}

struct SummaryFile: Decodable {
    var stages: [SpeedFigures.StageFigures]?
    var decodeMillisecondsPerFrame: Double?

    var figures: SpeedFigures? {
        stages.map { SpeedFigures(stages: $0, decodeMilliseconds: decodeMillisecondsPerFrame) }
    }
}

extension Pose {
    /// The pose of a rigid 4×4 matrix, column by column; nil unless there are 16 numbers.
    init?(matrixColumns m: [Double]) {
        guard m.count == 16 else { return nil }
        self.init(
            rotation: Rotation(
                columns: SIMD3(m[0], m[1], m[2]), SIMD3(m[4], m[5], m[6]), SIMD3(m[8], m[9], m[10])),
            position: SIMD3(m[12], m[13], m[14]))
    }
}
