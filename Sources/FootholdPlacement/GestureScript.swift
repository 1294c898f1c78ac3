import FootholdScene
import Foundation

/// A timed script of touches and commands, as `--gestures FILE` plays it; `docs/gestures.md` describes the format.
public struct GestureScript: Hashable, Sendable {
    /// What happens at one moment.
    public enum Action: Hashable, Sendable {
        case touch(Touch)
        /// Places an object of a kind by its name, as a tap with it in hand would; one that can't be scaled when its
        /// size is fixed.
        case place(name: String, at: SIMD2<Double>, isFixedSize: Bool = false)
        case undo
        case redo
        case remove
        /// Exchanges the selected object for another kind, by its name.
        case exchange(name: String)
        case shake
        case reset
    }

    public struct Entry: Hashable, Sendable {
        public var timestampNanoseconds: Int64
        public var action: Action
        /// Which of the script's events it belongs to, from 1.
        public fileprivate(set) var eventNumber = 1
    }

    /// In time order.
    public let entries: [Entry]

    /// The names of all objects that it places, each once, in the order in which they come.
    public var objectNames: [String] {
        var names: [String] = []
        for entry in entries {
            switch entry.action {
            case .place(let name, _, _), .exchange(let name): if !names.contains(name) { names.append(name) }
            default: break
            }
        }
        return names
    }

    /// What is wrong with a script, in one line.
    public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Touch samples a second that gestures are spelled out with.
    private static let samplesPerSecond = 60.0

    /// - Parameter data: UTF-8 JSON.
    /// - Throws: ``ScriptError``.
    public init(data: Data) throws {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: data)
        } catch let error as DecodingError {
            throw ScriptError(description: "the gesture script can't be read: \(Self.explain(error))")
        }
        guard file.version == 1 else {
            throw ScriptError(
                description: "the gesture script is of version \(file.version); this program reads version 1")
        }
        var entries: [Entry] = []
        for (index, event) in file.events.enumerated() {
            for var entry in try event.entries(fingerID: 10 * index, number: index + 1) {
                entry.eventNumber = index + 1
                entries.append(entry)
            }
        }
        // Stable, so that what is written first happens first.
        self.entries = entries.enumerated().sorted {
            ($0.element.timestampNanoseconds, $0.offset) < ($1.element.timestampNanoseconds, $1.offset)
        }.map(\.element)
    }

    /// Fingers may leave the picture, and what begins outside of it would do nothing.
    ///
    /// - Throws: ``ScriptError`` for the first event that begins outside of a picture of so many pixels.
    public func check(width: Int, height: Int) throws(ScriptError) {
        for entry in entries {
            let start: SIMD2<Double>
            switch entry.action {
            case .touch(let touch) where touch.phase == .began: start = touch.pixel
            case .place(_, let pixel, _): start = pixel
            default: continue
            }
            guard (-0.5..<Double(width) - 0.5).contains(start.x), (-0.5..<Double(height) - 0.5).contains(start.y) else {
                let place = [start.x, start.y].map { ($0 * 10).rounded() / 10 }
                throw Event.fault(
                    entry.eventNumber,
                    "it begins at [\(place[0]), \(place[1])], outside of the picture, which is \(width)×\(height)")
            }
        }
    }

    private static func explain(_ error: DecodingError) -> String {
        /// Nil for the whole of it.
        func place(_ context: DecodingError.Context) -> String? {
            let path = context.codingPath.map { $0.intValue.map { "event \($0 + 1)" } ?? $0.stringValue }
            return path.isEmpty ? nil : path.joined(separator: ", ")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return "“\(key.stringValue)” is missing" + (place(context).map { " in \($0)" } ?? "")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(context).map { "\($0) is not of the right kind" }
                ?? "it must be an object with “version” and “events”"
        case .dataCorrupted(let context):
            return place(context).map { "\($0) is not one that there is" } ?? "it is not valid JSON"
        @unknown default: return "it is not valid JSON"
        }
    }

    // MARK: The file

    private struct File: Decodable {
        var version: Int
        var events: [Event]
    }

    private struct Place: Decodable {
        var name: String
        var at: [Double]
        var fixedSize: Bool?
    }

    private struct Pinch: Decodable {
        var at: [Double]
        var scale: Double
    }

    private struct Turn: Decodable {
        var at: [Double]
        var degrees: Double
    }

    private struct RawTouch: Decodable {
        var id: Int
        var at: [Double]
        var phase: Touch.Phase
    }

    private struct Event: Decodable {
        var t: Double
        var seconds: Double?
        var tap: [Double]?
        var doubleTap: [Double]?
        var hold: [Double]?
        var drag: [[Double]]?
        var pinch: Pinch?
        var turn: Turn?
        var place: Place?
        var touch: RawTouch?
        var undo: Bool?
        var redo: Bool?
        var remove: Bool?
        var exchange: String?
        var shake: Bool?
        var reset: Bool?

        func entries(fingerID id: Int, number: Int) throws -> [Entry] {
            guard t >= 0, t < 1e6 else { throw Self.fault(number, "“t” has to be 0 to a million seconds") }
            if let seconds, !(seconds > 0 && seconds < 3600) {
                throw Self.fault(number, "“seconds” has to be more than 0 and less than an hour")
            }
            if let drag, drag.isEmpty { throw Self.fault(number, "“drag” needs a point, or several") }
            var kinds = 0
            var result: [Entry] = []
            func add(_ entries: @autoclosure () throws -> [Entry], if isThere: Bool) rethrows {
                guard isThere else { return }
                kinds += 1
                result = try entries()
            }
            try add(
                [
                    entry(
                        .place(
                            name: place?.name ?? "", at: point(place?.at, number),
                            isFixedSize: place?.fixedSize ?? false))
                ], if: place != nil)
            try add(stroke([point(tap, number)], 0.08, id), if: tap != nil)
            try add(stroke([point(hold, number)], seconds ?? 0.8, id), if: hold != nil)
            try add(
                stroke([point(doubleTap, number)], 0.08, id)
                    + stroke([point(doubleTap, number)], 0.08, id + 1, delay: 0.2), if: doubleTap != nil)
            try add(stroke((drag ?? []).map { try point($0, number) }, seconds ?? 0.8, id), if: drag != nil)
            try add(twoFingers(pinch?.at, scale: pinch?.scale ?? 1, degrees: 0, id, number), if: pinch != nil)
            try add(twoFingers(turn?.at, scale: 1, degrees: turn?.degrees ?? 0, id, number), if: turn != nil)
            if let touch {
                try add(
                    [
                        entry(
                            .touch(
                                Touch(
                                    id: -1 - touch.id, pixel: point(touch.at, number), timestampNanoseconds: time(0),
                                    phase: touch.phase)))
                    ], if: true)
            }
            add([entry(.undo)], if: undo == true)
            add([entry(.redo)], if: redo == true)
            add([entry(.remove)], if: remove == true)
            add([entry(.exchange(name: exchange ?? ""))], if: exchange != nil)
            add([entry(.shake)], if: shake == true)
            add([entry(.reset)], if: reset == true)
            guard kinds == 1 else {
                throw Self.fault(number, "it has to say exactly one thing to do, such as “tap” or “undo”")
            }
            return result
        }

        static func fault(_ number: Int, _ what: String) -> ScriptError {
            ScriptError(description: "the gesture script's event \(number) can't be played: \(what)")
        }

        private func point(_ numbers: [Double]?, _ number: Int) throws -> SIMD2<Double> {
            guard let numbers, numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
                throw Self.fault(number, "a point is two numbers, [x, y], in pixels")
            }
            return SIMD2(numbers[0], numbers[1])
        }

        private func time(_ after: Double) -> Int64 { Int64(((t + after) * 1e9).rounded()) }

        private func entry(_ action: Action) -> Entry { Entry(timestampNanoseconds: time(0), action: action) }

        private func touch(
            _ id: Int, _ pixel: SIMD2<Double>, _ after: Double, _ phase: Touch.Phase
        ) -> Entry {
            let nanoseconds = time(after)
            return Entry(
                timestampNanoseconds: nanoseconds,
                action: .touch(Touch(id: id, pixel: pixel, timestampNanoseconds: nanoseconds, phase: phase)))
        }

        /// One finger along a path at the pace of a hand: slow at both ends.
        private func stroke(
            _ points: [SIMD2<Double>], _ duration: Double, _ id: Int, delay: Double = 0
        ) -> [Entry] {
            guard let first = points.first, let last = points.last else { return [] }
            var result = [touch(id, first, delay, .began)]
            let count = Int(duration * samplesPerSecond)
            for step in stride(from: 1, to: max(1, count), by: 1) where points.count > 1 {
                let position = ease(Double(step) / Double(count)) * Double(points.count - 1)
                let index = min(points.count - 2, Int(position))
                let pixel = points[index] + (points[index + 1] - points[index]) * (position - Double(index))
                result.append(touch(id, pixel, delay + Double(step) / samplesPerSecond, .moved))
            }
            result.append(touch(id, last, delay + duration, .ended))
            return result
        }

        private func twoFingers(
            _ at: [Double]?, scale: Double, degrees: Double, _ id: Int, _ number: Int
        ) throws -> [Entry] {
            let center = try point(at, number)
            guard scale > 0.01, scale < 100, abs(degrees) <= 3600 else {
                throw Self.fault(number, "“scale” has to be between 0.01 and 100, “degrees” at most 3600")
            }
            let duration = seconds ?? 0.8
            let count = max(2, Int(duration * samplesPerSecond))
            // Fingers that close start apart, so that they don't meet.
            let radius = scale < 1 ? min(160, 60 / scale) : 60
            var result: [Entry] = []
            for step in 0...count {
                let share = ease(Double(step) / Double(count))
                let angle = degrees * .pi / 180 * share
                let arm = SIMD2(cos(angle), sin(angle)) * (radius * pow(scale, share))
                let phase: Touch.Phase = step == 0 ? .began : step == count ? .ended : .moved
                let after = duration * Double(step) / Double(count)
                result.append(touch(id, center - arm, after, phase))
                result.append(touch(id + 1, center + arm, after, phase))
            }
            return result
        }

        private func ease(_ share: Double) -> Double { share * share * (3 - 2 * share) }
        private var samplesPerSecond: Double { GestureScript.samplesPerSecond }
    }
}
