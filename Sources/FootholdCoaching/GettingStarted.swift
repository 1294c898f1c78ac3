import FootholdScene

/// How far getting started has come (R11): from the first picture to the first surface.
public struct GettingStarted: Hashable, Sendable {
    /// What is still needed, the most urgent first.
    public enum Need: String, Hashable, Sendable, CaseIterable {
        case light, calm, detail, sidewaysMovement, time
    }

    /// 0…1; never falls, except to 0 when the session begins a new world.
    public private(set) var progress = 0.0
    public private(set) var needs: [Need] = [.time]
    private var trackingSince: Double?

    /// Pixels of movement that turning doesn't explain with which the first depths can be told.
    static let sufficientParallax = 15.0
    /// Seconds of good tracking after which a surface usually is found.
    static let usualSearchSeconds = 2.0

    public init() {}

    mutating func update(_ result: FrameResult, _ measures: MeasureSet) {
        if result.didReset { self = GettingStarted() }
        let light = min(1, measures[.brightness] / 0.15)
        let detail = min(1, measures[.textureShare] / 0.3)
        let isCalm = measures[.flow] < 0.8
        needs = []
        guard result.surfaces.isEmpty else {
            progress = 1
            return
        }
        if light < 0.8 { needs.append(.light) }
        if !isCalm { needs.append(.calm) }
        if detail < 0.6 { needs.append(.detail) }
        var reached = 0.05 + 0.15 * light * detail
        if result.worldFromCamera != nil {
            let since = trackingSince ?? result.seconds
            trackingSince = since
            // Slows down towards the end, because nobody knows when the surface comes.
            let waited = (result.seconds - since) / Self.usualSearchSeconds
            reached = 0.6 + 0.35 * waited / (1 + waited)
            needs.append(.time)
        } else {
            let parallax = min(1, measures[.parallax] / Self.sufficientParallax)
            reached += 0.35 * parallax * light * detail
            needs.append(parallax < 1 ? .sidewaysMovement : .time)
        }
        progress = max(progress, reached)
    }
}
