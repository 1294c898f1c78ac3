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

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

    func write(_ text: String, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }
}

enum Fixture {
    static let intrinsics = CameraIntrinsics(width: 640, height: 480, fx: 525, fy: 520, cx: 319.5, cy: 239.5)

    /// An L-shaped table top at 0.72 m; counter-clockwise seen from above.
    static let table = PlaneAnchor(
        id: 7, alignment: .horizontal, classification: .table,
        worldFromSurface: Pose(
            rotation: Rotation(axis: .unitY, angleRadians: 0.5), position: SIMD3(0.25, 0.72, -1.5)),
        extent: SIMD2(2, 2),
        boundary: [
            SIMD2(-1, -1), SIMD2(-1, 1), SIMD2(0, 1), SIMD2(0, 0), SIMD2(1, 0), SIMD2(1, -1),
        ],
        confidence: 0.9, firstSeenNanoseconds: 1_200_000_000, lastUpdatedNanoseconds: 2_000_000_000)

    static let chair = PlacedObject(
        id: 3, name: "chair", model: "chair", size: SIMD3(0.5, 0.9, 0.5), surfaceID: 7,
        worldFromObject: Pose(rotation: .identity, position: SIMD3(0.25, 0.72, -1.5)), isProvisional: false)

    static func pose(_ index: Int) -> Pose {
        Pose(
            rotation: Rotation(axis: SIMD3(0.1, 1, 0.2), angleRadians: 0.02 * Double(index)),
            position: SIMD3(0.01 * Double(index), 1.4, 0.1 / 3 * Double(index)))
    }

    static func result(
        _ index: Int, state: TrackingState = .normal, events: [SurfaceEvent] = [], surfaces: [PlaneAnchor] = []
    ) -> FrameResult {
        var diagnostics = FrameDiagnostics()
        diagnostics.inlierCount = 120
        return FrameResult(
            frameIndex: index, timestampNanoseconds: Int64(index) * 33_333_333, trackingState: state,
            worldFromCamera: state == .normal ? pose(index) : nil, intrinsics: intrinsics,
            light: LightEstimate(intensity: 0.51234567, direction: nil),
            scale: ScaleEstimate(source: .assumed, confidence: 0.25), diagnostics: diagnostics,
            surfaceEvents: events, surfaces: surfaces)
    }

    /// A short session with every kind of line.
    static func writeSession(to url: URL) throws {
        let folder = try OutputFolder(at: url)
        let writer = try SessionWriter(folder: folder)
        try writer.write(SessionEvent.started(source: "room \"1\".mp4"), timestampNanoseconds: 0)
        try writer.write(result(0, state: .limited(.initializing)))
        let hint = Hint(id: 1, cause: .lookAround, text: "천천히 둘러보세요", language: "ko")
        try writer.write(HintEvent.shown(hint), timestampNanoseconds: 0)
        try writer.write(result(1))
        try writer.write(result(2, events: [.added(table)], surfaces: [table]))
        try writer.write(HintEvent.hidden(hint), timestampNanoseconds: 66_666_666)
        try writer.write(ObjectEvent(kind: .placed, object: chair), timestampNanoseconds: 66_666_666)
        try writer.write(FeedbackEvent(kind: .impact, objectID: 3), timestampNanoseconds: 66_666_666)
        try writer.write(result(3, events: [.merged(id: 4, into: table), .removed(id: 5)], surfaces: [table]))
        try writer.write(SessionEvent.ended, timestampNanoseconds: 99_999_999)
        try writer.finish(
            refined: (1...3).map {
                .init(timestampNanoseconds: Int64($0) * 33_333_333, worldFromCamera: pose($0))
            },
            surfaces: [table], objects: [chair],
            measurements: SessionMeasurements(
                stages: [StageTiming(name: "tracking", mean: 4, median: 2, p99: 10)],
                decodeMilliseconds: 0.4, wallSeconds: 2, peakMemoryBytes: 50_000_000))
        try folder.commit()
    }

    static func jsonLines(_ url: URL) throws -> [[String: Any]] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw CocoaError(.propertyListReadCorrupt)
            }
            return object
        }
    }
}
