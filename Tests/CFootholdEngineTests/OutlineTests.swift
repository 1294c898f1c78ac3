import CFootholdEngineChecks
import Testing

@Suite struct OutlineTests {
    @Test(arguments: [(1, 1), (1, 40), (40, 1), (63, 20), (64, 30), (65, 17), (130, 90), (192, 5)])
    func masksGrowAndShrinkAsOpenCVHasIt(width: Int32, height: Int32) {
        for seed in UInt64(1)...4 { #expect(fh_check_cell_mask(seed, width, height) == 0) }
    }

    @Test(arguments: [4.0, 7, 15, 40])
    func theOutlineOfADiscIsItsCircle(radius: Double) {
        var area = 0.0
        var farthest = 0.0
        #expect(fh_check_outline_of_disc(radius, &area, &farthest) == 0)
        #expect(abs(area - 1) < 0.8 / radius)
        #expect(farthest < 1)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func nothingIsLeftThatMeetsItself(seed: UInt64) {
        var report = fh_check_simple_report()
        fh_check_simple_polygon(seed, &report)
        #expect(report.met_before > 1500)
        #expect(report.wrong == 0)
        #expect(report.changed == 0)
        #expect(abs(report.hourglass - 4.5) < 1e-12)
    }

    @Test func edgesMoveOutwards() {
        #expect(fh_check_widened_polygon(0.25) < 1e-12)
        #expect(abs(fh_check_outline_of_square(20, 0) - 19 * 19) < 1e-9)
        #expect(abs(fh_check_outline_of_square(20, 0.5) - 20 * 20) < 1e-9)
    }

    @Test func pointsLieInAPolygonThatTurnsAroundThem() {
        var report = fh_check_polygon_report()
        fh_check_polygon_rows(1, &report)
        #expect(report.differing == 0)
        #expect(report.inside > 5000)
        #expect(report.outside > 5000)
    }

    @Test func raysLeadToWhereTheyCrossTheSurface() {
        var report = fh_check_sight_report()
        fh_check_sight(1, &report)
        #expect(report.error < 1e-9)
        #expect(report.misjudged == 0)
        #expect(report.met > 1000)
        #expect(report.refused > 10_000)
    }

    @Test func theOutlineIsWherePointsAre() {
        #expect(fh_check_outline_of_places(0, 0, 0) == 1)
        #expect(fh_check_outline_of_places(25, 25, 0) == 1)
        #expect(fh_check_outline_of_places(1, 25, 0) == 2)
    }

    /// Between two posters on the wall at which the place ends errors lie behind it, but no room.
    @Test func aWallAtWhichThePlaceEndsIsOne() {
        #expect(fh_check_outline_of_places(25, 25, 1) == 3)
    }

    @Test func whatPicturesPartedStaysOneButForSplinters() {
        let alone = fh_check_outline_of_two(0)
        #expect(abs(alone - 1) < 0.1)
        #expect(fh_check_outline_of_two(2) == alone)
        #expect(fh_check_outline_of_two(4) > alone + 0.05)
        #expect(fh_check_outline_of_two(12) > 1.9)
    }

    private func edges(
        _ seed: UInt64, grown: Double = 0, shifted: Double = 0, contrast: Double = 40, views: Int32 = 5
    ) -> fh_check_edge_report {
        var report = fh_check_edge_report()
        #expect(fh_check_edges(seed, grown, shifted, contrast, views, &report) == 0)
        return report
    }

    @Test(arguments: [(1.2, 0.0), (-1.2, 0), (0, 1.2)], [40.0, -40, 15])
    func edgesAreWherePicturesShowThem(error: (grown: Double, shifted: Double), contrast: Double) {
        for seed in UInt64(1)...3 {
            let report = edges(seed, grown: error.grown, shifted: error.shifted, contrast: contrast)
            #expect(report.views == 5)
            #expect(report.before < 0.9)
            #expect(report.after > 0.95)
            #expect(abs(report.area_after - 1) < 0.05)
        }
    }

    @Test func edgesStayWherePicturesShowNone() {
        for seed in UInt64(1)...3 {
            let report = edges(seed, contrast: 0)
            #expect(report.after > 0.8)
            #expect(abs(report.area_after - 1) < 0.15)
        }
    }

    /// Up is known better a second after the first walls are.
    @Test(arguments: [0.02, -0.08, 0.6, 3.1])
    func wallsAxesAreLevelledByWhatIsKnownOfUp(roll: Double) {
        for seed in UInt64(1)...5 {
            var report = fh_check_axes_report()
            fh_check_axes(seed, roll, 0.003, &report)
            #expect(report.roll < 1e-9)
            #expect(report.corner_moved < 1e-9)
            #expect(report.member_moved < 1e-9)
            #expect(report.lost == 0)
            #expect(report.invented == 0)
        }
    }

    /// No better than they are known to lie, so that nothing is laid out anew for nothing.
    @Test(arguments: [(0.008, 0.003), (0.05, 0.06)])
    func wallsAxesStayWhereUpTellsNoBetter(roll: Double, sigma: Double) {
        var report = fh_check_axes_report()
        fh_check_axes(1, roll, sigma, &report)
        #expect(abs(report.roll - roll) < 1e-9)
        #expect(report.lost == 0)
    }

    @Test func withoutPicturesEdgesAreWhereTheEvidenceEnds() {
        let report = edges(1, grown: 1, views: 0)
        #expect(report.views == 0)
        #expect(report.after == report.before)
    }

    /// Below a table's apron the floor is plain, too; below a wall's posters the wall goes on.
    @Test(arguments: [UInt64(1), 2, 3], [0.04, 0.3])
    func anUprightStripGoesOnOverWhatIsPlainAsFarAsItIsWide(seed: UInt64, height: Double) {
        let reach = fh_check_most_reach(seed, height, 0, 0)
        #expect(reach > 0.8 * height && reach < height, "\(reach) m")
        #expect(fh_check_most_reach(seed, height, 0, 1) == .infinity)
        #expect(fh_check_most_reach(seed, height, 1, 0) == .infinity)
    }
}
