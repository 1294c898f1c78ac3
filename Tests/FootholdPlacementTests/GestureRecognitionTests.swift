import FootholdPlacement
import Foundation
import Testing

/// Touches as hands make them: uneven sampling, jitter, a finger that lands before the other, slow starts and stops.
private struct Hand {
    var random: SeededRandom
    static let surface = TouchSurface(width: 780, height: 1688)  // 2 pixels a point

    init(_ seed: UInt64) { random = SeededRandom(seed) }

    private func ease(_ s: Double) -> Double { s * s * (3 - 2 * s) }

    private mutating func jitter(_ points: Double = 0.6) -> SIMD2<Double> {
        SIMD2(random.number(-1...1), random.number(-1...1)) * points * Self.surface.pixelsPerPoint
    }

    mutating func somewhere(margin: Double = 200) -> SIMD2<Double> {
        SIMD2(random.number(margin...(780 - margin)), random.number(margin...(1688 - margin)))
    }

    /// A finger along a path given as a function of 0…1.
    mutating func finger(
        id: Int, start: Double, duration: Double, tremble: Double = 0.6,
        lift: Touch.Phase = .ended, _ path: (Double) -> SIMD2<Double>
    ) -> [Touch] {
        func touch(_ seconds: Double, _ pixel: SIMD2<Double>, _ phase: Touch.Phase) -> Touch {
            Touch(id: id, pixel: pixel, timestampNanoseconds: Int64(seconds * 1e9), phase: phase)
        }
        var touches = [touch(start, path(0), .began)]
        var seconds = start + random.number(0.006...0.02)
        while seconds < start + duration {
            touches.append(touch(seconds, path(ease((seconds - start) / duration)) + jitter(tremble), .moved))
            seconds += random.number(0.006...0.02)
        }
        touches.append(touch(start + duration, path(1) + jitter(tremble), lift))
        return touches
    }

    mutating func tap(at pixel: SIMD2<Double>, start: Double = 0) -> [Touch] {
        // A fingertip rolls a little as it lifts.
        let roll = jitter(4)
        return finger(id: Int(start * 1000) + 1, start: start, duration: random.number(0.04...0.28)) {
            pixel + roll * $0
        }
    }

    mutating func doubleTap() -> [Touch] {
        let pixel = somewhere()
        let first = tap(at: pixel)
        let gap = Double(first.last!.timestampNanoseconds) / 1e9 + random.number(0.06...0.24)
        return first + tap(at: pixel + jitter(12), start: gap)
    }

    mutating func hold() -> [Touch] {
        let pixel = somewhere()
        let drift = jitter(4)
        return finger(id: 1, start: 0, duration: random.number(0.65...1.5)) { pixel + drift * $0 }
    }

    mutating func drag() -> [Touch] {
        let start = somewhere()
        let length = random.number(30...300) * Self.surface.pixelsPerPoint
        let angle = random.number(0...6.28)
        let bend = jitter(20)
        let way = SIMD2(cos(angle), sin(angle)) * length
        return finger(id: 1, start: 0, duration: random.number(0.2...0.49)) {
            start + way * $0 + bend * sin($0 * .pi)
        }
    }

    /// Two fingers: the span grows by a factor while the pair turns by an angle and wanders.
    mutating func pair(factor: Double, degrees: Double) -> [Touch] {
        let center = somewhere(margin: 320)
        let radius = random.number(35...60) * Self.surface.pixelsPerPoint / (factor < 1 ? max(factor, 0.5) : 1)
        let direction = random.number(0...6.28)
        let wander = jitter(14)
        let duration = random.number(0.35...1.2)
        let late = random.number(0...0.05)
        func arm(_ s: Double) -> SIMD2<Double> {
            let angle = direction + degrees * .pi / 180 * s
            return SIMD2(cos(angle), sin(angle)) * (radius * pow(factor, s))
        }
        let first = finger(id: 1, start: 0, duration: duration) { center + wander * $0 - arm($0) }
        let second = finger(id: 2, start: late, duration: duration) { center + wander * $0 + arm($0) }
        return (first + second).sorted { $0.timestampNanoseconds < $1.timestampNanoseconds }
    }

    mutating func pinch() -> [Touch] {
        let factor = random.number(1.5...2.4)
        return pair(factor: Bool.random(using: &random) ? factor : 1 / factor, degrees: random.number(-8...8))
    }

    mutating func turn() -> [Touch] {
        let degrees = random.number(30...150)
        return pair(
            factor: random.number(0.93...1.07), degrees: Bool.random(using: &random) ? degrees : -degrees)
    }

    mutating func both() -> [Touch] {
        let factor = random.number(2.2...2.8)
        let degrees = random.number(70...100)
        return pair(factor: factor, degrees: Bool.random(using: &random) ? degrees : -degrees)
    }

    mutating func edgeDrag() -> [Touch] {
        let start = SIMD2(random.number(0...20), random.number(100...1500))
        return finger(id: 1, start: 0, duration: 0.3) { start + SIMD2(400, 0) * $0 }
    }
}

@Suite struct GestureRecognitionTests {
    /// The kinds in the order in which they began.
    private func recognise(_ touches: [Touch]) -> [String] {
        var recognizer = GestureRecognizer(surface: Hand.surface)
        var names: [String] = []
        for touch in touches {
            for gesture in recognizer.update(touch) {
                switch gesture {
                case .drag(let phase, _, _), .pinch(let phase, _, _), .turn(let phase, _, _):
                    if phase == .began { names.append(gesture.name) }
                case .tap, .doubleTap, .hold, .shake:
                    names.append(gesture.name)
                }
            }
        }
        return names
    }

    @Test func nearlyAllHumanTracesAreRecognisedRight() {
        var confusion: [String: [String: Int]] = [:]
        var right = 0
        var total = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var hand = Hand(seed)
            let traces: [(name: String, expected: [Set<String>], touches: [Touch])] = [
                ("tap", [["tap"]], hand.tap(at: hand.somewhere())),
                ("doubleTap", [["tap"], ["doubleTap"]], hand.doubleTap()),
                ("hold", [["hold"]], hand.hold()),
                ("drag", [["drag"]], hand.drag()),
                ("pinch", [["pinch"]], hand.pinch()),
                ("turn", [["turn"]], hand.turn()),
                ("both", [["pinch", "turn"], ["pinch", "turn"]], hand.both()),
                ("edge", [], hand.edgeDrag()),
            ]
            for trace in traces {
                let names = recognise(trace.touches)
                let isRight =
                    names.count == trace.expected.count && Set(names).count == names.count
                    && zip(names, trace.expected).allSatisfy { $1.contains($0) }
                total += 1
                if isRight { right += 1 }
                confusion[trace.name, default: [:]][names.joined(separator: "+"), default: 0] += 1
            }
        }
        #expect(total == 480)
        #expect(Double(right) >= 0.99 * Double(total), "\(confusion)")
    }

    @Test func aGestureStartsWithoutAJump() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var hand = Hand(seed)
            for touches in [hand.pinch(), hand.turn()] {
                var recognizer = GestureRecognizer(surface: Hand.surface)
                for gesture in touches.flatMap({ recognizer.update($0) }) {
                    if case .pinch(.began, _, let scale) = gesture { #expect(scale == 1) }
                    if case .turn(.began, _, let radians) = gesture { #expect(radians == 0) }
                }
            }
        }
    }

    @Test func aTurnAcrossTheHalfCircleIsSummedUp() throws {
        var hand = Hand(5)
        var recognizer = GestureRecognizer(surface: Hand.surface)
        var last: Double?
        for gesture in hand.pair(factor: 1, degrees: 400).flatMap({ recognizer.update($0) }) {
            if case .turn(_, _, let radians) = gesture { last = radians }
        }
        let degrees = try #require(last) * 180 / .pi
        #expect(degrees > 370 && degrees <= 402)
    }

    @Test func aCancelledTouchCancelsItsGesture() {
        var hand = Hand(8)
        let touches = hand.finger(id: 1, start: 0, duration: 0.4, lift: .cancelled) { SIMD2(300 + 200 * $0, 600) }
        var recognizer = GestureRecognizer(surface: Hand.surface)
        let gestures = touches.flatMap { recognizer.update($0) }
        guard case .drag(.cancelled, _, _) = gestures.last else {
            Issue.record("the drag was not cancelled")
            return
        }
        #expect(!gestures.contains { if case .drag(.ended, _, _) = $0 { true } else { false } })
    }

    @Test func aRestingFingerBecomesAHoldWithoutMoving() {
        var recognizer = GestureRecognizer(surface: Hand.surface)
        _ = recognizer.update(Touch(id: 1, pixel: SIMD2(300, 300), timestampNanoseconds: 0, phase: .began))
        #expect(recognizer.advance(to: 400_000_000).isEmpty)
        #expect(recognizer.advance(to: 510_000_000) == [.hold(at: SIMD2(300, 300))])
        #expect(recognizer.advance(to: 900_000_000).isEmpty)
    }

    @Test func aShakeIsToldFromWalkingAndFromAKnock() {
        func shakes(_ acceleration: (Double) -> SIMD3<Double>) -> Int {
            var detector = ShakeDetector()
            return (0..<400).count { index in
                let seconds = Double(index) / 200
                let sample = InertialSample(
                    timestampNanoseconds: Int64(seconds * 1e9), angularVelocity: .zero,
                    acceleration: SIMD3(0, 9.81, 0) + acceleration(seconds))
                return detector.update(sample) != nil
            }
        }
        #expect(shakes { SIMD3(22 * sin($0 * 2 * .pi * 4), 0, 0) } >= 1)
        #expect(shakes { SIMD3(0, 4 * sin($0 * 2 * .pi * 2), 0) } == 0)
        #expect(shakes { SIMD3($0 > 1 && $0 < 1.03 ? 60 : 0, 0, 0) } == 0)
    }
}
