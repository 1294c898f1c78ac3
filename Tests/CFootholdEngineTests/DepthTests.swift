import CFootholdEngineChecks
import Testing

/// The depth of a picture, beside scenes whose depth is known exactly.
@Suite struct DepthTests {
    private func report(
        _ scene: fh_check_depth_scene, seed: UInt64 = 1, width: Int32 = 640, height: Int32 = 480
    ) -> fh_check_depth_report {
        var report = fh_check_depth_report()
        #expect(fh_check_depth(Int32(scene.rawValue), seed, width, height, &report) == 0)
        #expect(report.malformed == 0)
        #expect(report.cells == report.width * report.height)
        return report
    }

    @Test func whereNothingIsKnownNothingIsSaid() {
        #expect(report(FH_CHECK_DEPTH_NOTHING).known == 0)
    }

    @Test(arguments: UInt64(1)...8)
    func theBoxIsTheBoxAndTheWallTheWall(seed: UInt64) {
        let report = report(FH_CHECK_DEPTH_BOX_BEFORE_WALL, seed: seed)
        #expect(report.known * 100 > report.cells * 95)
        #expect(report.wrong_inside * 200 < report.known)
        #expect(report.wrong * 100 < report.known * 6)
        #expect(report.median_error < 0.004)
    }

    @Test(arguments: UInt64(1)...8)
    func whatStandsOnASurfaceWinsOverIt(seed: UInt64) {
        let report = report(FH_CHECK_DEPTH_BOX_ON_FLOOR, seed: seed)
        #expect(report.wrong_inside * 100 < report.known)
        #expect(report.wrong * 100 < report.known * 6)
    }

    @Test(arguments: UInt64(1)...8)
    func whatIsHiddenNowDoesNotShowThrough(seed: UInt64) {
        let report = report(FH_CHECK_DEPTH_HIDDEN_POINTS, seed: seed)
        #expect(report.wrong_inside * 200 < report.known)
    }

    @Test(arguments: UInt64(1)...4)
    func nothingFlowsOverAnEdgeToWhereNothingIsKnown(seed: UInt64) {
        let report = report(FH_CHECK_DEPTH_LEFT_THIRD, seed: seed)
        #expect(report.known * 4 > report.cells)
        #expect(report.known_beyond == 0)
        #expect(report.wrong == 0)
    }

    @Test func aSurfaceAloneIsKnownWhereItLiesAndOnlyThere() {
        let report = report(FH_CHECK_DEPTH_FLOOR)
        #expect(report.known * 100 > report.cells * 25)
        #expect(report.wrong == 0)
        #expect(report.median_error < 1e-4)
    }

    @Test(arguments: [(64, 64), (65, 64), (77, 103), (641, 479), (364, 674), (127, 90)] as [(Int32, Int32)])
    func pictureOfAnySizeHasItsCells(width: Int32, height: Int32) {
        for scene in [FH_CHECK_DEPTH_BOX_BEFORE_WALL, FH_CHECK_DEPTH_BOX_ON_FLOOR, FH_CHECK_DEPTH_NOTHING] {
            let report = report(scene, width: width, height: height)
            #expect(report.width == (width + 7) / 8)
            #expect(report.height == (height + 7) / 8)
        }
    }

    @Test func theSameCallsGiveTheSameMaps() {
        for scene in [FH_CHECK_DEPTH_BOX_BEFORE_WALL, FH_CHECK_DEPTH_BOX_ON_FLOOR] {
            #expect(report(scene).digest == report(scene).digest)
        }
        #expect(
            report(FH_CHECK_DEPTH_BOX_BEFORE_WALL).digest != report(FH_CHECK_DEPTH_BOX_BEFORE_WALL, seed: 2).digest)
    }

    @Test func anotherMapTakesNothingFromTheHeap() {
        for scene in [FH_CHECK_DEPTH_BOX_BEFORE_WALL, FH_CHECK_DEPTH_BOX_ON_FLOOR] {
            #expect(report(scene).allocations == 0)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func aRayMeetsWhatIsKnownOnlyByPoints(seed: UInt64) {
        var report = fh_check_raycast_report()
        #expect(fh_check_point_raycast(seed, &report) == 0)
        #expect(report.box_rays > 20 && report.wall_rays > 100)
        // All of the box and of the wall, though points of the wall lie behind the box as well.
        #expect(report.box_found == report.box_rays)
        #expect(report.wall_found == report.wall_rays)
        #expect(report.distance_error < 0.005)
        #expect(report.normal_degrees < 8)
        #expect(report.lowest_confidence > 0 && report.highest_confidence <= 0.9)
        #expect(report.found_nowhere == 0)
        // Of some 650.
        #expect(report.found_in_clutter <= 6)
    }
}
