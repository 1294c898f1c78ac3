import CFootholdKernels
import Foundation
import Testing

@Suite struct StatisticsTests {
    private static func measure(
        _ picture: TestPicture, previous: TestPicture? = nil, columns: Int = 1, rows: Int = 1
    ) -> (statistics: fh_statistics, texture: [Float]) {
        var image = picture.image
        var before = previous?.image ?? fh_image()
        var options = fh_statistics_options(
            columns: Int32(columns), rows: Int32(rows), dark_below: 30, bright_above: 220)
        var statistics = fh_statistics()
        var texture = [Float](repeating: -1, count: columns * rows)
        let status = withUnsafePointer(to: &before) {
            fh_statistics_measure(&image, previous == nil ? nil : $0, &options, &statistics, &texture)
        }
        precondition(status == FH_KERNEL_OK)
        return (statistics, texture)
    }

    @Test(arguments: 1...70)
    func everyInstructionSetMeasuresTheSame(width: Int) {
        let seed = UInt64(width) &* 15_485_863
        var generator = SeededGenerator(seed: seed)
        for content in Content.allCases {
            let height = Int.random(in: 1...20, using: &generator)
            let make = { (generator: inout SeededGenerator) in
                TestPicture(width: width, height: height, stride: width + 1, content: content, using: &generator)
            }
            let picture = make(&generator)
            let previous = make(&generator)
            let columns = Int.random(in: 1...9, using: &generator)
            let rows = Int.random(in: 1...9, using: &generator)
            let reference = withInstructionSet("SCALAR") {
                Self.measure(picture, previous: previous, columns: columns, rows: rows)
            }
            for name in instructionSets {
                let measured = withInstructionSet(name) {
                    Self.measure(picture, previous: previous, columns: columns, rows: rows)
                }
                #expect("\(measured.statistics)" == "\(reference.statistics)", "\(name), seed \(seed)")
                #expect(measured.texture == reference.texture, "\(name), seed \(seed)")
            }
        }
    }

    @Test func levelsAreDescribedByTheirHistogram() {
        // 0, 1, … 99 once each.
        let picture = TestPicture(width: 10, height: 10, stride: 13)
        for i in 0..<100 { picture[i % 10, i / 10] = UInt8(i) }
        let statistics = Self.measure(picture).statistics
        #expect(statistics.mean == 49.5)
        #expect(abs(statistics.standard_deviation - 28.866_07) < 1e-4)
        #expect(statistics.percentile_1 == 0)
        #expect(statistics.percentile_5 == 4)
        #expect(statistics.percentile_25 == 24)
        #expect(statistics.percentile_50 == 49)
        #expect(statistics.percentile_99 == 98)
        #expect(statistics.dark_share == 0.3)
        #expect(statistics.bright_share == 0)
    }

    @Test func aRampHasItsSlopeAsGradientEnergyAndNoNoise() {
        let picture = TestPicture(width: 60, height: 40, stride: 60)
        for y in 0..<40 {
            for x in 0..<60 { picture[x, y] = UInt8(20 + 3 * x + y) }
        }
        let (statistics, texture) = Self.measure(picture, columns: 3, rows: 2)
        #expect(statistics.gradient_energy == 10)
        #expect(texture == Array(repeating: 10, count: 6))
        #expect(statistics.noise == 0)
        #expect(statistics.change == -1)
    }

    @Test(arguments: [1.0, 3.0, 8.0])
    func noiseIsEstimatedFromItsStandardDeviation(deviation: Double) {
        var generator = SeededGenerator(seed: 77)
        let picture = TestPicture(width: 320, height: 240, stride: 320)
        for y in 0..<240 {
            for x in 0..<320 {
                // Twelve uniform numbers make a normal one.
                let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &generator) }
                picture[x, y] = UInt8((128 + deviation * normal).rounded())
            }
        }
        let noise = Double(Self.measure(picture, columns: 8, rows: 6).statistics.noise)
        #expect(abs(noise - (deviation * deviation + 1 / 12).squareRoot()) < 0.06 * deviation + 0.03)
    }

    @Test func changeIsTheMeanAbsoluteDifference() {
        let before = TestPicture(width: 33, height: 9, stride: 40)
        let after = TestPicture(width: 33, height: 9, stride: 33)
        for y in 0..<9 {
            for x in 0..<33 { (before[x, y], after[x, y]) = (100, x % 2 == 0 ? 110 : 97) }
        }
        let change = Self.measure(after, previous: before).statistics.change
        #expect(abs(Double(change) - (17 * 10 + 16 * 3) / 33.0) < 1e-5)
    }

    @Test func aPictureWithoutUsableCellsHasNoNoiseEstimate() {
        let black = TestPicture(width: 40, height: 40, stride: 40)
        #expect(Self.measure(black, columns: 2, rows: 2).statistics.noise < 0)
        #expect(Self.measure(TestPicture(width: 2, height: 2, stride: 2)).statistics.gradient_energy == 0)
    }

    @Test func picturesOfDifferentSizesCannotBeCompared() {
        var image = TestPicture(width: 8, height: 8, stride: 8).image
        let other = TestPicture(width: 9, height: 8, stride: 9)
        var previous = other.image
        var options = fh_statistics_options(columns: 1, rows: 1, dark_below: 30, bright_above: 220)
        var statistics = fh_statistics()
        #expect(fh_statistics_measure(&image, &previous, &options, &statistics, nil) == FH_KERNEL_BAD_ARGUMENT)
        options.columns = 33
        #expect(fh_statistics_measure(&previous, nil, &options, &statistics, nil) == FH_KERNEL_BAD_ARGUMENT)
    }
}
