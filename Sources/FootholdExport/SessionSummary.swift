/// How long a stage took per frame, in milliseconds.
public struct StageTiming: Hashable, Sendable {
    public var name: String
    public var mean: Double
    public var median: Double
    public var p99: Double

    public init(name: String, mean: Double, median: Double, p99: Double) {
        self.name = name
        self.mean = mean
        self.median = median
        self.p99 = p99
    }

    /// The figures of measured times in milliseconds; nil when there are none. Percentiles are the nearest rank.
    public init?(name: String, milliseconds: [Double]) {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        func percentile(_ fraction: Double) -> Double {
            sorted[max(0, Int((fraction * Double(sorted.count)).rounded(.up)) - 1)]
        }
        self.init(
            name: name, mean: sorted.reduce(0, +) / Double(sorted.count), median: percentile(0.5), p99: percentile(0.99)
        )
    }
}

/// What was measured while a session ran; kept out of `session.jsonl`, which is the same for every run.
public struct SessionMeasurements: Hashable, Sendable {
    public var stages: [StageTiming]
    /// Mean time to decode one frame.
    public var decodeMilliseconds: Double?
    /// From the start of the process to the first frame's result.
    public var startUpSeconds: Double?
    /// From the start to the end of the run.
    public var wallSeconds: Double?
    public var peakMemoryBytes: Int?

    public init(
        stages: [StageTiming] = [], decodeMilliseconds: Double? = nil, startUpSeconds: Double? = nil,
        wallSeconds: Double? = nil, peakMemoryBytes: Int? = nil
    ) {
        self.stages = stages
        self.decodeMilliseconds = decodeMilliseconds
        self.startUpSeconds = startUpSeconds
        self.wallSeconds = wallSeconds
        self.peakMemoryBytes = peakMemoryBytes
    }
}

/// What a session came to: the counts of `summary.json`.
public struct SessionTotals: Hashable, Sendable {
    public var frames = 0
    /// Frames with a pose.
    public var trackedFrames = 0
    /// Seconds from the first frame; nil while it has not happened.
    public var secondsToFirstTracking: Double?
    public var secondsToFirstSurface: Double?
    public var scale: ScaleEstimate?
    public var intrinsics: CameraIntrinsics?

    public init() {}

    public var trackedFraction: Double { frames > 0 ? Double(trackedFrames) / Double(frames) : 0 }

    mutating func count(_ result: FrameResult, startNanoseconds: Int64) {
        let seconds = Double(result.timestampNanoseconds - startNanoseconds) / 1e9
        frames += 1
        if result.worldFromCamera != nil {
            trackedFrames += 1
            secondsToFirstTracking = secondsToFirstTracking ?? seconds
        }
        if !result.surfaces.isEmpty { secondsToFirstSurface = secondsToFirstSurface ?? seconds }
        scale = result.scale
        intrinsics = result.intrinsics
    }
}

enum SummaryFile {
    static func text(
        totals: SessionTotals, surfaceCount: Int, objectCount: Int, measurements: SessionMeasurements
    ) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.integer("frames", totals.frames)
            json.integer("trackedFrames", totals.trackedFrames)
            json.number("trackedFraction", totals.trackedFraction, decimals: 6)
            json.number("secondsToFirstTracking", totals.secondsToFirstTracking, decimals: 6)
            json.number("secondsToFirstSurface", totals.secondsToFirstSurface, decimals: 6)
            json.integer("surfaces", surfaceCount)
            json.integer("objects", objectCount)
            if let scale = totals.scale { json.scale(scale) }
            if let intrinsics = totals.intrinsics { json.object("camera") { $0.camera(intrinsics) } }
            json.array("stages") { json in
                for stage in measurements.stages {
                    json.object { json in
                        json.string("name", stage.name)
                        json.number("meanMilliseconds", stage.mean, decimals: 4)
                        json.number("medianMilliseconds", stage.median, decimals: 4)
                        json.number("p99Milliseconds", stage.p99, decimals: 4)
                    }
                }
            }
            json.number("decodeMillisecondsPerFrame", measurements.decodeMilliseconds, decimals: 4)
            json.number("startUpSeconds", measurements.startUpSeconds, decimals: 4)
            json.number("wallSeconds", measurements.wallSeconds, decimals: 4)
            json.integer("peakMemoryBytes", measurements.peakMemoryBytes)
        }
        json.endLine()
        return json.bytes
    }
}
