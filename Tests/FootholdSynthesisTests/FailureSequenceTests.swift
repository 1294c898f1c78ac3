import FootholdScene
import FootholdSynthesis
import Testing

/// Luma as numbers.
private func luma(_ frame: Frame) -> [UInt8] {
    let plane = frame.pixels.luma
    return (0..<plane.height).flatMap { row in
        UnsafeBufferPointer(start: plane.base + row * plane.bytesPerRow, count: plane.width)
    }
}

private func mean(_ picture: [UInt8]) -> Double { Double(picture.reduce(0) { $0 + Int($1) }) / Double(picture.count) }

/// The pictures at some seconds.
private func pictures(_ sequence: FailureSequence, at seconds: [Double]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    while let frame = sequence.nextFrame() {
        let now = Double(frame.timestampNanoseconds) / 1e9
        if let wanted = seconds.dropFirst(result.count).first, now >= wanted - 1e-6 { result.append(luma(frame)) }
        if result.count == seconds.count { break }
    }
    return result
}

@Suite struct FailureSequenceTests {
    @Test(arguments: FailureSequence.Kind.allCases)
    func everyKindHasAnIntervalThatLiesWithinItAndPictures(_ kind: FailureSequence.Kind) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let sequence = FailureSequence(kind: kind, seed: seed, width: 64, height: 48)
            #expect(sequence.nextFrame() != nil)
            guard kind != .calm else {
                #expect(sequence.interval == nil)
                continue
            }
            let interval = try #require(sequence.interval)
            #expect(interval.lowerBound >= 0 && interval.upperBound <= sequence.duration)
            #expect(interval.upperBound - interval.lowerBound > 1, "\(kind) \(seed): \(interval)")
        }
    }

    @Test func theSameSeedGivesTheSameBytes() {
        func first(_ seed: UInt64) -> [[UInt8]] {
            pictures(FailureSequence(kind: .viewBlocked, seed: seed, width: 64, height: 48), at: [0, 0.5, 3.05])
        }
        #expect(first(2) == first(2))
        #expect(first(2) != first(4))
    }

    @Test func theLampGoesOutAndOnAgain() throws {
        let sequence = FailureSequence(kind: .insufficientLight, seed: 1, width: 64, height: 48)
        let interval = try #require(sequence.interval)
        let found = pictures(
            sequence, at: [interval.lowerBound - 0.5, interval.lowerBound + 0.5, interval.upperBound + 1.2])
        #expect(mean(found[0]) > 80 && mean(found[1]) < 50 && mean(found[2]) > 80)
    }

    @Test func aStoppedPictureDoesNotChangeAtAllAndGoesOnLater() throws {
        let sequence = FailureSequence(kind: .frozen, seed: 1, width: 64, height: 48)
        let interval = try #require(sequence.interval)
        let a = interval.lowerBound
        let found = pictures(sequence, at: [a - 0.5, a - 0.3, a + 0.2, a + 2, interval.upperBound + 0.5])
        #expect(found[0] != found[1] && found[2] == found[3] && found[3] != found[4])
    }

    @Test func aCoveredLensShowsNothing() throws {
        let sequence = FailureSequence(kind: .viewBlocked, seed: 1, width: 64, height: 48)
        let interval = try #require(sequence.interval)
        let found = pictures(sequence, at: [interval.lowerBound + 0.5])
        #expect(mean(found[0]) < 4)
    }
}
