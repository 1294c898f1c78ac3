import FootholdScene
import Foundation

extension StandingObject {
    /// Goes back, gently, to where and how another state of the same object rests.
    mutating func rest(like other: StandingObject) {
        template = other.template
        let end = other.settled
        move(
            to: PlacementTarget(
                basis: other.basis, point: other.motion.target, normal: end.upright.up, surfaceID: other.surfaceID),
            purpose: .nudging)
        // The heading that leads to the other's rotation, the short way round; once there, it is taken over to the bit.
        resting = nil
        let difference = settled.upright.frame.inverse * end.rotation
        let angle = 2 * atan2(difference.y, difference.w)
        heading.target = heading.value + remainder(angle - heading.value, 2 * .pi)
        resting = end
        size.target = other.size.target
        attention = other.attention
        aim = nil
        offEdgeNanoseconds = nil
        surfaceVersionNanoseconds = .min
        isUnsettled = true
    }
}

extension PlacementSession {
    /// What undo would take back: its kind (nil for a change of variant) and the object's name (empty for all of
    /// them), for naming it.
    public var undoableChange: (kind: ObjectEvent.Kind?, objectName: String)? { Self.describe(history.done.last) }

    /// What redo would do again.
    public var redoableChange: (kind: ObjectEvent.Kind?, objectName: String)? { Self.describe(history.undone.last) }

    private static func describe(_ change: History.Change?) -> (kind: ObjectEvent.Kind?, objectName: String)? {
        change.map { ($0.kind, $0.objectName) }
    }

    /// Takes back the last change that a person made, at once and visibly. Does nothing when there is none.
    public mutating func undo(_ context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let change = history.takeBack() else { return tell(output) }
        output.changes.append(ChangeNotice(kind: change.kind, objectName: change.objectName, isRedo: false))
        switch change {
        case .placed(let object): output += take(object.id)
        case .removed(let object): output += put(object, context)
        case .altered(let kind, let before, _): output += restore(before, kind, context)
        case .cleared(let objects): for object in objects { output += put(object, context) }
        }
        output.feedback.append(event(.success, change.objectID, intensity: 0.3))
        return tell(output)
    }

    /// Does again what was taken back last.
    public mutating func redo(_ context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let change = history.putForth() else { return tell(output) }
        output.changes.append(ChangeNotice(kind: change.kind, objectName: change.objectName, isRedo: true))
        switch change {
        case .placed(let object): output += put(object, context)
        case .removed(let object): output += take(object.id)
        case .altered(let kind, _, let after): output += restore(after, kind, context)
        case .cleared(let objects): for object in objects { output += take(object.id) }
        }
        output.feedback.append(event(.success, change.objectID, intensity: 0.3))
        return tell(output)
    }

    /// Takes an object out of the scene; can be undone.
    public mutating func remove(_ id: Int, context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let index = index(of: id) else { return tell(output) }
        history.record(.removed(standing[index]))
        output += take(id)
        output.feedback.append(event(.success, nil, intensity: 0.5))
        return tell(output)
    }

    /// Exchanges an object for another variant in its place (R10); can be undone. Where the variant is larger and
    /// something is in its way, it gives way a little; where there is no room, it is refused with an `error` feedback.
    public mutating func exchange(
        _ id: Int, for template: ObjectTemplate, context: PlacementContext
    ) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let index = index(of: id) else { return tell(output) }
        let before = standing[index]
        standing[index].template = template
        let range = template.scaling.range
        standing[index].size.target = min(log(range.upperBound), max(log(range.lowerBound), before.size.target))
        guard makeRoom(index, around: before.motion.target, context) else {
            standing[index] = before
            output.feedback.append(event(.error, id))
            return tell(output)
        }
        standing[index].surfaceVersionNanoseconds = .min
        history.record(.altered(nil, before: before, after: standing[index]))
        output.objectEvents.append(ObjectEvent(kind: .placed, object: standing[index].snapshot))
        output.feedback.append(event(.success, id, intensity: 0.5))
        return tell(output)
    }

    /// Starts over: clears everything, also taps that wait, and says so with a `removed` event for each object and one
    /// `success` feedback. One undo brings all of it back, as long as the world is the same.
    public mutating func reset() -> PlacementOutput {
        tell(clear(isUndoable: true))
    }

    mutating func clear(isUndoable: Bool) -> PlacementOutput {
        var output = letGo()
        clearQueue()
        guard !standing.isEmpty else { return output }
        for object in standing { output.objectEvents.append(ObjectEvent(kind: .removed, object: object.snapshot)) }
        output.feedback.append(event(.success, nil))
        if isUndoable { history.record(.cleared(standing)) } else { history.clear() }
        standing = []
        return output
    }

    private mutating func take(_ id: Int) -> PlacementOutput {
        guard let index = index(of: id) else { return PlacementOutput() }
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: .removed, object: standing.remove(at: index).snapshot))
        return output
    }

    private mutating func put(_ object: StandingObject, _ context: PlacementContext) -> PlacementOutput {
        var object = object
        object.aim = nil
        object.isTwisted = false
        object.isSelected = false
        object.surfaceVersionNanoseconds = .min
        if let metre = metres[worldID] { object.metre.target = metre }
        object.finishMotion()
        // In the order of ids, which is that of placing.
        let index = standing.firstIndex { $0.id > object.id } ?? standing.count
        standing.insert(object, at: index)
        // Somebody else may stand there by now.
        _ = makeRoom(index, around: object.motion.target, context)
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: .placed, object: standing[index].snapshot))
        return output
    }

    private mutating func restore(
        _ state: StandingObject, _ kind: ObjectEvent.Kind?, _ context: PlacementContext
    ) -> PlacementOutput {
        guard let index = index(of: state.id) else { return PlacementOutput() }
        standing[index].rest(like: state)
        _ = makeRoom(index, around: state.motion.target, context)
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: kind ?? .placed, object: standing[index].snapshot))
        return output
    }
}

extension History.Change {
    /// The object that a change shows at; nil when it is about none or many, or it isn't there any more.
    var objectID: Int? {
        switch self {
        case .altered(_, _, let object): object.id
        case .placed, .removed, .cleared: nil
        }
    }
}
