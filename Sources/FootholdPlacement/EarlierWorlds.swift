import FootholdScene
import Foundation

/// Objects of worlds that the camera left when it had lost its way: they come back with their world.
struct LeftObjects: Hashable, Sendable {
    /// By the world in which they stood, as they stood there.
    var ofWorld: [Int: [StandingObject]] = [:]
    /// Those that were taken away because their world was out of sight, not by a person.
    var absent: Set<Int> = []
}

extension PlacementSession {
    /// Keeps what stands in the present world, before its coordinates are void, beside what was left there before: what
    /// was restored for a world is given up in the frame that leaves it.
    mutating func leaveWorld() {
        let now = Set(standing.map(\.id))
        let objects = left.ofWorld[worldID, default: []].filter { !now.contains($0.id) } + standing
        left.ofWorld[worldID] = objects.isEmpty ? nil : objects
    }

    /// Brings objects in line with a frame that went back to an earlier world, or found that two worlds are one.
    mutating func followWorlds(_ context: PlacementContext) -> PlacementOutput {
        var output = PlacementOutput()
        if context.didReturn || context.absorbed != nil {
            history.clear()
            manipulation = nil
        }
        if context.didReturn {
            // While objects are carried, the world that they are carried into never came to be.
            if carry == nil { leaveWorld() }
            // What doesn't stand in the world that is back stays behind, where it was left.
            let known = Set(left.ofWorld[context.worldID, default: []].map(\.id))
            for object in standing where !known.contains(object.id) {
                left.absent.insert(object.id)
                output.objectEvents.append(ObjectEvent(kind: .removed, object: object.snapshot))
            }
            standing.removeAll { !known.contains($0.id) }
            carry = nil
            output += bringBack(context.worldID, change: nil)
        }
        if let absorbed = context.absorbed {
            if absorbed.id == worldID {
                for index in standing.indices { standing[index] = standing[index].moved(by: absorbed) }
                if metres[context.worldID] == nil {
                    metres[context.worldID] = metres[absorbed.id].map { $0 + log(absorbed.scale) }
                }
                output += bringBack(context.worldID, change: nil)
            } else {
                output += bringBack(absorbed.id, change: absorbed)
            }
        }
        worldID = context.worldID
        return output
    }

    /// Puts the objects that were left in a world where they stood.
    private mutating func bringBack(_ world: Int, change: AbsorbedWorld?) -> PlacementOutput {
        var output = PlacementOutput()
        for object in left.ofWorld.removeValue(forKey: world) ?? [] {
            let back = change.map(object.moved) ?? object
            if let index = index(of: object.id) {
                // It was carried over: its own place is the better one.
                var back = back
                back.isSelected = standing[index].isSelected
                standing[index] = back
            } else if left.absent.remove(object.id) != nil {
                standing.append(back)
                output.objectEvents.append(ObjectEvent(kind: .placed, object: back.snapshot))
            }
        }
        standing.sort { $0.id < $1.id }
        return output
    }
}

extension StandingObject {
    /// Where and as large as it is seen when its world becomes part of another one.
    func moved(by change: AbsorbedWorld) -> StandingObject {
        let pose = change.pose(targetPose)
        let target = PlacementTarget(
            basis: basis, point: pose.position, normal: change.pose.rotation * upright.targetUp, surfaceID: surfaceID)
        let ray = aim.map { Ray(origin: change.point($0.origin), direction: change.pose.rotation * $0.direction) }
        var moved = StandingObject(
            id: id, template: template, target: target, frame: pose.rotation, aim: ray, now: placedNanoseconds)
        moved.resolvedNanoseconds = resolvedNanoseconds
        moved.size = ScalarMotion(size.target)
        moved.metre = ScalarMotion(metre.target + log(change.scale))
        moved.isSelected = isSelected
        moved.isAirborne = false
        moved.isUnsettled = isUnsettled
        moved.attention = attention
        return moved
    }
}
