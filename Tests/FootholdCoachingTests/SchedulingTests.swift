import FootholdCoaching
import Foundation
import Testing

/// One stretch on the screen.
private struct Showing {
    var cause: HintCause
    var level: HintCatalogue.Level
    var from: Double
    var to: Double
    var reading: Double
}

@Suite struct SchedulingTests {
    private typealias Moment = (seconds: Double, cause: HintCause?, isCertain: Bool)

    /// Every cause that can be wanted, and nothing as often as in a session that goes well now and then.
    private static let causes: [HintCause?] =
        HintCause.allCases.filter { $0 != .startOver } + [HintCause?](repeating: nil, count: 6)

    private static func reading(_ cause: HintCause, _ level: HintCatalogue.Level) -> Double {
        2 + Double(cause.rawValue.count) / 10 + (level == .fuller ? 1.5 : 0)
    }

    /// A random stream of causes, from flickering to lasting.
    private func stream(seed: UInt64) -> [Moment] {
        var random = SeededRandom(seed)
        let framesPerSecond = [15.0, 24, 30, 60].randomElement(using: &random)!
        let patience = random.number(0.05...6)
        // Few causes that come back again and again, or many.
        let causes = Self.causes.shuffled(using: &random).prefix(Int(random.number(3...Double(Self.causes.count))))
        var frames: [Moment] = []
        var cause: HintCause?
        var isCertain = false
        var until = 0.0
        var seconds = 0.0
        while seconds < 90 {
            if seconds >= until {
                cause = causes.randomElement(using: &random)!
                isCertain = random.number(0...1) < 0.3
                until = seconds + random.number(0.02...2) * patience
            }
            frames.append((seconds, cause, isCertain))
            // Pictures come unevenly.
            seconds += random.number(0.5...1.5) / framesPerSecond
        }
        return frames
    }

    private func play(_ frames: [(seconds: Double, cause: HintCause?)]) -> [Showing] {
        play(frames.map { ($0.seconds, $0.cause, false) })
    }

    private func play(_ frames: [Moment]) -> [Showing] {
        var scheduler = HintScheduler()
        var showings: [Showing] = []
        var open: Showing?
        for frame in frames {
            for change in scheduler.update(
                seconds: frame.seconds, wanted: frame.cause, isCertain: frame.isCertain, reading: Self.reading)
            {
                switch change {
                case .show(let cause, let level):
                    #expect(open == nil, "two at once at \(frame.seconds)")
                    open = Showing(
                        cause: cause, level: level, from: frame.seconds, to: .infinity,
                        reading: Self.reading(cause, level))
                case .hide:
                    #expect(open != nil, "hidden without being shown at \(frame.seconds)")
                    if var closed = open {
                        closed.to = frame.seconds
                        showings.append(closed)
                    }
                    open = nil
                }
            }
        }
        if let open { showings.append(open) }
        return showings
    }

    @Test(arguments: 1...80 as ClosedRange<UInt64>)
    func theLawsOfTimingHoldInAnyStreamOfCauses(_ seed: UInt64) {
        let frames = stream(seed: seed)
        let step = 0.1
        let showings = play(frames)
        for (index, showing) in showings.enumerated() {
            // An invitation may make room for a failure sooner than it takes to read, but nothing flashes by.
            let least = HintScheduler.isInvitation(showing.cause) ? 2 : max(2, showing.reading)
            #expect(showing.to - showing.from >= least - 1e-9, "shorter than it takes to read")
            if showing.to - showing.from < max(2, showing.reading) - 1e-9, index + 1 < showings.count {
                let next = showings[index + 1]
                #expect(!HintScheduler.isInvitation(next.cause) && next.from == showing.to, "made room for nothing")
            }
            // Gone for a second beyond the reading time at most.
            let present = frames.last { frame in
                frame.seconds < showing.to
                    && (showing.cause == .startOver
                        ? frame.cause.map { !HintScheduler.isInvitation($0) } ?? false : frame.cause == showing.cause)
            }
            if showing.to.isFinite, let present {
                let due = max(showing.from + showing.reading, present.seconds) + 1
                #expect(showing.to <= due + step, "\(showing.cause) outlasts its cause")
            }
            if !HintScheduler.isInvitation(showing.cause) {
                let isCertain = frames.contains { $0.seconds == showing.from && $0.isCertain }
                #expect(showing.from >= 2 || isCertain, "words in the first seconds")
            }
            if let next = showings[(index + 1)...].first(where: { $0.cause == showing.cause }),
                next.level <= showing.level
            {
                #expect(next.from - showing.to >= 5 - 1e-9, "\(showing.cause) does not rest")
            }
        }
        for (showing, next) in zip(showings, showings.dropFirst()) { #expect(next.from >= showing.to, "two at once") }
        for showing in showings {
            let changes = showings.count { $0.from >= showing.from && $0.from < showing.from + 10 }
            #expect(changes <= 5, "\(changes) changes in ten seconds")
        }
    }

    @Test func aLastingCauseIsSpokenOfWithinHalfASecond() {
        for framesPerSecond in [10.0, 15, 30, 60, 120] {
            let frames = (0..<Int(10 * framesPerSecond)).map { index -> (seconds: Double, cause: HintCause?) in
                let seconds = Double(index) / framesPerSecond
                return (seconds, seconds >= 4 ? .insufficientLight : nil)
            }
            let first = play(frames).first
            #expect(first?.cause == .insufficientLight && first!.from - 4 <= 0.5)
        }
    }

    @Test func whatLastsIsExplainedMoreFullyAndThenAnOfferToStartOverIsMade() {
        let frames = (0..<1500).map { index -> (seconds: Double, cause: HintCause?) in
            let seconds = Double(index) / 30
            return (seconds, seconds >= 3 && seconds < 40 ? .insufficientFeatures : nil)
        }
        let showings = play(frames)
        #expect(showings.map(\.cause) == [.insufficientFeatures, .insufficientFeatures, .startOver])
        #expect(showings.map(\.level) == [.short, .fuller, .short])
        #expect(showings[2].to > 40 && showings[2].to < 41)
    }

    @Test func aFailureThatReturnsIsExplainedMoreFully() {
        let frames = (0..<1200).map { index -> (seconds: Double, cause: HintCause?) in
            let seconds = Double(index) / 30
            return (seconds, (3..<6).contains(seconds) || (15..<18).contains(seconds) ? .excessiveMotion : nil)
        }
        #expect(play(frames).map(\.level) == [.short, .fuller])
    }

    @Test func theInvitationToLookAroundIsThereFromTheBeginning() {
        let showings = play((0..<300).map { (Double($0) / 30, $0 < 200 ? .lookAround : nil) })
        #expect(showings.first?.cause == .lookAround && showings.first!.from <= 0.45)
    }

    @Test func theInvitationIsNotRepeatedAfterEverySmallLoss() {
        func frames(lost: Double) -> [(seconds: Double, cause: HintCause?)] {
            (0..<900).map { index in
                let seconds = Double(index) / 30
                return (seconds, seconds < 3 || (15..<(15 + lost)).contains(seconds) ? .lookAround : nil)
            }
        }
        #expect(play(frames(lost: 1.5)).count == 1)
        #expect(play(frames(lost: 3)).count == 2)
    }

    @Test func theInvitationToTapDoesNotStayForEver() {
        let showings = play((0..<2400).map { (Double($0) / 30, .ready) })
        #expect(showings.count == 2)
        #expect(showings[0].to - showings[0].from < 11 && showings[1].from - showings[0].to >= 30)
    }
}
