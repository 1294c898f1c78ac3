import CFootholdEngineChecks
import Testing

@Suite("Updates of surfaces") struct SurfaceUpdateTests {
    @Test func followsAChangeOfTheWorldsFrame() {
        for inParts in Int32(0)...1 {
            let error = fh_check_surfaces_transform_error(3, inParts)
            #expect(error >= 0)
            #expect(error < 1e-9)
        }
    }

    /// Parts of an update tell how much of it is done, add up to all of it, and find what the whole finds.
    @Test func updatesInParts() {
        var largest = 0.0
        #expect(fh_check_surfaces_in_parts(3, &largest) == 0)
        #expect(largest > 0.05)
        #expect(largest < 0.2)
    }
}
