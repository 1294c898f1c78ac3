import Foundation

/// An output folder read back: what a session said about its frames, surfaces, hints and objects.
public struct SessionRecord: Sendable {
    public struct Frame: Hashable, Sendable {
        public var index: Int
        public var seconds: Double
        /// Camera to world with computer-vision axes, from `trajectory.tum`; nil when not tracked.
        public var worldFromCamera: Pose?
        public var features: Int?

        public init(index: Int, seconds: Double, worldFromCamera: Pose? = nil, features: Int? = nil) {
            self.index = index
            self.seconds = seconds
            self.worldFromCamera = worldFromCamera
            self.features = features
        }
    }

    /// A surface as it was at some moment.
    public struct Surface: Hashable, Sendable {
        public var id: Int
        public var alignment: String
        public var classification: String
        public var normal: SIMD3<Double>
        /// The outline in the session's world.
        public var boundary: [SIMD3<Double>]

        public init(
            id: Int, alignment: String, classification: String, normal: SIMD3<Double>, boundary: [SIMD3<Double>]
        ) {
            self.id = id
            self.alignment = alignment
            self.classification = classification
            self.normal = normal.normalized
            self.boundary = boundary
        }
    }

    public struct SurfaceChange: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            case added(Surface)
            case updated(Surface)
            case merged(id: Int, into: Int)
            case removed(id: Int)
        }

        public var seconds: Double
        public var kind: Kind

        public init(seconds: Double, kind: Kind) {
            self.seconds = seconds
            self.kind = kind
        }
    }

    public struct HintShown: Hashable, Sendable {
        public var cause: String
        public var shownAt: Double
        /// Nil when it was still on screen at the end.
        public var hiddenAt: Double?
    }

    public struct ObjectChange: Hashable, Sendable {
        public var seconds: Double
        public var id: Int
        public var name: String
        public var event: String
        /// Where the object's base is.
        public var worldFromObject: Pose
        public var isProvisional: Bool
    }

    public var name: String
    public var frames: [Frame]
    public var trajectory: Trajectory
    public var refinedTrajectory: Trajectory?
    /// In time order; empty when the session never said.
    public var cameras: [(seconds: Double, intrinsics: CameraIntrinsics)]
    public var surfaceChanges: [SurfaceChange]
    public var finalSurfaces: [Surface]
    /// `assumed`, `inertial`, `stated`…; nil when the session never said.
    public var scaleSource: String?
    /// How long the session says that its unit really is; nil when it never said.
    public var metresPerUnit: Double?
    public var hints: [HintShown]
    public var objectChanges: [ObjectChange]
    /// When a new world began, in which earlier coordinates mean nothing.
    public var resets: [Double] = []
    public var speed: SpeedFigures?

    /// Seconds at which each surface was announced, by id.
    public var firstSurfaceSeconds: [Int: Double] {
        var first: [Int: Double] = [:]
        for change in surfaceChanges {
            if case .added(let surface) = change.kind, first[surface.id] == nil { first[surface.id] = change.seconds }
        }
        return first
    }

    /// The camera that was believed at a moment.
    public func intrinsics(at seconds: Double) -> CameraIntrinsics? {
        (cameras.last { $0.seconds <= seconds + 1e-6 } ?? cameras.first)?.intrinsics
    }
}

extension SessionRecord {
    /// Of a session that is followed while it runs, and never written.
    public init(name: String) {
        self.init(
            name: name, frames: [], trajectory: Trajectory([]), cameras: [], surfaceChanges: [], finalSurfaces: [],
            hints: [], objectChanges: [])
    }

    public static func load(_ folder: URL) throws(EvaluationError) -> SessionRecord {
        let causal = folder.appendingPathComponent("trajectory.tum")
        let refined = folder.appendingPathComponent("trajectory_refined.tum")
        let trajectory = try TrajectoryReader.tum(at: causal)
        var record = SessionRecord(name: folder.standardizedFileURL.lastPathComponent)
        record.trajectory = trajectory
        if FileText.exists(refined) { record.refinedTrajectory = try TrajectoryReader.tum(at: refined) }
        try record.readSession(folder.appendingPathComponent("session.jsonl"))
        record.attachPoses()
        let surfaces = folder.appendingPathComponent("surfaces.json")
        if FileText.exists(surfaces) {
            let file = try FileText.decode(SurfacesFile.self, at: surfaces)
            record.scaleSource = file.scale?.source
            record.metresPerUnit = file.scale?.metresPerUnit
            record.finalSurfaces = file.surfaces.compactMap(\.surface)
        }
        let summary = folder.appendingPathComponent("summary.json")
        if FileText.exists(summary) {
            record.speed = try FileText.decode(SummaryFile.self, at: summary).figures
        }
        return record
    }

    /// Gives each frame the pose whose time is its own.
    private mutating func attachPoses() {
        for index in frames.indices {
            guard let nearest = trajectory.nearestIndex(to: frames[index].seconds),
                abs(trajectory.entries[nearest].seconds - frames[index].seconds) < 2e-6
            else { continue }
            frames[index].worldFromCamera = trajectory.entries[nearest].worldFromCamera
        }
    }

    private mutating func readSession(_ url: URL) throws(EvaluationError) {
        let data = try FileText.data(at: url)
        let decoder = FileText.decoder
        var openHints: [Int: Int] = [:]
        for (number, text) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            let line: SessionLine
            do {
                line = try decoder.decode(SessionLine.self, from: text)
            } catch {
                throw .malformed(path: url.path, line: number + 1, expected: "a JSON object with type and t")
            }
            switch line.type {
            case "frame":
                frames.append(Frame(index: line.index ?? frames.count, seconds: line.t, features: line.features))
            case "surface":
                if let change = line.surfaceChange { surfaceChanges.append(change) }
            case "hint":
                guard let id = line.id else { continue }
                if line.event == "shown" {
                    openHints[id] = hints.count
                    hints.append(HintShown(cause: line.cause ?? "", shownAt: line.t, hiddenAt: nil))
                } else if line.event == "hidden", let open = openHints.removeValue(forKey: id) {
                    hints[open].hiddenAt = line.t
                }
            case "object":
                if let change = line.objectChange { objectChanges.append(change) }
            case "session":
                if line.event == "camera", let camera = line.camera { cameras.append((line.t, camera)) }
                if line.event == "reset" { resets.append(line.t) }
            default: continue
            }
        }
    }
}

/// How fast a session ran, milliseconds per frame.
public struct SpeedFigures: Hashable, Sendable, Codable {
    public var stages: [StageFigures]
    public var decodeMilliseconds: Double?

    public struct StageFigures: Hashable, Sendable, Codable {
        public var name: String
        public var meanMilliseconds: Double
        public var medianMilliseconds: Double
        public var p99Milliseconds: Double
    }

    /// The whole engine: the stage of that name.
    public var engine: StageFigures? { stages.first { $0.name == "engine" } }
}
