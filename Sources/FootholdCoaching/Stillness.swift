/// For how long nothing in the picture has changed.
///
/// A camera that stands still keeps its noise. A picture that has stopped doesn't change at all, unless it was coded: then
/// what the coder had left out comes in little by little, and now and then it sends a whole picture anew.
struct Stillness: Sendable {
    // Mean changes from one picture to the next, 0…1.
    /// No pixel changes.
    private static let none = 1e-6
    /// What a coder still adds. On a stand, a camera's noise changes more.
    private static let settling = 3e-4
    /// A camera that comes to rest doesn't fall from more than this to nothing within one picture.
    private static let abrupt = 2e-3
    /// A picture that was sent anew.
    private static let renewal = 1e-2
    /// Seconds between two of these, at least.
    private static let renewalSeconds = 0.5
    /// Picture widths per second above which a camera is moved, so that it can't come to rest within one picture.
    private static let moved = 0.02
    /// Share of cells with something to see, above which movement would change the picture.
    private static let visible = 0.2

    private var since: Double?
    private var renewed = -Double.infinity
    /// While it changed last.
    private var lastFlow = 0.0
    private(set) var seconds = 0.0
    /// How fast the camera was just before the picture stopped changing, as flow; 0 while it changes.
    private(set) var haltedFlow = 0.0

    /// - Parameters:
    ///   - change: from the last picture to this one.
    ///   - flow, recentFlow: now, and the largest within the last 0.8 s.
    mutating func update(change: Double, detail: Double, flow: Double, recentFlow: Double, _ now: Double) {
        let wasMoved = (since == nil ? lastFlow : haltedFlow) > Self.moved
        let limit = wasMoved && detail > Self.visible ? Self.settling : Self.none
        var isStill = change < limit
        if !isStill, let since, change < Self.renewal, now - max(since, renewed) >= Self.renewalSeconds {
            renewed = now
            isStill = true
        }
        guard isStill else {
            since = nil
            (seconds, haltedFlow) = (0, 0)
            // A hand that turns back is still for an instant too.
            lastFlow = change > Self.abrupt ? recentFlow : flow
            return
        }
        if since == nil { haltedFlow = lastFlow }
        let start = since ?? now
        since = start
        seconds = now - start
    }
}
