/// Notices what is wrong with pictures that arrive in good order: always the same, all black, far too few.
///
/// Times are nanoseconds of the frames' clock.
struct PictureWatch {
    /// What a picture looks like.
    struct Look: Equatable {
        /// Equal for equal pictures.
        var hash: UInt64
        var mean: Double
        /// The level that all but a thousandth of the pixels stay below.
        var brightest: Int
    }

    enum Change: Equatable {
        case frozen, movingAgain, black, brightAgain
        /// Frames per second that come.
        case slow(rate: Double)
    }

    /// How long something must last before it is said.
    static let patienceNanoseconds: Int64 = 2_000_000_000
    /// Darker than any room that somebody is in, on a picture whose black is 0 or 16.
    static let blackMean = 24.0
    static let blackBrightest = 32
    /// A camera may be this much slower than it promised.
    static let toleratedSlowness = 0.7

    private let promisedRate: Double?
    private var sameHash: UInt64?
    private var sameSince: Int64 = 0
    private var blackSince: Int64?
    private(set) var isFrozen = false
    private(set) var isBlack = false
    private var counting: (since: Int64, frames: Int)?
    private var hasJudgedRate = false

    init(promisedRate: Double?) { self.promisedRate = promisedRate }

    mutating func see(_ look: Look, at time: Int64, lostBefore: Int) -> [Change] {
        var changes: [Change] = []
        if look.hash == sameHash {
            if !isFrozen, time - sameSince >= Self.patienceNanoseconds {
                isFrozen = true
                changes.append(.frozen)
            }
        } else {
            sameHash = look.hash
            sameSince = time
            if isFrozen {
                isFrozen = false
                changes.append(.movingAgain)
            }
        }
        if look.mean < Self.blackMean, look.brightest < Self.blackBrightest {
            if blackSince == nil { blackSince = time }
            if !isBlack, let blackSince, time - blackSince >= Self.patienceNanoseconds {
                isBlack = true
                changes.append(.black)
            }
        } else {
            blackSince = nil
            if isBlack {
                isBlack = false
                changes.append(.brightAgain)
            }
        }
        if let change = judgeRate(at: time, lostBefore: lostBefore) { changes.append(change) }
        return changes
    }

    /// Once, from three seconds in the middle of nothing special.
    private mutating func judgeRate(at time: Int64, lostBefore: Int) -> Change? {
        guard let promisedRate, !hasJudgedRate else { return nil }
        guard let started = counting else {
            counting = (time, 0)
            return nil
        }
        counting = (started.since, started.frames + 1 + lostBefore)
        let seconds = Double(time - started.since) / 1e9
        guard seconds >= 3 else { return nil }
        hasJudgedRate = true
        let rate = Double(started.frames + 1 + lostBefore) / seconds
        return rate < Self.toleratedSlowness * promisedRate ? .slow(rate: rate) : nil
    }

    /// A pause is neither a frozen picture nor a slow camera.
    mutating func pause() {
        sameHash = nil
        blackSince = nil
        if !hasJudgedRate { counting = nil }
    }
}
