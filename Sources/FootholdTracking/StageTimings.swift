import CFootholdEngine

/// How long the engine took, frame by frame, in milliseconds. Kept apart from results, which never depend on time.
public struct StageTimings: Sendable {
    public struct Statistics: Hashable, Sendable {
        public var mean: Double
        public var median: Double
        public var p99: Double

        init(_ values: [Float]) {
            guard !values.isEmpty else {
                self = Statistics(mean: 0, median: 0, p99: 0)
                return
            }
            let sorted = values.sorted()
            self.init(
                mean: Double(values.reduce(0, +)) / Double(values.count), median: Double(sorted[sorted.count / 2]),
                p99: Double(sorted[min(sorted.count - 1, sorted.count * 99 / 100)]))
        }

        init(mean: Double, median: Double, p99: Double) {
            (self.mean, self.median, self.p99) = (mean, median, p99)
        }
    }

    private var pyramid: [Float] = []
    private var tracking: [Float] = []
    private var mapping: [Float] = []
    private var surfaces: [Float] = []

    mutating func add(_ result: fh_frame_result) {
        pyramid.append(Float(result.pyramid_ms))
        tracking.append(Float(result.tracking_ms))
        mapping.append(Float(result.mapping_ms))
        surfaces.append(Float(result.surfaces_ms))
    }

    /// Over all frames so far: each stage by its name, and `total`.
    public var statistics: [(name: String, statistics: Statistics)] {
        let total = pyramid.indices.map { pyramid[$0] + tracking[$0] + mapping[$0] + surfaces[$0] }
        return [
            ("pyramid", Statistics(pyramid)), ("tracking", Statistics(tracking)), ("mapping", Statistics(mapping)),
            ("surfaces", Statistics(surfaces)), ("total", Statistics(total)),
        ]
    }
}
