import CFootholdEngineChecks
import Testing

@Suite struct InertialScaleTests {
    private struct Report {
        var isKnown = false
        var error = 0.0
        var sigma = 0.0
        var biasError = 0.0
        var downErrorDegrees = 0.0
    }

    private func check(_ what: Int, seed: UInt64) -> Report {
        var report = Report()
        let status = fh_check_inertial_scale(
            seed, Int32(what), &report.error, &report.sigma, &report.biasError, &report.downErrorDegrees)
        #expect(status >= 0)
        report.isKnown = status == 0
        return report
    }

    /// What is left is what happens between readings, five milliseconds apart, and that a small bias is likelier.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func isExactWithoutNoise(seed: UInt64) {
        let report = check(FH_CHECK_SCALE_EXACT, seed: seed)
        #expect(report.isKnown)
        #expect(report.error < 0.002)
        #expect(report.biasError < 0.004)
        #expect(report.downErrorDegrees < 0.05)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func claimsHonestDeviations(seed: UInt64) {
        let report = check(FH_CHECK_SCALE_NOISY, seed: seed)
        #expect(report.isKnown)
        #expect(report.error < 0.03)
        #expect(report.sigma < 0.05)
        #expect(report.error < 3.5 * report.sigma)
        #expect(report.downErrorDegrees < 0.3)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func goesAlongWithAChangeOfTheWorldsFrame(seed: UInt64) {
        let report = check(FH_CHECK_SCALE_CHANGED, seed: seed)
        #expect(report.isKnown)
        #expect(report.error < 0.03)
        #expect(report.downErrorDegrees < 0.3)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func aJumpWhileLostSaysNothing(seed: UInt64) {
        let report = check(FH_CHECK_SCALE_LOST, seed: seed)
        #expect(report.isKnown)
        #expect(report.error < 0.03)
        #expect(report.error < 3.5 * report.sigma)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func isUnsureOfACameraThatMovesOnEvenly(seed: UInt64) {
        let report = check(FH_CHECK_SCALE_NO_PUSH, seed: seed)
        #expect(!report.isKnown || report.sigma > 0.3)
    }
}
