import CFootholdEngineChecks
import Testing

/// How the surface around a point changes what is seen of it.
@Suite struct SlantTests {
    @Test func warpOfASlantedPatchIsExact() {
        #expect(fh_check_slanted_warp(1, 200) < 1e-9)
    }

    @Test func planesAroundPointsAreTheSameFromEverywhere() {
        #expect(fh_check_planes_around_points(1, 200) < 1e-9)
    }

    /// From above and from the side the same patch is stretched, and what is taken to face the camera is found beside
    /// where it is.
    @Test func slantedPatchesAreFoundBetter() {
        for seed in UInt64(1)...4 {
            var facing = 0.0
            var slanted = 0.0
            fh_check_slanted_patches(seed, &facing, &slanted)
            #expect(slanted < 0.1, "seed \(seed): \(slanted)")
            #expect(slanted < 0.5 * facing, "seed \(seed): \(slanted), \(facing)")
        }
    }

    @Test func pointsLieAsTheirSurfacesDo() {
        for seed in UInt64(1)...10 {
            var worst = 0.0
            var wrong: Int32 = 0
            fh_check_surface_slants(seed, &worst, &wrong)
            #expect(worst < 1e-9, "seed \(seed)")
            #expect(wrong == 0, "seed \(seed)")
        }
    }
}
