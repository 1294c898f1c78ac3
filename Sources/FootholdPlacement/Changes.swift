import Foundation
import FootholdScene

extension StandingObject {
    /// Goes back, gently, to where and how another state of the same object rests.
    mutating func rest(like other: StandingObject) {
        template = other.template
        let goal = other.targetPose
        move(
            to: PlacementTarget(
                basis: other.basis, point: goal.position, normal: other.upright.targetUp, surfaceID: other.surfaceID),
            purpose: .nudging)
        // The heading that leads to the other's rotation, the short way round.
        var settled = upright
        settled.set(up: upright.targetUp)
        let difference = settled.frame.inverse * goal.rotation
        let angle = 2 * atan2(difference.y, difference.w)
        heading.target = heading.value + remainder(angle - heading.value, 2 * .pi)
        size.target = other.size.target
        aim = nil
        offEdgeNanoseconds = nil
        surfaceVersionNanoseconds = .min
        isUnsettled = true
    }
}

extension PlacementSession {
    /// What undo would take back: its kind (nil for a change of variant) and the object's name, for naming it.
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
        guard let change = history.takeBack() else { return output }
        switch change {
        case .placed(let object): output += take(object.id)
        case .removed(let object): output += put(object)
        case .altered(let kind, let before, _): output += restore(before, kind)
        }
        return output
    }

    /// Does again what was taken back last.
    public mutating func redo(_ context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let change = history.putForth() else { return output }
        switch change {
        case .placed(let object): output += put(object)
        case .removed(let object): output += take(object.id)
        case .altered(let kind, _, let after): output += restore(after, kind)
        }
        return output
    }

    /// Takes an object out of the scene; can be undone.
    public mutating func remove(_ id: Int, context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let index = index(of: id) else { return output }
        history.record(.removed(standing[index]))
        output += take(id)
        return output
    }

    /// Exchanges an object for another variant in its place (R10); can be undone.
    public mutating func exchange(
        _ id: Int, for template: ObjectTemplate, context: PlacementContext
    ) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        var output = letGo()
        guard let index = index(of: id) else { return output }
        let before = standing[index]
        standing[index].template = template
        let range = template.scaling.range
        standing[index].size.target = min(log(range.upperBound), max(log(range.lowerBound), before.size.target))
        standing[index].surfaceVersionNanoseconds = .min
        history.record(.altered(nil, before: before, after: standing[index]))
        output.objectEvents.append(ObjectEvent(kind: .placed, object: standing[index].snapshot))
        output.feedback.append(event(.success, id, intensity: 0.5))
        return output
    }

    /// Clears everything, and says so with a `removed` event for each object; can't be undone.
    public mutating func reset() -> PlacementOutput {
        manipulation = nil
        var output = PlacementOutput()
        for object in standing { output.objectEvents.append(ObjectEvent(kind: .removed, object: object.snapshot)) }
        if !standing.isEmpty { output.feedback.append(event(.success, nil)) }
        standing = []
        history.clear()
        clearQueue()
        return output
    }

    private mutating func take(_ id: Int) -> PlacementOutput {
        guard let index = index(of: id) else { return PlacementOutput() }
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: .removed, object: standing.remove(at: index).snapshot))
        return output
    }

    private mutating func put(_ object: StandingObject) -> PlacementOutput {
        var object = object
        object.aim = nil
        object.isTwisted = false
        object.surfaceVersionNanoseconds = .min
        object.finishMotion()
        // In the order of ids, which is that of placing.
        standing.insert(object, at: standing.firstIndex { $0.id > object.id } ?? standing.count)
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: .placed, object: object.snapshot))
        return output
    }

    private mutating func restore(_ state: StandingObject, _ kind: ObjectEvent.Kind?) -> PlacementOutput {
        guard let index = index(of: state.id) else { return PlacementOutput() }
        standing[index].rest(like: state)
        var output = PlacementOutput()
        output.objectEvents.append(ObjectEvent(kind: kind ?? .placed, object: standing[index].snapshot))
        return output
    }
}
