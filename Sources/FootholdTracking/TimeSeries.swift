/// Measured times, in milliseconds, of a session that may run for days.
///
/// The mean is over all of them; of medians and percentiles only the latest 36,000 are kept, ten minutes at 60 frames a
/// second.
public struct TimeSeries: Sendable {
    /// Percentiles are the nearest rank.
    public struct Statistics: Hashable, Sendable {
        public var mean: Double
        public var median: Double
        public var p99: Double

        public init(mean: Double, median: Double, p99: Double) {
            self.mean = mean
            self.median = median
            self.p99 = p99
        }
    }

    private static let capacity = 36_000
    private var latest: [Float] = []
    private var sum = 0.0
    private var count = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    public mutating func add(_ milliseconds: Double) {
        if latest.count < Self.capacity {
            latest.append(Float(milliseconds))
        } else {
            latest[count % Self.capacity] = Float(milliseconds)
        }
        sum += milliseconds
        count += 1
    }

    /// Zeros while there are none.
    public var statistics: Statistics {
        guard count > 0 else { return Statistics(mean: 0, median: 0, p99: 0) }
        let sorted = latest.sorted()
        func percentile(_ hundredths: Int) -> Double { Double(sorted[(sorted.count * hundredths + 99) / 100 - 1]) }
        return Statistics(mean: sum / Double(count), median: percentile(50), p99: percentile(99))
    }
}
