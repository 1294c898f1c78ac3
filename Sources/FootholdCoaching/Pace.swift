import FootholdScene

/// How fast the camera is moved, beside how fast it was moved just before while all went well: what was mastered then
/// isn't what is wrong now.
struct Pace: Sendable {
    private static let memorySeconds = 3.0
    /// The movement that a trouble began with: this long before it, and no longer than this after.
    private static let leadSeconds = 0.15
    private static let lossSeconds = 1.0
    /// Picture widths per second; slower is no movement to speak of.
    private static let least = 0.5

    private struct Moment: Sendable {
        var seconds: Double
        var flow: Double
        var turning: Double
        var isMastered: Bool
    }

    private var moments: [Moment] = []
    private var troubledSince: Double?

    /// The fastest that was followed well before the present trouble, or before the last moment where there is none:
    /// picture widths and radians per second.
    private(set) var masteredFlow = 0.0
    private(set) var masteredTurning = 0.0
    /// By what share the movement that the trouble began with was slower than what had been mastered, 0…1; 0 without
    /// trouble.
    private(set) var ease = 0.0

    /// - Parameters:
    ///   - flow, turning: smoothed.
    ///   - isMastered: followed, and without doubt.
    mutating func update(seconds now: Double, flow: Double, turning: Double, isTroubled: Bool, isMastered: Bool) {
        moments.removeAll { now - $0.seconds > Self.memorySeconds }
        moments.append(Moment(seconds: now, flow: flow, turning: turning, isMastered: isMastered))
        troubledSince = isTroubled ? troubledSince ?? now : nil
        let start = (troubledSince ?? now) - Self.leadSeconds
        (masteredFlow, masteredTurning) = (0, 0)
        var loss = 0.0
        for moment in moments {
            if moment.seconds < start {
                guard moment.isMastered else { continue }
                masteredFlow = max(masteredFlow, moment.flow)
                masteredTurning = max(masteredTurning, moment.turning)
            } else if moment.seconds >= now - Self.lossSeconds {
                loss = max(loss, moment.flow)
            }
        }
        guard troubledSince != nil, masteredFlow >= Self.least else {
            ease = 0
            return
        }
        ease = max(0, 1 - loss / masteredFlow)
    }
}
