import FootholdCoaching
import FootholdScene
import Testing

/// Pictures that stop, as coders show them.
@Suite struct StillnessTests {
    /// Two seconds of a camera that moves, then what `change` says; the causes that were named, by second.
    private func causes(
        flow: Double = 0.2, detail: Double = 0.7, seconds: Double = 8, _ change: (Double) -> Double
    ) -> [(seconds: Double, cause: HintCause?)] {
        var random = SeededRandom(5)
        var diagnostician = Diagnostician()
        return (0..<Int(seconds * 30)).map { index in
            let now = Double(index) / 30
            var situation = Situation.well
            var d = situation.diagnostics(&random)
            (d.flow, d.detailShare) = (now < 2 ? flow : 0, detail)
            if now >= 2 { d.change = change(now - 2) }
            let changed = d
            situation.diagnostics = { _ in changed }
            let result = Stream.result(index: index, seconds: now, situation: situation, random: &random)
            return (now, diagnostician.update(result).cause)
        }
    }

    /// What is left out at first comes in little by little.
    private func settling(_ seconds: Double) -> Double { seconds < 0.6 ? 2.5e-4 : 1e-5 }

    @Test func aCodedPictureThatStoppedHasStopped() {
        let named = causes(settling)
        let first = named.first { $0.cause == .frozen }?.seconds
        #expect(first.map { $0 - 2 < 0.6 } == true, "\(String(describing: first))")
        #expect(named.filter { $0.seconds > 2.6 }.allSatisfy { $0.cause == .frozen })
    }

    @Test func aPictureThatIsSentAnewHasNotBegunToMove() {
        let named = causes { abs($0 - 4) < 0.01 ? 3e-3 : settling($0) }
        #expect(named.filter { $0.seconds > 2.6 }.allSatisfy { $0.cause == .frozen })
    }

    @Test func aPictureThatMovesAgainHasNotStopped() {
        let named = causes { $0 < 3 ? settling($0) : 3e-3 }
        #expect(named.contains { $0.cause == .frozen })
        #expect(named.filter { $0.seconds > 5.5 }.allSatisfy { $0.cause != .frozen })
    }

    @Test func aCameraThatComesToRestOnAStandHasNotStopped() {
        #expect(causes(flow: 0.01) { _ in 2e-4 }.allSatisfy { $0.cause != .frozen })
        #expect(causes { _ in 5e-4 }.allSatisfy { $0.cause != .frozen })
    }

    @Test func anEmptyViewHardlyChangesWhenItMoves() {
        #expect(causes(detail: 0.05) { _ in 2e-4 }.allSatisfy { $0.cause != .frozen })
    }
}
