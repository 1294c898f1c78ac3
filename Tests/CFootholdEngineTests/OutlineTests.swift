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
}
