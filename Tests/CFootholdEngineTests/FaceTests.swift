import CFootholdEngineChecks
import Testing

/// Faces at the edges of others: nearly plain fronts of boxes below their tops, and tops behind their fronts, in painted
/// rooms with exact truth.
@Suite struct FaceTests {
    /// Only a label of 30 × 20 cm tells which way the front faces, 1.7 m away.
    @Test(arguments: [UInt64(1), 2, 3], [-0.03, 0.0, 0.06])
    func findsAFrontNearASupposedEdge(seed: UInt64, before: Double) {
        for turned in [-7.0, 0, 7] {
            var front = fh_check_front()
            #expect(fh_check_front_below_edge(seed, FH_CHECK_BOX, before, turned, &front) == 0)
            #expect(front.speaks_for == 1, "\(turned)°: \(front)")
            #expect(front.degrees < 6, "\(turned)°: \(front.degrees)°")
            #expect(front.offset_m < 0.01, "\(turned)°: \(front.offset_m) m")
            #expect(front.misfit < 1.5, "\(turned)°: \(front.misfit)")
            #expect(front.length_m > 0.3 && front.height_m > 0.25, "\(turned)°: \(front)")
        }
    }

    /// Its front edge and its legs are where a front's edges would be, but the floor is seen between them.
    @Test(arguments: [UInt64(1), 2, 3])
    func noFrontHangsFromABoardOnLegs(seed: UInt64) {
        var front = fh_check_front()
        #expect(fh_check_front_below_edge(seed, FH_CHECK_BOARD, 0, 0, &front) == 0)
        #expect(front.speaks_for == 0, "\(front)")
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func aTrackerTellsOfTheFront(seed: UInt64) {
        var front = fh_check_told_face()
        #expect(fh_check_front_is_told(seed, FH_CHECK_BOX, 0, &front) == 0)
        #expect(front.count == 1)
        #expect(front.degrees < 3, "\(front.degrees)°")
        #expect(front.offset_m < 0.02, "\(front.offset_m) m")
        #expect(front.area_m2 > 0.1, "\(front.area_m2) m²")
        #expect(front.keyframes <= 9, "\(front.keyframes)")
    }

    /// Nothing but pictures tells of it, and from what was saved then it goes on. A label of 12 × 8 cm is hardly enough:
    /// it isn't told of in every room.
    @Test func aFrontWithoutPointsIsToldOfAndKept() {
        var told = 0
        for seed in UInt64(1)...10 {
            var front = fh_check_told_face()
            #expect(fh_check_front_is_told(seed, FH_CHECK_SMALL_LABEL, 1, &front) == 0)
            guard front.keyframes > 0 else { continue }
            told += Int(front.hangs)
            #expect(front.count == 1, "\(seed)")
            #expect(front.degrees < 5, "\(seed): \(front.degrees)°")
            #expect(front.offset_m < 0.02, "\(seed): \(front.offset_m) m")
            #expect(front.area_m2 > 0.04, "\(seed): \(front.area_m2) m²")
        }
        #expect(told > 4)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func aTrackerTellsOfNoFrontBelowABoard(seed: UInt64) {
        var front = fh_check_told_face()
        #expect(fh_check_front_is_told(seed, FH_CHECK_BOARD, 0, &front) == 0)
        #expect(front.count == 0)
    }

    /// No point is on it: it goes back from the front's upper edge.
    @Test(arguments: [UInt64(1), 2, 3])
    func aTopIsToldOfBehindAFrontAndKept(seed: UInt64) {
        var top = fh_check_told_face()
        #expect(fh_check_top_is_told(seed, FH_CHECK_CABINET, 1, &top) == 0)
        #expect(top.count == 1)
        #expect(top.hangs == 1)
        #expect(top.degrees < 1, "\(top.degrees)°")
        #expect(top.offset_m < 0.02, "\(top.offset_m) m")
        #expect(top.area_m2 > 0.07, "\(top.area_m2) m²")
    }

    /// Over its upper edge the floor and the wall are seen.
    @Test(arguments: [UInt64(1), 2, 3])
    func aScreenHasNoTop(seed: UInt64) {
        var top = fh_check_told_face()
        #expect(fh_check_top_is_told(seed, FH_CHECK_SCREEN, 0, &top) == 0)
        #expect(top.count == 0)
    }

    /// A plain wall looks like a top that goes on and on.
    @Test(arguments: [UInt64(1), 2, 3])
    func aTopEndsBeforeAPlainWall(seed: UInt64) {
        var top = fh_check_told_face()
        #expect(fh_check_top_is_told(seed, FH_CHECK_CARTON, 0, &top) == 0)
        #expect(top.area_m2 < 0.05, "\(top.area_m2) m²")
    }
}
