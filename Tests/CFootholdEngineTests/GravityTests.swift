import CFootholdEngineChecks
import Testing

@Suite struct GravityTests {
    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func findsUpFromVerticalEdges(seed: UInt64) {
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_from_pictures(seed, 9, 5, 0, &error, &sigma) == 0)
        // Far nearer than the directions that are voted on are to each other.
        #expect(error < 0.3)
        #expect(sigma < 4)
        #expect(error < 3.5 * sigma)
    }

    /// Some of many edges are near upright by chance: they mustn't turn what a ground says, which is 0.3° here.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func edgesThatRunAnyWaySayLittle(seed: UInt64) {
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_from_pictures(seed, 0, 30, 1, &error, &sigma) == 0)
        #expect(error < 1.2)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func findsUpFromAMovingHandsInertialSamples(seed: UInt64) {
        var first = 0.0
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_from_inertial(seed, 0, &first, &error, &sigma) == 0)
        #expect(first < 5)
        #expect(error < 1.2)
        #expect(error < 3.5 * sigma)
    }

    @Test func slopingSurfacesDoNotOutvoteTheAccelerometer() {
        var first = 0.0
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_from_inertial(2, 3, &first, &error, &sigma) == 0)
        #expect(error < 1.5)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func findsUpFromAFloorAndWallsInSpiteOfASlope(seed: UInt64) {
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_from_surfaces(seed, &error, &sigma) == 0)
        #expect(error < 1.5)
        #expect(sigma < 5)
    }

    @Test(arguments: [UInt64(1), 2, 3], [30.0, 45])
    func takesAStripedGroundForLevelNotForAWall(seed: UInt64, pitch: Double) {
        var error = 0.0
        var sigma = 0.0
        #expect(fh_check_gravity_over_stripes(seed, pitch, &error, &sigma) == 0)
        #expect(error < 3)
    }

    @Test(arguments: [0.0, 17, 45, 83, 90, 131])
    func measuresAnEdgesDirection(angle: Double) {
        var error = 0.0
        var distance = 0.0
        #expect(fh_check_line_segment(angle, 3, &error, &distance) == 0)
        #expect(error < 0.3)
        #expect(distance < 0.3)
    }
}
