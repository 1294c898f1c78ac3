/// Counts times in bins of a tenth of a millisecond, so that days of them take no more memory than a second.
struct LatencyHistogram {
    private static let binNanoseconds: Int64 = 100_000
    private static let binCount = 20_000
    private var bins = [UInt64](repeating: 0, count: binCount)
    private(set) var count: UInt64 = 0

    /// Times above two seconds count as two seconds.
    mutating func add(nanoseconds: Int64) {
        bins[Int(min(max(0, nanoseconds / Self.binNanoseconds), Int64(Self.binCount - 1)))] += 1
        count += 1
    }

    /// The time that this share of all were no longer than, milliseconds; nil when there are none.
    func percentile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        let rank = max(1, UInt64((share * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for (bin, number) in bins.enumerated() {
            seen += number
            if seen >= rank { return Double(Int64(bin + 1) * Self.binNanoseconds) / 1e6 }
        }
        return nil
    }
}
