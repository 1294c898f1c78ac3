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

    /// Where the first map was made in a violent shake nothing lies where it should. That is told, and once the camera
    /// is calm the map is made anew instead of being kept for good.
    @Test func aMapThatNeverFittedIsMadeAnew() throws {
        let recording = FailureSequence(kind: .excessiveMotion, seed: 2)
        let calm = try #require(recording.interval).upperBound
        #expect(recording.interval?.lowerBound == 0)
        let session = try WorldSession(configuration: .init(intrinsics: recording.intrinsics))
        var results: [FrameResult] = []
        while let frame = recording.nextFrame() { results.append(try session.process(frame)) }
        let sway = 0.006 * Double(recording.intrinsics.width)
        #expect(results.contains { $0.worldFromCamera != nil && $0.diagnostics.reprojectionErrorPixels > sway })
        for result in results where result.trackingState == .normal {
            #expect(result.diagnostics.reprojectionErrorPixels <= sway, "frame \(result.frameIndex)")
        }
        #expect(results.contains { $0.didReset })
        let settled = results.filter { $0.seconds > calm + 1 }
        #expect(settled.count > 20)
        #expect(settled.allSatisfy { $0.trackingState == .normal && $0.diagnostics.reprojectionErrorPixels < 0.6 })
    }
}
