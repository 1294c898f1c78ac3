import CFootholdEngineChecks
import Testing

/// A map that is taken in by another.
@Suite struct JoinedMapTests {
    @Test func everyPointAndSightingStaysWhatItWas() {
        for seed in UInt64(1)...10 {
            var report = fh_check_joined_maps_report()
            #expect(fh_check_joined_maps(seed, &report) == 0)
            #expect(report.worst_position_error < 1e-9, "seed \(seed)")
            #expect(report.worst_return_error < 1e-12, "seed \(seed)")
            #expect(report.wrong_sightings == 0, "seed \(seed)")
            #expect(report.repeated_ids == 0, "seed \(seed)")
            #expect(report.is_kept == 1, "seed \(seed)")
        }
    }
}
