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

    /// A finger that rests and then takes what is under it along.
    mutating func holdAndDrag() -> [Touch] {
        let start = somewhere()
        let way = SIMD2(random.number(-1...1), random.number(-1...1)).scaled(to: random.number(60...200) * 2)
        let rest = random.number(0.6...0.9)
        let duration = rest + random.number(0.3...0.6)
        return finger(id: 1, start: 0, duration: duration) {
            start + way * Swift.max(0, ($0 * duration - rest) / (duration - rest))
        }
    }

    /// The thumb stays where it is, and only the other finger moves.
    mutating func pivoted(isPinch: Bool) -> [Touch] {
        let thumb = somewhere(margin: 320)
        let direction = random.number(0...6.28)
        let span = random.number(90...140) * Self.surface.pixelsPerPoint
        let growth = isPinch ? random.number(1.4...1.8) : random.number(0.95...1.05)
        let angle = (isPinch ? random.number(-8...8) : random.number(30...70)) * .pi / 180
        let duration = random.number(0.35...1)
        let late = random.number(0...0.05)
        let first = finger(id: 1, start: 0, duration: duration) { _ in thumb }
        let second = finger(id: 2, start: late, duration: duration) {
            let turned = direction + angle * $0
            return thumb + SIMD2(cos(turned), sin(turned)) * (span * pow(growth, $0))
        }
        return (first + second).sorted { $0.timestampNanoseconds < $1.timestampNanoseconds }
    }

    mutating func edgeDrag() -> [Touch] {
        let start = SIMD2(random.number(0...20), random.number(100...1500))
        return finger(id: 1, start: 0, duration: 0.3) { start + SIMD2(400, 0) * $0 }
    }

    /// The system takes the touch over.
    mutating func cancelledTap() -> [Touch] {
        let pixel = somewhere()
        return finger(id: 1, start: 0, duration: random.number(0.05...0.3), lift: .cancelled) { _ in pixel }
    }

    /// Three fingers, laid down and lifted.
    mutating func threeFingers() -> [Touch] {
        let center = somewhere(margin: 320)
        return (1...3).flatMap { id in
            let place = center + SIMD2(Double(id - 2) * 150, jitter(20).y)
            let roll = jitter(4)
            return finger(id: id, start: random.number(0...0.05), duration: random.number(0.1...0.3)) {
                place + roll * $0
            }
        }.sorted { $0.timestampNanoseconds < $1.timestampNanoseconds }
    }

    /// Two fingers together across the picture: neither a pinch nor a turn.
    mutating func twoFingerSwipe() -> [Touch] {
        let center = somewhere(margin: 320)
        let way = SIMD2(random.number(-1...1), random.number(-1...1)).scaled(to: random.number(60...160) * 2)
        let arm = SIMD2(random.number(60...90), random.number(-30...30))
        let late = random.number(0...0.03)
        let duration = random.number(0.2...0.5)
        let first = finger(id: 1, start: 0, duration: duration) { center - arm + way * $0 }
        let second = finger(id: 2, start: late, duration: duration) { center + arm + way * $0 }
        return (first + second).sorted { $0.timestampNanoseconds < $1.timestampNanoseconds }
    }

    /// The readings of a device that somebody shakes, walks with, or knocks.
    mutating func motion(_ kind: String) -> [InertialSample] {
        let frequency = random.number(3...5.5)
        let strength = random.number(16...30)
        let axis = SIMD3(random.number(-1...1), random.number(-1...1), random.number(-1...1)).normalized
        return (0..<400).map { index in
            let seconds = Double(index) / 200
            let noise = SIMD3(random.number(-0.3...0.3), random.number(-0.3...0.3), random.number(-0.3...0.3))
            let linear =
                switch kind {
                case "shake":
                    seconds > 0.3 && seconds < 1.5 ? axis * (strength * sin(2 * .pi * frequency * seconds)) : .zero
                case "walk": SIMD3(0, strength / 6 * sin(2 * .pi * 2 * seconds), 0)
                default: seconds > 1 && seconds < 1.03 ? axis * (strength * 2) : .zero
                }
            return InertialSample(
                timestampNanoseconds: Int64(seconds * 1e9), angularVelocity: .zero,
                acceleration: SIMD3(0, 9.81, 0) + linear + noise)
        }
    }
}

extension SIMD2<Double> {
    func scaled(to length: Double) -> SIMD2<Double> {
        self.length > 0 ? self * (length / self.length) : SIMD2(length, 0)
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
                case .contact: break
                }
            }
        }
        return names
    }

    private func recognise(_ samples: [InertialSample]) -> [String] {
        var detector = ShakeDetector()
        return samples.compactMap { detector.update($0)?.name }
    }

    private struct Row {
        var name: String
        var right = 0
        var total = 0
        /// How often what was recognised instead.
        var wrong: [String: Int] = [:]
    }

    /// Sixty of each kind, from as many seeds.
    private func confusion() -> [Row] {
        var rows: [Row] = []
        func note(_ name: String, _ names: [String], _ expected: [[String]]) {
            let index = rows.firstIndex { $0.name == name } ?? rows.count
            if index == rows.count { rows.append(Row(name: name)) }
            rows[index].total += 1
            if expected.contains(names) {
                rows[index].right += 1
            } else {
                rows[index].wrong[names.isEmpty ? "nothing" : names.joined(separator: "+"), default: 0] += 1
            }
        }
        for seed in 1...60 as ClosedRange<UInt64> {
            var hand = Hand(seed)
            note("tap", recognise(hand.tap(at: hand.somewhere())), [["tap"]])
            note("double tap", recognise(hand.doubleTap()), [["tap", "doubleTap"]])
            note("touch and hold", recognise(hand.hold()), [["hold"]])
            note("drag", recognise(hand.drag()), [["drag"]])
            note("hold, then drag", recognise(hand.holdAndDrag()), [["hold", "drag"]])
            note("pinch", recognise(hand.pinch()), [["pinch"]])
            note("turn", recognise(hand.turn()), [["turn"]])
            note("pinch, thumb at rest", recognise(hand.pivoted(isPinch: true)), [["pinch"]])
            note("turn, thumb at rest", recognise(hand.pivoted(isPinch: false)), [["turn"]])
            note("pinch and turn", recognise(hand.both()), [["pinch", "turn"], ["turn", "pinch"]])
            note("from the edge", recognise(hand.edgeDrag()), [[]])
            note("cancelled", recognise(hand.cancelledTap()), [[]])
            note("three fingers", recognise(hand.threeFingers()), [[]])
            note("two-finger swipe", recognise(hand.twoFingerSwipe()), [[]])
            note("shake", recognise(hand.motion("shake")), [["shake"]])
            note("walking", recognise(hand.motion("walk")), [[]])
            note("knock", recognise(hand.motion("knock")), [[]])
        }
        return rows
    }

    @Test func nearlyAllHumanTracesAreRecognisedRight() {
        let rows = confusion()
        let right = rows.map(\.right).reduce(0, +)
        let total = rows.map(\.total).reduce(0, +)
        #expect(total == 1020)
        #expect(Double(right) >= 0.99 * Double(total), "\(rows)")
        for row in rows { #expect(Double(row.right) >= 0.95 * Double(row.total), "\(row)") }
    }

    /// The table in the documentation is what is measured here.
    @Test func theDocumentedConfusionMatrixIsTheMeasuredOne() throws {
        let rows = confusion().map { row in
            let wrong = row.wrong.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            return "| \(row.name) | \(row.right) of \(row.total) | \(wrong.isEmpty ? "–" : wrong) |"
        }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/gestures.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for row in rows {
            let isThere = text.contains(row)
            #expect(isThere, "docs/gestures.md lacks: \(row)")
        }
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

    @Test func aFingerIsReportedTheMomentItComesDown() {
        var recognizer = GestureRecognizer(surface: Hand.surface)
        let touch = Touch(id: 1, pixel: SIMD2(300, 300), timestampNanoseconds: 0, phase: .began)
        #expect(recognizer.update(touch) == [.contact(at: SIMD2(300, 300))])
    }
}
