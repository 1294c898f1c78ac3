/// Makes frame times strictly increasing and keeps everything that is right about them.
///
/// A time is broken when it is missing, lies before or practically on the last one, or jumps far ahead only to come
/// back. Such a frame gets the nominal interval. After a broken run the recording's own clock counts again where it
/// has moved on meanwhile; where it has not (many frames crammed into one instant), it is shifted for good.
struct TimestampRepair {
    /// Usual time between two frames, nanoseconds.
    let nominalInterval: Int64
    private(set) var brokenCount = 0
    private var lastRaw: Int64?
    private var lastTime: Int64?
    /// What turns the recording's clock into ours.
    private var offset: Int64?

    init(nominalInterval: Int64) {
        self.nominalInterval = max(1, nominalInterval)
    }

    /// Closer than this to the last frame is no new moment: a tenth of the usual interval.
    private var leastStep: Int64 { max(1, nominalInterval / 10) }

    /// The frame's time in nanoseconds since the first one.
    /// - Parameters:
    ///   - raw: the frame's time on the recording's clock, nil where it has none.
    ///   - next: the following frame's, which tells a pause from a stray time.
    mutating func time(raw: Int64?, next: Int64?) -> Int64 {
        // Numbers near the end of the range are no times, and would overflow.
        let raw = raw.flatMap { abs($0 / 2) < Int64.max / 8 ? $0 : nil }
        let next = next.flatMap { abs($0 / 2) < Int64.max / 8 ? $0 : nil }
        guard let lastTime else {
            self.lastTime = 0
            lastRaw = raw
            offset = raw.map { -$0 }
            return 0
        }
        var time = lastTime + nominalInterval
        if let raw, let offset, let lastRaw, !isStray(raw, after: lastRaw, before: next), raw - lastRaw >= leastStep {
            let onOldClock = raw + offset
            // Within a run of good times this is always so.
            time = onOldClock - lastTime >= leastStep ? onOldClock : lastTime + (raw - lastRaw)
            self.offset = time - raw
            self.lastRaw = raw
        } else {
            brokenCount += 1
            if let raw, offset == nil {
                offset = time - raw
                lastRaw = raw
            } else if let raw, let lastRaw, !isStray(raw, after: lastRaw, before: next) {
                self.lastRaw = raw
            }
        }
        self.lastTime = time
        return time
    }

    private func isStray(_ raw: Int64, after last: Int64, before next: Int64?) -> Bool {
        guard let next else { return false }
        return raw - last > max(1_000_000_000, 10 * nominalInterval) && next > last && next < raw
    }

    /// Repairs a whole list; returns nanoseconds since its first entry.
    static func repair(_ raw: [Int64], nominalInterval: Int64) -> (times: [Int64], brokenCount: Int) {
        var repair = TimestampRepair(nominalInterval: nominalInterval)
        let times = raw.indices.map { repair.time(raw: raw[$0], next: $0 + 1 < raw.count ? raw[$0 + 1] : nil) }
        return (times, repair.brokenCount)
    }

    /// The median step of a list of times; nil where there is none that moves forward.
    static func medianInterval(_ times: [Int64]) -> Int64? {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        guard !steps.isEmpty, steps[steps.count / 2] > 0 else { return nil }
        return steps[steps.count / 2]
    }

    /// What to tell people; nil when nothing was broken.
    static func notice(brokenCount: Int) -> String? {
        guard brokenCount > 0 else { return nil }
        let frames = brokenCount == 1 ? "1 frame" : "\(brokenCount) frames"
        return "the times of \(frames) were broken and have been repaired"
    }
}
