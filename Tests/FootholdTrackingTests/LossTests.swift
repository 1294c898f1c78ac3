import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// What a session says of a loss: its cause as long as it lasts, and then that it looks for the place.
@Suite struct LossTests {
    private static let start = 70

    /// The desk, with every picture from `start` on changed.
    private func reasons(_ picture: (Int) -> PixelBuffer) throws -> [TrackingState.Reason?] {
        let run = try Run(.desk, frames: 0..<100) { $0 < Self.start ? nil : picture($0) }
        #expect(run.results[Self.start - 1].trackingState == .normal)
        return run.results[(Self.start + 5)...].map(\.trackingState.reason)
    }

    private func even(_ tone: Int) -> PixelBuffer {
        let noise: [UInt8] = (0..<(320 * 240)).map { UInt8(tone + ($0 &* 7919 >> 5) % 3) }
        return PixelBuffer(copyingLuma: noise, width: 320, height: 240)
    }

    @Test func darknessIsNamedAsLongAsItLasts() throws {
        #expect(try reasons { _ in even(10) }.allSatisfy { $0 == .insufficientLight })
    }

    @Test func emptinessIsNamedAsLongAsItLasts() throws {
        #expect(try reasons { _ in even(130) }.allSatisfy { $0 == .insufficientFeatures })
    }

    @Test func aPlaceThatWasNeverSeenLeavesOnlyTheSearch() throws {
        let other = Recording(SyntheticSequence(seed: 77, kind: .room, style: .sideways, duration: 1.5))
        let found = try reasons { other.frames[$0 - Self.start].pixels }
        #expect(found.prefix(20).allSatisfy { $0 == .relocalizing })
    }

    @Test func darknessThatEndsLeavesOnlyTheSearch() throws {
        let other = Recording(SyntheticSequence(seed: 77, kind: .room, style: .sideways, duration: 1.5))
        let found = try reasons { $0 < Self.start + 12 ? even(10) : other.frames[$0 - Self.start].pixels }
        #expect(found.prefix(6).allSatisfy { $0 == .insufficientLight })
        #expect(found[8..<20].allSatisfy { $0 == .relocalizing })
    }
}
