import FootholdScene

/// How long hints take to come, stay, go and return; seconds.
public struct HintTiming: Hashable, Sendable {
    /// A cause has to hold this long before it is spoken of, …
    public var onset = 0.25
    /// … and to be gone this long before the words go.
    public var release = 0.3
    /// The first invitation to look around waits this long: what is wrong from the first picture on is known by then,
    /// and is said instead. Later ones wait longer, lest they are in the way of what goes wrong.
    public var opening = 0.4
    /// Whoever turns on the way to something else turns for less than this long.
    public var turning = 0.4
    public var invitingAgain = 2.0
    /// Where something can be placed the scene shows it first; words follow when that had no answer for this long (R8).
    public var ready = 6.0
    /// In the first seconds only the invitation to look around is shown, and what is beyond doubt.
    public var quiet = 2.0
    /// The shortest time on the screen, for the shortest of messages.
    public var minimum = 2.0
    /// The fuller form follows when the short one hasn't helped for this long, …
    public var patience = 8.0
    /// … and the offer to start over when that hasn't helped either.
    public var fullerPatience = 10.0
    /// A hint that was hidden rests before it returns.
    public var rest = 5.0
    /// A cause that returns within this time is a repeated failure.
    public var forgetting = 30.0
    /// An invitation to act is not repeated for ever: it goes after this long, and rests longer.
    public var invitation = 10.0
    public var invitationRest = 30.0

    public init() {}

    /// How long a text takes to read: 15 Latin letters or 7 Hangul syllables a second, after a moment to notice it.
    public func reading(_ text: String) -> Double {
        let effort = text.unicodeScalars.reduce(0.0) { sum, scalar in
            sum + ((0xAC00...0xD7A3).contains(scalar.value) ? 1 / 7.0 : 1 / 15.0)
        }
        return max(minimum, 0.8 + effort)
    }
}

/// Decides which hint is on the screen, and when. Pure: time comes with the calls.
///
/// One hint at a time; each stays at least as long as it takes to read, goes when its cause is gone, rests before it
/// returns, and says more, then offers to start over, when it doesn't help.
public struct HintScheduler: Sendable {
    public enum Change: Hashable, Sendable {
        case show(HintCause, HintCatalogue.Level)
        case hide
    }

    public struct Showing: Hashable, Sendable {
        public var cause: HintCause
        public var level: HintCatalogue.Level
        public var since: Double
        /// Not hidden before.
        public var until: Double
    }

    private struct Record: Sendable {
        var presence = 0.0
        var lastWanted = -Double.infinity
        var lastHidden = -Double.infinity
        /// How often it came back without a long calm in between.
        var episodes = 0
        var rest = 0.0
    }

    public let timing: HintTiming
    public private(set) var showing: Showing?
    private var records: [HintCause: Record] = [:]
    private var start: Double?
    private var last: Double?
    private var lastFailure = -Double.infinity

    public init(timing: HintTiming = HintTiming()) { self.timing = timing }

    /// True for hints that invite rather than help out of trouble.
    public static func isInvitation(_ cause: HintCause) -> Bool {
        cause == .lookAround || isInvitationToTouch(cause)
    }

    /// True for hints that say what to do with a finger: they are said once in a while, not until it is done.
    private static func isInvitationToTouch(_ cause: HintCause) -> Bool { cause == .ready || cause == .handleObject }

    /// - Parameters:
    ///   - seconds: the frame's time; never earlier than the last.
    ///   - wanted: the most useful thing to say now; nil when all is well.
    ///   - isCertain: it is beyond doubt, and may be said in the first seconds too.
    ///   - reading: how long a message takes to read.
    public mutating func update(
        seconds: Double, wanted: HintCause?, isCertain: Bool = false,
        reading: (HintCause, HintCatalogue.Level) -> Double
    ) -> [Change] {
        start = start ?? seconds
        let elapsed = last.map { max(0, seconds - $0) } ?? 0
        last = seconds
        note(wanted, seconds, elapsed)
        var changes: [Change] = []
        if let current = showing, givesWay(current, to: wanted, seconds, isCertain: isCertain) {
            hide(seconds, &changes)
        } else if let current = showing, seconds >= current.until {
            if isGone(current.cause, seconds) {
                hide(seconds, &changes)
            } else if Self.isInvitationToTouch(current.cause), seconds - current.since >= timing.invitation {
                records[current.cause]?.rest = timing.invitationRest
                hide(seconds, &changes)
            } else if let next = escalation(of: current, seconds) {
                hide(seconds, &changes)
                show(next.cause, next.level, seconds, reading, &changes)
            }
        }
        if showing == nil, let cause = wanted, mayShow(cause, seconds, isCertain: isCertain) {
            let episode = records[cause]?.episodes ?? 0
            let isFailure = !Self.isInvitation(cause)
            if isFailure, episode >= 3 {
                show(.startOver, .short, seconds, reading, &changes)
            } else {
                show(cause, isFailure && episode >= 1 ? .fuller : .short, seconds, reading, &changes)
            }
            records[cause]?.episodes = episode + 1
        }
        return changes
    }

    private mutating func note(_ wanted: HintCause?, _ seconds: Double, _ elapsed: Double) {
        for cause in HintCause.allCases {
            var record = records[cause] ?? Record()
            if cause == wanted {
                if seconds - max(record.lastWanted, record.lastHidden) > timing.forgetting { record.episodes = 0 }
                record.lastWanted = seconds
                record.presence = min(needed(cause), record.presence + elapsed)
            } else {
                record.presence = max(0, record.presence - elapsed)
            }
            records[cause] = record
        }
        if let wanted, !Self.isInvitation(wanted) { lastFailure = seconds }
    }

    private func isGone(_ cause: HintCause, _ seconds: Double) -> Bool {
        // The offer to start over stands as long as anything is wrong.
        let lastSeen = cause == .startOver ? lastFailure : records[cause]?.lastWanted ?? -.infinity
        return seconds - lastSeen >= timing.release
    }

    private func escalation(
        of current: Showing, _ seconds: Double
    ) -> (cause: HintCause, level: HintCatalogue.Level)? {
        let shown = seconds - current.since
        // Only what still holds now is worth saying more about.
        guard current.cause != .startOver, !Self.isInvitationToTouch(current.cause),
            records[current.cause]?.lastWanted == seconds
        else {
            return nil
        }
        switch current.level {
        case .short:
            return shown >= timing.patience ? (current.cause, .fuller) : nil
        case .fuller:
            guard !Self.isInvitation(current.cause) else { return nil }
            return shown >= timing.fullerPatience ? (.startOver, .short) : nil
        }
    }

    /// An invitation that has been there for the shortest time makes room for a failure that may be spoken of now.
    private func givesWay(_ current: Showing, to wanted: HintCause?, _ seconds: Double, isCertain: Bool) -> Bool {
        guard Self.isInvitation(current.cause), let wanted, !Self.isInvitation(wanted) else { return false }
        return seconds - current.since >= timing.minimum
            && mayShow(wanted, seconds, isCertain: isCertain)
    }

    /// How long a cause has to hold before it is spoken of.
    private func needed(_ cause: HintCause) -> Double {
        switch cause {
        case .lookAround:
            records[cause]?.lastHidden ?? -.infinity > -.infinity ? timing.invitingAgain : timing.opening
        case .ready: timing.ready
        case .noTranslation: timing.turning
        default: timing.onset
        }
    }

    private func mayShow(_ cause: HintCause, _ seconds: Double, isCertain: Bool) -> Bool {
        guard let record = records[cause], record.presence >= needed(cause) - 1e-9,
            seconds - record.lastHidden >= max(timing.rest, record.rest)
        else { return false }
        if Self.isInvitation(cause) { return true }
        let isOffering = record.episodes >= 3
        let hasOffered = seconds - (records[.startOver]?.lastHidden ?? -.infinity) < timing.invitationRest
        return (isCertain || seconds - (start ?? seconds) >= timing.quiet) && !(isOffering && hasOffered)
    }

    private mutating func show(
        _ cause: HintCause, _ level: HintCatalogue.Level, _ seconds: Double,
        _ reading: (HintCause, HintCatalogue.Level) -> Double, _ changes: inout [Change]
    ) {
        let time = max(timing.minimum, reading(cause, level))
        showing = Showing(cause: cause, level: level, since: seconds, until: seconds + time)
        changes.append(.show(cause, level))
    }

    private mutating func hide(_ seconds: Double, _ changes: inout [Change]) {
        guard let cause = showing?.cause else { return }
        records[cause]?.lastHidden = seconds
        showing = nil
        changes.append(.hide)
    }
}
