import CFootholdEngineChecks
import Testing

/// Closing loops, piece by piece; a whole one is in FootholdTrackingTests.
@Suite struct LoopTests {
    @Test func edgesDerivativesAreThoseOfCentralDifferences() {
        var report = fh_check_graph_jacobian_report()
        fh_check_graph_jacobians(1, 1000, &report)
        #expect(report.by_from < 1e-6)
        #expect(report.by_to < 1e-6)
    }

    @Test func aDriftedRingWithExactEdgesComesBackToTheTruth() {
        for seed in UInt64(1)...10 {
            var report = fh_check_graph_report()
            fh_check_pose_graph(seed, 60, 0, &report)
            #expect(report.place_before > 0.01, "seed \(seed)")
            #expect(report.place_after < 1e-6, "seed \(seed)")
            #expect(report.turn_after < 1e-6, "seed \(seed)")
            #expect(report.scale_after < 1e-6, "seed \(seed)")
            #expect(report.is_gauge_kept == 1)
        }
    }

    @Test func aRingWhoseEdgesDriftedGetsBetter() {
        // Sums of squares before and after.
        var place = (0.0, 0.0)
        var turn = (0.0, 0.0)
        var scale = (0.0, 0.0)
        for seed in UInt64(1)...20 {
            var report = fh_check_graph_report()
            fh_check_pose_graph(seed, 60, 1, &report)
            #expect(report.final_cost < 0.05 * report.initial_cost, "seed \(seed)")
            #expect(report.is_gauge_kept == 1)
            place.0 += report.place_before * report.place_before
            place.1 += report.place_after * report.place_after
            turn.0 += report.turn_before * report.turn_before
            turn.1 += report.turn_after * report.turn_after
            scale.0 += report.scale_before * report.scale_before
            scale.1 += report.scale_after * report.scale_after
        }
        // Of a random walk that is held at both ends a third of the variance is left.
        #expect(place.1 < 0.45 * place.0)
        #expect(turn.1 < 0.45 * turn.0)
        #expect(scale.1 < 0.45 * scale.0)
    }

    @Test func driftIsReckonedAlongWhatTiesKeyframesTogether() {
        var report = fh_check_way_report()
        fh_check_ways(&report)
        #expect(report.wrong_pairs == 0)
        #expect(abs(report.gone - 57) < 1e-9)
        #expect(abs(report.longest_untied - report.gone) < 1e-9)
        // To the far end and no further, though the camera passed there again and again.
        #expect(abs(report.longest - 9.5) < 1e-9)
    }
}
