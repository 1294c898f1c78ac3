import FootholdCapture
import FootholdEvaluation
import FootholdSynthesis
import FootholdTracking
import Foundation

/// How right the depth is that objects are hidden by, and what it costs, on sequences with depth pictures.
public enum DepthBenchmark {
    public struct Figures: Hashable, Sendable, Encodable {
        public var name: String
        /// Depth maps that were compared with the truth.
        public var maps: Int
        public var knownShare: Double
        public var medianError: Double?
        public var ninetiethError: Double?
        /// Cells more than a tenth wrong, of those with a depth.
        public var wrongShare: Double
        /// Of points a fifth behind and before what is real.
        public var wronglyShown: Double
        public var wronglyHidden: Double
        public var withinDeviation: Double
        /// Change of what is shown from frame to frame.
        public var flicker: Double
        public var engineMilliseconds: Double
        public var depthMilliseconds: Double
        public var medianDepthMilliseconds: Double
    }

    /// Pictures whose true depth is known.
    private struct Recording {
        var name: String
        var source: SourceInfo
        var frameCount: Int?
        var nextFrame: () throws -> Frame?
        var truth: Trajectory
        /// Nil for frames without a depth picture.
        var depth: (_ frameIndex: Int) throws -> DepthPicture?
    }

    private struct Sample {
        var map: DepthMap
        var frame: Frame
        var worldID: Int
        var worldFromCamera: Pose

        var seen: DepthScore.Seen {
            DepthScore.Seen(map: map, luma: frame.pixels.luma, worldFromCamera: worldFromCamera)
        }
    }

    /// A sequence folder.
    /// - Throws: `UsageError` for a folder without depth pictures; what reading it throws, such as `EvaluationError` for
    ///   depth pictures of another shape than the recording's.
    public static func run(
        folder: URL, cancellation: Cancellation = Cancellation(),
        onProgress: (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws -> Figures {
        let truth = try SequenceTruth.load(folder)
        guard let trajectory = truth.trajectory, !truth.depthFrames.isEmpty else {
            throw UsageError(
                "\(folder.path) has no depth pictures with a true path, so there is nothing to compare with")
        }
        let source = try FrameSources.open(folder.path)
        try truth.check(width: source.info.width, height: source.info.height)
        let pictured = Set(truth.depthFrames)
        let recording = Recording(
            name: truth.name, source: source.info, frameCount: source.info.estimatedFrameCount,
            nextFrame: source.nextFrame, truth: trajectory,
            depth: { pictured.contains($0) ? try truth.depthPicture(frame: $0) : nil })
        return try run(recording, cancellation: cancellation, onProgress: onProgress)
    }

    /// Random worlds.
    ///
    /// - Parameters:
    ///   - seed: of the first world; each has one of its own.
    ///   - perTrial: worlds of each of `Trial.all` in which anything can be told about depth.
    public static func run(
        seed: UInt64, perTrial: Int, only name: String? = nil, cancellation: Cancellation = Cancellation(),
        onProgress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> [Figures] {
        let worlds = Trial.worlds(seed: seed, perTrial: perTrial) { $0.hasDepth && $0.isNamed(name) }
        var figures: [Figures] = []
        for world in worlds {
            figures.append(try run(world.trial, seed: world.seed, cancellation: cancellation))
            onProgress(figures.count, worlds.count)
        }
        return figures
    }

    /// Every fifteenth frame is compared.
    private static func run(_ trial: Trial, seed: UInt64, cancellation: Cancellation) throws -> Figures {
        let sequence = trial.sequence(seed: seed)
        let given = sequence.intrinsics
        var source = SourceInfo(
            name: trial.name, kind: .imageFolder, width: given.width, height: given.height,
            nominalFrameRate: sequence.camera.framesPerSecond)
        if trial.givesCamera { source.intrinsics = given }
        let recording = Recording(
            name: "\(trial.name) \(seed)",
            source: source,
            frameCount: sequence.frameCount, nextFrame: sequence.nextFrame,
            truth: sequence.truePath,
            depth: { $0.isMultiple(of: 15) ? sequence.depthPicture(atFrame: $0) : nil })
        return try run(recording, cancellation: cancellation, onProgress: { _, _ in })
    }

    private static func run(
        _ recording: Recording, cancellation: Cancellation, onProgress: (_ done: Int, _ total: Int?) -> Void
    ) throws -> Figures {
        let session = try SceneSession(source: recording.source)
        var samples: [(sample: Sample, depth: DepthPicture)] = []
        /// The frames after those of the samples, by their place.
        var followers: [Int: Sample] = [:]
        var last: Int?
        var poses: [Int: [Trajectory.Entry]] = [:]
        var milliseconds: [Double] = []
        while let frame = try recording.nextFrame() {
            try cancellation.check()
            let result = try session.process(frame).result
            onProgress(frame.index + 1, recording.frameCount)
            let start = SteadyClock.seconds
            guard let map = try session.depthMap(), let pose = result.worldFromCamera else { continue }
            milliseconds.append((SteadyClock.seconds - start) * 1000)
            poses[result.worldID, default: []].append(
                .init(seconds: result.seconds, worldFromCamera: pose.flippingCameraAxes))
            guard let truePose = recording.truth.pose(at: result.seconds) else { continue }
            let sample = Sample(map: map, frame: frame, worldID: result.worldID, worldFromCamera: truePose)
            if let last, samples[last].sample.frame.index + 1 == frame.index { followers[last] = sample }
            guard let depth = try recording.depth(frame.index) else { continue }
            last = samples.count
            samples.append((sample, depth))
        }
        let scales = poses.compactMapValues { scale(of: $0, to: recording.truth) }
        var score = DepthScore()
        for (place, (sample, depth)) in samples.enumerated() {
            guard let scale = scales[sample.worldID] else { continue }
            score.add(sample.map, truth: depth, scale: scale, luma: sample.frame.pixels.luma)
            if let next = followers[place], next.worldID == sample.worldID {
                score.add(
                    sample.seen, next: next.seen, truth: depth,
                    camera: depth.intrinsics.scaled(
                        toWidth: recording.source.width, height: recording.source.height), scale: scale)
            }
        }
        return Figures(
            name: recording.name, maps: score.maps, knownShare: score.knownShare, medianError: score.medianError,
            ninetiethError: score.ninetiethError, wrongShare: score.wrongShare, wronglyShown: score.wronglyShown,
            wronglyHidden: score.wronglyHidden, withinDeviation: score.withinDeviation, flicker: score.flicker,
            engineMilliseconds: session.stageTimings.first { $0.name == "engine" }?.mean ?? 0,
            depthMilliseconds: milliseconds.reduce(0, +) / Double(max(1, milliseconds.count)),
            medianDepthMilliseconds: milliseconds.sorted().dropFirst(milliseconds.count / 2).first ?? 0)
    }

    /// True metres in a metre of a world.
    private static func scale(of poses: [Trajectory.Entry], to truth: Trajectory) -> Double? {
        let pairs = poses.compactMap { entry in
            truth.pose(at: entry.seconds).map { (entry.worldFromCamera.position, $0.position) }
        }
        return Similarity.aligning(pairs.map(\.0), to: pairs.map(\.1), withScale: true)?.scale
    }
}
