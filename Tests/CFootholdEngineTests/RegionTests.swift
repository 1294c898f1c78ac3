import CFootholdEngineChecks
import Testing

/// Regions of pictures that are matched as a whole, on painted planes with exact truth.
@Suite struct RegionTests {
    @Test(arguments: [0.5, 1, 2, 3])
    func cutsAPictureAtItsEdges(noise: Double) {
        var covered = 0.0
        var astray = 0.0
        #expect(fh_check_picture_regions(3, noise, &covered, &astray) == 0)
        #expect(covered > 0.8)
        #expect(astray < 0.01)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func derivativesAreTrue(seed: UInt64) {
        #expect(fh_check_region_derivatives(seed, 0) < 0.01)
        #expect(fh_check_region_derivatives(seed, 1) < 0.01)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func findsThePlaneOfAFaintTexture(seed: UInt64) {
        for isUpright in Int32(0)...1 {
            var report = fh_check_region_plane_report()
            #expect(fh_check_region_plane(seed, isUpright, 12, 1, &report) == 0)
            #expect(report.depth_error < 0.003)
            #expect(report.normal_error_degrees < 4)
        }
    }

    /// Errors over claimed deviations: 1 in the mean when claims are true.
    @Test func claimsWhatItKnows() {
        var sum = 0.0
        let trials = 24
        for seed in 1...UInt64(trials) {
            var report = fh_check_region_plane_report()
            #expect(fh_check_region_plane(seed, Int32(seed % 2), 12, 1, &report) == 0)
            sum += report.normalised_error
        }
        #expect(sum / Double(trials) > 0.2)
        #expect(sum / Double(trials) < 3)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func tellsFloorFromWall(seed: UInt64) {
        var report = fh_check_planar_regions_report()
        #expect(fh_check_planar_regions(seed, 12, &report) == 0)
        #expect(report.told * 2 > report.places)
        #expect(report.right * 10 > report.told * 9)
        #expect(report.wrong * 50 < report.told)
    }

    @Test func saysNothingWhereThereIsNothingToSee() {
        var report = fh_check_planar_regions_report()
        #expect(fh_check_planar_regions(1, 0, &report) == 0)
        #expect(report.told * 50 < report.places)
    }
}
