import Foundation

/// A true flat surface of a sequence folder's `planes.json`.
public struct TruePlane: Hashable, Sendable {
    public var id: Int
    public var label: String
    /// Towards the free side, length one.
    public var normal: SIMD3<Double>
    public var point: SIMD3<Double>
    /// The outline in the world, lying in the plane.
    public var polygon: [SIMD3<Double>]
    public var area: Double
    /// In how many depth pictures it was seen; nil when the file does not say.
    public var seenDepthFrames: Int?

    public init(
        id: Int, label: String, normal: SIMD3<Double>, point: SIMD3<Double>, polygon: [SIMD3<Double>], area: Double,
        seenDepthFrames: Int?
    ) {
        self.id = id
        self.label = label
        self.normal = normal.normalized
        self.point = point
        self.polygon = polygon
        self.area = area
        self.seenDepthFrames = seenDepthFrames
    }

    /// Positive on the free side.
    public func signedDistance(of p: SIMD3<Double>) -> Double { (p - point).dot(normal) }
}

/// A time during which something is truly wrong, and what a hint should name.
public struct TrueFailure: Hashable, Sendable {
    /// Seconds since the first frame.
    public var start: Double
    public var end: Double
    /// As `HintCause` names it.
    public var kind: String

    public init(start: Double, end: Double, kind: String) {
        self.start = start
        self.end = end
        self.kind = kind
    }
}

/// All that is known to be true about a recording. What a folder does not hold is nil or empty.
public struct SequenceTruth: Sendable {
    public var name: String
    public var folder: URL
    /// Times count from the first frame.
    public var trajectory: Trajectory?
    public var intrinsics: CameraIntrinsics?
    public var planes: [TruePlane]
    /// Planes without an extent, where no more is known.
    public var referencePlanes: [ReferencePlane] = []
    /// Nil when nobody said what happens in the recording; empty when nothing goes wrong.
    public var failures: [TrueFailure]?
    /// The direction against gravity in the truth's world.
    public var up: SIMD3<Double>
    /// Frame indices that have a depth picture, in order.
    public var depthFrames: [Int]
    /// Depth pictures by frame, for truth that isn't in a folder: they stand for the folder's.
    public var depthPictures: [Int: DepthPicture] = [:]

    public init(
        name: String, folder: URL, trajectory: Trajectory?, intrinsics: CameraIntrinsics?, planes: [TruePlane],
        failures: [TrueFailure]?, up: SIMD3<Double>, depthFrames: [Int]
    ) {
        self.name = name
        self.folder = folder
        self.trajectory = trajectory
        self.intrinsics = intrinsics
        self.planes = planes
        self.failures = failures
        self.up = up
        self.depthFrames = depthFrames
    }
}

extension SequenceTruth {
    /// Reads a sequence folder, or a TUM RGB-D or EuRoC folder as it is published.
    public static func load(_ folder: URL) throws(EvaluationError) -> SequenceTruth {
        let euroc = folder.appendingPathComponent("mav0/state_groundtruth_estimate0/data.csv")
        if FileText.exists(euroc) { return try loadEuRoC(folder, truth: euroc) }
        let tum = folder.appendingPathComponent("groundtruth.txt")
        if FileText.exists(tum) { return try loadTUM(folder, truth: tum) }
        guard FileText.exists(folder) else { throw .unreadable(path: folder.path, reason: "no such folder") }

        var truth = SequenceTruth(
            name: folder.standardizedFileURL.lastPathComponent, folder: folder, trajectory: nil, intrinsics: nil,
            planes: [], failures: nil, up: .unitY, depthFrames: [])
        let poses = folder.appendingPathComponent("groundtruth.csv")
        if FileText.exists(poses) {
            truth.trajectory = try known(TrajectoryReader.groundTruthCSV(at: poses), from: poses)
        }
        let camera = folder.appendingPathComponent("intrinsics.json")
        if FileText.exists(camera) { truth.intrinsics = try FileText.decode(CameraFile.self, at: camera).intrinsics }
        let planes = folder.appendingPathComponent("planes.json")
        if FileText.exists(planes) { truth.planes = try PlanesFile.truePlanes(at: planes) }
        let reference = folder.appendingPathComponent("planes_reference.json")
        if FileText.exists(reference) {
            truth.referencePlanes = try FileText.decode(ReferencePlanesFile.self, at: reference).referencePlanes
        }
        let events = folder.appendingPathComponent("events.json")
        if FileText.exists(events) {
            truth.failures = try FileText.decode(EventsFile.self, at: events).intervals.map {
                TrueFailure(start: $0.start, end: $0.end, kind: $0.kind)
            }
        }
        let depth = folder.appendingPathComponent("depth").path
        truth.depthFrames = ((try? FileManager.default.contentsOfDirectory(atPath: depth)) ?? []).compactMap { name in
            name.hasSuffix(".png") ? Int(name.dropLast(4)) : nil
        }.sorted()
        if let camera = truth.intrinsics {
            for frame in truth.depthFrames {
                try DepthPicture.check(pngAt: truth.depthPicture(ofFrame: frame), camera: camera)
            }
        }
        return truth
    }

    /// - Throws: `EvaluationError` where the truth's camera can't be the one of a recording with pictures of this size.
    public func check(width: Int, height: Int) throws(EvaluationError) {
        guard let intrinsics, !intrinsics.fits(width: width, height: height) else { return }
        throw .unreadable(
            path: folder.appendingPathComponent("intrinsics.json").path,
            reason:
                "it is for \(intrinsics.width)×\(intrinsics.height) pictures and the recording has \(width)×\(height), "
                + "which is another shape")
    }

    /// The depth picture of a frame that is in `depthFrames`.
    public func depthPicture(frame: Int) throws(EvaluationError) -> DepthPicture {
        if let picture = depthPictures[frame] { return picture }
        let url = depthPicture(ofFrame: frame)
        guard let intrinsics else { throw .unreadable(path: url.path, reason: "no intrinsics.json beside it") }
        return try DepthPicture(pngAt: url, camera: intrinsics)
    }

    private func depthPicture(ofFrame frame: Int) -> URL {
        let number = String(frame)
        let name = String(repeating: "0", count: max(0, 5 - number.count)) + number + ".png"
        return folder.appendingPathComponent("depth").appendingPathComponent(name)
    }

    private static func loadTUM(_ folder: URL, truth: URL) throws(EvaluationError) -> SequenceTruth {
        var firstFrame: Double?
        let pictures = folder.appendingPathComponent("rgb.txt")
        if FileText.exists(pictures) {
            firstFrame = try FileText.lines(at: pictures).lazy
                .compactMap { Double($0.prefix { $0 != " " }) }.first
        }
        let trajectory = try known(TrajectoryReader.tum(at: truth), from: truth)
        let start = firstFrame ?? trajectory.entries.first?.seconds ?? 0
        // The benchmark's motion-capture world has z up.
        return SequenceTruth(
            name: folder.standardizedFileURL.lastPathComponent, folder: folder,
            trajectory: trajectory.shifted(bySeconds: -start), intrinsics: nil, planes: [], failures: nil, up: .unitZ,
            depthFrames: [])
    }

    private static func loadEuRoC(_ folder: URL, truth: URL) throws(EvaluationError) -> SequenceTruth {
        let list = folder.appendingPathComponent("mav0/cam0/data.csv")
        let first = try FileText.lines(at: list).lazy.compactMap { Int64($0.prefix { $0 != "," }) }.first
        guard let first else { throw .malformed(path: list.path, line: 2, expected: "a time in nanoseconds") }
        let sensor = folder.appendingPathComponent("mav0/cam0/sensor.yaml")
        let text = try FileText.lines(at: sensor).joined(separator: "\n")
        guard let bodyFromCamera = matrix(afterKey: "T_BS", in: text) else {
            throw .unreadable(path: sensor.path, reason: "it has no T_BS of 16 numbers")
        }
        return SequenceTruth(
            name: folder.standardizedFileURL.lastPathComponent, folder: folder,
            trajectory: try known(
                TrajectoryReader.eurocCSV(at: truth, firstFrameNanoseconds: first, bodyFromCamera: bodyFromCamera),
                from: truth),
            intrinsics: nil, planes: [], failures: nil, up: .unitZ, depthFrames: [])
    }

    /// A truth without a single pose is a broken file, not a recording without truth.
    private static func known(_ path: Trajectory, from url: URL) throws(EvaluationError) -> Trajectory {
        guard !path.entries.isEmpty else { throw .nothingToCompare(path: url.path, reason: "it holds no pose") }
        return path
    }

    /// The 4×4 row-major `data: […]` that follows a key of a sensor file.
    private static func matrix(afterKey key: String, in text: String) -> Pose? {
        guard let start = text.range(of: key), let open = text[start.upperBound...].firstIndex(of: "["),
            let close = text[open...].firstIndex(of: "]")
        else { return nil }
        let numbers = text[text.index(after: open)..<close].split { $0 == "," || $0.isWhitespace }.compactMap {
            Double($0)
        }
        guard numbers.count == 16 else { return nil }
        func column(_ c: Int) -> SIMD3<Double> { SIMD3(numbers[c], numbers[4 + c], numbers[8 + c]) }
        return Pose(rotation: Rotation(columns: column(0), column(1), column(2)), position: column(3))
    }
}

// MARK: Files

struct CameraFile: Decodable {
    var width: Int
    var height: Int
    var fx, fy, cx, cy: Double
    var distortionModel: String?
    var k1, k2, k3, k4, p1, p2: Double?

    var intrinsics: CameraIntrinsics {
        let distortion: CameraIntrinsics.Distortion =
            switch distortionModel {
            case "radtan":
                .radialTangential(k1: k1 ?? 0, k2: k2 ?? 0, p1: p1 ?? 0, p2: p2 ?? 0, k3: k3 ?? 0)
            case "fisheye": .fisheye(k1: k1 ?? 0, k2: k2 ?? 0, k3: k3 ?? 0, k4: k4 ?? 0)
            default: .none
            }
        return CameraIntrinsics(width: width, height: height, fx: fx, fy: fy, cx: cx, cy: cy, distortion: distortion)
    }
}

private struct EventsFile: Decodable {
    struct Interval: Decodable {
        var start: Double
        var end: Double
        var kind: String
    }

    var intervals: [Interval]
}

extension SIMD3 where Scalar == Double {
    /// Nil unless there are three numbers.
    init?(_ numbers: [Double]) {
        guard numbers.count == 3 else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }
}
