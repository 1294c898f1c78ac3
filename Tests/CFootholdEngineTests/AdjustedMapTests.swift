import CFootholdEngineChecks
import Testing

/// What becomes of a map when all of it is adjusted.
@Suite struct AdjustedMapTests {
    private func adjusted(_ seed: UInt64, lensIsUnknown: Bool = false) -> fh_check_adjusted_map_report {
        var report = fh_check_adjusted_map_report()
        fh_check_adjusted_map(seed, lensIsUnknown ? 1 : 0, &report)
        return report
    }

    @Test(arguments: UInt64(1)...4)
    func itStaysWhereItWas(seed: UInt64) {
        let report = adjusted(seed)
        #expect(report.worst_relative_error_m < 1e-6)
        #expect(report.worst_residual_pixels < 1e-4)
        // The first keyframe was off by ten times as much, and must not take all others along.
        #expect(report.mean_shift_m < 1e-6)
        #expect(report.mean_turn_rad < 1e-4)
        #expect(report.scale_error < 0.01)
    }

    @Test(arguments: UInt64(1)...4)
    func anUnknownLensIsLearntAndWhatWasSeenFollows(seed: UInt64) {
        let report = adjusted(seed, lensIsUnknown: true)
        #expect(report.focal_error < 0.001)
        #expect(report.bend_error < 0.0003)
        // What is believed of cameras beforehand pulls it towards the picture's middle, five pixels away.
        #expect(report.center_error_pixels < 0.8)
        #expect(report.worst_relative_error_m < 0.001)
        #expect(report.worst_residual_pixels < 0.05)
    }
}
