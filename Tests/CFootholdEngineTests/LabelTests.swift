import CFootholdEngineChecks
import Testing

/// Which surface each place of a picture shows, on painted planes with exact truth.
@Suite struct LabelTests {
    @Test(arguments: [UInt64(1), 2, 3], [Int32(0), 1])
    func tellsFloorAndWallFromABoardBeforeThem(seed: UInt64, isBent: Int32) {
        var report = fh_check_label_report()
        #expect(fh_check_labels(seed, 40, isBent, &report) == 0)
        #expect(report.places > 15_000)
        #expect(report.right * 100 > report.places * 97)
        #expect(report.of_board > 300)
        #expect(report.board_right * 10 > report.of_board * 8)
    }

    /// Nothing but the crease tells where a plain floor ends and a plain wall begins.
    @Test(arguments: [UInt64(1), 2, 3])
    func plainPlacesBelongToWhatTheyTouchUpToAnEdge(seed: UInt64) {
        var report = fh_check_label_report()
        #expect(fh_check_labels(seed, 0, 0, &report) == 0)
        #expect(report.right * 100 > report.places * 95)
    }

    /// A laptop's deck doesn't take the white desk on which it stands.
    @Test(arguments: [UInt64(1), 2, 3])
    func whatIsPlainIsNoSlopeWhereItMayBeLevel(seed: UInt64) {
        var (ofUpright, ofSlope) = (0.0, 1.0)
        #expect(fh_check_slope_in_the_open(seed, 0, &ofUpright) == 0)
        #expect(fh_check_slope_in_the_open(seed, 1, &ofSlope) == 0)
        #expect(ofUpright > 0.2, "\(ofUpright)")
        #expect(ofSlope == 0, "\(ofSlope)")
    }

    /// A white table ends at its edge, also where nothing is known of what lies beyond.
    @Test(arguments: [UInt64(1), 2, 3])
    func whatIsPlainEndsAtAnEdgeBeyondWhichNothingIsKnown(seed: UInt64) {
        var (held, beyond) = (0.0, 1.0)
        #expect(fh_check_plain_floor_alone(seed, &held, &beyond) == 0)
        #expect(held > 0.9, "\(held)")
        #expect(beyond < 0.1, "\(beyond)")
    }

    @Test(arguments: [UInt64(1), 2, 3], [Int32(0), 1])
    func votesFindASurfacesExtent(seed: UInt64, isBent: Int32) {
        var overlap = 0.0
        #expect(fh_check_label_votes(seed, isBent, &overlap) == 0)
        // 0.39 with the outline that it starts from.
        #expect(overlap > 0.9)
    }

    /// What hangs over its far edge shows the plain wall behind, which tells nothing of how far away it is.
    @Test(arguments: [UInt64(1), 2, 3], [(0.12, 0.33), (0.5, 0.12)])
    func aTopEndsAtItsEdgeBeforeAPlainWall(seed: UInt64, hanging: (over: Double, most: Double)) {
        var (before, behind) = (0.0, 1.0)
        #expect(fh_check_top_before_plain(seed, hanging.over, &before, &behind) == 0)
        #expect(before > 0.95, "\(before)")
        // Two pixels are 3 cm there. All of it where the outline so far counts as much as elsewhere, and where the plain
        // wall past the edge may be the top's.
        #expect(behind < hanging.most, "\(behind)")
    }

    /// Beside a desk the floor is seen here and there; a thing of that size is in one piece.
    @Test func aFloorMayBeSeenInParts() {
        var (ofFloor, ofThing) = (0.0, 0.0)
        #expect(fh_check_parted_extent(1, &ofFloor) == 0)
        #expect(fh_check_parted_extent(0, &ofThing) == 0)
        #expect(ofFloor > 0.9 && ofFloor < 1.2, "\(ofFloor)")
        #expect(ofThing > 0.4 && ofThing < 0.6, "\(ofThing)")
    }

    /// Behind a wall with nothing behind it there is no more of a table.
    @Test func aTopEndsAtAWallUnlessMostOfItLiesBehind() {
        for beyond in [0, 0.1, 0.2] {
            var share = 0.0
            #expect(fh_check_extent_before_wall(beyond, &share) == 0)
            #expect(share > 0.95 && share < 1.1, "\(beyond): \(share)")
        }
        var share = 0.0
        #expect(fh_check_extent_before_wall(0.4, &share) == 0)
        #expect(share > 2.5, "\(share)")
    }

    @Test func aTopGoesOnBehindWhatStandsOnIt() {
        var share = 0.0
        #expect(fh_check_extent_around_thing(&share) == 0)
        #expect(share > 0.9 && share < 1.02, "\(share)")
    }
}
