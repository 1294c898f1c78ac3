import FootholdScene
import Testing

@Suite struct DepthMapTests {
    /// The left half one metre away and dark, the right half three metres away and bright; the last row unknown.
    private let map: DepthMap = {
        let (width, height) = (20, 10)
        let isNear = (0..<(width * height)).map { $0 % width < 10 }
        let isKnown = (0..<(width * height)).map { $0 / width < 9 }
        return DepthMap(
            width: width, height: height, cellPixels: 8,
            depths: zip(isNear, isKnown).map { $1 ? $0 ? 1 : 3 : 0 },
            deviations: isKnown.map { $0 ? 0.01 : 0 }, luma: isNear.map { $0 ? 40 : 200 })
    }()

    @Test func cellsAreFoundByPlaceAndByPixel() throws {
        #expect(map[9, 0]?.depth == 1)
        #expect(map[10, 0]?.depth == 3)
        #expect(map[3, 9] == nil)
        #expect(map[-1, 0] == nil && map[20, 0] == nil && map[0, 10] == nil)
        #expect(map[SIMD2(75.9, 0)] == map[9, 0])
        #expect(map[SIMD2(76.1, 4.1)] == map[10, 1])
        #expect(map[SIMD2(-4.1, 0)] == nil && map[SIMD2(156.1, 0)] == nil)
        #expect(abs(map.knownShare - 0.9) < 1e-12)
        #expect(try #require(map[0, 0]).confidence > 0.95)
    }

    @Test func whatIsBehindIsHiddenAndWhatIsBeforeIsNot() {
        #expect(map.hiddenShare(at: SIMD2(30, 30), depth: 1.2, brightness: 40) == 1)
        #expect(map.hiddenShare(at: SIMD2(30, 30), depth: 1.0, brightness: 40) == 0)
        #expect(map.hiddenShare(at: SIMD2(30, 30), depth: 0.5, brightness: 40) == 0)
        #expect(map.hiddenShare(at: SIMD2(130, 30), depth: 2.9, brightness: 200) == 0)
    }

    @Test func theBorderLiesWhereThePicturesEdgeIs() {
        // Two pixels into the bright side of what the cells show as the border.
        #expect(map.hiddenShare(at: SIMD2(74, 30), depth: 2, brightness: 200) == 0)
        #expect(map.hiddenShare(at: SIMD2(78, 30), depth: 2, brightness: 40) == 1)
    }

    @Test func whereNothingIsKnownNothingIsHidden() {
        #expect(map.hiddenShare(at: SIMD2(30, 79), depth: 50, brightness: 40) == 0)
        #expect(map.hiddenShare(at: SIMD2(-400, 10), depth: 50, brightness: 40) == 0)
        #expect(map.hiddenShare(at: SIMD2(1e9, 10), depth: 50, brightness: 40) == 0)
        let empty = DepthMap(width: 0, height: 0, cellPixels: 8, depths: [], deviations: [], luma: [])
        #expect(empty.hiddenShare(at: .zero, depth: 1, brightness: 0) == 0)
        #expect(empty.knownShare == 0)
    }

    @Test func whatIsSureHidesMoreThanWhatIsNot() {
        let unsure = DepthMap(
            width: map.width, height: map.height, cellPixels: 8, depths: map.depths,
            deviations: map.deviations.map { 20 * $0 }, luma: map.luma)
        #expect(unsure.hiddenShare(at: SIMD2(30, 30), depth: 1.2, brightness: 40) == 0)
        #expect(unsure[0, 0]?.confidence ?? 1 < 0.3)
    }
}
