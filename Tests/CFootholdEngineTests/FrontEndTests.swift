import CFootholdEngineChecks
import Testing

/// Patches, corners and turning in pictures whose contents are known functions.
@Suite struct FrontEndTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: fh_check_alignment_options
        /// Pixels.
        var bound = 0.05

        init(_ name: String, bound: Double = 0.05, _ change: (inout fh_check_alignment_options) -> Void) {
            testDescription = name
            options = fh_check_alignment_options()
            options.scale = 1
            options.gain = 1
            options.start_error = 1.5
            change(&options)
            self.bound = bound
        }
    }

    static let changes = [
        Change("nothing") { _ in },
        Change("a shift between pixels") { ($0.shift_x, $0.shift_y) = (3.37, -2.61) },
        Change("turned by 30°") { ($0.angle_rad, $0.shift_x) = (0.52, 0.3) },
        Change("turned back by 50°") { ($0.angle_rad, $0.shift_y) = (-0.87, 0.4) },
        Change("nearer") { ($0.scale, $0.shift_x) = (1.3, 0.3) },
        Change("further") { ($0.scale, $0.shift_x) = (0.75, 0.3) },
        Change("darker") { ($0.gain, $0.offset, $0.shift_x) = (0.6, 10, 0.4) },
        // Its brightest pixels are clipped.
        Change("brighter", bound: 0.08) { ($0.gain, $0.offset, $0.shift_x) = (1.2, 5, 0.4) },
        Change("turned, nearer and darker") {
            ($0.angle_rad, $0.scale, $0.gain, $0.offset) = (0.3, 1.2, 0.8, 20)
        },
        Change("half the size", bound: 0.1) { ($0.scale, $0.start_error) = (0.5, 1) },
        Change("one level up", bound: 0.1) { ($0.level, $0.shift_x) = (1, 0.6) },
        Change("noise of 3 grey levels", bound: 0.35) { ($0.noise, $0.shift_x) = (3, 0.4) },
    ]

    @Test(arguments: changes)
    func alignmentFindsThePlaceAfter(change: Change) {
        for seed in UInt64(1)...10 {
            var options = change.options
            var report = fh_check_alignment_report()
            fh_check_alignment(seed, &options, &report)
            #expect(report.built == 1, "seed \(seed)")
            #expect(report.converged == 1, "seed \(seed)")
            #expect(report.error_pixels < change.bound, "seed \(seed)")
            #expect(report.correlation > (options.noise > 0 ? 0.95 : 0.99), "seed \(seed)")
            // A template from another level of the pyramid has lost some contrast to that level's blur.
            let gainBound = options.scale < 0.7 ? 0.2 : 0.08
            #expect(abs(report.gain / options.gain - 1) < gainBound, "seed \(seed)")
        }
    }

    @Test(arguments: [2.0, 6, 12])
    func searchFromCoarseToFineBridges(pixels: Double) {
        var options = Change("") { _ in }.options
        (options.angle_rad, options.scale, options.gain, options.offset) = (0.15, 1.1, 0.9, 10)
        (options.shift_x, options.shift_y, options.noise, options.start_error) = (2.3, -1.7, 1, pixels)
        for seed in UInt64(1)...20 {
            var error = 0.0
            #expect(fh_check_find_point(seed, &options, 3, 0.85, &error) == 1, "seed \(seed)")
            #expect(error < 0.15, "seed \(seed)")
        }
    }

    @Test func searchRejectsWhatLooksDifferent() {
        var options = Change("") { $0.wrong_texture = 1 }.options
        var accepted = 0
        for seed in UInt64(1)...100 {
            var error = 0.0
            accepted += Int(fh_check_find_point(seed, &options, 3, 0.85, &error))
        }
        #expect(accepted <= 3)
    }

    @Test func templatesNeedTwoDirectionsOfTexture() {
        #expect(fh_check_template_is_built(0) == 0)
        #expect(fh_check_template_is_built(1) == 0)
        #expect(fh_check_template_is_built(2) == 1)
    }

    @Test(arguments: UInt64(1)...4)
    func cornersAreSpreadInsideAndFree(seed: UInt64) {
        var report = fh_check_corners_report()
        fh_check_corners(seed, 100, 12, 16, &report)
        #expect(report.count == 100)
        #expect(report.nearest_neighbour > 12)
        #expect(report.nearest_taken > 12)
        #expect(report.nearest_edge >= 16)
        #expect(report.count_with_none_wanted == 0)
        #expect(report.is_deterministic == 1)
        #expect(report.texture_share == 1)
        #expect(report.texture_share_of_even == 0)
    }

    @Test(arguments: UInt64(1)...4)
    func theBestCornersComeFirst(seed: UInt64) {
        var report = fh_check_corners_report()
        fh_check_corners(seed, 100, 12, 16, &report)
        // More than are put into order at once.
        #expect(report.all > 800)
        #expect(report.after_worse == 0)
    }

    @Test(arguments: UInt64(1)...4)
    func cornersOfSquaresAreFoundAndNothingElse(seed: UInt64) {
        var report = fh_check_corners_report()
        fh_check_corners(seed, 100, 12, 16, &report)
        #expect(report.count_of_sparse >= 25)
        #expect(report.count_of_sparse < 100)
        #expect(report.astray == 0)
        #expect(report.nearest_neighbour_of_sparse > 30)
    }

    @Test(arguments: [0.0, 1, 2, 3, 6, 10, 16])
    func noiseIsMeasuredAndTakenOutOnlyWhereItDoesHarm(sigma: Double) {
        var (measured, left) = (0.0, 0.0)
        var isFiltered: Int32 = 0
        fh_check_noise(7, sigma, &measured, &left, &isFiltered)
        #expect(abs(measured - sigma) < 0.6 + 0.1 * sigma)
        #expect((isFiltered != 0) == (sigma > 4))
        #expect(left < (sigma > 4 ? 4 : sigma + 0.1))
    }

    @Test(arguments: [5.0, 8, 14])
    func whatSmoothedNoiseIsLeftIsKnown(sigma: Double) {
        for seed in UInt64(1)...4 { #expect(abs(fh_check_smoothed_noise(seed, sigma) - 1) < 0.1, "seed \(seed)") }
    }

    @Test func calmPicturesTellTheirNoiseThemselves() {
        #expect(fh_check_smoothed_noise(1, 2) == 0)
    }

    @Test(arguments: [(0.0, 0.001), (0.5, 0.1), (1, 0.1), (2, 0.1), (3, 0.15), (5, 0.4)])
    func turningIsFoundFromTinyPictures(degrees: Double, bound: Double) {
        for seed in UInt64(1)...6 {
            var (error, correlation) = (0.0, 0.0)
            fh_check_turning(seed, degrees, &error, &correlation)
            #expect(error < bound, "seed \(seed)")
            #expect(correlation > 0.95, "seed \(seed)")
        }
    }

    @Test func differentSurroundingsDoNotCorrelate() {
        for seed in UInt64(1)...6 { #expect(fh_check_turning_of_strangers(seed) < 0.5, "seed \(seed)") }
    }
}
