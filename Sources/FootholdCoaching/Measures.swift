import FootholdScene
import Foundation

/// What diagnosis goes by. Everything is measured; times come from the frames.
public enum Measure: Int, Hashable, Sendable, CaseIterable {
    /// From `FrameDiagnostics`, smoothed over about a tenth of a second.
    case brightness, darkShare, brightShare, sharpness, textureShare, flow, angularSpeed
    /// The largest flow within the last 0.8 s and turning rate within the last second: what a loss began with.
    case recentFlow, recentTurning
    /// By what share the movement that a trouble began with was slower than what had been followed well before, 0…1.
    case ease
    /// The flow where it is faster than what was followed well just before, otherwise 0.
    case haste
    /// Change of the picture at thirty frames a second, counted only where it is blurred.
    case blurredChange
    /// 1 where the picture holds no forms, only noise or nothing.
    case formlessness
    /// Share of cells with more to see than noise, and how much the picture repeats itself; known in every frame.
    case detailShare, repetition
    /// How fast the camera was just before the picture stopped changing, as flow.
    case haltedFlow
    /// Speed relative to a brisk walk, while the camera looks aside; 0 while it looks where it goes.
    case hurry
    /// Inliers among tracked points, 0…1; 1 where nothing is tracked or no pose known, since that proves nothing.
    case inlierShare
    /// Share of points that were found but didn't agree with the camera's way when the trouble began, with much to see
    /// and little movement; kept until all is well again, the place is found again, or the camera is moved wildly.
    /// Not counted in recordings that fit badly throughout.
    case slippage
    /// How far points lie from where the camera's way puts them, pixels, smoothed; kept while nothing is followed. Where
    /// it is large the way is only just known, and what was placed sways.
    case misfit
    /// Tracked points, logarithm to base 10 of the count plus one; 3 while lost, when none are looked for.
    case trackedPoints
    /// How much darker, and how much emptier, the view became within half a second; kept while it stays so. Emptier only
    /// where the camera hardly moved: who turns to a plain wall has nothing before the lens.
    case darkening, emptying
    /// The darkening, where next to nothing is left of the light.
    case blackout
    /// The smaller of the bright and dark shares relative to what makes a picture backlit.
    case backlight
    /// Sharpness relative to the best within the last two seconds.
    case relativeSharpness
    /// Radians turned within the last two seconds, net of what was turned back.
    case turned
    /// While gathering first views: pixels of movement that turning doesn't explain.
    case parallax
    /// Seconds for which nothing in the picture has changed.
    case stillSeconds
    /// Seconds without trouble-free tracking.
    case troubledSeconds
    /// Seconds without a surface, while there is nothing else amiss.
    case searchingSeconds
    /// Distance to the known surface ahead, relative to where one holds a camera: a quarter is far too near. 10 where
    /// there is none.
    case nearness
    /// Pixels along the picture's shorter side.
    case pictureSize
    /// 0 while all is well, 1 while tracking is limited or lost, or comes and goes. Between, by how few points hold it.
    case trouble
    /// The trouble, or where there is none, how far the view moves from one picture to the next, 1 for a fiftieth of its
    /// width: where a pattern repeats itself each copy then lands where another was, and nothing tells that it slips.
    case mistakable
    /// 1 while the engine gives this reason, otherwise 0.
    case saysDark, saysMotion, saysFeatures, saysTurning, saysLost, saysInitializing
}

/// The measures of one frame.
public struct MeasureSet: Hashable, Sendable {
    private var values = [Double](repeating: 0, count: Measure.allCases.count)

    public init() {}

    public subscript(measure: Measure) -> Double {
        get { values[measure.rawValue] }
        set { values[measure.rawValue] = newValue }
    }
}

/// Turns the stream of frame results into measures: smooths, remembers, and counts time.
struct MeasureTracker: Sendable {
    private static let smoothingSeconds = 0.1
    private static let memorySeconds = 2.0
    /// Picture widths per second below which a camera hardly moves.
    private static let calmFlow = 0.5
    /// Radians per second above which a camera isn't calm, and above which it is moved wildly.
    private static let calmTurning = 1.0
    private static let wildTurning = 2.0
    /// Trouble below which the camera's movement was followed well, and the share of its speed that is safe afterwards.
    private static let mastered = 0.2
    private static let masteredShare = 0.85
    /// Points that have to be found for their disagreement to mean something.
    private static let fewestSlipping = 60
    /// Seconds of unbroken following before it: where a place was just found again many points don't agree yet.
    private static let settledSeconds = 1.0
    /// Trouble that comes and goes several times a second is one trouble: how long it is remembered, and the share of
    /// that time which makes it lasting.
    private static let troubleMemorySeconds = 0.5
    private static let lastingShare = 0.3
    /// Seconds of going well after which it is over.
    private static let recoverySeconds = 0.25
    /// Picture widths that a view moves from one picture to the next, nearly the shortest period that counts as one.
    private static let fullStep = 0.02
    /// Copies of a pattern are mistaken for each other there, which is no shine.
    private static let patterned = 0.6
    /// A surface that is gone again sooner than this was none, and the search goes on.
    private static let keptSeconds = 3.0
    /// Sharpness of the sharpest picture of things; noise has more.
    private static let fullSharpness = 1.2

    /// A sudden fall, remembered until half of it is made up for: a covered lens stays covered.
    private struct Latch: Sendable {
        private var fall = 0.0
        private var low = 0.0

        mutating func update(from high: Double?, to value: Double) -> Double {
            let drop = max(0, (high ?? value) - value)
            if drop > fall {
                fall = drop
                low = value
            } else if value > low + fall / 2 {
                fall = 0
            }
            low = min(low, value)
            return fall
        }
    }

    private struct Moment: Sendable {
        var seconds: Double
        var brightness: Double
        var detail: Double
        var sharpness: Double
        var flow: Double
        var turning: Double
        var rotation: Rotation?
    }

    private var smoothed: FrameDiagnostics?
    private var last: Double?
    private var memory: [Moment] = []
    private var stillness = Stillness()
    private var lastEmptied = 0.0
    private var emptyingFlow = 0.0
    private var slipped = 0.0
    private var followedSince: Double?
    private var fit = Fit()
    private var pace = Pace()
    private var recentlyTroubled = 0.0
    private var lastTroubled = -Double.infinity
    /// Of the last second, the largest first: each is larger than all after it.
    private var steps: [(seconds: Double, step: Double)] = []
    private var hurry = Hurry()
    private var reach = Reach()
    private var troubledSince: Double?
    private var searchingSince: Double?
    private var foundSince: Double?
    private var darkening = Latch()
    private var emptying = Latch()
    /// Turning summed up while there is no pose to read it from.
    private var turnedBlind = 0.0

    mutating func update(_ result: FrameResult) -> MeasureSet {
        let now = result.seconds
        let raw = result.diagnostics
        let elapsed = last.map { max(0, now - $0) } ?? 0
        last = now
        let d = smooth(raw, elapsed)
        var m = MeasureSet()
        m[.brightness] = d.brightness
        m[.darkShare] = d.darkShare
        m[.brightShare] = d.brightShare
        m[.sharpness] = d.sharpness
        m[.textureShare] = d.textureShare
        m[.flow] = d.flow
        m[.detailShare] = d.detailShare
        m[.repetition] = d.repetition
        m[.angularSpeed] = d.angularSpeedRadiansPerSecond
        let hasMatches = raw.trackedCount > 0 && result.worldFromCamera != nil
        m[.inlierShare] = hasMatches ? Double(raw.inlierCount) / Double(raw.trackedCount) : 1
        m[.trackedPoints] = result.trackingState.reason == .relocalizing ? 3 : log10(Double(raw.trackedCount) + 1)
        // Pictures further apart differ more, but ever less so.
        m[.blurredChange] = d.sharpness < 0.75 ? d.change / max(1, elapsed * 30).squareRoot() : 0
        // A sharp picture of things has about 1, a blurred one 0.6; noise alone has more, blackness nothing.
        m[.formlessness] = raw.sharpness > 1.2 || raw.sharpness < 0.3 ? 1 : 0
        m[.backlight] = min(d.brightShare / 0.15, d.darkShare / 0.4)
        m[.parallax] = raw.parallaxPixels
        m[.pictureSize] = Double(min(result.intrinsics.width, result.intrinsics.height))
        let reason = result.trackingState.reason
        m[.saysDark] = reason == .insufficientLight ? 1 : 0
        m[.saysMotion] = reason == .excessiveMotion ? 1 : 0
        m[.saysFeatures] = reason == .insufficientFeatures ? 1 : 0
        m[.saysTurning] = reason == .noTranslation ? 1 : 0
        m[.saysLost] = reason == .relocalizing ? 1 : 0
        m[.saysInitializing] = reason == .initializing ? 1 : 0
        remember(result, d, now, elapsed, &m)
        countTimes(result, now, &m)
        fit.update(result, elapsed)
        m[.misfit] = fit.misfit
        m[.trouble] = trouble(result, elapsed)
        keepPace(result, now, &m)
        m[.mistakable] = max(m[.trouble], min(1, largestStep(d.flow * elapsed, now) / Self.fullStep))
        m[.slippage] = slippage(result, m)
        m[.nearness] = reach.update(result)
        m[.hurry] = hurry.update(result)
        return m
    }

    private mutating func smooth(_ raw: FrameDiagnostics, _ elapsed: Double) -> FrameDiagnostics {
        guard var d = smoothed else {
            smoothed = raw
            return raw
        }
        let share = 1 - exp(-elapsed / Self.smoothingSeconds)
        func blend(_ path: WritableKeyPath<FrameDiagnostics, Double>) {
            d[keyPath: path] += (raw[keyPath: path] - d[keyPath: path]) * share
        }
        blend(\.brightness)
        blend(\.darkShare)
        blend(\.brightShare)
        blend(\.sharpness)
        blend(\.textureShare)
        blend(\.detailShare)
        blend(\.repetition)
        blend(\.flow)
        blend(\.change)
        blend(\.angularSpeedRadiansPerSecond)
        smoothed = d
        return d
    }

    private mutating func remember(
        _ result: FrameResult, _ d: FrameDiagnostics, _ now: Double, _ elapsed: Double, _ m: inout MeasureSet
    ) {
        memory.removeAll { now - $0.seconds > Self.memorySeconds }
        let recent = memory.filter { now - $0.seconds <= 0.55 }
        let sharpest = min(Self.fullSharpness, max(memory.map(\.sharpness).max() ?? d.sharpness, d.sharpness))
        m[.recentFlow] = max(d.flow, memory.filter { now - $0.seconds <= 0.8 }.map(\.flow).max() ?? 0)
        m[.recentTurning] = max(
            d.angularSpeedRadiansPerSecond, memory.filter { now - $0.seconds <= 1 }.map(\.turning).max() ?? 0)
        // Unsmoothed: a lens is covered from one picture to the next.
        m[.darkening] = darkening.update(
            from: recent.map(\.brightness).max(), to: result.diagnostics.brightness)
        m[.blackout] = result.diagnostics.brightness < 0.035 ? m[.darkening] : 0
        let emptied = emptying.update(from: recent.map(\.detail).max(), to: result.diagnostics.detailShare)
        // What is measured while the view goes is no movement, so that before counts.
        if emptied > lastEmptied { emptyingFlow = recent.filter { now - $0.seconds > 0.2 }.map(\.flow).max() ?? 0 }
        lastEmptied = emptied
        m[.emptying] = emptyingFlow < Self.calmFlow ? emptied : 0
        m[.relativeSharpness] = sharpest > 1e-3 ? min(1, d.sharpness / sharpest) : 1
        if let pose = result.worldFromCamera {
            turnedBlind = 0
            let oldest = memory.first { $0.rotation != nil }?.rotation
            m[.turned] = oldest.map { ($0.inverse * pose.rotation).angleRadians } ?? 0
        } else {
            // Forgets as fast as the memory is long.
            turnedBlind *= exp(-elapsed / Self.memorySeconds)
            turnedBlind += d.angularSpeedRadiansPerSecond * elapsed
            m[.turned] = turnedBlind
        }
        // Ten moments a second are enough, whatever the frame rate.
        if memory.last.map({ now - $0.seconds >= 0.1 }) ?? true {
            memory.append(
                Moment(
                    seconds: now, brightness: d.brightness, detail: d.detailShare, sharpness: d.sharpness,
                    flow: d.flow, turning: d.angularSpeedRadiansPerSecond, rotation: result.worldFromCamera?.rotation))
        }
    }

    /// The largest within the last second, picture widths.
    private mutating func largestStep(_ step: Double, _ now: Double) -> Double {
        steps.removeAll { now - $0.seconds > 1 || $0.step <= step }
        steps.append((now, step))
        return steps[0].step
    }

    private mutating func trouble(_ result: FrameResult, _ elapsed: Double) -> Double {
        let isWell = result.trackingState == .normal
        // Beginning is no trouble that may come back.
        let isBeginning = [.initializing, .noTranslation].contains(result.trackingState.reason)
        recentlyTroubled +=
            ((isWell || isBeginning ? 0 : 1) - recentlyTroubled) * (1 - exp(-elapsed / Self.troubleMemorySeconds))
        if !isWell, !isBeginning { lastTroubled = result.seconds }
        guard isWell else { return 1 }
        // From 40 points on nothing is amiss; below, the footing gets narrow.
        let narrowness = 0.5 * max(0, 1 - Double(result.diagnostics.inlierCount) / 40)
        let lasting =
            result.seconds - lastTroubled < Self.recoverySeconds ? min(1, recentlyTroubled / Self.lastingShare) : 0
        return max(narrowness, lasting)
    }

    private mutating func keepPace(_ result: FrameResult, _ now: Double, _ m: inout MeasureSet) {
        let isMastered = m[.trouble] < Self.mastered && m[.inlierShare] > 0.5 && fit.misfit < Fit.faithful
        pace.update(
            seconds: now, flow: m[.flow], turning: m[.angularSpeed], isTroubled: m[.trouble] > 0.5,
            isMastered: isMastered && result.worldFromCamera != nil)
        m[.ease] = pace.ease
        m[.haste] = m[.flow] > Self.masteredShare * pace.masteredFlow ? m[.flow] : 0
    }

    private mutating func slippage(_ result: FrameResult, _ m: MeasureSet) -> Double {
        let d = result.diagnostics
        let isFollowed = result.worldFromCamera != nil
        let isFoundAgain = isFollowed && followedSince == nil
        followedSince = isFollowed ? followedSince ?? result.seconds : nil
        guard m[.trouble] > 0.2, m[.angularSpeed] < Self.wildTurning, !isFoundAgain else {
            slipped = 0
            return 0
        }
        // Blur makes points disagree too.
        let isCalm =
            m[.flow] < max(Self.calmFlow, Self.masteredShare * pace.masteredFlow)
            && m[.angularSpeed] < max(Self.calmTurning, Self.masteredShare * pace.masteredTurning)
            && m[.relativeSharpness] > 0.8
        let isSettled = followedSince.map { result.seconds - $0 >= Self.settledSeconds } ?? false
        if d.trackedCount >= Self.fewestSlipping, isCalm, isSettled, fit.isFaithful,
            m[.repetition] < Self.patterned
        {
            slipped = max(slipped, 1 - Double(d.inlierCount) / Double(d.trackedCount))
        }
        return slipped
    }

    private mutating func countTimes(_ result: FrameResult, _ now: Double, _ m: inout MeasureSet) {
        stillness.update(
            change: result.diagnostics.change, detail: m[.detailShare], flow: m[.flow], recentFlow: m[.recentFlow], now)
        m[.stillSeconds] = stillness.seconds
        m[.haltedFlow] = stillness.haltedFlow
        let isWell = result.trackingState == .normal
        troubledSince = isWell ? nil : troubledSince ?? now
        m[.troubledSeconds] = troubledSince.map { now - $0 } ?? 0
        let isSearching = result.surfaces.isEmpty && (isWell || result.trackingState.reason == .initializing)
        foundSince = result.surfaces.isEmpty ? nil : foundSince ?? now
        if isSearching { searchingSince = searchingSince ?? now }
        if let foundSince, now - foundSince >= Self.keptSeconds { searchingSince = nil }
        m[.searchingSeconds] = isSearching ? searchingSince.map { now - $0 } ?? 0 : 0
    }
}
