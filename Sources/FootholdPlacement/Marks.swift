import FootholdScene
import Foundation

/// Which signs are in the scene, and how strongly each shows.
struct Marking: Hashable, Sendable {
    /// Signs come and go in this time.
    static let fadeSeconds = 0.2
    static let pulseSeconds = 0.7

    struct Handles: Hashable, Sendable {
        var objectID: Int
        var ring = 0.0
        var arrows = 0.0
        /// Since when nobody has done what they invite to; nil while somebody does.
        var idleSinceNanoseconds: Int64?
    }

    struct Pulse: Hashable, Sendable {
        var kind: FeedbackEvent.Kind
        var objectID: Int?
        var pose: Pose
        var radius: Double
        var strength: Double
        var startNanoseconds: Int64
    }

    /// Those of the selected object, and those that are on their way out.
    var handles: [Handles] = []
    var pulses: [Pulse] = []
    var lastNanoseconds: Int64?
}

extension PlacementSession {
    /// The signs to draw in the scene now: a ring and arrows around the selected object (R8), and a pulse wherever
    /// something could be felt (R7).
    public var marks: [SceneMark] {
        var marks: [SceneMark] = []
        for handles in marking.handles {
            guard let index = index(of: handles.objectID) else { continue }
            let object = standing[index]
            let pose = object.worldFromObject
            let radius = markRadius(object)
            if handles.ring > 0 {
                marks.append(
                    SceneMark(
                        shape: .rotationRing, worldFromMark: pose, radius: radius, opacity: handles.ring,
                        objectID: object.id))
            }
            if handles.arrows > 0 {
                marks.append(
                    SceneMark(
                        shape: .movementArrows, worldFromMark: pose, radius: radius * 1.22, opacity: handles.arrows,
                        objectID: object.id))
            }
        }
        for pulse in marking.pulses {
            let age = min(1, max(0, Double(now - pulse.startNanoseconds) / 1e9 / Marking.pulseSeconds))
            let pose = pulse.objectID.flatMap(index(of:)).map { standing[$0].worldFromObject } ?? pulse.pose
            marks.append(
                SceneMark(
                    shape: .pulse(pulse.kind), worldFromMark: pose, radius: pulse.radius * (1 + 0.5 * age),
                    opacity: pulse.strength * (1 - age) * (1 - age), objectID: pulse.objectID))
        }
        return marks
    }

    /// How long the signs around the selected object have waited for somebody to do something with it; nil when there
    /// are none. Words are due only after a while of this (R8).
    public var unansweredHintSeconds: Double? {
        guard let selected = standing.first(where: \.isSelected),
            let since = marking.handles.first(where: { $0.objectID == selected.id })?.idleSinceNanoseconds
        else { return nil }
        return seconds(since: since)
    }

    private func markRadius(_ object: StandingObject) -> Double { object.reach * 1.24 }

    /// Shows for a moment what could be felt.
    mutating func mark(_ feedback: [FeedbackEvent]) {
        for event in feedback where !event.isHeadsUp {
            var (pose, radius): (Pose?, Double) = (nil, 0.1)
            if let index = event.objectID.flatMap(index(of:)) {
                (pose, radius) = (standing[index].worldFromObject, markRadius(standing[index]))
            } else if event.kind == .error {
                pose = refusedAt
            }
            // What was felt nowhere in particular shows by what it did.
            guard let pose else { continue }
            marking.pulses.append(
                Marking.Pulse(
                    kind: event.kind, objectID: event.objectID, pose: pose, radius: radius,
                    strength: 0.4 + 0.6 * event.intensity, startNanoseconds: now))
        }
    }

    /// Lets signs come and go, by the time that passed.
    mutating func advanceMarks() {
        let elapsed = marking.lastNanoseconds.map { Double(now - $0) / 1e9 } ?? 0
        marking.lastNanoseconds = now
        let change = elapsed / Marking.fadeSeconds
        let selectedID = standing.first(where: \.isSelected)?.id
        if let selectedID, !marking.handles.contains(where: { $0.objectID == selectedID }) {
            marking.handles.append(Marking.Handles(objectID: selectedID))
        }
        for index in marking.handles.indices {
            let id = marking.handles[index].objectID
            let held = manipulation?.objectID == id ? manipulation : nil
            let isSelected = id == selectedID
            // While one thing is done, the invitation to another steps back.
            let wantsRing = isSelected && held?.drag == nil
            let wantsArrows = isSelected && (held == nil || held?.drag != nil)
            func fade(_ value: Double, _ isWanted: Bool) -> Double {
                isWanted ? min(1, value + change) : max(0, value - change)
            }
            marking.handles[index].ring = fade(marking.handles[index].ring, wantsRing)
            marking.handles[index].arrows = fade(marking.handles[index].arrows, wantsArrows)
            if held != nil || !isSelected {
                marking.handles[index].idleSinceNanoseconds = nil
            } else if marking.handles[index].idleSinceNanoseconds == nil {
                marking.handles[index].idleSinceNanoseconds = now
            }
        }
        marking.handles.removeAll { $0.objectID != selectedID && $0.ring <= 0 && $0.arrows <= 0 }
        marking.pulses.removeAll { Double(now - $0.startNanoseconds) / 1e9 >= Marking.pulseSeconds }
    }
}
