import FootholdScene
import Foundation

/// How an object reacts to the person behind the camera (R22), without being touched.
public struct Attention: Hashable, Sendable, Codable {
    /// Tell when the camera comes near and goes away again.
    public var noticesNearness: Bool
    /// Turn to look at the camera, about the surface's normal.
    public var looksAtCamera: Bool
    /// Tell when somebody looks at it for a moment, the middle of the picture resting on it, and looks away again.
    public var noticesGaze: Bool

    public init(noticesNearness: Bool = false, looksAtCamera: Bool = false, noticesGaze: Bool = false) {
        self.noticesNearness = noticesNearness
        self.looksAtCamera = looksAtCamera
        self.noticesGaze = noticesGaze
    }
}

/// The camera came near an object or left it, looked at it or away.
public struct AttentionEvent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case cameraNear, cameraAway, lookedAt, lookedAway
    }

    public var kind: Kind
    public var objectID: Int
    public var timestampNanoseconds: Int64
}

/// What the session remembers about an attentive object.
struct AttentionState: Hashable, Sendable {
    var attention: Attention
    var isNear = false
    var isLookedAt = false
    /// Since when the middle of the picture rests on it.
    var gazeNanoseconds: Int64?
    var isTurning = false
    /// The heading that people gave it, which it stays around.
    var restHeading: Double
}

extension PlacementSession {
    /// Makes an object attentive, or indifferent again with nil.
    public mutating func setAttention(_ attention: Attention?, for id: Int) {
        guard let index = index(of: id) else { return }
        standing[index].attention = attention.map {
            AttentionState(attention: $0, restHeading: standing[index].heading.target)
        }
    }

    /// Lets attentive objects notice where the camera is.
    mutating func attend(_ context: PlacementContext) -> PlacementOutput {
        var output = PlacementOutput()
        guard let worldFromCamera = context.worldFromCamera else { return output }
        let camera = worldFromCamera.position
        for index in standing.indices {
            guard var state = standing[index].attention else { continue }
            if state.attention.noticesNearness {
                let distance = standing[index].motion.position.distance(to: camera) * exp(-metre)
                // Two borders, so that somebody who stands on one doesn't set it off again and again.
                let isNear = distance < (state.isNear ? configuration.awayDistance : configuration.nearDistance)
                if isNear != state.isNear {
                    state.isNear = isNear
                    output.attention.append(
                        AttentionEvent(
                            kind: isNear ? .cameraNear : .cameraAway, objectID: standing[index].id,
                            timestampNanoseconds: now))
                }
            }
            if state.attention.noticesGaze, let kind = noticeGaze(index, &state, worldFromCamera) {
                output.attention.append(
                    AttentionEvent(kind: kind, objectID: standing[index].id, timestampNanoseconds: now))
            }
            if state.attention.looksAtCamera, !isHeld(standing[index].id) {
                look(at: camera, index, &state)
            }
            standing[index].attention = state
        }
        return output
    }

    private func noticeGaze(
        _ index: Int, _ state: inout AttentionState, _ worldFromCamera: Pose
    ) -> AttentionEvent.Kind? {
        let pose = standing[index].worldFromObject
        let middle = pose * SIMD3(0, standing[index].scaledSize.y / 2, 0) - worldFromCamera.position
        let ahead = worldFromCamera.rotation * -.unitZ
        let angle = atan2(middle.cross(ahead).length, middle.dot(ahead))
        // As seen from here, the object itself may be wider than the angle.
        let own = atan2(standing[index].scaledSize.min() / 2, max(1e-6, middle.length))
        let border = state.isLookedAt ? configuration.lookedAwayAngle : configuration.lookedAtAngle
        guard angle < border + own else {
            state.gazeNanoseconds = nil
            guard state.isLookedAt else { return nil }
            state.isLookedAt = false
            return .lookedAway
        }
        let since = state.gazeNanoseconds ?? now
        state.gazeNanoseconds = since
        guard !state.isLookedAt, seconds(since: since) >= configuration.lookSeconds else { return nil }
        state.isLookedAt = true
        return .lookedAt
    }

    private func heading(towards camera: SIMD3<Double>, _ object: StandingObject) -> Double? {
        let up = object.upright.up
        let towards = camera - object.motion.position
        let flat = towards - up * towards.dot(up)
        // From straight above there is no direction to look in.
        guard flat.length > 0.1 * towards.length else { return nil }
        let local = object.upright.frame.inverse * flat
        return atan2(local.x, local.z)
    }

    private mutating func look(at camera: SIMD3<Double>, _ index: Int, _ state: inout AttentionState) {
        guard let wanted = heading(towards: camera, standing[index]) else { return }
        let turn = remainder(wanted - state.restHeading, 2 * .pi)
        let goal = state.restHeading + min(configuration.gazeRange, max(-configuration.gazeRange, turn))
        let error = abs(goal - standing[index].heading.value)
        // Small movements of the camera are not answered; once it turns, it turns all the way.
        if error > configuration.gazeTolerance { state.isTurning = true }
        guard state.isTurning else { return }
        if error < 0.02 { state.isTurning = false }
        standing[index].heading.target = goal
    }
}
