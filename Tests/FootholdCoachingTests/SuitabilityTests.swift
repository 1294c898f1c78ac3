import FootholdCoaching
import Testing

@Suite struct SuitabilityTests {
    /// A level surface of so many square metres, 1 m before the camera.
    private func surface(_ area: Double, _ alignment: PlaneAnchor.Alignment = .horizontal) -> PlaneAnchor {
        let half = area.squareRoot() / 2
        return PlaneAnchor(
            id: 1, alignment: alignment, classification: .unknown, worldFromSurface: .identity,
            extent: SIMD2(2 * half, 2 * half),
            boundary: [SIMD2(-half, -half), SIMD2(-half, half), SIMD2(half, half), SIMD2(half, -half)], confidence: 1,
            firstSeenNanoseconds: 0, lastUpdatedNanoseconds: 0)
    }

    /// What is thought of a place after each stretch of time at ten frames a second.
    private func judgements(
        _ parts: [(seconds: Double, situation: Situation, surfaces: [PlaneAnchor])], metresPerUnit: Double? = nil
    ) -> [Suitability?] {
        var coach = Coach(objectName: "chair")
        var random = SeededRandom(3)
        var index = 0
        return parts.map { part in
            for _ in 0..<Int(part.seconds * 10) {
                var result = Stream.result(
                    index: index, seconds: Double(index) / 10, situation: part.situation, random: &random)
                result.surfaces = part.surfaces
                result.scale.metresPerUnit = metresPerUnit
                _ = coach.update(result, context: CoachingContext(placedCount: 1))
                index += 1
            }
            return coach.suitability
        }
    }

    @Test func aLargeLevelSurfaceIsARoomAndASmallOneATabletop() {
        #expect(judgements([(1, .well, [surface(2.5)])]) == [Suitability(kind: .room)])
        #expect(judgements([(1, .well, [surface(0.3)])]) == [Suitability(kind: .tabletop)])
    }

    @Test func howMuchRoomThereIsIsToldInTrueMetresWhereTheyAreKnown() {
        #expect(judgements([(1, .well, [surface(2.5)])], metresPerUnit: 0.6) == [Suitability(kind: .tabletop)])
        #expect(judgements([(1, .well, [surface(0.8)])], metresPerUnit: 1.6) == [Suitability(kind: .room)])
    }

    @Test func aWallAloneOrNothingFlatStillAllowsPlacingAtADistance() {
        #expect(judgements([(8, .well, [])]).first??.kind == .instant)
        #expect(judgements([(8, .well, [surface(3, .vertical)])]).first??.kind == .instant)
    }

    @Test func whereNothingWorksTheReasonIsGiven() {
        let dark = Situation.troubled[0]
        #expect(judgements([(8, dark, [])]) == [Suitability(kind: .none, reason: .insufficientLight)])
    }

    @Test func itIsNotJudgedBeforeItIsKnown() {
        #expect(judgements([(3, .well, [])]) == [nil])
    }

    @Test func aBetterOfferIsMadeAtOnceAndAPoorerOneOnlyWhenItLasts() {
        let kinds = judgements([
            (1, .well, [surface(0.3)]), (0.2, .well, [surface(2.5)]), (2, .well, [surface(0.3)]),
            (8, .well, [surface(0.3)]),
        ]).map { $0?.kind }
        #expect(kinds == [.tabletop, .room, .room, .tabletop])
    }

    @Test func thereAreWordsForEveryPlaceThatDoesNotSuitEverything() {
        for language in HintCatalogue.languages {
            let catalogue = HintCatalogue(language: language)
            for kind in Suitability.Kind.allCases {
                let text = catalogue.text(for: Suitability(kind: kind), objectName: "chair")
                #expect((text == nil) == (kind == .room))
                #expect(text.map { !$0.contains("{") && $0.count <= 90 } ?? true)
            }
        }
    }
}
