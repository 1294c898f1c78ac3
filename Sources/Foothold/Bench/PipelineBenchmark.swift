import FootholdCapture
import FootholdExport
import FootholdTracking
import Foundation

/// How fast the engine is on a recording: one thread, each frame decoded and then taken in, nothing drawn or written.
public enum PipelineBenchmark {
    public struct Figures: Hashable, Sendable, Encodable {
        public var name: String
        public var width: Int
        public var height: Int
        public var frames: Int
        /// Everything but decoding.
        public var engine: StageFigures
        /// The engine's parts.
        public var stages: [StageFigures]
        public var decodeMillisecondsPerFrame: Double
        /// Engine and decoding together.
        public var framesPerSecond: Double
        public var trackedFraction: Double
        /// Of the process so far.
        public var peakMemoryBytes: Int
    }

    public struct StageFigures: Hashable, Sendable, Encodable {
        public var name: String
        public var meanMilliseconds: Double
        public var medianMilliseconds: Double
        public var p99Milliseconds: Double

        init(_ timing: StageTiming) {
            name = timing.name
            meanMilliseconds = timing.mean
            medianMilliseconds = timing.median
            p99Milliseconds = timing.p99
        }
    }

    /// - Throws: `CaptureError` for a recording that can't be read, `StoppedError` after `cancellation`.
    public static func run(
        input: String, options: CaptureOptions = CaptureOptions(), cancellation: Cancellation = Cancellation(),
        onProgress: (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws -> Figures {
        let source = try FrameSources.open(input, options: options)
        let session = try SceneSession(source: source.info)
        var engine = TimeSeries()
        var (frames, tracked) = (0, 0)
        while let frame = try source.nextFrame() {
            try cancellation.check()
            let start = SteadyClock.seconds
            let scene = try session.process(frame)
            engine.add((SteadyClock.seconds - start) * 1000)
            frames += 1
            if scene.result.worldFromCamera != nil { tracked += 1 }
            onProgress(frames, source.info.estimatedFrameCount)
        }
        guard frames > 0 else { throw UsageError("\(source.info.name) has no frames to measure with") }
        let timing = StageTiming(name: "engine", engine.statistics)
        let decode = source.decodeSeconds * 1000 / Double(frames)
        return Figures(
            name: source.info.name, width: source.info.width, height: source.info.height, frames: frames,
            engine: StageFigures(timing), stages: session.stageTimings.map(StageFigures.init),
            decodeMillisecondsPerFrame: decode, framesPerSecond: 1000 / (timing.mean + decode),
            trackedFraction: Double(tracked) / Double(frames), peakMemoryBytes: MachineUsage.peakMemoryBytes)
    }
}
