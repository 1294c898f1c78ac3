import CFootholdEngine

/// How long the engine took, frame by frame, in milliseconds. Kept apart from results, which never depend on time.
public struct StageTimings: Sendable {
    private var pyramid = TimeSeries()
    private var tracking = TimeSeries()
    private var mapping = TimeSeries()
    private var surfaces = TimeSeries()
    private var total = TimeSeries()

    mutating func add(_ result: fh_frame_result) {
        pyramid.add(result.pyramid_ms)
        tracking.add(result.tracking_ms)
        mapping.add(result.mapping_ms)
        surfaces.add(result.surfaces_ms)
        total.add(result.pyramid_ms + result.tracking_ms + result.mapping_ms + result.surfaces_ms)
    }

    /// Each stage by its name, and `total`: what a frame cost, on whichever thread.
    public var statistics: [(name: String, statistics: TimeSeries.Statistics)] {
        [
            ("pyramid", pyramid.statistics), ("tracking", tracking.statistics), ("mapping", mapping.statistics),
            ("surfaces", surfaces.statistics), ("total", total.statistics),
        ]
    }
}
