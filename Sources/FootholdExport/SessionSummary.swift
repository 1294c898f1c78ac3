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
}

/// What was measured while a session ran; kept out of `session.jsonl`, which is the same for every run.
public struct SessionMeasurements: Hashable, Sendable {
    public var stages: [StageTiming]
    /// Mean time to decode one frame.
    public var decodeMilliseconds: Double?
    /// From the start of the process to the first frame's result.
    public var startUpSeconds: Double?
    /// To look for surfaces once more after the last frame.
    public var reviewSeconds: Double?
    /// From the start to the end of the run.
    public var wallSeconds: Double?
    public var peakMemoryBytes: Int?
    /// Of a live session.
    public var capture: CaptureMeasurements?

    public init(
        stages: [StageTiming] = [], decodeMilliseconds: Double? = nil, startUpSeconds: Double? = nil,
        reviewSeconds: Double? = nil, wallSeconds: Double? = nil, peakMemoryBytes: Int? = nil,
        capture: CaptureMeasurements? = nil
    ) {
        self.stages = stages
        self.decodeMilliseconds = decodeMilliseconds
        self.startUpSeconds = startUpSeconds
        self.reviewSeconds = reviewSeconds
        self.wallSeconds = wallSeconds
        self.peakMemoryBytes = peakMemoryBytes
        self.capture = capture
    }
}

/// How a live camera did, and how soon its pictures had results.
public struct CaptureMeasurements: Hashable, Sendable {
    /// Its name, and how it was run.
    public var camera: String
    public var mode: String
    /// Whole pictures that came from the driver, and those of them that were tracked.
    public var captured = 0
    public var tracked = 0
    /// Pictures that a newer one replaced before tracking was ready for them.
    public var replaced = 0
    /// Pictures that the driver counted and never gave, and those that came damaged.
    public var lost = 0
    public var damaged = 0
    /// Times that the camera had to be waited for or started again.
    public var interruptions = 0
    /// From the kernel's time stamp to the result, milliseconds; nil before the first one.
    public var latencyMedian: Double?
    public var latencyP99: Double?
    /// Lines that a slow reader did not get.
    public var linesDropped = 0
    /// Pictures in the recording, and those that it lacks; nil where nothing is recorded.
    public var recorded: Int?
    public var notRecorded: Int?

    public init(camera: String, mode: String) {
        self.camera = camera
        self.mode = mode
    }

    /// The share of the camera's pictures that were not tracked.
    public var dropRate: Double {
        let all = captured + lost + damaged
        return all > 0 ? Double(replaced + lost + damaged) / Double(all) : 0
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

    /// Adds one frame.
    public mutating func count(_ result: FrameResult, startNanoseconds: Int64) {
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
            json.number("reviewSeconds", measurements.reviewSeconds, decimals: 4)
            json.number("wallSeconds", measurements.wallSeconds, decimals: 4)
            json.integer("peakMemoryBytes", measurements.peakMemoryBytes)
            if let capture = measurements.capture { json.object("capture") { $0.capture(capture) } }
        }
        json.endLine()
        return json.bytes
    }
}
