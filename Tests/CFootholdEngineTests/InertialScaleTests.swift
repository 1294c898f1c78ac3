import CFootholdEngineChecks
import Testing

@Suite struct InertialScaleTests {
    /// Nil where nothing is known.
    private func check(_ what: Int, seed: UInt64) -> fh_check_scale_report? {
        var report = fh_check_scale_report()
        let status = fh_check_inertial_scale(seed, Int32(what), &report)
        #expect(status >= 0)
        return status == 0 ? report : nil
    }

    /// What is left is what happens between readings, five milliseconds apart, and that a small bias is likelier.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func isExactWithoutNoise(seed: UInt64) throws {
        let report = try #require(check(FH_CHECK_SCALE_EXACT, seed: seed))
        #expect(abs(report.error) < 0.002)
        #expect(report.bias_error < 0.004)
        #expect(report.down_error_degrees < 0.05)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func claimsHonestDeviations(seed: UInt64) throws {
        let report = try #require(check(FH_CHECK_SCALE_NOISY, seed: seed))
        #expect(abs(report.error) < 0.03)
        #expect(report.sigma < 0.05)
        #expect(abs(report.error) < 3.5 * report.sigma)
        #expect(report.down_error_degrees < 0.3)
        #expect(report.down_error_degrees < 4 * report.down_sigma_degrees)
    }

    /// A path's errors mustn't make a metre longer: over many they'd add up.
    @Test func aRoughPathDoesNotStretchAMetre() throws {
        var sum = 0.0
        for seed in 1...24 as ClosedRange<UInt64> {
            let report = try #require(check(FH_CHECK_SCALE_ROUGH, seed: seed))
            #expect(abs(report.error) < 4 * report.sigma)
            sum += report.error
        }
        #expect(abs(sum / 24) < 0.02)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func forcesInAnotherUnitSayNothing(seed: UInt64) {
        if let report = check(FH_CHECK_SCALE_IN_G, seed: seed) { #expect(report.sigma > 1) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func goesAlongWithAChangeOfTheWorldsFrame(seed: UInt64) throws {
        let report = try #require(check(FH_CHECK_SCALE_CHANGED, seed: seed))
        #expect(abs(report.error) < 0.03)
        #expect(report.down_error_degrees < 0.3)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func aJumpWhileLostSaysNothing(seed: UInt64) throws {
        let report = try #require(check(FH_CHECK_SCALE_LOST, seed: seed))
        #expect(abs(report.error) < 0.03)
        #expect(abs(report.error) < 3.5 * report.sigma)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func isUnsureOfACameraThatMovesOnEvenly(seed: UInt64) {
        if let report = check(FH_CHECK_SCALE_NO_PUSH, seed: seed) { #expect(report.sigma > 0.3) }
    }

    @Test(arguments: [FH_CHECK_SCALE_LATE, FH_CHECK_SCALE_EARLY], 1...6 as ClosedRange<UInt64>)
    func findsHowLateReadingsAreDated(what: Int, seed: UInt64) throws {
        let report = try #require(check(what, seed: seed))
        #expect(abs(report.error) < 0.04)
        #expect(abs(report.error) < 3.5 * report.sigma)
        #expect(report.down_error_degrees < 0.4)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func aSensorOnItsSideSaysNothing(seed: UInt64) {
        if let report = check(FH_CHECK_SCALE_ASKEW, seed: seed) { #expect(report.sigma > 0.1) }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func upFollowsForcesWithoutTheBias(seed: UInt64) {
        #expect(fh_check_gravity_without_bias(seed) < 0.12)
    }
}
