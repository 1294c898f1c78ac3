import FootholdCoaching

/// How long each hint was there, for saying in one line at the end what would have helped.
struct HintTally: Sendable {
    private var seconds: [HintCause: Double] = [:]
    private var last: Double?

    mutating func note(_ scene: SceneFrame) {
        let now = scene.result.seconds
        defer { last = now }
        guard let last, let cause = scene.hint?.cause, cause != .startOver else { return }
        seconds[cause, default: 0] += now - last
    }

    /// The failure that was spoken of longest; where none was, that nothing was found yet.
    var mostSaid: HintCause {
        // Equally long ones in the order in which causes are declared, so that the same recording gives the same words.
        let failures = HintCause.allCases.filter { seconds[$0] != nil && !HintScheduler.isInvitation($0) }
        return failures.max { seconds[$0, default: 0] < seconds[$1, default: 0] } ?? .lookAround
    }
}
