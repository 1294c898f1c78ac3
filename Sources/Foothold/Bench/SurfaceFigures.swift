import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation

/// What was found of one made-up world's surfaces, and what was wrong about it.
public struct SurfaceFigures: Hashable, Sendable, Encodable {
    /// All that are told.
    public var found: Int
    /// Of those found, the ones that stand for a true surface.
    public var right: Int
    /// True surfaces of at least 0.1 m² that were seen for at least two seconds, and how many of them were found.
    public var expected: Int
    public var hit: Int
    /// Means over the right ones.
    public var normalErrorDegrees: Double?
    public var offsetErrorCentimetres: Double?
    public var intersectionOverUnion: Double?
    /// From the first pose to the first surface that is right.
    public var secondsToFirst: Double?
    /// Found where nothing is, behind a mirror, a pane or a polished top: what is reflected there.
    public var beyondMirrors: Int
}

/// Collects what a session says about surfaces, and scores it against a made-up world's truth.
struct SurfaceFiguresCollector {
    private let sequence: SyntheticSequence
    private var depths: [Int: DepthPicture] = [:]
    private var frames: [(index: Int, seconds: Double)] = []
    /// Since the last new world began.
    private var record = SessionRecord(name: "")

    /// Frames from one true depth picture to the next.
    private static let interval = 10

    init(_ sequence: SyntheticSequence) { self.sequence = sequence }

    mutating func take(_ result: FrameResult) {
        if result.didReset { record = SessionRecord(name: "") }
        for event in result.surfaceEvents {
            record.surfaceChanges.append(.init(seconds: result.seconds, kind: Self.change(event)))
        }
        record.frames.append(
            .init(
                index: result.frameIndex, seconds: result.seconds,
                worldFromCamera: result.worldFromCamera?.flippingCameraAxes))
        record.cameras.append((result.seconds, result.intrinsics))
        frames.append((result.frameIndex, result.seconds))
        if result.frameIndex.isMultiple(of: Self.interval) {
            depths[result.frameIndex] = sequence.depthPicture(atFrame: result.frameIndex)
        }
    }

    /// - Parameters:
    ///   - found: the session's surfaces.
    ///   - truth: the true path.
    ///   - worldFromSession: the similarity that takes the session's path onto it.
    func figures(
        of found: [PlaneAnchor], along truth: Trajectory, worldFromSession: Similarity, firstPoseSeconds: Double?
    ) throws -> SurfaceFigures? {
        let surfaces = found.map { Self.surface($0, worldFromSession) }
        guard
            let score = try SurfaceScore.score(
                surfaces: surfaces, firstSeconds: record.firstSurfaceSeconds, truth: scene(along: truth), frames: frames
            )
        else { return nil }
        let wrong = Set(score.unmatchedIDs)
        let beyond = surfaces.filter { surface in
            wrong.contains(surface.id) && sequence.world.mirrors.contains { Self.lies(surface, behind: $0) }
        }
        return SurfaceFigures(
            found: score.found, right: score.matches.count, expected: score.expected,
            hit: score.expected - score.missed.count, normalErrorDegrees: score.normalErrorDegrees,
            offsetErrorCentimetres: score.offsetErrorCentimetres,
            intersectionOverUnion: score.intersectionOverUnion,
            secondsToFirst: score.secondsToFirstMatched.flatMap { first in firstPoseSeconds.map { first - $0 } },
            beyondMirrors: beyond.count)
    }

    /// How far what is put on surfaces a second after the first pose wanders; nil where no ray meets one.
    ///
    /// - Parameter truth: the true path.
    func placedDrift(along truth: Trajectory) throws -> DriftScore? {
        try DriftScore.placed(record, truth: scene(along: truth))
    }

    private func scene(along truth: Trajectory) -> SequenceTruth {
        var scene = SequenceTruth(
            name: "", folder: URL(fileURLWithPath: "/"), trajectory: truth, intrinsics: sequence.intrinsics,
            planes: sequence.world.planes.map {
                TruePlane(
                    id: $0.id, label: $0.label, normal: $0.normal, point: $0.center, polygon: $0.polygon,
                    area: $0.area, seenDepthFrames: nil)
            }, failures: nil, up: .unitY, depthFrames: depths.keys.sorted())
        scene.depthPictures = depths
        return scene
    }

    private static func surface(_ anchor: PlaneAnchor, _ worldFromSession: Similarity) -> SessionRecord.Surface {
        SessionRecord.Surface(
            id: anchor.id, alignment: anchor.alignment.rawValue, classification: anchor.classification.rawValue,
            normal: worldFromSession.rotation * anchor.normal,
            boundary: anchor.boundaryInWorld.map { worldFromSession * $0 })
    }

    private static func change(_ event: SurfaceEvent) -> SessionRecord.SurfaceChange.Kind {
        switch event {
        case .added(let anchor): .added(surface(anchor, .identity))
        case .updated(let anchor): .updated(surface(anchor, .identity))
        case .merged(let id, let into): .merged(id: id, into: into.id)
        case .removed(let id): .removed(id: id)
        }
    }

    /// Its middle is at least 5 cm behind the mirror's plane.
    private static func lies(_ surface: SessionRecord.Surface, behind mirror: SyntheticPlane) -> Bool {
        guard !surface.boundary.isEmpty else { return false }
        let middle = surface.boundary.reduce(.zero, +) / Double(surface.boundary.count)
        return (middle - mirror.center).dot(mirror.normal) < -0.05
    }
}
