import CFootholdEngine

/// How long the engine took, frame by frame, in milliseconds. Kept apart from results, which never depend on time.
///
/// Means are over all frames; of medians and percentiles only the latest ten minutes at 60 frames a second are kept, so
/// that a session may run for days.
public struct StageTimings: Sendable {
    public struct Statistics: Hashable, Sendable {
        public var mean: Double
        public var median: Double
        public var p99: Double
    }

    /// Numbers of which the latest are kept.
    private struct Series: Sendable {
        private static let capacity = 36_000
        private var latest: [Float] = []
        private var sum = 0.0
        private var count = 0

        mutating func add(_ value: Double) {
            if latest.count < Self.capacity {
                latest.append(Float(value))
            } else {
                latest[count % Self.capacity] = Float(value)
            }
            sum += value
            count += 1
        }

        var statistics: Statistics {
            guard count > 0 else { return Statistics(mean: 0, median: 0, p99: 0) }
            let sorted = latest.sorted()
            return Statistics(
                mean: sum / Double(count), median: Double(sorted[sorted.count / 2]),
                p99: Double(sorted[min(sorted.count - 1, sorted.count * 99 / 100)]))
        }
    }

    private var pyramid = Series()
    private var tracking = Series()
    private var mapping = Series()
    private var surfaces = Series()
    private var total = Series()

    mutating func add(_ result: fh_frame_result) {
        pyramid.add(result.pyramid_ms)
        tracking.add(result.tracking_ms)
        mapping.add(result.mapping_ms)
        surfaces.add(result.surfaces_ms)
        total.add(result.pyramid_ms + result.tracking_ms + result.mapping_ms + result.surfaces_ms)
    }

    /// Each stage by its name, and `total`: what a frame cost, on whichever thread.
    public var statistics: [(name: String, statistics: Statistics)] {
        [
            ("pyramid", pyramid.statistics), ("tracking", tracking.statistics), ("mapping", mapping.statistics),
            ("surfaces", surfaces.statistics), ("total", total.statistics),
        ]
    }
}
