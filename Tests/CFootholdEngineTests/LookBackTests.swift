import CFootholdEngineChecks
import Testing

/// New points looked for in the keyframes before their own, before a corner of a room that is known exactly.
@Suite struct LookBackTests {
    @Test(arguments: [false, true])
    func newPointsAreFoundInEarlierKeyframes(rolls: Bool) {
        for seed in UInt64(1)...4 {
            var report = fh_check_look_back_report()
            #expect(fh_check_look_back(seed, rolls ? 1 : 0, 0, &report) == 0, "seed \(seed)")
            #expect(report.hosted > 80, "seed \(seed)")
            #expect(report.points_seen > report.expected * 9 / 10, "seed \(seed)")
            #expect(report.sightings > 2 * report.points_seen, "seed \(seed)")
            #expect(report.median_error_pixels < 0.1, "seed \(seed)")
            #expect(report.share_beyond_2_pixels < 0.02, "seed \(seed)")
            #expect(report.median_depth_error < 0.005, "seed \(seed)")
            #expect(report.share_of_wrong_depths < 0.05, "seed \(seed)")
            #expect(report.variance_ratio < 1, "seed \(seed)")
        }
    }

    /// Three in four lie on the floor or a wall with two known points near them.
    @Test func newPointsLieAsThoseAroundThemDo() {
        for seed in UInt64(1)...4 {
            var facing = fh_check_look_back_report()
            var report = fh_check_look_back_report()
            #expect(fh_check_look_back(seed, 0, 0, &facing) == 0, "seed \(seed)")
            #expect(fh_check_look_back(seed, 0, 1, &report) == 0, "seed \(seed)")
            #expect(facing.slanted == 0, "seed \(seed)")
            #expect(report.slanted > report.hosted * 3 / 4, "seed \(seed)")
            #expect(report.median_slant_error < 1e-3, "seed \(seed)")
            #expect(report.median_error_pixels < facing.median_error_pixels, "seed \(seed)")
            #expect(report.median_depth_error < facing.median_depth_error, "seed \(seed)")
            #expect(report.share_of_wrong_depths < 0.05, "seed \(seed)")
            #expect(report.variance_ratio < 1, "seed \(seed)")
        }
    }
}
