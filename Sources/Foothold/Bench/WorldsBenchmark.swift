import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation

/// How well the camera is followed through many random worlds whose truth is known exactly, and what is found of their
/// surfaces.
public enum WorldsBenchmark {
    /// What became of one world.
    public struct Outcome: Hashable, Sendable, Encodable {
        public var trial: String
        public var seed: UInt64
        public var frames: Int
        /// Seconds to the first pose; nil without one.
        public var firstSeconds: Double?
        /// Frames with a pose, of those from the first pose on.
        public var trackedShare: Double
        /// RMSE after Sim3, of the pose as it was known at each frame, centimetres.
        public var errorCentimetres: Double?
        public var errorShareOfPath: Double?
        public var refinedCentimetres: Double?
        /// Frames called normal though the camera was over 2 cm or 1° from there, of all called normal.
        public var falseNormalShare: Double
        public var resets: Int
        /// Found divided by true, when the camera wasn't given.
        public var focalRatio: Double?
        public var meanMilliseconds: Double
        /// As they were told by the last frame, and after all was looked at once more; nil where no pose could be
        /// compared.
        public var liveSurfaces: SurfaceFigures?
        public var surfaces: SurfaceFigures?
        /// Of what is put where rays meet surfaces, a second after the first pose; nil where none does.
        public var placedDrift: DriftScore?
    }

    /// - Parameters:
    ///   - seed: of the first world; each has one of its own.
    ///   - perTrial: worlds of each of `Trial.all`.
    ///   - hasInertialSensor: the camera has one, with noise and biases.
    ///   - progress: told after each world.
    /// - Throws: `StoppedError` when that is requested.
    public static func run(
        seed: UInt64, perTrial: Int, only name: String? = nil, hasInertialSensor: Bool = false,
        cancellation: Cancellation = Cancellation(),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> [Outcome] {
        let worlds = Trial.worlds(seed: seed, perTrial: perTrial) { $0.isNamed(name) }
        var outcomes: [Outcome] = []
        for world in worlds {
            outcomes.append(
                try outcome(
                    of: world.trial, seed: world.seed, hasInertialSensor: hasInertialSensor,
                    cancellation: cancellation))
            progress(outcomes.count, worlds.count)
        }
        return outcomes
    }

    private static func outcome(
        of trial: Trial, seed: UInt64, hasInertialSensor: Bool, cancellation: Cancellation
    ) throws -> Outcome {
        let sequence = trial.sequence(seed: seed)
        let given = sequence.intrinsics
        let session = try WorldSession(
            configuration: .init(
                intrinsics: trial.givesCamera ? given : .guess(width: given.width, height: given.height)))
        if hasInertialSensor { try session.add(sequence.inertialSamples()) }
        var causal: [Trajectory.Entry] = []
        var isNormal: [Bool] = []
        var resets = 0
        var focal = given.fx
        var surfaces = SurfaceFiguresCollector(sequence)
        while let frame = sequence.nextFrame() {
            try cancellation.check()
            let result = try session.process(frame)
            surfaces.take(result)
            resets += result.didReset ? 1 : 0
            focal = result.intrinsics.fx
            guard let pose = result.worldFromCamera else { continue }
            causal.append(.init(seconds: result.seconds, worldFromCamera: pose.flippingCameraAxes))
            isNormal.append(result.trackingState == .normal)
        }
        let liveSurfaces = session.surfaces
        _ = try session.reviewSurfaces()
        let refined = try session.finish().entries.map { entry in
            Trajectory.Entry(
                seconds: Double(entry.timestampNanoseconds) / 1e9,
                worldFromCamera: entry.worldFromCamera.flippingCameraAxes)
        }
        let truth = sequence.truePath
        let path = Trajectory(causal)
        let comparison = TrajectoryComparison(estimate: path, reference: truth, alignment: .sim3)
        let rmse = comparison.flatMap { ErrorStatistics($0.absoluteErrors)?.rmse }
        let first = causal.first?.seconds
        let following = first.map { sequence.frameCount - Int(($0 * sequence.camera.framesPerSecond).rounded()) } ?? 0
        let mean = session.timings.statistics.first { $0.name == "total" }?.statistics.mean ?? 0
        func figures(_ found: [PlaneAnchor]) throws -> SurfaceFigures? {
            try comparison.flatMap {
                try surfaces.figures(
                    of: found, along: truth, worldFromSession: $0.referenceFromEstimate, firstPoseSeconds: first)
            }
        }
        return Outcome(
            trial: trial.name, seed: seed, frames: sequence.frameCount, firstSeconds: first,
            trackedShare: following > 0 ? Double(causal.count) / Double(following) : 0,
            errorCentimetres: rmse.map { 100 * $0 }, errorShareOfPath: rmse.map { $0 / max(truth.pathLength, 1e-9) },
            refinedCentimetres: TrajectoryComparison(
                estimate: Trajectory(refined), reference: truth, alignment: .sim3
            ).flatMap { ErrorStatistics($0.absoluteErrors)?.rmse }.map { 100 * $0 },
            falseNormalShare: falseNormals(
                TrajectoryComparison(estimate: path, reference: truth, alignment: .sim3OfPoses), isNormal),
            resets: resets,
            focalRatio: trial.givesCamera || first == nil ? nil : focal / given.fx, meanMilliseconds: mean,
            liveSurfaces: try figures(liveSurfaces), surfaces: try figures(session.surfaces),
            placedDrift: first == nil ? nil : try surfaces.placedDrift(along: truth))
    }

    private static func falseNormals(_ comparison: TrajectoryComparison?, _ isNormal: [Bool]) -> Double {
        let normals = isNormal.filter { $0 }.count
        guard normals > 0 else { return 0 }
        // Where nothing can be aligned no pose is right.
        guard let comparison, comparison.pairs.count == isNormal.count else { return 1 }
        let isWrong = zip(comparison.absoluteErrors, comparison.absoluteRotationErrors).map { metres, radians in
            metres > 0.02 || radians > Double.pi / 180
        }
        return Double(zip(isNormal, isWrong).filter { $0 && $1 }.count) / Double(normals)
    }
}
