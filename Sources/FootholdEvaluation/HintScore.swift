/// Whether a person was told the right thing in time, and not bothered otherwise.
public struct HintScore: Hashable, Sendable, Codable {
    public struct Interval: Hashable, Sendable, Codable {
        public var kind: String
        public var start: Double
        public var end: Double
        /// From the interval's start until the right hint was on screen; nil when it never was.
        public var secondsToRightHint: Double?
    }

    public var intervals: [Interval]
    /// Hints about a failure that came up while nothing was wrong.
    public var wrongHints: Int
    public var calmMinutes: Double
    /// Nil when there was no calm time.
    public var wrongHintsPerMinute: Double?
    /// Of the hints that came and went; nil when none did.
    public var shortestSecondsOnScreen: Double?

    /// Hints that guide rather than name a failure.
    private static let guidance: Set<String> = Set(
        [HintCause.lookAround, .ready, .handleObject].map(\.rawValue))
    /// A hint may come up this long after its cause ended without being wrong: it was decided on while it lasted.
    private static let grace = 0.5

    /// - Parameter duration: seconds from the first to the last frame.
    static func score(_ hints: [SessionRecord.HintShown], failures: [TrueFailure], duration: Double) -> HintScore {
        let intervals = failures.map { failure in
            let right = hints.first { hint in
                hint.cause == failure.kind && hint.shownAt < failure.end
                    && (hint.hiddenAt ?? .infinity) > failure.start
            }
            return Interval(
                kind: failure.kind, start: failure.start, end: failure.end,
                secondsToRightHint: right.map { max(0, $0.shownAt - failure.start) })
        }
        let wrong = hints.filter { hint in
            !guidance.contains(hint.cause)
                && !failures.contains { $0.start <= hint.shownAt && hint.shownAt <= $0.end + grace }
        }
        let calm = max(0, duration - coveredSeconds(failures, upTo: duration)) / 60
        return HintScore(
            intervals: intervals, wrongHints: wrong.count, calmMinutes: calm,
            wrongHintsPerMinute: calm > 0 ? Double(wrong.count) / calm : nil,
            shortestSecondsOnScreen: hints.compactMap { hint in hint.hiddenAt.map { $0 - hint.shownAt } }.min())
    }

    /// The time that the intervals cover together.
    private static func coveredSeconds(_ failures: [TrueFailure], upTo duration: Double) -> Double {
        var covered = 0.0
        var reached = 0.0
        for failure in failures.sorted(by: { $0.start < $1.start }) {
            let start = max(failure.start, reached)
            let end = min(failure.end, duration)
            if end > start { covered += end - start }
            reached = max(reached, end)
        }
        return covered
    }
}
