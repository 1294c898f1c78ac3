import FootholdScene
import Foundation

/// Makes gestures of touches (R18, R20, R23). Pure: time comes with the touches.
///
/// One finger taps, holds or drags; two pinch or turn, and both at once only when both are clearly meant. Feed touches
/// in time order, and call ``advance(to:)`` with every frame so that a resting finger becomes a hold in time.
public struct GestureRecognizer: Sendable {
    public let surface: TouchSurface
    public let thresholds: GestureThresholds

    private struct Finger: Hashable, Sendable {
        var id: Int
        var start: SIMD2<Double>
        var now: SIMD2<Double>
        var startNanoseconds: Int64
    }

    private enum Mode: Hashable, Sendable {
        case idle
        /// One finger that may become anything.
        case undecided
        case holding
        case dragging(start: SIMD2<Double>)
        /// Two fingers that may become a pinch or a turn.
        case pairUndecided
        case pair(pinch: Bool, turn: Bool)
        /// Waits until all fingers are up: the gesture is over, or was none.
        case spent
    }

    private var mode = Mode.idle
    private var fingers: [Finger] = []
    private var ignored: Set<Int> = []
    private var lastTap: (at: SIMD2<Double>, nanoseconds: Int64)?
    /// Span and direction of two fingers when they came together, when the gesture was recognised, and the angle
    /// summed up since.
    private var pairStart: (span: Double, direction: Double, center: SIMD2<Double>) = (0, 0, .zero)
    private var reference: (span: Double, angle: Double) = (0, 0)
    private var angle = 0.0
    private var lastDirection = 0.0

    public init(surface: TouchSurface, thresholds: GestureThresholds = GestureThresholds()) {
        self.surface = surface
        self.thresholds = thresholds
    }

    /// Takes in one touch.
    public mutating func update(_ touch: Touch) -> [Gesture] {
        var gestures = advance(to: touch.timestampNanoseconds)
        switch touch.phase {
        case .began: gestures += began(touch)
        case .moved: gestures += moved(touch)
        case .ended: gestures += lifted(touch, isCancelled: false)
        case .cancelled: gestures += lifted(touch, isCancelled: true)
        }
        return gestures
    }

    /// Lets time pass without a touch.
    public mutating func advance(to nanoseconds: Int64) -> [Gesture] {
        guard mode == .undecided, let finger = fingers.first,
            Double(nanoseconds - finger.startNanoseconds) / 1e9 >= thresholds.holdSeconds
        else { return [] }
        mode = .holding
        return [.hold(at: finger.now)]
    }

    private func points(_ pixels: Double) -> Double { pixels / surface.pixelsPerPoint }

    private mutating func began(_ touch: Touch) -> [Gesture] {
        let rim = thresholds.edge * surface.pixelsPerPoint
        let size = SIMD2(Double(surface.width - 1), Double(surface.height - 1))
        let nearest = min(touch.pixel.min(), (size - touch.pixel).min())
        guard nearest >= rim else {
            ignored.insert(touch.id)
            return []
        }
        guard !fingers.contains(where: { $0.id == touch.id }) else { return [] }
        fingers.append(
            Finger(
                id: touch.id, start: touch.pixel, now: touch.pixel, startNanoseconds: touch.timestampNanoseconds))
        switch (mode, fingers.count) {
        case (.idle, 1):
            mode = .undecided
            return [.contact(at: touch.pixel)]
        case (.undecided, 2), (.holding, 2):
            startPair()
            return []
        case (.dragging(let start), 2):
            // A second finger changes what is meant: the drag ends where it is.
            let end = Gesture.drag(.ended, start: start, at: fingers[0].now)
            startPair()
            return [end]
        case (.pair, 3), (.pairUndecided, 3):
            let end = pairGestures(.ended)
            mode = .spent
            return end
        default:
            return []
        }
    }

    private mutating func moved(_ touch: Touch) -> [Gesture] {
        guard let index = fingers.firstIndex(where: { $0.id == touch.id }) else { return [] }
        fingers[index].now = touch.pixel
        let finger = fingers[index]
        switch mode {
        case .undecided, .holding:
            guard points(finger.now.distance(to: finger.start)) > thresholds.slop else { return [] }
            mode = .dragging(start: finger.start)
            return [.drag(.began, start: finger.start, at: finger.now)]
        case .dragging(let start):
            return index == 0 ? [.drag(.changed, start: start, at: finger.now)] : []
        case .pairUndecided:
            followPair()
            return decidePair()
        case .pair:
            followPair()
            return pairGestures(.changed) + joinLate()
        case .idle, .spent:
            return []
        }
    }

    private mutating func lifted(_ touch: Touch, isCancelled: Bool) -> [Gesture] {
        if ignored.remove(touch.id) != nil { return [] }
        guard let index = fingers.firstIndex(where: { $0.id == touch.id }) else { return [] }
        var gestures =
            isCancelled
            ? []
            : moved(
                Touch(
                    id: touch.id, pixel: touch.pixel, timestampNanoseconds: touch.timestampNanoseconds, phase: .moved))
        let phase: Gesture.Phase = isCancelled ? .cancelled : .ended
        switch mode {
        case .undecided:
            if !isCancelled { gestures += tap(fingers[index], touch.timestampNanoseconds) }
            mode = .spent
        case .dragging(let start):
            gestures.append(.drag(phase, start: start, at: fingers[index].now))
            mode = .spent
        case .pair:
            gestures += pairGestures(phase)
            mode = .spent
        case .pairUndecided, .holding:
            mode = .spent
        case .idle, .spent:
            break
        }
        fingers.remove(at: index)
        if fingers.isEmpty { mode = .idle }
        return gestures
    }

    private mutating func tap(_ finger: Finger, _ nanoseconds: Int64) -> [Gesture] {
        if let last = lastTap,
            Double(finger.startNanoseconds - last.nanoseconds) / 1e9 <= thresholds.doubleTapSeconds,
            points(finger.start.distance(to: last.at)) <= thresholds.doubleTapDistance
        {
            lastTap = nil
            return [.doubleTap(at: finger.start)]
        }
        lastTap = (finger.start, nanoseconds)
        return [.tap(at: finger.start)]
    }

    // MARK: Two fingers

    private var pairVector: SIMD2<Double> { fingers[1].now - fingers[0].now }
    private var pairCenter: SIMD2<Double> { (fingers[0].now + fingers[1].now) / 2 }

    private mutating func startPair() {
        mode = .pairUndecided
        lastTap = nil
        let v = pairVector
        pairStart = (max(1, v.length), atan2(v.y, v.x), pairCenter)
        lastDirection = pairStart.direction
        angle = 0
    }

    /// Sums up the angle across its jump at ±π.
    private mutating func followPair() {
        let direction = atan2(pairVector.y, pairVector.x)
        angle += remainder(direction - lastDirection, 2 * .pi)
        lastDirection = direction
    }

    /// How far the two fingers went against each other along their line and across it, in points.
    private var travel: (pinch: Double, turn: Double) {
        let span = pairVector.length
        return (
            points(abs(span - pairStart.span)), points(abs(angle) * (span + pairStart.span) / 2)
        )
    }

    private mutating func decidePair() -> [Gesture] {
        let (pinch, turn) = travel
        // Two fingers that wander together mean neither; that one begins a little later than the other changes nothing.
        let common = points(pairCenter.distance(to: pairStart.center))
        guard max(pinch, turn) > max(thresholds.twoFingerTravel, common) else { return [] }
        if pinch > thresholds.dominance * turn {
            mode = .pair(pinch: true, turn: false)
        } else if turn > thresholds.dominance * pinch {
            mode = .pair(pinch: false, turn: true)
        } else if min(pinch, turn) > thresholds.bothTravel {
            mode = .pair(pinch: true, turn: true)
        } else {
            return []
        }
        // From here on, so that nothing jumps when the gesture is recognised.
        reference = (max(1, pairVector.length), angle)
        return pairGestures(.began)
    }

    /// Once one has won, the other joins only when it is clearly meant as well, and no mere by-product of the first.
    private mutating func joinLate() -> [Gesture] {
        guard case .pair(let pinching, let turning) = mode, pinching != turning else { return [] }
        let (pinch, turn) = travel
        let (own, other) = pinching ? (pinch, turn) : (turn, pinch)
        guard other > thresholds.bothTravel, other > 0.35 * own else { return [] }
        mode = .pair(pinch: true, turn: true)
        if pinching {
            reference.angle = angle
            return [.turn(.began, at: pairCenter, radians: 0)]
        }
        reference.span = max(1, pairVector.length)
        return [.pinch(.began, at: pairCenter, scale: 1)]
    }

    private func pairGestures(_ phase: Gesture.Phase) -> [Gesture] {
        guard case .pair(let pinching, let turning) = mode, fingers.count >= 2 else { return [] }
        var gestures: [Gesture] = []
        if pinching { gestures.append(.pinch(phase, at: pairCenter, scale: pairVector.length / reference.span)) }
        if turning { gestures.append(.turn(phase, at: pairCenter, radians: angle - reference.angle)) }
        return gestures
    }
}

/// Notices that the device is shaken, from its inertial sensor.
public struct ShakeDetector: Sendable {
    private static let windowNanoseconds: Int64 = 800_000_000
    private static let restNanoseconds: Int64 = 1_500_000_000
    /// Beyond gravity, m/s².
    private static let strength = 12.0
    private static let reversals = 3

    private var swings: [(nanoseconds: Int64, direction: SIMD3<Double>)] = []
    private var gravity: SIMD3<Double>?
    private var lastShake: Int64 = .min / 2

    public init() {}

    public mutating func update(_ sample: InertialSample) -> Gesture? {
        let mean = gravity ?? sample.acceleration
        gravity = mean + (sample.acceleration - mean) * 0.01
        let linear = sample.acceleration - mean
        let now = sample.timestampNanoseconds
        guard linear.length > Self.strength else { return nil }
        // Only swings to and fro count; a knock goes one way.
        if let last = swings.last, last.direction.dot(linear) > 0 { return nil }
        swings.append((now, linear))
        swings.removeAll { now - $0.nanoseconds > Self.windowNanoseconds }
        guard swings.count > Self.reversals, now - lastShake > Self.restNanoseconds else { return nil }
        lastShake = now
        swings = []
        return .shake
    }
}
