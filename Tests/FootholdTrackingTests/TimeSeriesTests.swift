import FootholdTracking
import Testing

@Suite struct TimeSeriesTests {
    @Test func figuresAreThoseOfTheTimes() {
        var series = TimeSeries()
        #expect(series.isEmpty && series.statistics.mean == 0)
        for time in 1...200 { series.add(Double(time)) }
        #expect(!series.isEmpty)
        #expect(series.statistics == .init(mean: 100.5, median: 100, p99: 198))
    }

    @Test func onlyTheLatestCountForPercentiles() {
        var series = TimeSeries()
        for _ in 0..<36_000 { series.add(1) }
        for _ in 0..<36_000 { series.add(3) }
        #expect(series.statistics == .init(mean: 2, median: 3, p99: 3))
    }
}
