import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// Frames of a synthetic world with the truth about them, drawn once and used by many tests.
struct Recording: Sendable {
    var frames: [Frame]
    /// One for each frame, the public camera axes.
    var truth: [Pose]
    var intrinsics: CameraIntrinsics
    var planes: [SyntheticPlane]
    var inertial: [InertialSample]

    init(_ sequence: SyntheticSequence) {
        frames = []
        while let frame = sequence.nextFrame() { frames.append(frame) }
        truth = frames.indices.map { sequence.worldFromCamera(atFrame: $0) }
        intrinsics = sequence.intrinsics
        planes = sequence.world.planes
        inertial = sequence.inertialSamples()
    }

    /// A recording with a lens, along a random path.
    init(
        seed: UInt64, kind: World.Kind, style: CameraPath.Style, duration: Double,
        distortion: CameraIntrinsics.Distortion
    ) {
        let world = World.random(seed: seed, kind: kind)
        let intrinsics = CameraIntrinsics(
            width: 320, height: 240, fx: 250, fy: 252, cx: 161.5, cy: 118, distortion: distortion)
        self.init(
            SyntheticSequence(
                world: world, path: .random(seed: seed + 1, style: style, in: world, duration: duration),
                intrinsics: intrinsics, duration: duration, seed: seed + 2))
    }

    /// A desk seen from the side, as a person is asked to.
    static let desk = Recording(SyntheticSequence(seed: 11, kind: .desk, style: .sideways, duration: 4.5))

    /// Metres that the camera moves over some frames.
    func pathLength(_ range: Range<Int>) -> Double {
        zip(truth[range], truth[range].dropFirst()).reduce(0) { $0 + $1.0.position.distance(to: $1.1.position) }
    }

    /// Root mean square of the distance of frames' positions to the true ones, metres, after alignment.
    func trajectoryError(_ positions: [(index: Int, position: SIMD3<Double>)]) -> Double {
        let truth = positions.map { self.truth[$0.index].position }
        guard let alignment = Similarity.aligning(positions.map(\.position), to: truth, withScale: true) else {
            return .infinity
        }
        let squares = zip(positions, truth).map { (alignment * $0.position - $1).lengthSquared }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    func session(wantsFeatures: Bool = false) throws -> WorldSession {
        try WorldSession(configuration: .init(intrinsics: intrinsics, wantsFeatures: wantsFeatures))
    }
}

/// What a session said about a recording. Made once and then only read, so tests of one suite may share it.
struct Run: @unchecked Sendable {
    var session: WorldSession
    var results: [FrameResult]
    var recording: Recording

    /// - Parameter replacing: gives another picture in place of a frame's own.
    init(
        _ recording: Recording, frames: Range<Int>? = nil, wantsFeatures: Bool = false,
        hasInertialSensor: Bool = false, replacing: (Int) -> PixelBuffer? = { _ in nil }
    ) throws {
        self.recording = recording
        session = try recording.session(wantsFeatures: wantsFeatures)
        if hasInertialSensor { try session.add(recording.inertial) }
        results = []
        for frame in recording.frames[frames ?? recording.frames.indices] {
            let pixels = replacing(frame.index) ?? frame.pixels
            results.append(
                try session.process(
                    Frame(index: frame.index, timestampNanoseconds: frame.timestampNanoseconds, pixels: pixels)))
        }
    }

    var firstPose: Int? { results.first { $0.worldFromCamera != nil }?.frameIndex }
    var trackedShare: Double {
        Double(results.filter { $0.worldFromCamera != nil }.count) / Double(results.count)
    }

    /// The similarity that lays the session's positions over the truth, from frames of a range.
    func alignment(frames: Range<Int>? = nil) -> Similarity? {
        let tracked = results.filter { $0.worldFromCamera != nil && (frames?.contains($0.frameIndex) ?? true) }
        return Similarity.aligning(
            tracked.compactMap(\.worldFromCamera?.position),
            to: tracked.map { recording.truth[$0.frameIndex].position },
            withScale: true)
    }

    /// Root mean square of the distance to the true positions, metres, after alignment.
    func trajectoryError(_ poses: [(index: Int, pose: Pose)]) -> Double {
        recording.trajectoryError(poses.map { ($0.index, $0.pose.position) })
    }

    var trajectoryError: Double {
        trajectoryError(results.compactMap { result in result.worldFromCamera.map { (result.frameIndex, $0) } })
    }

    /// Largest angle (degrees) between true and aligned orientations.
    var worstTurn: Double {
        guard let alignment = alignment() else { return .infinity }
        return results.compactMap { result in
            result.worldFromCamera.map {
                (recording.truth[result.frameIndex].rotation.inverse * (alignment.rotation * $0.rotation)).angleRadians
                    * 180 / .pi
            }
        }.max() ?? .infinity
    }
}

/// A picture of one brightness.
func evenPicture(width: Int, height: Int, luma: UInt8) -> PixelBuffer {
    PixelBuffer(copyingLuma: [UInt8](repeating: luma, count: width * height), width: width, height: height)
}

extension [Int: PlaneAnchor] {
    /// Does what an event tells of surfaces, by id, and expects that it can be done.
    mutating func follow(_ event: SurfaceEvent) {
        switch event {
        case .added(let surface):
            #expect(self[surface.id] == nil)
            self[surface.id] = surface
        case .updated(let surface):
            #expect(self[surface.id] != nil)
            self[surface.id] = surface
        case .merged(let id, let into):
            #expect(removeValue(forKey: id) != nil)
            #expect(self[into.id] != nil)
            self[into.id] = into
        case .removed(let id):
            #expect(removeValue(forKey: id) != nil)
        }
    }
}
